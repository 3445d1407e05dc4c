"""What a policy says of each system: may it be used?"""
