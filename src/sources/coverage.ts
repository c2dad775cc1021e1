import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Coords } from '../../workers/contract.ts';
import { type CleanCoverage, type CoverageFeature, cleanCoverage } from '../../workers/kernels/clean.ts';
import { isCountryCode } from './countries.ts';
import { readPieces } from './coverage/documents.ts';
import { ringsOf, Unusable } from './coverage/geometry.ts';
import { checkMap, type Defaults, type Description, describe, type Properties, textOf } from './coverage/properties.ts';
import { isTopology, readTopology } from './coverage/topology.ts';
import type { SourceBoundary } from './types.ts';

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
  /** Boundaries whose shape was changed so that neighbours match: how many, and their ids within the source. */
  readonly mended: { readonly count: number; readonly ids: string[] };
}

/** cleanCoverage(), wherever it is run. */
export type Cleaner = (features: readonly CoverageFeature[]) => Promise<CleanCoverage>;

/** A feature read but not yet cleaned. */
interface Raw {
  readonly sourceId: string;
  readonly description: Description;
  readonly rings: Coords[];
}

/**
 * Reads a coverage file: areas that share their borders, of one level or (with `admin_level` mapped) of several. GeoJSON (a FeatureCollection, one feature, one
 * feature a line), TopoJSON, either of them gzipped; longitude and latitude on WGS 84.
 *
 * The coverage is cleaned as a whole (workers/kernels/clean.ts): neighbours match exactly afterwards, and areas of one
 * level do not overlap. Ids are the
 * mapped property, else the feature's `id`, else its property `id`; they must be there and be different, so that the file
 * can be imported again. Several rows with one id are an error that lists them: whether they are parts of one area or a
 * mistake cannot be told here (real files, Italy's and France's among them, have one row an area).
 *
 * Left out with a reason: features without a geometry or whose geometry is no area or not closed, without a name, or of
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
    throw new Error(`"${options.country}" is no ISO 3166-1 alpha-2 code`);
  }
  if (type === 'administrative' && options.adminLevel === undefined && map.admin_level === undefined) {
    throw new Error('an admin_level is needed: --admin-level 8, or --map admin_level=PROPERTY');
  }
  const reader = new Reader(map, { type, adminLevel: options.adminLevel ?? null, country: options.country ?? null });
  const pieces = readPieces(path, (done, total) => onProgress?.({ phase: 'read', done, total }));
  try {
    for await (const piece of pieces) {
      if (piece.type === 'feature') reader.feature(piece.value);
      else reader.document(piece.value, piece.features, options.object);
    }
    reader.check();
  } catch (error) {
    const { message } = error as Error;
    throw new Error(message.startsWith(path) ? message : `${path}: ${message}`, { cause: error });
  }

  const { raw, skipped } = reader;
  onProgress?.({ phase: 'clean', done: 0, total: raw.length });
  const layered = raw.map(({ rings, description }) => ({ rings, layer: description.adminLevel ?? 0 }));
  const { features, mended } = await clean(layered);
  const version = await editionOf(path);
  const boundaries: SourceBoundary[] = [];
  for (const [i, { sourceId, description }] of raw.entries()) {
    const { rings } = features[i]!;
    if (rings.length === 0)
      skipped.push({ id: sourceId, reason: 'nothing is left of it: too small, or covered by others' });
    else boundaries.push({ id: null, sourceId, version, type, ...description, subareas: [], border: { rings } });
  }
  const ids = mended.filter((i) => features[i]!.rings.length > 0).map((i) => raw[i]!.sourceId);
  return { boundaries, skipped, mended: { count: ids.length, ids } };
}

/** Collects the features of a file, whatever form it has. */
class Reader {
  readonly raw: Raw[] = [];
  readonly skipped: { id: string; reason: string }[] = [];
  private readonly map: Readonly<Record<string, string>>;
  private readonly defaults: Defaults;
  private readonly seen = new Map<string, number>();
  private readonly withoutId: number[] = [];
  private count = 0;

  constructor(map: Readonly<Record<string, string>>, defaults: Defaults) {
    this.map = map;
    this.defaults = defaults;
  }

  /** A top-level object of the file: a feature, the frame of a collection that has been read, or a topology. */
  document(value: Readonly<Record<string, unknown>>, features: number, object: string | undefined): void {
    if (isTopology(value)) {
      this.topology(value, object);
      return;
    }
    checkReferenceSystem(value.crs);
    if (value.type === 'Feature') this.feature(value);
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
      this.add(geometry.id, geometry.properties, () => topology.ringsOf(geometry));
    }
  }

  feature(value: unknown): void {
    const { type, id, properties, geometry } = (value ?? {}) as Readonly<Record<string, unknown>>;
    if (type !== 'Feature') throw new Error(`element ${this.count + 1} of \`features\` is no Feature`);
    this.add(id, properties, () => ringsOf(geometry));
  }

  private add(id: unknown, properties: unknown, rings: () => Coords[]): void {
    const place = ++this.count;
    const known = (typeof properties === 'object' && properties !== null ? properties : {}) as Properties;
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
      const description = describe(known, this.map, this.defaults, sourceId);
      if (description.name === '') throw new Unusable('no name');
      if (this.defaults.type === 'administrative' && description.adminLevel === null)
        throw new Unusable('no admin_level');
      this.raw.push({ sourceId, description, rings: rings() });
    } catch (error) {
      if (!(error instanceof Unusable))
        throw new Error(`feature ${sourceId}: ${(error as Error).message}`, { cause: error });
      this.skipped.push({ id: sourceId, reason: error.message });
    }
  }

  /** Throws when ids are missing or not unique, or nothing could be read. */
  check(): void {
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
}

function listed(ids: readonly string[]): string {
  const more = ids.length > 10 ? ` and ${ids.length - 10} more` : '';
  return `${ids.slice(0, 10).join(', ')}${more}`;
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
