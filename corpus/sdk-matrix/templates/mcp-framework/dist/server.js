#!/usr/bin/env node
// The framework finds the tools by itself, in the folder beside this file.
import { MCPServer } from 'mcp-framework';

await new MCPServer({ name: '__NAME__', version: '1.0.0' }).start();
