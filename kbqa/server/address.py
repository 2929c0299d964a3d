"""Where a server listens, and whether that needs a token."""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address

from kbqa.errors import InputError


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach that address. A name other than localhost counts as open."""
    name = host.strip().strip("[]").casefold()
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


def bound(host: str, port: int) -> socket.socket:
    """A socket at that address, on which nobody is listened to yet. Raises `InputError`: what can't be
    had is told before models are loaded."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        made = socket.socket(family, kind, protocol)
    except OSError as e:
        raise InputError(f"there is no address {host!r} to listen on: {e}") from None
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
    except OSError as e:
        made.close()
        raise InputError(f"can't listen on {host}, port {port}: {e.strerror}; try another --port") from None
    return made


def checked_token(host: str, token: str | None) -> None:
    """Raises `InputError` for a token that can't be sent, and where others than this machine could ask
    without one."""
    if token is None and not is_loopback(host):
        raise InputError(
            f"others can reach {host}: set KBQA_TOKEN (or --token) to a secret that requests must bear,"
            " or listen on 127.0.0.1"
        )
    if token is not None and not re.fullmatch(r"[!-~]{8,}", token):
        raise InputError("the token needs at least 8 printable ASCII characters and no space")
