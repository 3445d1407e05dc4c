"""How much data is needed: responses, double scores, raters or labels?"""
