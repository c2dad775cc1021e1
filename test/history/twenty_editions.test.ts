import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { random } from '../kernels/topology.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { MADE } from './made_editions.ts';

const [COLUMNS, ROWS, EDITIONS] = [30, 20, 20];
/** Degrees between two corners of the grid, and the points of a border between them. */
const [SIDE, POINTS] = [0.1, 24];
/** Boundaries that an edition changes: 2 % of 600. */
const CHANGED = { redrawn: 6, merged: 4, renamed: 2 };

/** A country whose municipalities are cells of a grid with crooked borders. */
interface Country {
  /** Which municipality has a cell. */
  readonly owner: number[];
  readonly names: Map<number, string>;
  /** How often the northern and the western border of a cell were drawn. */
  readonly drawn: Map<string, number>;
}

/** The border from one corner of the grid to the next one, east or south of it, as it was drawn for the n-th time. */
function border(x: number, y: number, way: 'east' | 'south', n: number): [number, number][] {
  const next = random(((x * 1_000 + y) * 2 + (way === 'east' ? 0 : 1)) * 100 + n);
  return Array.from({ length: POINTS + 1 }, (_, i) => {
    const along = i / POINTS;
    const aside = i === 0 || i === POINTS ? 0 : (next() - 0.5) * 0.02;
    const [east, south] = way === 'east' ? [along, aside * 10] : [aside * 10, along];
    return [Number((20 + (x + east) * SIDE).toFixed(7)), Number((10 - (y + south) * SIDE).toFixed(7))];
  });
}

function fileOf({ owner, names, drawn }: Country): string {
  const line = (x: number, y: number, way: 'east' | 'south') => border(x, y, way, drawn.get(`${x} ${y} ${way}`) ?? 0);
  const features = owner.map((id, cell) => {
    const [x, y] = [cell % COLUMNS, Math.floor(cell / COLUMNS)];
    const west = line(x, y, 'south');
    const south = line(x, y + 1, 'east');
    const ring = [
      ...west,
      ...south.slice(1),
      ...line(x + 1, y, 'south')
        .reverse()
        .slice(1),
      ...line(x, y, 'east').reverse().slice(1),
    ];
    const properties = { id: `m${id}`, name: names.get(id), level: 8 };
    return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [ring] } };
  });
  const path = join(mkdtempSync(join(tmpdir(), 'boundary-editions-')), 'edition.geojson');
  writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features }));
  return path;
}

/** Changes 12 of 600: six borders are drawn again, two pairs merge, two get other names. */
function change(country: Country, year: number): void {
  const next = random(year);
  const cell = () => Math.floor(next() * COLUMNS * ROWS);
  for (let i = 0; i < CHANGED.redrawn / 2; i++) {
    const at = cell();
    country.drawn.set(`${1 + (at % (COLUMNS - 1))} ${Math.floor(at / COLUMNS)} south`, year);
  }
  for (let i = 0; i < CHANGED.merged / 2; i++) {
    const at = cell();
    const [kept, gone] = [country.owner[at], country.owner[at + (at % COLUMNS === COLUMNS - 1 ? -1 : 1)]];
    for (const [j, id] of country.owner.entries()) if (id === gone && kept !== undefined) country.owner[j] = kept;
  }
  for (let i = 0; i < CHANGED.renamed; i++) {
    const id = country.owner[cell()];
    if (id !== undefined) country.names.set(id, `Commune ${id} of ${year}`);
  }
}

/** Bytes of all that is kept of editions: tables and indexes. */
async function kept({ services }: BoundaryTestServer): Promise<number> {
  const [row] = await services.db.query<{ bytes: string }>(
    "select sum(pg_total_relation_size(oid)) as bytes from pg_class where relname like 'edition%' and relkind = 'r'",
  );
  return Number(row?.bytes);
}

it('keeps twenty editions, of which each changes 2 % of the one before, in less than three times the first', async () => {
  const server = await openBoundaryTestServer();
  onTestFinished(() => server.close());
  const ids = Array.from({ length: COLUMNS * ROWS }, (_, i) => i);
  const country: Country = {
    owner: [...ids],
    names: new Map(ids.map((id) => [id, `Commune ${id}`])),
    drawn: new Map(),
  };
  const before = await kept(server);
  const sizes: number[] = [];
  const members: number[] = [];
  for (let i = 0; i < EDITIONS; i++) {
    if (i > 0) change(country, 2000 + i);
    await importFile(server.services, fileOf(country), MADE, { validFrom: `${2000 + i}-01-01` });
    sizes.push((await kept(server)) - before);
    members.push(new Set(country.owner).size);
  }
  const [stored] = await server.services.db.query<{ members: number[] }>(
    'select array_agg(boundaries order by edition) as members from edition_layer',
  );
  expect(stored?.members).toEqual(members);
  expect((sizes.at(-1) ?? 0) / (sizes[0] ?? 0)).toBeLessThan(3);
}, 600_000);
