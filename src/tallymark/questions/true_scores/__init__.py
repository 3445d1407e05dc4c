"""True scores: how well would systems do if raters made no errors?"""
