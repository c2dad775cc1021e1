import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { GeometryPool } from '../../src/geometry/pool.ts';
import { type Decode, decodeInPool } from '../../src/sources/osm/decode.ts';
import { PART_SIZE } from '../../src/sources/osm/parts.ts';
import { type OsmExtract, openOsmFile } from '../../src/sources/osm/read.ts';
import { toSourceBoundaries } from '../../src/sources/osm/tags.ts';
import { findConflicts } from '../../workers/arcs/conflicts.ts';
import { cutChains } from '../../workers/arcs/cut.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import { assembleRings } from '../../workers/arcs/rings.ts';
import { type ArcTable, FULL, type Rings } from '../../workers/contract.ts';
import { openHeap } from '../../workers/heap.ts';
import { compared, type Options, type Result } from '../measure.ts';
import { run, versionOf } from './command.ts';
import { inTurn } from './rounds.ts';

/** osmium's export of boundaries: polygons of relations and closed ways, with the id and only two tags. */
const EXPORT = {
  attributes: { type: true, id: true },
  linear_tags: false,
  area_tags: ['boundary=administrative', 'boundary=postal_code'],
  include_tags: ['boundary', 'name'],
};

/**
 * A PBF file to arcs and the rings of every boundary in memory, against osmium: tags-filter to the boundaries and their
 * members, then export as polygons (in its fastest text format, -f pg). Checks first that the polygons are the same:
 * every relation that either assembles, and the rings of every tenth.
 */
export async function benchRings(path: string, folder: string, name: string, options: Options): Promise<Result[]> {
  const osmium = await versionOf('osmium');
  if (osmium === null) {
    process.stderr.write('import: osmium is not installed (apt install osmium-tool)\n');
    return [];
  }
  const [filtered, settings, out] = ['boundaries.osm.pbf', 'export.json', 'boundaries.out'].map((one) =>
    join(folder, one),
  );
  await writeFile(settings, JSON.stringify(EXPORT));
  const filter = () =>
    run('osmium', ['tags-filter', '-O', '-o', filtered, path, 'r/boundary=administrative,postal_code']);
  const write = (format: string) =>
    run('osmium', [
      'export',
      '-O',
      '-c',
      settings,
      '--geometry-types=polygon',
      '-x',
      'print_record_separator=false',
      '-f',
      format,
      '-o',
      out,
      filtered,
    ]);
  await filter();
  await write('geojsonseq');
  const theirs = await polygonsOf(out);
  const { table: common, ...heap } = openHeap({ vertices: 1, slots: 1 });
  const pool = new GeometryPool({ threads: 2, heap, common });
  try {
    const decode = decodeInPool(pool);
    const same = sameRings(await ringsOfFile(path, decode), theirs);
    const times = await inTurn(
      options.smoke ? 1 : 7,
      { work: () => ringsOfFile(path, decode) },
      {
        work: async () => {
          await filter();
          await write('pg');
        },
      },
    );
    const rival = `${osmium} tags-filter and export`;
    return [compared(`${name} to rings and arcs`, times.ours, rival, times.theirs, same)];
  } finally {
    await pool.close();
  }
}

/** Bytes per part: smaller than a whole file, to fit the caches better. */
const PART = 256 * 2 ** 20;

interface Assembled {
  readonly table: ArcTable;
  /** The rings of assembled boundaries by id (r1, w2). */
  readonly rings: ReadonlyMap<string, Rings>;
}

/** Reads a file into arcs and rings, one part at a time as an import does. */
async function ringsOfFile(path: string, decode: Decode): Promise<Assembled[]> {
  const file = await openOsmFile(path, { decode, size: { ...PART_SIZE, bytes: PART } });
  try {
    const parts: Assembled[] = [];
    for await (const extract of file.extracts()) parts.push(ringsOf(extract));
    return parts;
  } finally {
    await file.close();
  }
}

