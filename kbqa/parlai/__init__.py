"""ParlAI 1.7.2: a teacher who is a simulated user, and an agent that is the engine (docs/simulation.md).

`teacher` and `agent` need ParlAI, `episode` and `reading` don't.
"""
