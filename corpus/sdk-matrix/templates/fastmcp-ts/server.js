#!/usr/bin/env node
import { FastMCP } from 'fastmcp';
import { z } from 'zod';
import { TOOLS } from './tools.js';

const server = new FastMCP({ name: '__NAME__', version: '1.0.0' });
const value = z.object({ value: z.number() });
const key = z.object({ key: z.string() });
const tools = [
  { name: 'add', description: 'Adds two numbers.', parameters: z.object({ a: z.number(), b: z.number() }) },
  { name: 'double', description: 'Doubles a number.', parameters: value, outputSchema: value },
  { name: 'broken', description: 'Breaks its output schema.', parameters: value, outputSchema: value },
  { name: 'lookup', description: 'Fails by an exception.', parameters: key },
  { name: 'refuse', description: 'Fails by a result.', parameters: key },
];
for (const tool of tools) {
  server.addTool({ ...tool, execute: async (given) => TOOLS[tool.name](given) });
}
await server.start({ transportType: 'stdio' });
