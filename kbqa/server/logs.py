"""Logs as JSON lines on stderr: {time, level, event, ...}. Questions and answers are in the records,
not here."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any

NAME = "kbqa.server"


class Lines(logging.Formatter):
    """One JSON object per record; `extra={"about": {...}}` adds members."""

    def format(self, record: logging.LogRecord) -> str:
        row: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.casefold(),
            "logger": record.name,
            "event": record.getMessage(),
            **getattr(record, "about", {}),
        }
        if record.exc_info:
            row["exception"] = self.formatException(record.exc_info)
        return json.dumps(row, default=str)


def log_config() -> dict[str, Any]:
    """For `logging.config` and uvicorn: everything as JSON lines; requests are logged by `guard`."""
    quiet = {"handlers": [], "level": "INFO", "propagate": True}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": "kbqa.server.logs.Lines"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {NAME: quiet, "uvicorn": quiet, "uvicorn.error": quiet},
    }
