"""Pass marks and grade boundaries: would the same responses pass?"""
