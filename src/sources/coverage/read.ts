import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import {
  type CleanCoverage,
  type CoverageFeature,
  cleanCoverage,
  type RepairReason,
} from '../../../workers/kernels/clean.ts';
import { SLIVER_METERS, SLIVER_SHARE, type Slivers } from '../../../workers/kernels/slivers.ts';
import { countriesAt, isCountryCode } from '../countries.ts';
import type { SourceBoundary } from '../types.ts';
import { readPieces } from './documents.ts';
import { type Shape, shapeOf, Unusable } from './geometry.ts';
import {
  checkMap,
  type Defaults,
  type Description,
  describe,
  type OnValue,
  type Properties,
  textOf,
} from './properties.ts';
import { isTopology, readTopology } from './topology.ts';

export interface CoverageOptions {
  /** Name of the source, for error messages; the ids of the boundaries are its own. */
  readonly source: string;
  /** Which property of the file is what: `{id: 'code', name: 'nom', 'name:fr': 'nom'}`. */
  readonly map?: Readonly<Record<string, string>>;
  /** The admin_level of all features that map none, 1 … 12. */
  readonly adminLevel?: number;
  /** ISO 3166-1 alpha-2 code of the country of all features that map none. */
  readonly country?: string;
  readonly type?: 'administrative' | 'postal_code';
  /** The object of a TopoJSON file; needed when it has several. */
  readonly object?: string;
  /** Refuse a file in which boundaries of one level overlap by more than a sliver. */
  readonly strict?: boolean;
  /** Of the file's text; UTF-8 if absent. */
  readonly encoding?: string;
}

export interface CoverageProgress {
  readonly phase: 'read' | 'clean';
  /** Bytes read of `total` while reading; 0 of the number of features while cleaning. */
  readonly done: number;
  readonly total: number;
}

export interface Coverage {
  readonly boundaries: SourceBoundary[];
  /** Features left out, by their id (or place in the file), and why. */
  readonly skipped: { readonly id: string; readonly reason: string }[];
  /** What of the file was left out or looks wrong, in words. */
  readonly notices: readonly string[];
  /** Boundaries whose rings were changed so that neighbors match, by their ids within the source, largest change first. */
  readonly repaired: readonly Repaired[];
  /** Pairs of boundaries of one level that overlap by more than a sliver: both keep it. Largest first. */
  readonly overlaps: readonly Overlap[];
}

/** What cleaning did to a boundary. */
export interface Repaired {
  /** Its id within the source. */
  readonly id: string;
  readonly reason: string;
  readonly km2Before: number;
  readonly km2After: number;
}

/** Two boundaries that overlap, by their ids within the source, and by how much. */
export interface Overlap {
  readonly a: string;
  readonly b: string;
  readonly km2: number;
}

const REASONS: Readonly<Record<RepairReason, string>> = {
  vertices: 'its border got vertices where another meets it',
  rings: 'its own border crossed, touched or repeated itself',
  overlap: 'slivers of overlap went to neighbors',
  gap: 'gaps of at most 2 cm went to it',
};

/** cleanCoverage(), wherever it is run. */
export type Cleaner = (features: readonly CoverageFeature[], slivers?: Slivers) => Promise<CleanCoverage>;

/** A feature read but not yet cleaned. */
interface Raw {
  readonly sourceId: string;
  readonly description: Description;
  readonly shape: Shape;
}

/**
 * Reads a coverage file: areas that share their borders, of one level or (with `admin_level` mapped) of several. GeoJSON (a FeatureCollection, one feature, one
 * feature a line), TopoJSON, either of them gzipped; longitude and latitude on WGS 84.
 *
 * The coverage is cleaned as a whole (workers/kernels/clean.ts): neighbors match exactly afterwards, and areas of one
 * level do not overlap. Ids are the
 * mapped property, else the feature's `id`, else its property `id`; they must be there and be different, so that the file
 * can be imported again. Several rows with one id are an error that lists them: whether they are parts of one area or a
 * mistake cannot be told here (real files, Italy's and France's among them, have one row an area).
 *
 * Left out with a reason: features without a geometry or whose geometry is not an area or not closed, without a name, or of
 * which cleaning leaves nothing.
 *
 * @returns boundaries in file order; `version` is a hash of the file's bytes, so that the same file is the same edition
 * @throws Error that says what is wrong with the file, the map or the options
 */
