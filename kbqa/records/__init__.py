"""Every dialogue, turn and version in one SQLite file, written before a reply leaves.

with Records() as records:
    reply = records.save(dialogue)
    reply = records.save(engine.advance(dialogue, said), said, turn_id="2")
    dialogue = records.load(dialogue.dialogue_id)   # equal to what was saved; goes on
"""

from kbqa.records.codec import decode, encode
from kbqa.records.file import Records, Summary, default_path

__all__ = ["Records", "Summary", "decode", "default_path", "encode"]
