#!/usr/bin/env node
// Low level, the author throws a plain Error and checks nothing.
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { DECLARATIONS } from './declarations.js';
import { TOOLS } from './tools.js';

function create() {
  const server = new Server({ name: '__NAME__', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: DECLARATIONS }));
  server.setRequestHandler('tools/call', ({ params }) => {
    if (!Object.hasOwn(TOOLS, params.name)) {
      throw new Error(`Unknown tool: ${params.name}`);
    }
    return TOOLS[params.name](params.arguments ?? {});
  });
  return server;
}

await create().connect(new StdioServerTransport());