export async function readCoverage(
  path: string,
  options: CoverageOptions,
  onProgress?: (progress: CoverageProgress) => void,
  clean: Cleaner = cleanCoverage,
): Promise<Coverage> {
  const map = options.map ?? {};
  checkMap(map);
  const type = options.type ?? 'administrative';
  if (options.country !== undefined && !isCountryCode(options.country)) {
    throw new Error(`"${options.country}" is not an ISO 3166-1 alpha-2 code`);
  }
  if (type === 'administrative' && options.adminLevel === undefined && map.admin_level === undefined) {
    throw new Error('an admin_level is needed: --admin-level 8, or --map admin_level=PROPERTY');
  }
  const defaults = { type, adminLevel: options.adminLevel ?? null, country: options.country ?? null };
  const reader = new Reader(map, defaults, basename(path).replace(/(\.(geo|topo)?json[ls]?)?(\.gz)?$/i, ''));
  const onRead = (done: number, total: number) => onProgress?.({ phase: 'read', done, total });
  const pieces = readPieces(path, onRead, options.encoding);
  try {
    for await (const piece of pieces) {
      if (piece.type === 'feature') reader.feature(piece.value);
      else reader.document(piece.value, piece.features, options.object);
    }
    reader.check();
    if (options.country !== undefined) reader.checkPlace(options.country);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(message.startsWith(path) ? message : `${path}: ${message}`, { cause: error });
  }

  const { raw, skipped } = reader;
  onProgress?.({ phase: 'clean', done: 0, total: raw.length });
  const layered = raw.map(({ shape, description }) => ({ ...shape, layer: description.adminLevel ?? 0 }));
  const { features, repairs, overlaps: pairs } = await clean(layered);
  const overlaps = pairs.map(({ a, b, km2 }) => ({ a: raw[a]!.sourceId, b: raw[b]!.sourceId, km2 }));
  if (options.strict && overlaps.length > 0) throw new Error(`${path}: ${overlapping(overlaps)}`);
  const version = await editionOf(path);
  const boundaries: SourceBoundary[] = [];
  for (const [i, { sourceId, description }] of raw.entries()) {
    const { rings } = features[i]!;
    if (rings.length === 0) skipped.push({ id: sourceId, reason: 'it has no area on the grid of 1e-7 degrees' });
    else boundaries.push({ id: null, sourceId, version, type, ...description, subareas: [], border: { rings } });
  }
  const repaired = repairs
    .filter(({ feature }) => features[feature]!.rings.length > 0)
    .map(({ feature, reasons, km2Before, km2After }) => ({
      id: raw[feature]!.sourceId,
      reason: reasons.map((one) => REASONS[one]).join('; '),
      km2Before,
      km2After,
    }))
    .sort((p, q) => changeOf(q) - changeOf(p));
  return { boundaries, skipped, notices: reader.notices(), repaired, overlaps };
}

const changeOf = ({ km2Before, km2After }: Repaired) => Math.abs(km2After - km2Before);

/** What is said of overlaps where none are wanted. */
function overlapping(overlaps: readonly Overlap[]): string {
  const pairs = overlaps.map(({ a, b, km2 }) => `${a} and ${b} by ${Number(km2.toPrecision(6))} km2`);
  return (
    `${overlaps.length} pairs of one level overlap by more than ${SLIVER_METERS} m on average or ` +
    `${100 * SLIVER_SHARE} % of an area: ${listed(pairs)}`
  );
}

/** Collects the features of a file, whatever form it has. */
class Reader {
  readonly raw: Raw[] = [];
  readonly skipped: { id: string; reason: string }[] = [];
  private readonly map: Readonly<Record<string, string>>;
  private readonly defaults: Defaults;
  private readonly seen = new Map<string, number>();
  private readonly withoutId: number[] = [];
  /** Names of properties that features have: all that are mapped, and some of the others. */
  private readonly properties = new Set<string>();
  private readonly codes = new Codes();
  private readonly mangled: string[] = [];
  private readonly outside: { readonly country: string; readonly ids: readonly string[] }[] = [];
  private readonly fileName: string;
  private readonly mapped: ReadonlySet<string>;
  private count = 0;

  /**
   * @param fileName for an area that is a geometry alone: its id and name
   */
  constructor(map: Readonly<Record<string, string>>, defaults: Defaults, fileName: string) {
    this.map = map;
    this.mapped = new Set(Object.values(map));
    this.defaults = defaults;
    this.fileName = fileName;
  }

  /** A top-level object of the file: a feature, the frame of a collection that has been read, or a topology. */
  document(value: Readonly<Record<string, unknown>>, features: number, object: string | undefined): void {
    if (isTopology(value)) {
      this.topology(value, object);
      return;
    }
    checkReferenceSystem(value.crs);
    if (value.type === 'Feature') this.feature(value);
    else if (GEOMETRIES.has(String(value.type))) this.geometry(value);
    else if (value.type !== 'FeatureCollection') {
      throw new Error(`neither GeoJSON features nor TopoJSON: an object of type ${JSON.stringify(value.type)}`);
    } else if (features === 0) throw new Error('a collection without features');
  }

