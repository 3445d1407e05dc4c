"""Length: does a system reward it beyond what people do?"""
