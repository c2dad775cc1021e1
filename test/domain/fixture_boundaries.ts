import type { Queryable } from '../../src/db/connect.ts';
import { nameRows } from '../../src/domain/names/names.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';

/** A generated boundary; what a test does not set gets a default. Degrees. */
export interface FixtureBoundary extends Partial<Omit<SourceBoundary, 'id' | 'names'>> {
  readonly id: string;
  readonly name: string;
  readonly names?: Record<string, string>;
  readonly kind: SourceBoundary['kind'] & string;
  readonly countries?: readonly string[];
  /** Outermost first. */
  readonly parents?: readonly string[];
  /** west, south, east, north; null: no geometry. */
  readonly box?: readonly [number, number, number, number] | null;
  readonly areaKm2?: number;
  readonly stale?: object;
  /** Whether to store its box as a shape, so that shape queries find it (not across the antimeridian). */
  readonly shape?: boolean;
}

/** Inserts the boundaries and their names into the database, as an import would. */
export async function insertFixtures(db: Queryable, world: readonly FixtureBoundary[]): Promise<void> {
  await db.query(`insert into source (id, name, url, licence, attribution)
    values ('made', 'Made world', 'https://example.org/', 'CC0-1.0', 'the tests') on conflict do nothing`);
  for (let from = 0; from < world.length; from += 5_000) {
    const some = world.slice(from, from + 5_000);
    await putJson(db, 'boundary', some.map(boundaryRow));
    const names = some.flatMap((made) =>
      nameRows({
        type: made.type ?? 'administrative',
        name: made.name,
        names: made.names ?? {},
        otherNames: made.otherNames ?? [],
        codes: made.codes ?? [],
        iso: made.iso ?? null,
        countryCode: made.countryCode ?? null,
        wikidata: made.wikidata ?? null,
        kind: made.kind,
        place: made.place ?? null,
        adminLevel: made.adminLevel ?? null,
        population: made.population ?? null,
        areaKm2: made.areaKm2 ?? null,
      }).map((row) => ({ boundary_id: made.id, ...row })),
    );
    await putJson(db, 'boundary_name', names);
  }
  await putJson(
    db,
    'boundary_parent',
    world.flatMap((made) =>
      (made.parents ?? []).map((parent, position) => ({ child: made.id, parent, share: 1, position })),
    ),
  );
  await db.query(
    `insert into boundary_shape (boundary_id, arcs, ring_end, polygon_end, arc_ids, geom)
     select id, '{}', '{}', '{}', '{}',
            ST_Multi(ST_MakeEnvelope(west / 1e7::float8, south / 1e7::float8, east / 1e7::float8, north / 1e7::float8, 4326))
     from boundary where id = any ($1::text[]) and west <= east`,
    [world.filter(({ shape }) => shape).map(({ id }) => id)],
  );
}

async function putJson(db: Queryable, table: string, rows: readonly object[]): Promise<void> {
  const sql = `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`;
  for (let from = 0; from < rows.length; from += 20_000) {
    await db.query(sql, [JSON.stringify(rows.slice(from, from + 20_000))]);
  }
}

function boundaryRow(made: FixtureBoundary) {
  const box = made.box === undefined ? ([0, 0, 1, 1] as const) : made.box;
  const [west, south, east, north] = box ? box.map((value) => Math.round(value * 1e7)) : [null, null, null, null];
  const middle = box && (box[0] <= box[2] ? (box[0] + box[2]) / 2 : (((box[0] + box[2] + 360) / 2 + 180) % 360) - 180);
  return {
    id: made.id,
    source: 'made',
    source_id: made.id,
    source_version: '7',
    version: 3,
    imported_at: '2026-01-02T03:04:05Z',
    type: made.type ?? 'administrative',
    name: made.name,
    names: made.names ?? {},
    other_names: made.otherNames ?? [],
    codes: made.codes ?? [],
    kind: made.kind,
    kind_known: true,
    admin_level: made.adminLevel ?? null,
    country: made.country ?? made.countryCode ?? null,
    countries: made.countries ?? [made.country ?? made.countryCode].filter((code) => typeof code === 'string'),
    disputed: (made.countries?.length ?? 0) > 1,
    country_code: made.countryCode ?? null,
    iso: made.iso ?? null,
    wikidata: made.wikidata ?? null,
    population: made.population ?? null,
    tags: made.tags ?? {},
    place: made.place ?? null,
    subareas: [],
    ways: [],
    west,
    south,
    east,
    north,
    lat: box && Math.round(((box[1] + box[3]) / 2) * 1e7),
    lon: middle === null ? null : Math.round(middle * 1e7),
    area_km2: made.areaKm2 ?? null,
    has_geometry: box !== null,
    broken: box === null ? { reason: 'open_ring', lat: 49.5, lon: null } : null,
    stale: made.stale ?? null,
    geometry_hash: box === null ? null : '\\x0102',
    ring_hash: box === null ? null : '\\xabcd',
    meta_hash: '\\x0304',
  };
}
