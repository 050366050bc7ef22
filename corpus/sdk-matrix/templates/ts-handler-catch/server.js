#!/usr/bin/env node
// Low level, the author turns every exception into a result.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { DECLARATIONS } from './declarations.js';
import { TOOLS } from './tools.js';

const server = new Server({ name: '__NAME__', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: DECLARATIONS }));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  try {
    if (!Object.hasOwn(TOOLS, params.name)) {
      throw new Error(`Unknown tool: ${params.name}`);
    }
    return TOOLS[params.name](params.arguments ?? {});
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: `Error: ${error.message}` }] };
  }
});
await server.connect(new StdioServerTransport());
