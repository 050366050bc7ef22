import { MCPTool } from 'mcp-framework';
import { z } from 'zod';
import { TOOLS } from '../tools.js';

export default class RefuseTool extends MCPTool {
  name = 'refuse';
  description = 'Fails by a result.';
  schema = { key: { type: z.string(), description: 'What to look up.' } };

  async execute() {
    return TOOLS.refuse();
  }
}
