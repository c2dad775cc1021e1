import { afterAll, expect } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { ENDS_PER_ARC } from '../../workers/contract.ts';
import { expectSoundArrangement } from './arrangement.ts';
import { openEnvironments, type ProofEnvironment, refsOf } from './environment.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/**
 * Everything that must be equal after edits and after a fresh import: arcs with their tiers, shapes, conflicts, unions.
 */
export async function stateOf(server: ProofEnvironment): Promise<Record<string, unknown>> {
  const { db } = server.test;
  const arcs = await db.query<{ hash: Uint8Array; weights: Uint8Array; ends: Uint8Array; exact: number }>(
    'select hash, weights, ends, exact from arc',
  );
  for (const { ends } of arcs) expect(ends.length).toBe(2 * ENDS_PER_ARC);
  // Its ring_hash is not equal: it covers the ids of the arcs (expectSoundArrangement() checks it).
  const shapes = await db.query<{ id: string; geometry: string; rings: readonly string[] }>(
    `select b.source_id as id, encode(b.geometry_hash, 'hex') as geometry,
            array(select encode(a.hash, 'hex') || sign(r.ref)
                  from boundary_shape s cross join unnest(s.arcs) as r (ref) join arc a on a.id = abs(r.ref)
                  where s.boundary_id = b.id order by 1) as rings
     from boundary b where b.has_geometry order by b.source_id`,
  );
  const conflicts = await db.query<{ a: Uint8Array; b: Uint8Array; kind: string }>(
    'select p.hash as a, q.hash as b, c.kind from arc_conflict c join arc p on p.id = c.a join arc q on q.id = c.b',
  );
  const named = await db.query<{ id: string; admin_level: number | null }>(
    'select id, admin_level from boundary where has_geometry order by source_id',
  );
  const unions: string[] = [];
  // Where arcs cross, a union is an overlay, whose rings start where those of its input do.
  const plain = conflicts.length === 0;
  for (const level of new Set(named.filter(() => plain).map(({ admin_level }) => admin_level))) {
    const ids = named.filter(({ admin_level }) => admin_level === level).map(({ id }) => id);
    const include = await refsOf(server, ids.slice(0, Math.ceil(ids.length / 2)));
    for (const detail of ['low', 'medium', 'high', 'full'] as const) {
      const { sha256 } = await server.engine.documents.merge(include, [], { detail, format: 'wkt', document });
      unions.push(`${level} ${detail} ${sha256}`);
    }
  }
  return {
    arcs: Object.fromEntries(
      arcs
        .map(({ hash, weights, ends, exact }) => [hex(hash), `${hex(weights)} ${hex(ends)} ${exact}`])
        .sort(([a], [b]) => (defined(a) < defined(b) ? -1 : 1)),
    ),
    shapes,
    conflicts: conflicts.map(({ a, b, kind }) => [...[hex(a), hex(b)].sort(), kind].join(' ')).sort(),
    unions,
  };
}

const document = { id: null, name: 'test', properties: {}, bbox: null, attribution: '', digits: 7 };

type State = Awaited<ReturnType<typeof stateOf>>;
type Store<T> = (server: ProofEnvironment, step: T) => Promise<unknown>;

/** State comparisons for a test file; call it once per file. It closes what it opened when the file ends. */
export function provingStates() {
  let houses: ReturnType<typeof openEnvironments> | null = null;
  afterAll(async () => (await houses)?.close());

  /** The states after each step, starting from an empty database. */
  async function states<T>(steps: readonly T[], store: Store<T>): Promise<State[]> {
    houses ??= openEnvironments();
    const server = await (await houses).open();
    try {
      const found: State[] = [];
      for (const step of steps) {
        await store(server, step);
        found.push(await stateOf(server));
      }
      await expectSoundArrangement(server);
      return found;
    } finally {
      await server.close();
    }
  }

  /** The state after the last step. */
  const after = async <T>(steps: readonly T[], store: Store<T>): Promise<State | undefined> =>
    (await states(steps, store)).at(-1);
  return { states, after };
}
