#!/usr/bin/env node
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { TOOLS } from './tools.js';

const server = new McpServer({ name: '__NAME__', version: '1.0.0' });
const value = { value: z.number() };
server.registerTool('add', { description: 'Adds two numbers.', inputSchema: { a: z.number(), b: z.number() } }, TOOLS.add);
server.registerTool('double', { description: 'Doubles a number.', inputSchema: value, outputSchema: value }, TOOLS.double);
server.registerTool('broken', { description: 'Breaks its output schema.', inputSchema: value, outputSchema: value }, TOOLS.broken);
server.registerTool('lookup', { description: 'Fails by an exception.', inputSchema: { key: z.string() } }, TOOLS.lookup);
server.registerTool('refuse', { description: 'Fails by a result.', inputSchema: { key: z.string() } }, TOOLS.refuse);
await server.connect(new StdioServerTransport());
