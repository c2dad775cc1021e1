import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Queryable } from '../../src/db/connect.ts';
import { readCoverage } from '../../src/sources/coverage/read.ts';
import { type OsmExtract, readOsmFile } from '../../src/sources/osm/read.ts';
import { type Change, readChange } from '../../src/sources/update/change_file.ts';
import { square } from '../../test/formats/support.ts';
import {
  BLOCKS,
  damage,
  isReaderBug,
  json,
  packed,
  plain,
  requireSound,
  sorted,
  xml,
} from '../../test/sources/osm_damage.ts';
import { pbf } from '../../test/sources/osm_pbf_writer.ts';
import { isValid } from '../../workers/arcs/overlay.ts';
import { convertFile } from '../../workers/convert.ts';
import type { Format, Readable } from '../../workers/formats/registry.ts';
import { damageJson, damageText, damageTree, type Random } from './damage.ts';

export const FILE_FORMATS = ['pbf', 'xml', 'json', 'geojson', 'topojson', 'kml', 'gml', 'wkt', 'osc'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** A damaged file, or one that is only formatted differently. */
interface Made {
  readonly bytes: Uint8Array;
  /** Whether its content equals that of the original. */
  readonly isSame: boolean;
}

/** A format under test. */
interface Case {
  make(random: Random): Made;
  /** The content as text for comparison; null if the file was refused. @throws if the outcome is wrong in itself */
  read(bytes: Uint8Array): Promise<string | null>;
}

const some = <T>(list: readonly T[], random: Random): T => list[random(list.length)];
/** The working folder. */
let folder = '';

/** Adds white space between XML elements without text, or between JSON tokens. */
const spacedXml = (text: string): string => text.replace(/>(\s*)</g, '>\n <!-- x -->\t<');
const spacedJson = (tree: unknown): string => `\n${JSON.stringify(tree, null, '\t')}\r\n `;

/** Generates files; one in eight is only formatted differently. */
function making(
  whole: readonly Uint8Array[],
  same: (random: Random) => Uint8Array,
  broken: (random: Random) => Uint8Array,
) {
  return (random: Random): Made => {
    const kind = random(24);
    if (kind < 3) return { bytes: same(random), isSame: true };
    if (kind === 3) return { bytes: damage(gzipSync(some(whole, random)), random), isSame: false };
    return { bytes: broken(random), isSame: false };
  };
}

async function readOsm(bytes: Uint8Array): Promise<string | null> {
  const path = join(folder, 'map');
  writeFileSync(path, bytes);
  let extract: OsmExtract;
  try {
    extract = await readOsmFile(path);
  } catch (error) {
    if (isReaderBug(path, error)) throw new Error(`an accident: ${error}`, { cause: error });
    return null;
  }
  requireSound(extract);
  return described([...extract.relations.values()], [...extract.ways.values()], [...extract.nodes.values()]);
}

const described = (...what: unknown[]): string =>
  JSON.stringify(what, (_name, value) => (ArrayBuffer.isView(value) ? [...(value as unknown as number[])] : value));

/** A database in which objects with even ids are stored. */
const database = {
  query: async (_text: string, values: unknown[]) =>
    values.length === 2 || Array.isArray(values[0])
      ? (values.at(-1) as number[]).filter((id) => id % 2 === 0).map((id) => ({ id, way: id, node: id }))
      : [],
} as unknown as Queryable;

async function readOsc(bytes: Uint8Array): Promise<string | null> {
  const path = join(folder, 'change');
  writeFileSync(path, bytes);
  let change: Change;
  try {
    change = await readChange(database, path);
  } catch (error) {
    if (isReaderBug(path, error)) throw new Error(`an accident: ${error}`, { cause: error });
    return null;
  }
  for (const kind of [change.relations, change.ways, change.nodes]) {
    for (const [id, { version }] of kind) {
      if (!Number.isSafeInteger(id) || id === 0 || !Number.isSafeInteger(version))
        throw new Error(`${id} version ${version}`);
    }
  }
  for (const { object } of change.nodes.values()) {
    if (object && !(Math.abs(object.x) <= 1.8e9 && Math.abs(object.y) <= 9e8))
      throw new Error(`at ${object.x} ${object.y}`);
  }
  return described([...change.relations], [...change.ways], [...change.nodes], change.timestamp);
}

/** The polygons of a GeoJSON document that we wrote. @throws unless every ring is closed and on the globe */
function polygonsIn(text: string): string {
  const document = JSON.parse(text) as GeoJSON.FeatureCollection | GeoJSON.Feature;
  const features = 'features' in document ? document.features : [document];
  const found = features.map(({ geometry }) => {
    if (geometry === null) return null;
    if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon')
      throw new Error(`a ${geometry.type} was written`);
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    for (const ring of polygons.flat()) {
      if (ring.length < 4 || String(ring[0]) !== String(ring.at(-1))) throw new Error('a ring that is not closed');
      for (const [lon, lat] of ring) {
        if (!(Math.abs(lon) <= 180 && Math.abs(lat) <= 90)) throw new Error(`a vertex at ${lon} ${lat}`);
      }
    }
    return polygons;
  });
  return JSON.stringify(found);
}

/** Texts that an error message about a file must not contain. */
const ACCIDENT =
  /undefined(?! entity)|is not a function|not iterable|Cannot read|\[object|call stack|Invalid (array|typed|string)/;

const converted = (bytes: Uint8Array, from: Readable) =>
  convertFile({ bytes, from, to: 'geojson', detail: 'full', dissolve: false, name: 'x', maxBytes: 1e8 }, () => false);

async function readArea(bytes: Uint8Array, from: Readable): Promise<string | null> {
  const result = await converted(bytes, from);
  if (result.kind === 'unreadable') {
    if (result.reason === '' || ACCIDENT.test(result.reason)) throw new Error(`it is unreadable: ${result.reason}`);
    return null;
  }
  if (result.kind === 'too_large') throw new Error(`too large: ${result.bytes}`);
  const polygons = polygonsIn(Buffer.from(result.bytes).toString());
  const again = await converted(result.bytes, 'geojson');
  const text = again.kind === 'bytes' ? polygonsIn(Buffer.from(again.bytes).toString()) : JSON.stringify(again);
  // Collections keep features with an empty area.
  if (result.features > 0 && text !== polygons) throw new Error(`what was written is read as ${text.slice(0, 300)}`);
  return polygons;
}

/** Reads the file as a coverage import; a refusal must name the file and give a reason. */
async function readLayer(bytes: Uint8Array, extension: string): Promise<string | null> {
  const path = join(folder, `layer.${extension}`);
  writeFileSync(path, bytes);
  let found: Awaited<ReturnType<typeof readCoverage>>;
  try {
    found = await readCoverage(path, { source: 'x', adminLevel: 8 });
  } catch (error) {
    const { message } = error as Error;
    if (!message.startsWith(`${path}: `) || failedByBug(error) || ACCIDENT.test(message)) {
      throw new Error(`an accident: ${error}`, { cause: error });
    }
    return null;
  }
  for (const { sourceId, border } of found.boundaries) {
    for (const ring of 'rings' in border ? border.rings : []) {
      const alone = { coords: ring, ringEnd: Uint32Array.of(ring.length / 2), polygonEnd: Uint32Array.of(1) };
      const trouble = await isValid(alone);
      if (trouble) throw new Error(`${sourceId} is not valid: ${trouble.reason} at ${trouble.x} ${trouble.y}`);
    }
  }
  return described(found.boundaries.map(({ sourceId, border }) => [sourceId, border]));
}

/** JSON.parse reports bad JSON with a SyntaxError, which is allowed. */
function failedByBug(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) return true;
  return error instanceof Error && error.cause !== undefined && failedByBug(error.cause);
}

const ring = (x: number, y: number, r: number, isHole = false) => square(x, y, r, isHole);
const feature = (id: string, geometry: GeoJSON.Geometry): GeoJSON.Feature => {
  return { type: 'Feature', id, properties: { id, name: `Area ${id}`, admin_level: 8 }, geometry };
};
const SAMPLE: GeoJSON.FeatureCollection = {
  type: 'FeatureCollection',
  features: [
    feature('a', { type: 'Polygon', coordinates: [ring(10, 10, 2), ring(10, 10, 1, true)] }),
    feature('b', {
      type: 'MultiPolygon',
      coordinates: [[ring(14, 10, 2)], [ring(20, 10, 1), ring(20, 10, 0.5, true)]],
    }),
    feature('c', {
      type: 'GeometryCollection',
      geometries: [
        { type: 'Polygon', coordinates: [ring(10, 10, 1)] },
        { type: 'Point', coordinates: [10, 10] },
      ],
    }),
  ],
};

/** The sample in another format. */
async function sampleIn(to: Format | 'topojson', dissolve: boolean): Promise<string> {
  const bytes = Buffer.from(JSON.stringify(SAMPLE));
  const task = { bytes, from: 'geojson', to, detail: 'full', dissolve, name: 'x', maxBytes: 1e8 } as const;
  const result = await convertFile(task, () => false);
  if (result.kind !== 'bytes') throw new Error(JSON.stringify(result));
  return Buffer.from(result.bytes).toString();
}

const byText = (text: string, spaced: (text: string) => string, read: Case['read']): Case => ({
  make: making(
    [Buffer.from(text)],
    () => Buffer.from(spaced(text)),
    (random) => damageText(text, random),
  ),
  read,
});
const byTree = (tree: unknown, read: Case['read']): Case => ({
  make: making(
    [Buffer.from(JSON.stringify(tree))],
    () => Buffer.from(spacedJson(tree)),
    (random) => damageJson(tree, random),
  ),
  read,
});

/** Reads a map file as an import and as a conversion. */
const twice =
  (from: Readable): Case['read'] =>
  async (bytes) => {
    const layer = await readLayer(bytes, from);
    // Only imports accept gzipped files.
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const area = isPacked ? null : await readArea(bytes, from);
    return layer === null && area === null ? null : `${layer} ${area}`;
  };

function damagedPbf(random: Random): Uint8Array {
  if (random(2) === 0) return damage(some([plain, sorted, packed], random), random);
  try {
    return pbf(damageTree(BLOCKS, random), random(4) === 0 ? ['Sort.Type_then_ID'] : []);
  } catch {
    // The test writer does not support everything.
    return damage(plain, random);
  }
}

const change = `<?xml version="1.0" encoding="UTF-8"?><osmChange version="0.6"><create><node id="1000" version="1" lat="1" lon="2"/>
<way id="51" version="2"><nd ref="1000"/><nd ref="1003"/><nd ref="1000"/><tag k="boundary" v="administrative"/></way></create>
<modify><node id="1003" version="3" lat="-1.5" lon="2.25" timestamp="2024-01-01T00:00:00Z"><tag k="name" v="x"/></node>
<relation id="7" version="2"><member type="way" ref="51" role="outer"/><member type="node" ref="1000" role="label"/>
<tag k="type" v="boundary"/><tag k="boundary" v="administrative"/><tag k="name" v="N"/></relation></modify>
<delete><way id="52" version="4"/><relation id="8" version="2"/><node id="1006" version="2"/></delete></osmChange>`;

const CASES: Readonly<Record<FileFormat, () => Promise<Case>>> = {
  pbf: async () => ({
    make: making([plain, packed], (random) => some([plain, packed, gzipSync(plain)], random), damagedPbf),
    read: readOsm,
  }),
  xml: async () => byText(xml.toString(), spacedXml, readOsm),
  json: async () => byTree(JSON.parse(json.toString()), readOsm),
  geojson: async () => byTree(SAMPLE, twice('geojson')),
  topojson: async () => byTree(JSON.parse(await sampleIn('topojson', false)), twice('topojson')),
  kml: async () => byText(await sampleIn('kml', true), spacedXml, (bytes) => readArea(bytes, 'kml')),
  gml: async () => byText(await sampleIn('gml', true), spacedXml, (bytes) => readArea(bytes, 'gml')),
  wkt: async () =>
    byText(
      await sampleIn('wkt', true),
      (text) => text.replace(/[(),]/g, ' $&\n'),
      (bytes) => readArea(bytes, 'wkt'),
    ),
  osc: async () => byText(change, spacedXml, readOsc),
};

/** The test case of a format, with files in a folder. */
export async function openCase(format: FileFormat, where: string) {
  folder = where;
  const { make, read } = await CASES[format]();
  const wholes = new Set<string>();
  return {
    make,
    /** Whether the file was accepted. @throws Error that says what is wrong */
    async try({ bytes, isSame }: Made): Promise<boolean> {
      const found = await read(bytes);
      if (!isSame) return found !== null;
      if (found === null) throw new Error('a sound file was refused');
      wholes.add(found);
      if (wholes.size > 1) throw new Error('a file that was only written in another way is read as another');
      return true;
    },
  };
}
