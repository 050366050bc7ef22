#!/usr/bin/env node
// The older spelling, which knows no output schema.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { TOOLS } from './tools.js';

const server = new McpServer({ name: '__NAME__', version: '1.0.0' });
server.tool('add', 'Adds two numbers.', { a: z.number(), b: z.number() }, TOOLS.add);
server.tool('double', 'Doubles a number.', { value: z.number() }, TOOLS.double);
server.tool('lookup', 'Fails by an exception.', { key: z.string() }, TOOLS.lookup);
server.tool('refuse', 'Fails by a result.', { key: z.string() }, TOOLS.refuse);
await server.connect(new StdioServerTransport());
