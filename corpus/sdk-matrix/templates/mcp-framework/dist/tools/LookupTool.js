import { MCPTool } from 'mcp-framework';
import { z } from 'zod';

export default class LookupTool extends MCPTool {
  name = 'lookup';
  description = 'Fails by an exception.';
  schema = { key: { type: z.string(), description: 'What to look up.' } };

  async execute() {
    throw new Error('the backend is down');
  }
}
