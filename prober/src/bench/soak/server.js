#!/usr/bin/env node
// A server of the soak frame: hand-rolled, no dependencies. behaviour.json beside it says how it is, --set KEY=VALUE changes one thing.
// Every misbehaviour is bounded, and ends with stdin or after two minutes.
'use strict';

const fs = require('fs');
const { spawn } = require('child_process');

const how = JSON.parse(fs.readFileSync(`${__dirname}/behaviour.json`, 'utf8'));
process.argv.forEach((argument, i) => {
  if (argument === '--set') {
    const [key, value] = process.argv[i + 1].split('=');
    how[key] = value;
  }
});
setTimeout(() => process.exit(9), 120_000).unref();

const raw = (text) => fs.writeSync(1, text);
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const fail = (id, code, message) => send({ id, error: { code, message } });
const reply = (id, result) => send({ id, result });
const toolError = (id, text) => reply(id, { isError: true, content: [{ type: 'text', text }] });

function start() {
  switch (how.start) {
    case 'silent': process.exit(0);
    case 'status': console.error('cannot go on'); process.exit(3);
    case 'throw': throw new TypeError('soak: cannot read what is not there');
    case 'key': console.error('Error: environment variable SOAK_API_KEY is required'); process.exit(1);
    case 'hang': process.stdin.resume(); return false;
    case 'headers': raw('Content-Length: 38\r\n\r\n{"jsonrpc":"2.0","id":1,"result":null}'); return true;
    case 'memory': { const kept = []; for (let i = 0; i < 900; i++) kept.push(Buffer.alloc(1 << 20, i)); return true; }
    case 'killed': process.kill(process.pid, 'SIGKILL'); return false;
    default: return true;
  }
}

function misbehave() {
  const count = Number(how.amount ?? 8);
  switch (how.hostile) {
    case 'stdout': { const line = 'x'.repeat(1023) + '\n'; for (let i = 0; i < count * 1024; i++) raw(line); break; }
    case 'endless': { const part = 'y'.repeat(1 << 16); for (let i = 0; i < count * 16; i++) raw(part); raw('\n'); break; }
    case 'stderr': { const line = 'z'.repeat(1023) + '\n'; for (let i = 0; i < count * 1024; i++) fs.writeSync(2, line); break; }
    case 'children': for (let i = 0; i < count * 8; i++) { const child = spawn('sleep', ['100'], { detached: true, stdio: 'ignore' }); child.on('error', () => {}); child.unref(); } break;
    case 'disk': try { for (let i = 0; i < 200; i++) fs.appendFileSync('/tmp/fill', Buffer.alloc(1 << 20)); } catch { /* full, as it should be */ } break;
    case 'escapes': console.error('\u001b]0;owned\u0007\u001b[2J=HYPERLINK("x")'); break;
    case 'term': process.on('SIGTERM', () => {}); break;
    default: break;
  }
}

const tools = Array.from({ length: Number(how.tools ?? 2) }, (_, i) => ({
  name: how.names === 'twice' && i === 1 ? 'shout-0' : how.names === 'odd' ? `shout ${i}!` : `shout-${i}`,
  description: 'Returns the text in capitals.',
  inputSchema: how.schema === 'none' ? undefined : how.schema === 'string' ? { type: 'string' } : how.schema === 'broken' ? { type: 'object', properties: { text: { type: 'strnig' } }, required: ['text'] }
    : { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}));

function refuse(id, way, text) {
  switch (way) {
    case 'protocol': return fail(id, -32602, text);
    case 'internal': return fail(id, -32603, text);
    case 'own-code': return fail(id, -1, text);
    case 'empty': return reply(id, { content: [] });
    case 'in-band': return reply(id, { content: [{ type: 'text', text: `Error: ${text}` }] });
    case 'silence': return undefined;
    case 'exit': return process.exit(4);
    case 'run': return reply(id, { content: [{ type: 'text', text: 'DONE' }] });
    default: return toolError(id, text);
  }
}

function callTool(id, params) {
  if (typeof params?.name !== 'string') return refuse(id, how.noName ?? 'protocol', 'name is missing');
  if (!tools.some((tool) => tool.name === params.name)) return refuse(id, how.unknown ?? 'protocol', `unknown tool: ${params.name}`);
  const args = params.arguments ?? {};
  if (typeof args !== 'object' || Array.isArray(args)) return fail(id, -32602, 'arguments must be an object');
  if (args.text === undefined) return refuse(id, how.missing ?? 'tool-error', 'text is missing');
  if (typeof args.text !== 'string') return refuse(id, how.wrong ?? 'tool-error', 'text must be a string');
  return reply(id, { content: [{ type: 'text', text: args.text.toUpperCase() }] });
}

function listTools(id, params) {
  if (how.pages !== 'yes') return reply(id, { tools });
  const at = Number(params?.cursor ?? 0);
  if (!Number.isInteger(at) || at < 0 || at >= tools.length) return fail(id, -32602, 'no such cursor');
  return reply(id, { tools: [tools[at]], ...(at + 1 < tools.length ? { nextCursor: String(at + 1) } : {}) });
}

function handle({ id, method, params }) {
  if (id === undefined) return undefined;
  const answered = how.id === 'text' && method !== 'initialize' ? String(id) : id;
  switch (method) {
    case 'initialize': return reply(answered, how.start === 'bad-result' ? { hello: 'world' }
      : { protocolVersion: how.start === 'version' ? '1999-01-01' : how.revision ?? '2025-11-25', capabilities: how.tools === '0' ? {} : { tools: {} },
        serverInfo: { name: how.name ?? 'soak', version: '1.0.0' } });
    case 'ping': return how.ping === 'no' ? fail(answered, -32601, 'Method not found: ping') : reply(answered, {});
    case 'tools/list': return how.tools === '0' ? fail(answered, -32601, 'Method not found: tools/list') : listTools(answered, params);
    case 'tools/call': return callTool(answered, params);
    default: return how.method === 'internal' ? fail(answered, -32603, 'Internal error') : how.method === 'result' ? reply(answered, {}) : fail(answered, -32601, `Method not found: ${method}`);
  }
}

function unreadable(code, text) {
  if (how.malformed === 'exit') process.exit(5);
  if (how.malformed !== 'silence') fail(null, code, text);
}

if (start()) {
  if (how.banner === 'yes') raw('soak server 1.0.0, listening on stdio\n');
  if (how.utf8 === 'bad') fs.writeSync(1, Buffer.from([0xc3, 0x28, 0x0a]));
  misbehave();
  let pending = '';
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    const lines = (pending + chunk).split('\n');
    pending = lines.pop();
    for (const line of lines) {
      let message;
      try {
        message = JSON.parse(line);
      } catch {
        unreadable(-32700, 'Parse error');
        continue;
      }
      if (message === null || typeof message !== 'object' || Array.isArray(message)) unreadable(-32600, 'Invalid Request');
      else handle(message);
    }
  }).on('end', () => {
    if (how.eof === 'stay') setTimeout(() => {}, 60_000);
    else process.exit(Number(how.eof ?? 0));
  });
}
