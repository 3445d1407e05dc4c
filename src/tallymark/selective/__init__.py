"""Which scores may stand alone? Critical errors, confidence, thresholds with a guarantee, cost.

Arrays in, frozen records out. ``errors`` says which scores are critical errors, ``curve`` how many
of them pass at each threshold, ``certify`` which threshold comes with a guarantee.
"""
