"""Is each group treated as people treat it?"""
