"""What a confidence is worth: which scores can be trusted without a person looking at them?"""