/** Cuts ways into arcs, finds crossing arcs, assembles rings. */
function ringsOf(extract: OsmExtract): Assembled {
  const chains: Int32Array[] = [];
  const chainOf = new Map<number, number>();
  const boundaries: { id: string; used: number[] }[] = [];
  for (const { id, border } of toSourceBoundaries(extract).boundaries) {
    if (id === null || !('ways' in border)) continue;
    const used: number[] = [];
    for (const way of border.ways) {
      const coords = extract.ways.get(way)?.coords;
      if (!coords) break;
      let chain = chainOf.get(way);
      if (chain === undefined) {
        chain = chains.push(coords) - 1;
        chainOf.set(way, chain);
      }
      used.push(chain);
    }
    if (used.length === border.ways.length) boundaries.push({ id, used });
  }
  const cut = cutChains(chains);
  const table = tableOf(cut.arcs);
  const conflicts = findConflicts(table);
  const rings = new Map<string, Rings>();
  for (const { id, used } of boundaries) {
    const arcs = used.flatMap((chain) => [...cut.refs[chain]]);
    const own = new Set(conflicts.length > 0 ? arcs.map((ref) => (ref < 0 ? ~ref : ref)) : []);
    if (conflicts.some(({ a, b }) => own.has(a) && own.has(b))) continue;
    const assembled = assembleRings(table, Int32Array.from(arcs));
    if ('rings' in assembled) rings.set(id, assembled.rings);
  }
  return { table, rings };
}

/** Arcs with their boxes; the columns for tiers and areas stay empty. */
function tableOf(arcs: readonly Int32Array[]): ArcTable {
  const length = Uint32Array.from(arcs, (arc) => arc.length / 2);
  const first = new Uint32Array(arcs.length);
  for (let i = 1; i < arcs.length; i++) first[i] = first[i - 1] + length[i - 1];
  const coords = new Int32Array(arcs.reduce((sum, arc) => sum + arc.length, 0));
  const box = new Int32Array(4 * arcs.length);
  arcs.forEach((arc, i) => {
    coords.set(arc, 2 * first[i]);
    let [west, south, east, north] = [arc[0], arc[1], arc[0], arc[1]];
    for (let k = 2; k < arc.length; k += 2) {
      west = Math.min(west, arc[k]);
      east = Math.max(east, arc[k]);
      south = Math.min(south, arc[k + 1]);
      north = Math.max(north, arc[k + 1]);
    }
    box.set([west, south, east, north], 4 * i);
  });
  const none = new Uint16Array(0);
  const [area, turn] = [new Float64Array(0), new Float64Array(0)];
  return { coords, weights: new Uint8Array(0), first, length, box, area, turn, ends: none, exact: none };
}

/** The rings of each relation that osmium exported, as text. */
async function polygonsOf(path: string): Promise<Map<string, string>> {
  const polygons = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const feature = JSON.parse(line) as GeoJSON.Feature<GeoJSON.MultiPolygon>;
    // Skip closed ways: osmium also exports those in a relation's border.
    if (feature.properties?.['@type'] !== 'relation') continue;
    const rings = feature.geometry.coordinates.flat();
    polygons.set(
      `r${feature.properties['@id']}`,
      ringsText(rings.map((ring) => ring.map(([x, y]) => `${Math.round(x * 1e7)} ${Math.round(y * 1e7)}`))),
    );
  }
  return polygons;
}

function sameRings(parts: readonly Assembled[], theirs: ReadonlyMap<string, string>): boolean {
  const all = parts.flatMap(({ table, rings }) => [...rings].map(([id, one]) => ({ id, one, table })));
  const ours = all.filter(({ id }) => id.startsWith('r'));
  const differ = ours.filter(({ id, one, table }, k) => {
    if (k % 10 !== 0) return !theirs.has(id);
    const { coords, ringEnd } = materialize(table, one, FULL, 0);
    const listed = Array.from(ringEnd, (end, r) => {
      const ring: string[] = [];
      for (let v = r === 0 ? 0 : ringEnd[r - 1]; v < end; v++) ring.push(`${coords[2 * v]} ${coords[2 * v + 1]}`);
      return ring;
    });
    return theirs.get(id) !== ringsText(listed);
  });
  if (differ.length > 0 || ours.length !== theirs.size) {
    process.stderr.write(
      `import: ${ours.length} polygons, osmium ${theirs.size}, ${differ.length} differ (${differ[0]?.id})\n`,
    );
  }
  return differ.length === 0 && ours.length === theirs.size;
}

/** A text that is equal for equal rings, regardless of their start and direction. */
function ringsText(rings: readonly (readonly string[])[]): string {
  return rings
    .map((ring) => [...ring.slice(1)].sort().join())
    .sort()
    .join(';');
}
