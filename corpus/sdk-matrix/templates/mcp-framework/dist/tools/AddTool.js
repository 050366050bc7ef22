import { MCPTool } from 'mcp-framework';
import { z } from 'zod';

export default class AddTool extends MCPTool {
  name = 'add';
  description = 'Adds two numbers.';
  schema = { a: { type: z.number(), description: 'A number.' }, b: { type: z.number(), description: 'A number.' } };

  async execute({ a, b }) {
    return `The sum is ${a + b}.`;
  }
}
