#!/usr/bin/env node
// Low level, the author checks arguments and throws the SDK's own error with a code.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { DECLARATIONS } from './declarations.js';
import { TOOLS } from './tools.js';

const server = new Server({ name: '__NAME__', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: DECLARATIONS }));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  if (!Object.hasOwn(TOOLS, params.name)) {
    throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
  }
  const { properties, required } = DECLARATIONS.find((tool) => tool.name === params.name).inputSchema;
  const given = params.arguments ?? {};
  for (const name of required) {
    if (typeof given[name] !== properties[name].type) {
      throw new McpError(ErrorCode.InvalidParams, `${name} must be a ${properties[name].type}`);
    }
  }
  return TOOLS[params.name](given);
});
await server.connect(new StdioServerTransport());
