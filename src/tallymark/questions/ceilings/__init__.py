"""Ceilings: what agreement with these people is attainable, and where do systems stand?"""
