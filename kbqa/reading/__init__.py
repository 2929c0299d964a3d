"""What a question says and a parser's readings of it leave out, add or mistake, put right over the graph.

`reader` is the way through: the question put in full, names linked, the parser's readings, and one of them
chosen. Each other module knows one thing that people say: 'the second largest', 'but not in Germany'.
"""
