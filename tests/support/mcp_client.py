"""The official client for Python at the other end of `askdeck mcp`.

Lines of JSON on standard input say what to call; lines on standard output say what came of it. At
the end of its input it waits for the calls that are under way, and then hangs up.
"""

import asyncio
import json
import os
import sys
from typing import Any, Literal

from mcp import Client, MCPError, StdioServerParameters
from mcp.client.extension import ClientExtension, ResultClaim, advertise
from mcp.types import ElicitResult, Implementation, Request, Result
from pydantic import ConfigDict

setup = json.loads(sys.argv[1])


class Task(Result):
    """This package has no types for the Tasks extension; mcp_tasks.mjs checks what came."""

    model_config = ConfigDict(extra="allow")
    result_type: Literal["task"]


class Reply(Result):
    model_config = ConfigDict(extra="allow")


class Tasks(ClientExtension):
    identifier = "io.modelcontextprotocol/tasks"

    def claims(self):
        return [ResultClaim(result_type="task", model=Task, resolve=self.resolve)]

    async def resolve(self, _task, _context):
        raise NotImplementedError("the test asks for the answer itself")


EXTENSIONS = {"claimed": Tasks(), "advertised": advertise(Tasks.identifier)}


def tell(**event):
    print(json.dumps(event), flush=True)


def plain(value):
    return value.model_dump(mode="json", by_alias=True, exclude_unset=True)


async def elicit(_context, params):
    tell(elicitation=plain(params))
    return ElicitResult(**setup["elicitation"])


async def call(client, line):
    async def progress(value, _total, message):
        tell(id=line["id"], progress=value, message=message)

    try:
        if "method" in line:
            request = Request[dict[str, Any], str](method=line["method"], params=line["params"])
            result = await client.session.send_request(request, Reply)
        elif setup.get("tasks") == "claimed":
            result = await client.session.call_tool(
                line["tool"], line["arguments"], allow_claimed=True
            )
        else:
            result = await client.call_tool(
                line["tool"],
                line["arguments"],
                read_timeout_seconds=line.get("timeout"),
                progress_callback=progress if line.get("progress") else None,
            )
        tell(id=line["id"], result=plain(result))
    except MCPError as error:
        tell(id=line["id"], error=plain(error.error) if "method" in line else str(error))
    except asyncio.CancelledError:
        tell(id=line["id"], cancelled=True)


async def main():
    env = dict(os.environ)
    if setup.get("without_display"):
        del env["DISPLAY"]
    server = StdioServerParameters(command=setup["command"], args=setup["args"], env=env)
    name = setup.get("name")
    client = Client(
        server,
        mode=setup.get("mode", "legacy"),
        client_info=Implementation(name=name, version="1") if name else None,
        elicitation_callback=elicit if "elicitation" in setup else None,
        extensions=[EXTENSIONS[setup["tasks"]]] if "tasks" in setup else None,
    )
    async with client:
        tell(connected=client.protocol_version)
        calls = {}
        while text := await asyncio.to_thread(sys.stdin.readline):
            line = json.loads(text)
            if "cancel" in line:
                calls[line["cancel"]].cancel()
            elif "list" in line:
                tools = await client.list_tools()
                tell(id=line["list"], result=[plain(tool) for tool in tools.tools])
            else:
                calls[line["id"]] = asyncio.create_task(call(client, line))
        await asyncio.gather(*calls.values())


asyncio.run(main())
