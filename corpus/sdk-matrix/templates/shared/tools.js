// What the tools do, without a word on how they are declared or refused: that is the SDK's part.
import { randomUUID } from 'node:crypto';

const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
const structured = (value) => ({ ...text(JSON.stringify(value)), structuredContent: value });

export const TOOLS = {
  add: ({ a, b }) => text(`The sum is ${a + b}.`),
  double: ({ value }) => structured({ value: 2 * value }),
  /** Breaks its own output schema, which asks for a number. */
  broken: () => structured({ value: 'many' }),
  /** Fails the way most tools fail: by an exception. */
  lookup: () => {
    throw new Error('the backend is down');
  },
  /** Fails by a result, and says in _meta what kind of failure it is. */
  refuse: () => ({
    ...text('the backend is down, try again later'),
    isError: true,
    _meta: {
      'io.modelcontextprotocol/toolFailure': {
        class: 'reliability',
        code: 'retryable_transient_error',
        retryable: true,
        correlationId: randomUUID(),
      },
    },
  }),
};
