"""Is one system better than another, and is that settled?"""
