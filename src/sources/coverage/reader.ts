import { countriesAt } from '../countries.ts';
import { Codes, listed } from './codes.ts';
import { type Shape, shapeOf, shown, Unusable } from './geometry.ts';
import { type Defaults, type Description, describe, type OnValue, type Properties, textOf } from './properties.ts';
import { isTopology, readTopology } from './topology.ts';

/** GeoJSON types of an area that is not wrapped in a feature. */
const GEOMETRIES: ReadonlySet<string> = new Set(['Polygon', 'MultiPolygon', 'GeometryCollection']);

/** The most features whose place is compared with the country. */
const MOST_PLACES = 1_000;

/** The most names of properties that an error lists. */
const MOST_PROPERTIES = 100;

/** A feature before cleaning. */
export interface Raw {
  readonly sourceId: string;
  readonly description: Description;
  readonly shape: Shape;
}

/** Collects the features of a file in any of the formats. */
export class Reader {
  readonly raw: Raw[] = [];
  readonly skipped: { id: string; reason: string }[] = [];
  private readonly map: Readonly<Record<string, string>>;
  private readonly defaults: Defaults;
  private readonly seen = new Map<string, number>();
  private readonly withoutId: number[] = [];
  /** Names of properties that features have: all mapped ones, and up to MOST_PROPERTIES of the others. */
  private readonly properties = new Set<string>();
  private readonly codes = new Codes();
  private readonly mangled: string[] = [];
  private readonly outside: { readonly country: string; readonly ids: readonly string[] }[] = [];
  private readonly fileName: string;
  private readonly mapped: ReadonlySet<string>;
  private count = 0;

  /** @param fileName id and name of a geometry that is not wrapped in a feature */
  constructor(map: Readonly<Record<string, string>>, defaults: Defaults, fileName: string) {
    this.map = map;
    this.mapped = new Set(Object.values(map));
    this.defaults = defaults;
    this.fileName = fileName;
  }

  /** Reads a top-level object: a feature, a geometry, a topology, or the frame of a collection already read. */
  document(value: Readonly<Record<string, unknown>>, features: number, object: string | undefined): void {
    if (isTopology(value)) {
      this.topology(value, object);
      return;
    }
    checkReferenceSystem(value.crs);
    if (value.type === 'Feature') this.feature(value);
    else if (GEOMETRIES.has(String(value.type))) this.geometry(value);
    else if (value.type !== 'FeatureCollection') {
      throw new Error(`neither GeoJSON features nor TopoJSON: an object of type ${shown(value.type)}`);
    } else if (features === 0) throw new Error('a collection without features');
  }

  private topology(value: Readonly<Record<string, unknown>>, object: string | undefined): void {
    const topology = readTopology(value);
    const only = topology.names.length === 1 ? topology.names[0] : undefined;
    const name = object ?? only;
    if (name === undefined || !topology.names.includes(name)) {
      throw new Error(`choose an object of the topology with --object: it has ${topology.names.join(', ')}`);
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

  /** Reads a geometry that is not wrapped in a feature: one area with the name of the file. */
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
    // Nominatim's postcode files have a `postcode` property and no id.
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
   * Checks the file as a whole.
   * @throws Error if no feature has a mapped property, ids are missing or not unique, all values of a code are invalid,
   *   or no feature is usable
   */
  check(): void {
    const absent = Object.entries(this.map).filter(([, property]) => !this.properties.has(property));
    if (this.count > 0 && absent.length > 0) {
      const pairs = absent.map(([key, property]) => `${key}=${property}`);
      const there = [...this.properties].sort();
      throw new Error(
        `no feature has the properties that --map ${pairs.join(',')} names; they have ` +
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
    if (double.length > 0)
      throw new Error(`several features have the same id: ${listed(double)}; merge their rows first`);
    if (this.raw.length > 0) return;
    const reasons = [...new Set(this.skipped.map((one) => one.reason))].slice(0, 3).join('; ');
    throw new Error(`no feature can be used${reasons === '' ? '' : ` (${reasons})`}`);
  }

  /**
   * Checks that features are in their country. If most are elsewhere, adds a notice.
   * @throws Error if latitude and longitude are exchanged
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

  /** Messages about values that look wrong. */
  notices(): string[] {
    const notices = this.codes.notices();
    if (this.mangled.length > 0) {
      notices.push(
        `${this.mangled.length} names have U+FFFD in place of a letter that was lost when the file was made: ` +
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

/** @throws Error for a reference system other than WGS 84, which GeoJSON of 2008 may name (RFC 7946 has only that) */
function checkReferenceSystem(crs: unknown): void {
  if (crs === undefined || crs === null) return;
  const name = (crs as { properties?: { name?: unknown } }).properties?.name;
  if (typeof name === 'string' && /(:|^)(CRS84|CRS83|4326|4258|4269)$/i.test(name)) return;
  throw new Error(
    `coordinates in ${JSON.stringify(name ?? crs)}: convert them to degrees first (ogr2ogr -t_srs EPSG:4326)`,
  );
}
