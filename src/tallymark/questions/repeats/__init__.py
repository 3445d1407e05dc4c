"""Several runs of one system on the same responses: how steady is it?"""
