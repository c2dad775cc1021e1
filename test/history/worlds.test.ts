import { describe, expect, it } from 'vitest';
import { servicesAsOf } from '../../src/core/dated.ts';
import { importFile } from '../../src/sources/import.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { generator } from '../proof/made.ts';
import { isWhole, seeds } from '../proof/rounds.ts';
import { MADE } from './made_editions.ts';
import { type History, madeHistory, type World } from './made_history.ts';

/** Dates of a history, and edits between two of them: 200 in all where proofs run whole. */
const [DATES, STEPS] = isWhole ? [21, 10] : [5, 4];

/** Members of answers that say when, and so differ between a store of one date and one of many. */
const WHEN = new Set([
  'valid_from',
  'valid_to',
  'as_of',
  'version',
  'data_version',
  'updated_at',
  'imported_at',
  'edition',
]);

/** Rings of a polygon from a vertex that does not depend on where a ring was begun, and polygons in an order of their own. */
function normalized(geometry: { type: string; coordinates: unknown }): unknown {
  const polygons = (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) as (readonly [
    number,
    number,
  ])[][][];
  return polygons
    .map((rings) =>
      rings
        .map((ring) => {
          const open = ring.slice(0, -1).map(String);
          const first = open.indexOf(open.toSorted()[0] ?? '');
          return [...open.slice(first), ...open.slice(0, first)].join(' ');
        })
        .sort(),
    )
    .sort();
}

/** An answer with codes for ids and no word of when, so that those of two stores can be compared. */
function plain(value: unknown, codes: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string')
    return value.replace(/\br\d{6,}\b/g, (id) => codes.get(id) ?? id).replace(/@[\d-]{10}/g, '');
  // Sums of floating-point numbers, in the order of arcs: the last digits differ.
  if (typeof value === 'number') return Number(value.toPrecision(11));
  if (Array.isArray(value)) return value.map((one) => plain(one, codes));
  if (typeof value !== 'object' || value === null) return value;
  const geometry = value as { type: string; coordinates: unknown };
  if (/^(?:Multi)?Polygon$/.test(geometry.type) && geometry.coordinates) return normalized(geometry);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (WHEN.has(key) ? [] : [[key, plain(one, codes)]])),
  );
}

const byText = (list: unknown): unknown => (Array.isArray(list) ? list.map((one) => JSON.stringify(one)).sort() : list);

/** What a store answers about a date (null: today), by question. */
async function answersOf(
  server: BoundaryTestServer,
  key: string,
  { point }: History,
  seed: number,
  date: string | null,
): Promise<Map<string, unknown>> {
  const { db } = date === null ? server.services : await servicesAsOf(server.services, date);
  const rows = await db.query<{ id: string; code: string; name: string }>(
    `select id, name, coalesce(admin_level::text, '') || '/' || regexp_replace(source_id, '^.*/', '') as code
     from boundary where source = 'made' order by 2`,
  );
  const codes = new Map(rows.map(({ id, code }) => [id, code]));
  const answers = new Map<string, unknown>();
  const query = date === null ? '' : `&as_of=${date}`;
  const ask = async (name: string, path: string, json?: object) => {
    const reply = await server.ask(json ? 'POST' : 'GET', path, { key, json });
    const body = plain(reply.json, codes) as Record<string, unknown>;
    // Lists are in the order of ids where nothing else decides.
    answers.set(
      name,
      reply.status === 200 ? { ...body, ...(body.items ? { items: byText(body.items) } : {}) } : reply.status,
    );
  };
  for (const { id, code, name } of rows) {
    for (const detail of ['low', 'full'])
      await ask(`get ${code} ${detail}`, `/v1/boundaries/${id}?detail=${detail}${query}`);
    await ask(`children ${code}`, `/v1/boundaries/${id}/children?limit=100${query}`);
    await ask(`neighbors ${code}`, `/v1/boundaries/${id}/neighbors?limit=100${query}`);
    await ask(`search ${code}`, `/v1/boundaries/search?q=${encodeURIComponent(name)}${query}`);
  }
  const random = generator(seed);
  for (let i = 0; i < 10; i++) {
    const { lat, lon } = point(random);
    await ask(`reverse ${lat} ${lon}`, `/v1/boundaries/reverse?lat=${lat}&lon=${lon}${query}`);
    const some = rows.filter(() => random() < 0.4).map(({ id }) => id);
    const [include, exclude] = [some.slice(0, -1), some.slice(-1)];
    if (include.length === 0) continue;
    for (const detail of ['medium', 'full']) {
      const body = { include, exclude, detail, ...(date === null ? {} : { as_of: date }) };
      await ask(`union ${i} ${detail}`, '/v1/boundaries/union', body);
    }
  }
  return answers;
}

/** A date in the time of a world, of which nothing happens, on its first or its last day, or between. */
function dayIn(worlds: readonly World[], i: number, random: () => number): string {
  const from = Date.parse(worlds[i]?.date ?? '');
  const days = Math.floor(random() * 3) * 99.5;
  return new Date(from + days * 86_400_000).toISOString().slice(0, 10);
}

describe('a history of random edits', { timeout: 900_000 }, () => {
  it.each(seeds(1, 6))(
    'answers as of each date what a store that only has that date answers (seed %i)',
    async (seed) => {
      const history = madeHistory(seed, DATES, STEPS);
      const { worlds } = history;
      const random = generator(1_000 + seed);
      try {
        const past: Map<string, unknown>[] = [];
        const dates = worlds.map((_, i) => dayIn(worlds, i, random));
        const all = await openBoundaryTestServer();
        try {
          const { key } = await all.key('self_hosted');
          const order = worlds.map((world) => ({ world, at: random() })).sort((a, b) => a.at - b.at);
          for (const { world } of order) await importFile(all.services, world.file, MADE, { validFrom: world.date });
          for (const date of dates) past.push(await answersOf(all, key, history, seed, date));
        } finally {
          await all.close();
        }
        for (const [i, world] of worlds.entries()) {
          const one = await openBoundaryTestServer();
          try {
            const { key } = await one.key('self_hosted');
            await importFile(one.services, world.file, MADE);
            const present = await answersOf(one, key, history, seed, null);
            expect(present.size).toBeGreaterThan(5 * world.count);
            const found = past[i] as Map<string, unknown>;
            const about = `${dates[i]} after ${worlds
              .slice(0, i + 1)
              .flatMap(({ steps }) => steps)
              .join(' ')}`;
            expect([...found.keys()], about).toEqual([...present.keys()]);
            for (const [question, answer] of present)
              expect(found.get(question), `${question}, ${about}`).toEqual(answer);
          } finally {
            await one.close();
          }
        }
      } finally {
        history.remove();
      }
    },
  );
});
