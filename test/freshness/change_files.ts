import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Database } from '../../src/db/connect.ts';
import { applyChange, type ChangeSummary } from '../../src/sources/update/apply.ts';
import { dataDir, type ProofEnvironment } from '../proof/environment.ts';

export const OLD = 'osm/nominatim-apidb-2021.boundaries.osm.pbf';
export const NEW = 'osm/liechtenstein-2024.boundaries.osm.pbf';

export const hasOsmium = spawnSync('osmium', ['--version']).status === 0;

export const realFile = (name: string) => join(dataDir as string, name);

/** A folder for change files; remove() it. */
export function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'boundary-changes-'));
  let count = 0;
  return {
    folder,
    /** Writes an OsmChange with these elements: `<modify>…</modify>…`. */
    write(body: string, { packed = false } = {}): string {
      const path = join(folder, `${++count}.osc${packed ? '.gz' : ''}`);
      const text = `<?xml version="1.0" encoding="UTF-8"?>\n<osmChange version="0.6">${body}</osmChange>\n`;
      writeFileSync(path, packed ? gzipSync(text) : text);
      return path;
    },
    /** Derives the change from one file of the real data to another. */
    derive(from: string, to: string): string {
      const path = join(folder, `${++count}.osc.gz`);
      execFileSync('osmium', ['derive-changes', realFile(from), realFile(to), '-o', path]);
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const byHand = { address: '', sequence: null };

export const apply = (server: ProofEnvironment, path: string, accept: readonly string[] = []): Promise<ChangeSummary> =>
  applyChange({ db: server.test.db, engine: server.engine }, path, { ...byHand, accept });

const sha = (column: string) => `encode(sha256(${column}), 'hex')`;

/** The stored state that depends only on the map data: without our run numbers, versions and times. */
const STATE: Record<string, string> = {
  boundaries: `select id, source_version, type, name, names, kind, kind_known, admin_level, country, countries, disputed,
      country_code, iso, wikidata, population, tags, place, subareas, other_names, codes, ways, west, south, east, north, lat, lon,
      round(area_km2::numeric, 9) as area, has_geometry, broken, encode(geometry_hash, 'hex') as geometry,
      encode(meta_hash, 'hex') as meta, stale
    from boundary order by id`,
  parents:
    'select child, parent, round(share::numeric, 6) as share, position from boundary_parent order by child, parent',
  names: `select boundary_id, type, lang, folded, ascii, weight from boundary_name
    order by boundary_id, type, lang, folded`,
  arcs: `select encode(hash, 'hex') as hash, ${sha('weights')} as weights, ${sha('ends')} as ends, exact, class, main
    from arc order by hash`,
  conflicts: `select encode(a.hash, 'hex') as a, encode(b.hash, 'hex') as b, c.kind
    from arc_conflict c join arc a on a.id = c.a join arc b on b.id = c.b
    order by least(a.hash, b.hash), greatest(a.hash, b.hash)`,
  relations: 'select id, version, tags, member_types, member_refs, member_roles from osm_relation order by id',
  nodes: 'select id, version, tags from osm_node order by id',
  ways: `select id, version, tags, node_refs, ${sha('coords')} as coords, missing_node from way order by id`,
};

/** Rows by table, each as text. */
export async function stateOf(db: Database): Promise<Record<string, string[]>> {
  const state: Record<string, string[]> = {};
  for (const [table, sql] of Object.entries(STATE)) {
    state[table] = (await db.query<object>(sql)).map((row) => JSON.stringify(row));
  }
  return state;
}

/** The visible state of boundaries, by id. */
export interface VisibleState {
  id: string;
  version: number;
  has_geometry: boolean;
  geometry: string | null;
  rings: string | null;
  meta: string;
  stale: { reason: string; lat: number | null; lon: number | null; since: string } | null;
  broken: { reason: string } | null;
  area_km2: number | null;
}

export async function boundariesOf(db: Database): Promise<Map<string, VisibleState>> {
  const rows = await db.query<VisibleState>(
    `select id, version, has_geometry, encode(geometry_hash, 'hex') as geometry, encode(ring_hash, 'hex') as rings,
       encode(meta_hash, 'hex') as meta, stale, broken, area_km2 from boundary order by id`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Ids of the boundaries that differ. */
export function differences(
  before: ReadonlyMap<string, VisibleState>,
  after: ReadonlyMap<string, VisibleState>,
): string[] {
  const ids = new Set([...before.keys(), ...after.keys()]);
  return [...ids].filter((id) => JSON.stringify(before.get(id)) !== JSON.stringify(after.get(id))).sort();
}
