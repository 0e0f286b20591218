"""What comes from those who mean no good, or know no better: at the level of bytes."""
