"""Probes: what does a system give texts that should not fool it?"""
