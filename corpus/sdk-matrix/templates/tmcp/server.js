#!/usr/bin/env node
import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { StdioTransport } from '@tmcp/transport-stdio';
import { McpServer } from 'tmcp';
import { z } from 'zod';
import { TOOLS } from './tools.js';

const server = new McpServer(
  { name: '__NAME__', version: '1.0.0', description: 'A tiny server.' },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
);
const value = z.object({ value: z.number() });
const key = z.object({ key: z.string() });
server.tool({ name: 'add', description: 'Adds two numbers.', schema: z.object({ a: z.number(), b: z.number() }) }, TOOLS.add);
server.tool({ name: 'double', description: 'Doubles a number.', schema: value, outputSchema: value }, TOOLS.double);
server.tool({ name: 'broken', description: 'Breaks its output schema.', schema: value, outputSchema: value }, TOOLS.broken);
server.tool({ name: 'lookup', description: 'Fails by an exception.', schema: key }, TOOLS.lookup);
server.tool({ name: 'refuse', description: 'Fails by a result.', schema: key }, TOOLS.refuse);
new StdioTransport(server).listen();
