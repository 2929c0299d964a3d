"""What is changed in a copy of Mephisto's node router (1.1.1), and why."""

from __future__ import annotations

import shutil
from pathlib import Path

from crowd.trouble import CrowdError

PATIENCE_MS = 120_000
"""How long a worker's connection may be away before Mephisto takes the worker for gone."""

_CHANGES: tuple[tuple[str, str], ...] = (
    # A cut connection heals within two minutes; as it comes, 10 to 15 seconds end it for good.
    ("const FAILED_RECONNECT_TIME = 10000;", f"const FAILED_RECONNECT_TIME = {PATIENCE_MS};"),
    ("const FAILED_PING_TIME = 15000;", f"const FAILED_PING_TIME = {PATIENCE_MS};"),
    # On this machine only, unless told otherwise; as it comes, on every interface.
    (
        "server.listen(PORT, function () {",
        'server.listen(PORT, process.env.HOST || "127.0.0.1", function () {',
    ),
    # Ends with the process that started it, whatever ended that: its standard input is then closed.
    (
        "// Initialize app\n",
        "process.stdin.on('end', () => process.exit(0)).resume();\n\n// Initialize app\n",
    ),
    # A message for a page that is away waits until it is back; as it comes, it is lost.
    (
        "  if (socket) {\n    _send_message(socket, packet);\n  } else {",
        "  if (socket && socket.readyState == 1) {\n    _send_message(socket, packet);\n  } else {",
    ),
    (
        "    if (!agent_state.is_alive) {\n        continue;",
        "    if (!agent_state.is_alive || agent_id_to_socket[agent_id].readyState != 1) {\n        continue;",
    ),
    # Under today's node a message that was sent gives null here: as it comes, each is sent twice.
    ("if (error === undefined) {", "if (!error) {"),
    ("if (error2 === undefined) {", "if (!error2) {"),
    # Only who has the key of this run may speak for Mephisto; as it comes, any page may.
    (
        'wss.on("connection", function (socket) {\n  socket.id = uuidv4();',
        'wss.on("connection", function (socket, request) {\n  socket.id = uuidv4();\n'
        '  socket.is_system = request.url === "/?key=" + process.env.SYSTEM_KEY;',
    ),
    (
        '      packet["router_incoming_timestamp"] = pythonTime();\n',
        '      packet["router_incoming_timestamp"] = pythonTime();\n'
        "      const from_pages = [PACKET_TYPE_ALIVE, PACKET_TYPE_HEARTBEAT, PACKET_TYPE_ERROR,\n"
        "        PACKET_TYPE_MEPHISTO_BOUND_LIVE_UPDATE];\n"
        "      if (!socket.is_system && (packet.subject_id == SYSTEM_SOCKET_ID ||\n"
        "          !from_pages.includes(packet.packet_type))) {\n        return;\n      }\n",
    ),
    # This task has no files; as it comes, anybody can read and fill the machine's /tmp.
    ("upload.any()", "upload.none()"),
    (
        'app.get("/download_file/:file", function (req, res) {\n',
        'app.get("/download_file/:file", function (req, res) {\n  return res.status(404).end();\n',
    ),
)


def copy_router(source: Path, target: Path) -> None:
    """The folder `source` (the wheel's router/node) to `target`, changed. Raises `CrowdError` where a place
    is not found: then it is another version."""
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(source, target)
    server = target / "server.js"
    server.write_text(changed(server.read_text(encoding="utf-8")), encoding="utf-8")


def changed(code: str) -> str:
    """`server.js` with every change made exactly once."""
    for old, new in _CHANGES:
        if code.count(old) != 1:
            raise CrowdError(
                f"the router's server.js has {code.count(old)} places with {old.strip()!r}; expected one, as "
                "in Mephisto 1.1.1"
            )
        code = code.replace(old, new)
    return code
