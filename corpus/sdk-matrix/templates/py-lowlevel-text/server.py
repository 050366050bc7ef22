"""The low-level server of the releases that know neither output schemas nor results made by hand."""
import asyncio

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from .declarations import DECLARATIONS

server = Server("__NAME__")
TOOLS = ("add", "lookup")


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [types.Tool(**declaration) for declaration in DECLARATIONS if declaration["name"] in TOOLS]


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> list[types.TextContent]:
    if name == "add":
        return [types.TextContent(type="text", text=f"The sum is {arguments['a'] + arguments['b']}.")]
    if name == "lookup":
        raise RuntimeError("the backend is down")
    raise ValueError(f"Unknown tool: {name}")


async def serve() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def main() -> None:
    asyncio.run(serve())
