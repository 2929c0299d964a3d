"""Where the cursor and the page go by themselves: the page's only scripts, in which nobody's text stands."""

from __future__ import annotations

import re

import streamlit as st

_ENTER = """(() => {
  const box = document.querySelector('.st-key-%s textarea');
  if (!box) return;
  box.addEventListener('keydown', pressed => {
    if (pressed.key !== 'Enter' || pressed.isComposing) return;
    pressed.preventDefault();
    box.closest('.stForm').querySelector('.stFormSubmitButton button').click();
  });
  %s
})()"""
_FOCUS = """box.focus();
  box.setSelectionRange(box.value.length, box.value.length);
  box.closest('.stForm').scrollIntoView({block: 'nearest'});"""


def enter(key: str, *, focus: bool) -> None:
    """The return key sends the form that the text area of that key is in; `focus`: the cursor goes there."""
    _run(_ENTER % (_checked(key), _FOCUS if focus else ""), f"enter-{key}")


_TO_TOP = """(() => {
  const page = document.querySelector('.stMain');
  let last = -1, still = 0, looks = 0;
  const look = setInterval(() => {
    still = page.scrollTop === last ? still + 1 : 0;
    last = page.scrollTop;
    if (still > 3 || ++looks > 25) clearInterval(look);
    if (still > 3) document.querySelector('.st-key-%s')?.scrollIntoView({block: 'start'});
  }, 50);
})() // %s"""
"""Waits until Streamlit has scrolled to the end of what is new, which it does where a page has a box at
its bottom; gives up where somebody goes on scrolling."""


def to_top(key: str, act: str) -> None:
    """The page to the container of that key, so that what is to be read is seen: once for each `act`."""
    _run(_TO_TOP % (_checked(key), _checked(act)), "to-top")


def _checked(key: str) -> str:
    if not re.fullmatch(r"[a-z0-9-]+", key):
        raise ValueError(f"a key of letters, digits and hyphens expected, not {key!r}")
    return key


def _run(script: str, key: str) -> None:
    with st.container(key=f"script-{key}"):
        st.html(f"<script>{script}</script>", unsafe_allow_javascript=True)
