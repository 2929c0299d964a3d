"""Dialogues with simulated users: they hold the gold query, the engine never sees it.

A simulated user is a model of a person, not a person: see docs/simulation.md.
"""
