// The tools as plain JSON Schema, for the styles in which an author lists them by hand.
const numbers = (...names) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'number' }])),
  required: names,
});
const key = { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] };

export const DECLARATIONS = [
  { name: 'add', description: 'Adds two numbers.', inputSchema: numbers('a', 'b') },
  { name: 'double', description: 'Doubles a number.', inputSchema: numbers('value'), outputSchema: numbers('value') },
  { name: 'broken', description: 'Breaks its output schema.', inputSchema: numbers('value'), outputSchema: numbers('value') },
  { name: 'lookup', description: 'Fails by an exception.', inputSchema: key },
  { name: 'refuse', description: 'Fails by a result.', inputSchema: key },
];
