import asyncio

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from .declarations import DECLARATIONS
from .failure import tool_failure

server = Server("__NAME__")


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [types.Tool(**declaration) for declaration in DECLARATIONS]


@server.call_tool()
async def call_tool(name: str, arguments: dict):
    if name == "add":
        return [types.TextContent(type="text", text=f"The sum is {arguments['a'] + arguments['b']}.")]
    if name == "double":
        return {"value": 2 * arguments["value"]}
    if name == "broken":
        return {"value": "many"}
    if name == "lookup":
        raise RuntimeError("the backend is down")
    if name == "refuse":
        return types.CallToolResult(
            content=[types.TextContent(type="text", text="the backend is down, try again later")],
            isError=True,
            _meta=tool_failure(),
        )
    raise ValueError(f"Unknown tool: {name}")


async def serve() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def main() -> None:
    asyncio.run(serve())
