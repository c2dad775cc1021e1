import { invoke } from '../../src/core/invoke.ts';
import { ANONYMOUS, type AnyOp } from '../../src/core/op.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { type FixtureBoundary, insertFixtures } from '../domain/fixture_boundaries.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { servicesOf } from '../setup/services.ts';

/** Operations on fixture boundaries, called without a key; responses are validated against the declared output. */
export interface SearchHarness {
  readonly database: TestDatabase;
  /** Returns the output of a successful call; throws ProblemError otherwise. */
  ask<T = { items: { id: string }[] }>(op: AnyOp, input: unknown): Promise<T>;
}

export async function openSearchHarness(world: readonly FixtureBoundary[]): Promise<SearchHarness> {
  const database = await testDatabase();
  await insertFixtures(database.db, world);
  const cache = createCache(1e7);
  const services = servicesOf({ db: database.db, boundaries: createBoundaries(database.db), cache });
  return {
    database,
    async ask<T>(op: AnyOp, input: unknown) {
      const answer = await invoke(op, input, {
        caller: ANONYMOUS,
        address: null,
        requestId: 'test',
        signal: new AbortController().signal,
        deadline: Date.now() + 60_000,
        transport: 'rpc',
        services,
        baseUrl: 'https://maps.example',
        headers: {},
      });
      if (answer.status !== 200) throw new Error(`status ${answer.status}`);
      return (answer.bytes === null ? answer.body : JSON.parse(Buffer.from(answer.bytes).toString())) as T;
    },
  };
}
