#!/usr/bin/env node
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { TOOLS } from './tools.js';

function create() {
  const server = new McpServer({ name: '__NAME__', version: '1.0.0' });
  const value = z.object({ value: z.number() });
  const key = z.object({ key: z.string() });
  server.registerTool('add', { description: 'Adds two numbers.', inputSchema: z.object({ a: z.number(), b: z.number() }) }, TOOLS.add);
  server.registerTool('double', { description: 'Doubles a number.', inputSchema: value, outputSchema: value }, TOOLS.double);
  server.registerTool('broken', { description: 'Breaks its output schema.', inputSchema: value, outputSchema: value }, TOOLS.broken);
  server.registerTool('lookup', { description: 'Fails by an exception.', inputSchema: key }, TOOLS.lookup);
  server.registerTool('refuse', { description: 'Fails by a result.', inputSchema: key }, TOOLS.refuse);
  return server;
}

serveStdio(create);