  private topology(value: Readonly<Record<string, unknown>>, object: string | undefined): void {
    const topology = readTopology(value);
    const only = topology.names.length === 1 ? topology.names[0] : undefined;
    const name = object ?? only;
    if (name === undefined || !topology.names.includes(name)) {
      throw new Error(`which object of the topology? It has ${topology.names.join(', ')} (--object)`);
    }
    for (const geometry of topology.geometriesOf(name)) {
      this.add(geometry.id, geometry.properties, () => topology.shapeOf(geometry));
    }
  }

  feature(value: unknown): void {
    const { type, id, properties, geometry } = (value ?? {}) as Readonly<Record<string, unknown>>;
    if (type !== 'Feature') throw new Error(`element ${this.count + 1} of \`features\` is not a Feature`);
    this.add(id, properties, () => shapeOf(geometry));
  }

  /** A geometry alone is one area, called as its file is. */
  private geometry(value: unknown): void {
    const properties = { [this.map.id ?? 'id']: this.fileName, [this.map.name ?? 'name']: this.fileName };
    this.add(undefined, properties, () => shapeOf(value));
  }

  private add(id: unknown, properties: unknown, shape: () => Shape): void {
    const place = ++this.count;
    const known = (typeof properties === 'object' && properties !== null ? properties : {}) as Properties;
    for (const name of Object.keys(known)) {
      if (this.properties.size < MOST_PROPERTIES || this.mapped.has(name)) this.properties.add(name);
    }
    const property = this.map.id;
    // Nominatim's postcode files name the property so, and have no id beside it.
    const fallback = this.defaults.type === 'postal_code' ? textOf(known, 'postcode') : null;
    const sourceId =
      property !== undefined ? textOf(known, property) : (textOf({ id }, 'id') ?? textOf(known, 'id') ?? fallback);
    if (sourceId === null) {
      this.withoutId.push(place);
      return;
    }
    this.seen.set(sourceId, (this.seen.get(sourceId) ?? 0) + 1);
    try {
      const onValue: OnValue = (key, value, trouble) => this.codes.see(key, value, trouble, sourceId);
      const description = describe(known, this.map, this.defaults, sourceId, onValue);
      if (description.name === '') throw new Unusable('no name');
      if (this.defaults.type === 'administrative' && description.adminLevel === null)
        throw new Unusable('no admin_level');
      this.raw.push({ sourceId, description, shape: shape() });
      if ([description.name, ...Object.values(description.names)].some((name) => name.includes('\ufffd'))) {
        this.mangled.push(description.name);
      }
    } catch (error) {
      if (!(error instanceof Unusable))
        throw new Error(`feature ${sourceId}: ${(error as Error).message}`, { cause: error });
      this.skipped.push({ id: sourceId, reason: error.message });
    }
  }

  /**
   * Throws when a mapped property is nowhere, ids are missing or not unique, all codes of a kind are none, or nothing
   * could be read.
   */
  check(): void {
    const absent = Object.entries(this.map).filter(([, property]) => !this.properties.has(property));
    if (this.count > 0 && absent.length > 0) {
      const pairs = absent.map(([key, property]) => `${key}=${property}`);
      const there = [...this.properties].sort();
      throw new Error(
        `no feature has what --map ${pairs.join(',')} names; they have ` +
          `${there.length === 0 ? 'no properties' : listed(there, MOST_PROPERTIES)}`,
      );
    }
    this.codes.check();
    if (this.withoutId.length > 0) {
      const where = this.map.id === undefined ? 'an id (--map id=PROPERTY)' : `the property "${this.map.id}"`;
      throw new Error(
        `${this.withoutId.length} of ${this.count} features are without ${where}: ${listed(this.withoutId.map(String))}`,
      );
    }
    const double = [...this.seen].filter(([, times]) => times > 1).map(([id, times]) => `${id} (${times} times)`);
    if (double.length > 0) throw new Error(`ids that several features have: ${listed(double)}; merge their rows first`);
    if (this.raw.length > 0) return;
    const reasons = [...new Set(this.skipped.map((one) => one.reason))].slice(0, 3).join('; ');
    throw new Error(`no feature can be used${reasons === '' ? '' : ` (${reasons})`}`);
  }

