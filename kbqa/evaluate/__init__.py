"""Measures over logical forms, answers and dialogues, and the statistics that go with them."""
