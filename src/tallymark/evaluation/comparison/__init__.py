"""Comparison: which system is better, on the same responses, and how sure are we?"""
