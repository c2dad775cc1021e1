import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from '../../src/bench/random.ts';
import { BenchDatabase, query, server } from '../import/native.ts';
import type { Options, Result } from '../measure.ts';
import { type BenchServer, firstKey, startService } from './server.ts';
import { fillWithSpain } from './spain.ts';

const SEED = 20_261_126;
/** Rows that each rival is measured with: all of them would take it minutes to hours. */
const SAMPLE = 300;

interface Row {
  readonly id: string;
  readonly name: string;
  readonly province: string;
}

/**
 * Measures match_names over HTTP: a table of 100,000 municipalities of Spain (in a smoke run, 2,000 provinces), a
 * tenth with a typo, a tenth in capitals. The rivals get a sample of the same rows, and their times are scaled: a
 * handler that asks search_boundaries row by row, and the nearest name by trigrams (pg_trgm) in one statement.
 * Returns no rows without a native database.
 */
export async function benchMatch(options: Options): Promise<Result[]> {
  const home = server();
  if (!home) {
    process.stderr.write('match over HTTP: no native PostGIS is named, so there is no rival\n');
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'boundary-match-'));
  const database = new BenchDatabase(home, 'match');
  let service: BenchServer | null = null;
  try {
    await database.empty();
    await fillWithSpain(folder, { DATABASE_URL: database.url }, options);
    const rows = await rowsOf(database.url, options.smoke ? 6 : 8, options.smoke ? 2_000 : 100_000);
    service = await startService(folder, { DATABASE_URL: database.url });
    const { port } = service;
    const headers = { Authorization: `Bearer ${await firstKey(folder)}`, 'Content-Type': 'text/csv' };
    const body = `name,provincia\n${rows.map(({ name, province }) => `${name},${province}\n`).join('')}`;
    const times: number[] = [];
    let matched = '';
    for (let run = 0; run < (options.smoke ? 1 : 3); run++) {
      const began = performance.now();
      const answer = await fetch(`http://127.0.0.1:${port}/v1/match`, { method: 'POST', headers, body });
      if (answer.status !== 200) throw new Error(`match: ${answer.status} ${await answer.text()}`);
      matched = await answer.text();
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    const median = times[Math.floor(times.length / 2)];
    const ids = matched
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[2] ?? '');
    const ours = share(rows, ids);
    const sample = rows.slice(0, SAMPLE);
    const scale = rows.length / sample.length;
    const spread = (times[times.length - 1] - times[0]) / median;
    const result = (rival: string, ms: number, found: readonly string[]): Result => ({
      case: `match over HTTP: a table of ${rows.length} rows`,
      ours_ms: median,
      rival,
      rival_ms: ms * scale,
      ratio: (ms * scale) / median,
      same_answer: ours >= 0.97,
      spread,
      note: `right: ours ${percent(ours)}, the rival ${percent(share(sample, found))} of ${sample.length} rows, its time scaled`,
    });
    const [searched, similar] = [await bySearch(port, sample), await byTrigrams(database.url, sample)];
    return [
      result('search_boundaries, row by row', searched.ms, searched.ids),
      result('PostgreSQL: the nearest name by pg_trgm in the province', similar.ms, similar.ids),
    ];
  } finally {
    await service?.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

const share = (rows: readonly Row[], ids: readonly string[]): number =>
  rows.filter(({ id }, i) => ids[i] === id).length / rows.length;

/** Rows of stored boundaries at a level, with noise. */
async function rowsOf(url: string, level: number, count: number): Promise<Row[]> {
  const stored = await query<{ id: string; name: string; province: string }>(
    url,
    `select b.id, b.name, coalesce(p.name, '') as province
     from boundary b
     left join boundary_parent bp on bp.child = b.id
     left join boundary p on p.id = bp.parent and p.admin_level = 6
     where b.admin_level = ${level} and b.has_geometry and b.name !~ '[,"]' and (p.name is null or p.name !~ '[,"]')
       and (p.id is not null or ${level} = 6)
     order by b.id`,
  );
  const random = seeded(SEED);
  return Array.from({ length: count }, () => {
    const one = stored[Math.floor(random() * stored.length)];
    const noise = random();
    if (noise < 0.1) return { ...one, name: one.name.toUpperCase() };
    if (noise > 0.2 || one.name.length < 8 || !/^\p{L}+$/u.test(one.name)) return one;
    const at = 2 + Math.floor(random() * (one.name.length - 4));
    return { ...one, name: one.name.slice(0, at) + one.name.slice(at + 1) };
  });
}

/** The first result of a search for each row. */
async function bySearch(port: number, rows: readonly Row[]): Promise<{ ms: number; ids: string[] }> {
  const began = performance.now();
  const ids: string[] = [];
  for (const { name, province } of rows) {
    const asked = new URLSearchParams({ q: [name, province].filter(Boolean).join(', '), limit: '1' });
    const answer = await fetch(`http://127.0.0.1:${port}/v1/boundaries/search?${asked}`);
    const { items } = (await answer.json()) as { items?: { id: string }[] };
    ids.push(items?.[0]?.id ?? '');
  }
  return { ms: performance.now() - began, ids };
}

/** The nearest name of each row by its trigrams, within its province. */
async function byTrigrams(url: string, rows: readonly Row[]): Promise<{ ms: number; ids: string[] }> {
  await query(url, 'create extension if not exists pg_trgm');
  await query(url, 'create index naive_match on boundary using gist (name gist_trgm_ops)');
  const quoted = rows.map(({ name, province }, i) => `(${i}, ${literal(name)}, ${literal(province)})`).join(',');
  const began = performance.now();
  const found = await query<{ id: string | null }>(
    url,
    `select near.id from (values ${quoted}) as row (i, name, province)
     left join lateral (
       select b.id from boundary b
       where row.province = '' or exists (select from boundary_parent bp join boundary p on p.id = bp.parent
                                          where bp.child = b.id and p.name = row.province)
       order by b.name <-> row.name limit 1) near on true
     order by row.i`,
  );
  return { ms: performance.now() - began, ids: found.map(({ id }) => id ?? '') };
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
