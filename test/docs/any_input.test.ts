import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ops } from '../../src/ops/index.ts';
import { requestOf } from '../../src/transports/docs/snippets.ts';
import type { BoundaryTestServer } from '../ops/boundary_test_server.ts';
import { rounds } from '../proof/rounds.ts';
import { isNative } from '../setup/database.ts';
import { DESTRUCTIVE_OPS, inputs, writable } from '../setup/inputs.ts';
import { type Caller, callerOf } from '../setup/routes.ts';
import { type Actor, openExampleServer, signUp } from './example_fixture.ts';

let server: BoundaryTestServer;
let person: Actor;
let call: Caller;
beforeAll(async () => {
  server = await openExampleServer();
  person = await signUp(server, true);
  call = callerOf({ ...server, host: 'maps.example', ops });
});
afterAll(() => server?.close());

/** For each operation, by each of the four routes: FUZZ_CALLS=2000 is a long run. The embedded database takes longer. */
const RUNS = Number(process.env.FUZZ_CALLS ?? rounds(isNative ? 30 : 10));

// That an answer is declared (status, media type, headers, code, body) is seen to by the server with every reply.
test.each(ops.filter(({ name }) => !DESTRUCTIVE_OPS.includes(name)).map((op) => [op.name, op] as const))(
  'whatever %s is asked, it answers as declared, and never with a fault of ours',
  async (_name, op) => {
    await fc.assert(
      fc.asyncProperty(inputs(op), async (input) => {
        const byName = await person.rpc(op.name, input);
        expect(byName.status, byName.text).toBeLessThan(500);
        for (const route of ['mcp', 'cli'] as const) {
          const { status, json } = await call(route, op.name, input, person.key);
          expect(status, `${route} ${JSON.stringify(json).slice(0, 500)}`).toBeLessThan(500);
        }
        if (!writable(op, input)) return;
        const { method, path, body } = requestOf(op, input);
        const own = await person.ask(method, path, body ?? undefined);
        expect(own.status, `${method} ${path} ${own.text}`).toBeLessThan(500);
      }),
      { numRuns: RUNS },
    );
  },
);
