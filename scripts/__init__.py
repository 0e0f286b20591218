"""Scripts that renew what is made from the code and committed."""
