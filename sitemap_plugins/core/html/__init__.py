"""What built pages say: read by the parser that browsers agree with."""
