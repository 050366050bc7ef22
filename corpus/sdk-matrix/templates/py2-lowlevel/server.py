import asyncio

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from .declarations import DECLARATIONS
from .failure import tool_failure


def text(value: object) -> list[types.TextContent]:
    return [types.TextContent(type="text", text=str(value))]


async def list_tools(ctx, params) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[types.Tool(**declaration) for declaration in DECLARATIONS])


async def call_tool(ctx, params: types.CallToolRequestParams) -> types.CallToolResult:
    given = params.arguments or {}
    if params.name == "add":
        return types.CallToolResult(content=text(f"The sum is {given['a'] + given['b']}."))
    if params.name == "double":
        value = {"value": 2 * given["value"]}
        return types.CallToolResult(content=text(value), structured_content=value)
    if params.name == "broken":
        return types.CallToolResult(content=text("many"), structured_content={"value": "many"})
    if params.name == "lookup":
        raise RuntimeError("the backend is down")
    if params.name == "refuse":
        return types.CallToolResult(content=text("the backend is down, try again later"), is_error=True, _meta=tool_failure())
    raise ValueError(f"Unknown tool: {params.name}")


server = Server("__NAME__", on_list_tools=list_tools, on_call_tool=call_tool)


async def serve() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def main() -> None:
    asyncio.run(serve())
