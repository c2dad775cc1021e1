import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { createNameIndex, type NameIndex } from '../../src/domain/read_model/name_index.ts';
import { lookupsInDatabase, lookupsInMemory } from '../../src/domain/search/lookups.ts';
import { CandidateSource } from '../../src/domain/tables/candidates.ts';
import type { PlaceRow } from '../../src/domain/tables/match_rows.ts';
import { matchRows, type SourceFor } from '../../src/domain/tables/matching.ts';
import { openSeededEnvironment, type ProofEnvironment } from '../proof/environment.ts';
import { Draw, storedOf } from '../search/made.ts';
import { type MadeTable, madeTables, type Score, scored } from './made.ts';

/** Least share of right rows, and largest share of wrong ones among those with a boundary. */
const RIGHT = 0.97;
const WRONG = 0.005;

let server: ProofEnvironment;
let names: NameIndex;
let tables: MadeTable[];
const draw = new Draw();

beforeAll(async () => {
  server = await openSeededEnvironment();
  names = createNameIndex(server.test.db, 2 ** 28);
  await names.warm();
  tables = await madeTables(server.test.db, draw);
}, 900_000);
afterAll(() => server?.close());

async function match(table: { readonly rows: readonly PlaceRow[] }, inMemory = true) {
  const { db } = server.test;
  const boundaries = createBoundaries(db);
  return boundaries.withSnapshot((reading) => {
    const memory = inMemory ? names.at(reading.revision) : null;
    if (inMemory && !memory) throw new Error('the names are not in memory');
    const sourceFor: SourceFor = ({ country, adminLevel }) => {
      const filters = { country: country === undefined ? null : [country], kind: null, adminLevel: adminLevel ?? null };
      const lookups = memory ? lookupsInMemory(memory, filters) : lookupsInDatabase(db, boundaries, filters);
      return new CandidateSource(lookups, reading);
    };
    return matchRows(sourceFor, { rows: table.rows, filters: {}, kinds: [], whole: true });
  });
}

it('tells cities in no county from counties of their names by their words, and in a column of both', async () => {
  const counties = await storedOf(server.test.db, 'US', 6);
  const cities = counties.filter(({ kind }) => kind === 'city');
  const row = (name: string, type = ''): PlaceRow => ({ name, code: '', within: [], type });
  const wanted: [PlaceRow, string][] = [];
  for (const city of cities) {
    const beside = counties.find(
      ({ kind, name, within }) => kind === 'county' && name === city.name && within === city.within,
    );
    if (!beside) continue;
    for (const { id, word, kind } of [
      { id: city.id, word: 'city', kind: 'city' },
      { id: beside.id, word: 'County', kind: 'county' },
    ]) {
      wanted.push([row(`${city.name} ${word}, ${city.within}`), id]);
      wanted.push([{ ...row(city.name, kind), within: [city.within ?? ''] }, id]);
    }
  }
  expect(wanted.length).toBeGreaterThan(20);
  const { rows } = await match({ rows: wanted.map(([one]) => one) });
  expect(rows.map(({ boundary }) => boundary?.id)).toEqual(wanted.map(([, id]) => id));
  // A city is one of the counties where no county has its name.
  const norfolk = counties.find(({ name, within }) => name === 'Norfolk' && within === 'Virginia');
  const column = ['Norfolk', 'Henrico', 'Loudoun', 'Accomack', 'Arlington'].map((name) => row(name, 'county'));
  const { rows: matched } = await match({ rows: column });
  expect(matched[0]?.boundary?.id).toBe(norfolk?.id);
});

it('reads a code of a division as that, and never as the country whose code has its letters', async () => {
  const provinces = (await storedOf(server.test.db, 'ES', 6)).filter(({ iso }) => iso);
  for (const inMemory of [true, false]) {
    const rows = provinces.map(({ iso }): PlaceRow => ({ name: '', code: iso ?? '', within: [], type: '' }));
    const matched = await match({ rows }, inMemory);
    expect(matched.rows.map(({ boundary }) => boundary?.id)).toEqual(provinces.map(({ id }) => id));
    const alone = await match({ rows: [{ name: '', code: 'ES-P', within: [], type: '' }] }, inMemory);
    expect(alone.rows[0]?.boundary?.iso).toBe('ES-P');
  }
});

it('matches tables made by rule, held-out ones as well', { timeout: 1_200_000 }, async () => {
  const none: Score = { rows: 0, right: 0, wrong: 0, open: 0, matched: 0 };
  const sums = { tried: { ...none }, heldOut: { ...none } };
  const lines: string[] = [];
  for (const table of tables) {
    const { rows: matched } = await match(table);
    for (const held of [false, true]) {
      const chosen = table.rows.map((row, i) => ({ row, id: matched[i]?.boundary?.id ?? null }));
      const part = chosen.filter(({ row }) => row.held === held);
      const score = scored(
        part.map(({ row }) => row),
        part.map(({ id }) => id),
      );
      const sum = held ? sums.heldOut : sums.tried;
      for (const name of ['rows', 'right', 'wrong', 'open', 'matched'] as const) sum[name] += score[name];
      for (const { row, id } of part) {
        if (id !== null && id !== row.expect) lines.push(`${table.name}: ${row.name} (${row.noise}) is not ${id}`);
      }
    }
  }
  process.stdout.write(`tables made with seed ${draw.seed}: ${JSON.stringify(sums)}\n`);
  for (const [part, { rows, right, wrong, matched }] of Object.entries(sums)) {
    const about = `${part}, seed ${draw.seed}: ${lines.slice(0, 20).join('; ')}`;
    expect(right / rows, about).toBeGreaterThanOrEqual(RIGHT);
    expect(wrong / matched, about).toBeLessThan(WRONG);
  }
});

it('matches the same by statements as in memory', { timeout: 600_000 }, async () => {
  for (const table of tables.filter(({ rows }) => rows.length < 300).slice(0, 4)) {
    const [memory, database] = [await match(table), await match(table, false)];
    const shown = ({ rows }: typeof memory) => rows.map(({ match: how, boundary }) => [how, boundary?.id]);
    expect(shown(database), table.name).toEqual(shown(memory));
    expect(database.decision).toEqual(memory.decision);
  }
});
