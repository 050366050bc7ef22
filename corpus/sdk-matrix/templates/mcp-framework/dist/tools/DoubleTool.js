import { MCPTool } from 'mcp-framework';
import { z } from 'zod';

export default class DoubleTool extends MCPTool {
  name = 'double';
  description = 'Doubles a number.';
  schema = { value: { type: z.number(), description: 'A number.' } };

  async execute({ value }) {
    return { value: 2 * value };
  }
}
