"""What is asked: one record, from which every way of asking comes."""
