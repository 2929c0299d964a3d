"""Runs in the crowd environment: a study under Mephisto's mock architect, told what to do line by line.

    crowd_driver.py UI CONFIG PORT

Each line on standard input is `{"do": ..., ...}`, each on standard output the JSON reply.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from queue import Queue
from typing import Any


def main(ui: str, config_file: str, port: str) -> None:
    sys.path.append(ui)
    replies, sys.stdout = sys.stdout, sys.stderr
    from crowd.config import read_config
    from crowd.shim import prepare

    config = read_config(Path(config_file))
    home = prepare(config.task.data)
    from crowd.launch import Study
    from mephisto.abstractions.architects.mock_architect import MockArchitectArgs

    lines: Queue[str] = Queue()
    threading.Thread(target=lambda: [lines.put(line) for line in sys.stdin], daemon=True).start()
    architect = MockArchitectArgs(should_run_server=True, port=port)
    with Study(config, home, architect=architect) as study:
        run = study.launch()
        live = study.operator.get_running_task_runs()[run]
        print(json.dumps({"items": [i.id for i in study.items]}), file=replies, flush=True)
        while True:
            study.wait(until=lambda: not lines.empty())
            asked = json.loads(lines.get())
            if asked["do"] == "stop":
                break
            print(json.dumps(_do(asked, live)), file=replies, flush=True)
    print("{}", file=replies, flush=True)
    os._exit(0)


def _do(asked: dict[str, Any], live: Any) -> Any:
    server = live.architect.server
    match asked["do"]:
        case "register":
            server.register_mock_agent(asked["worker"], asked["registration"])
        case "act":
            server.send_agent_act(asked["agent"], asked["data"])
        case "submit":
            server.submit_mock_unit(asked["agent"], {})
        case "disconnect":
            server.disconnect_mock_agent(asked["agent"])
        case "look":
            time.sleep(0.05)
            return {
                "packet": server.last_packet,
                "agents": {name: _agent(agent) for name, agent in live.worker_pool.agents.items()},
            }
    return {}


def _agent(agent: Any) -> dict[str, Any]:
    return {"status": agent.get_status(), "messages": agent.state.get_data()["outputs"]["messages"]}


if __name__ == "__main__":
    main(*sys.argv[1:])
