import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { GeometryPool } from '../../src/geometry/pool.ts';
import { type Decode, decodeInPool } from '../../src/sources/osm/decode.ts';
import { PART_SIZE } from '../../src/sources/osm/parts.ts';
import { type OsmExtract, openOsmFile } from '../../src/sources/osm/read.ts';
import { toSourceBoundaries } from '../../src/sources/osm/tags.ts';
import { type ArcTable, FULL, type Rings } from '../../workers/contract.ts';
import { openHeap } from '../../workers/heap.ts';
import { findConflicts } from '../../workers/kernels/conflicts.ts';
import { cutChains } from '../../workers/kernels/cut.ts';
import { layOut } from '../../workers/kernels/layout.ts';
import { assembleRings } from '../../workers/kernels/rings.ts';
import { compared, type Options, type Result } from '../measure.ts';
import { run, versionOf } from './command.ts';
import { inTurn } from './rounds.ts';

/** What osmium makes of boundaries: polygons of relations and closed ways, with the id and no tag but two. */
const EXPORT = {
  attributes: { type: true, id: true },
  linear_tags: false,
  area_tags: ['boundary=administrative', 'boundary=postal_code'],
  include_tags: ['boundary', 'name'],
};

/**
 * A PBF file to arcs and the rings of every boundary in memory, against osmium: tags-filter to the boundaries and what
 * they need, then export as polygons (its fastest text, -f pg). The same polygons are checked first: every relation
 * that either assembles, ring for ring on every tenth.
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

/** Bytes of a part: what fits the caches better than a whole file. */
const PART = 256 * 2 ** 20;

interface Assembled {
  readonly table: ArcTable;
  /** By boundary id (r1, w2): the rings of those that assemble. */
  readonly rings: ReadonlyMap<string, Rings>;
}

/** From a file's blobs to arcs and rings, a part of the file at a time as an import does. */
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

/** Cut, look for arcs that cross, assemble. */
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

/** Arcs with their boxes; what only tiers and areas need stays empty. */
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

/** The rings of each relation that osmium exported, each ring as text. */
async function polygonsOf(path: string): Promise<Map<string, string>> {
  const polygons = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const feature = JSON.parse(line) as GeoJSON.Feature<GeoJSON.MultiPolygon>;
    // Of closed ways osmium also exports those that are part of a relation's border.
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
    const { coords, ringEnd } = layOut(table, one, FULL, 0);
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

/** The same text for the same rings, wherever each starts and whichever way it runs. */
function ringsText(rings: readonly (readonly string[])[]): string {
  return rings
    .map((ring) => [...ring.slice(1)].sort().join())
    .sort()
    .join(';');
}