  /**
   * Compares where the features of a country lie with where the country is.
   * @throws Error when latitude and longitude are the wrong way round; features elsewhere are a notice
   */
  checkPlace(country: string): void {
    const every = Math.ceil(this.raw.length / MOST_PLACES);
    const sample = this.raw.filter((_, i) => i % every === 0);
    const places = sample.map(({ shape, sourceId }) => ({ sourceId, ...middleOf(shape) }));
    const isThere = (lat: number, lon: number) => countriesAt(lat, lon).includes(country);
    const elsewhere = places.filter(({ lat, lon }) => !isThere(lat, lon));
    const turned = elsewhere.filter(({ lat, lon }) => isThere(lon, lat));
    if (2 * turned.length > places.length) {
      const [{ lat, lon }] = turned as [(typeof turned)[0]];
      throw new Error(
        `latitude and longitude are the wrong way round: ${turned.length} of ${places.length} features lie in ` +
          `${country} only when they are exchanged (one at latitude ${lat}, longitude ${lon})`,
      );
    }
    if (2 * elsewhere.length > places.length) this.outside.push({ country, ids: elsewhere.map((one) => one.sourceId) });
  }

  /** What is worth a look, in words. */
  notices(): string[] {
    const notices = this.codes.notices();
    if (this.mangled.length > 0) {
      notices.push(
        `${this.mangled.length} names hold U+FFFD, which stands for a letter that was lost when the file was made: ` +
          listed(this.mangled),
      );
    }
    for (const { country, ids } of this.outside) notices.push(`most features are not in ${country}: ${listed(ids)}`);
    return notices;
  }
}

/** The middle of the box of a shape's first polygon, in degrees. */
function middleOf({ rings, polygonEnd }: Shape): { lat: number; lon: number } {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings.slice(0, polygonEnd[0])) {
    for (let i = 0; i < ring.length; i += 2) {
      west = Math.min(west, ring[i]!);
      east = Math.max(east, ring[i]!);
      south = Math.min(south, ring[i + 1]!);
      north = Math.max(north, ring[i + 1]!);
    }
  }
  return { lat: (south + north) / 2e7, lon: (west + east) / 2e7 };
}

/** What Natural Earth, and files made of it, write where there is no code. */
const NO_CODE = '-99';

/** Which values of mapped codes were none. */
class Codes {
  private readonly good = new Set<string>();
  private readonly odd = new Map<string, { key: string; value: string; trouble: string; ids: string[] }>();

  see(key: string, value: string, trouble: string | null, sourceId: string): void {
    if (trouble === null) {
      this.good.add(key);
      return;
    }
    const name = `${key} ${value}`;
    const known = this.odd.get(name);
    if (known === undefined) this.odd.set(name, { key, value, trouble, ids: [sourceId] });
    else known.ids.push(sourceId);
  }

  /** Throws when a kind has values and none of them is good: then the map is wrong, and not a code. */
  check(): void {
    for (const { key, value, trouble, ids } of this.odd.values()) {
      if (this.good.has(key) || value === NO_CODE) continue;
      throw new Error(
        `feature ${ids[0]}: "${value}" is not an ${trouble}, nor is any other ${key}: is --map ${key} right?`,
      );
    }
  }

  notices(): string[] {
    return [...this.odd.values()].map(
      ({ key, value, trouble, ids }) => `${key} "${value}" is not an ${trouble}: left out of ${listed(ids)}`,
    );
  }
}

/** Types of GeoJSON that stand for an area without a feature around it. */
const GEOMETRIES: ReadonlySet<string> = new Set(['Polygon', 'MultiPolygon', 'GeometryCollection']);

/** So many features are looked up in their country. */
const MOST_PLACES = 1_000;

/** So many names of properties are kept to be listed. */
const MOST_PROPERTIES = 100;

function listed(ids: readonly string[], most = 10): string {
  const more = ids.length > most ? ` and ${ids.length - most} more` : '';
  return `${ids.slice(0, most).join(', ')}${more}`;
}

/** GeoJSON of 2008 may name another reference system; today's knows one. */
function checkReferenceSystem(crs: unknown): void {
  if (crs === undefined || crs === null) return;
  const name = (crs as { properties?: { name?: unknown } }).properties?.name;
  if (typeof name === 'string' && /(:|^)(CRS84|CRS83|4326|4258|4269)$/i.test(name)) return;
  throw new Error(
    `coordinates in ${JSON.stringify(name ?? crs)}: convert them to degrees first (ogr2ogr -t_srs EPSG:4326)`,
  );
}

/** The edition of a file: the first 64 bits of the SHA-256 of its bytes. */
async function editionOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return `sha256:${hash.digest('hex').slice(0, 16)}`;
}
