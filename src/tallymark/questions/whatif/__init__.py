"""What would the same system get if the table of scores were different in one thing?"""
