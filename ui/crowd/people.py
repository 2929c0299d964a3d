"""Participants are known by a salted hash of the worker's id, everywhere and from the start."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from crowd.trouble import CrowdError

_SALT_BYTES = 32
_SIGNS = 32


def read_salt(file: Path) -> bytes:
    """The salt of a study, made at random and readable by its owner only where there is none yet.

    Without it no hash can be traced back to an id by trying ids: delete it when the study is paid and over.
    Raises `CrowdError` where the file holds something else.
    """
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        pass
    else:
        with os.fdopen(handle, "w", encoding="ascii") as out:
            out.write(secrets.token_hex(_SALT_BYTES) + "\n")
            out.flush()
            os.fsync(out.fileno())
    try:
        salt = bytes.fromhex(file.read_text(encoding="ascii"))
    except ValueError:
        salt = b""
    if len(salt) < _SALT_BYTES:
        raise CrowdError(
            f"{file} is no salt: expected {2 * _SALT_BYTES} hexadecimal digits; put the study's own salt "
            "back, or move the file away to begin a new study"
        )
    return salt


def participant_hash(worker_id: str, salt: bytes) -> str:
    """32 hexadecimal digits: HMAC-SHA256 of the id under the salt, cut to 128 bits."""
    return hmac.new(salt, worker_id.encode(), hashlib.sha256).hexdigest()[:_SIGNS]
