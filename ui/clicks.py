"""One way to put a button on the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import streamlit as st

Kind = Literal["primary", "secondary", "tertiary"]
"""How much a button stands out."""


def click(
    label: str,
    key: str,
    act: Callable[..., Any],
    *args: Any,
    icon: str = "",
    kind: Kind = "secondary",
    wide: bool = False,
    tip: str | None = None,
    off: bool = False,
) -> None:
    """A button that does `act(*args)` before the page is drawn again. `label` is Markdown: text from
    elsewhere goes through `show.markdown`. `icon`: a name among Material's symbols."""
    st.button(
        label,
        key=key,
        on_click=act,
        args=args,
        icon=f":material/{icon}:" if icon else None,
        type=kind,
        width="stretch" if wide else "content",
        help=tip,
        disabled=off,
    )
