"""RSMTool's configurations in, RSMTool's files out; the only place that knows its column names.

May import evaluation and everything below it. Numbers follow RSMTool 12 to the letter, also where
the rest of Tallymark computes something better.
"""
