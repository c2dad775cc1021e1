import { AREA_CHANGES, type OpenedDocument } from '../../../workers/formats/reading/document.ts';
import { withoutLayers } from '../../../workers/formats/reading/layers.ts';
import { Codes, listed } from './codes.ts';
import { meets, type Shape, shapeOf, shown, Unusable } from './geometry.ts';
import { type Level, type Levels, mapOfLevel } from './levels.ts';
import type { LoneArea } from './options.ts';
import { Placing } from './placing.ts';
import {
  type Defaults,
  type Description,
  describe,
  type OnValue,
  type Properties,
  propertyOf,
  ROW_NUMBER,
  textOf,
} from './properties.ts';
import { type Merged, mergedNotice, mergeRows, type Row } from './rows.ts';
import { checkTexts } from './texts.ts';
import { isTopology, readTopology } from './topology.ts';
import { whereabouts } from './whereabouts.ts';

/** GeoJSON types of an area that is not wrapped in a feature. */
const GEOMETRIES: ReadonlySet<string> = new Set(['Polygon', 'MultiPolygon', 'GeometryCollection']);

/** Whether a GeoJSON or TopoJSON geometry is none, or one of points or lines. */
const isNoArea = (geometry: unknown): boolean =>
  geometry === null || geometry === undefined || !GEOMETRIES.has(String((geometry as { type?: unknown }).type));

/** The most names of properties that an error lists. */
const MOST_PROPERTIES = 100;

/** The share of a file's features that may lack an id and are left out, as land without a code in Japan's N03. */
const MOST_WITHOUT_ID = 0.1;

/** A feature that lacks a name or a level, which another row of its area may have. */
interface Incomplete {
  readonly sourceId: string;
  readonly row: number;
  readonly description: Description;
  readonly shape: () => Shape;
  readonly reason: string;
}

export interface ReaderOptions {
  /** Id and name of a geometry that is not wrapped in a feature. */
  readonly fileName: string;
  /** The reference system that decides, whatever the file says. */
  readonly crs?: string | undefined;
  /** West, south, east, north in degrees: areas whose box does not meet it are not taken. */
  readonly bbox?: readonly [number, number, number, number] | undefined;
  /** The levels of which rows have an id. */
  readonly levels?: Levels | null;
  /** The most areas that are taken; default: all. */
  readonly most?: number;
  readonly lone?: LoneArea | undefined;
}

/** Collects the features of a file in any of the formats. */
export class Reader {
  /** One for each area; rows of one area are separate until finish() is called. */
  raw: Row[] = [];
  private readonly left: { readonly row: number; readonly id: string; readonly reason: string }[] = [];
  private readonly incomplete: Incomplete[] = [];
  private merged: readonly Merged[] = [];
  private readonly map: Readonly<Record<string, string>>;
  private readonly defaults: Defaults;
  private readonly withoutId: number[] = [];
  private lastWithoutId: { readonly known: Properties; readonly shape: () => Shape } | null = null;
  /** Names of properties that features have: all mapped ones, and up to MOST_PROPERTIES of the others. */
  private readonly properties = new Set<string>();
  private readonly codes = new Codes();
  private readonly mangled = new Set<string>();
  private readonly outside: string[] = [];
  private readonly fileName: string;
  private readonly mapped: ReadonlySet<string>;
  private count = 0;
  /** Features that lack the values which `where` asks for. */
  private unwanted = 0;
  /** Its reference system. */
  readonly placing: Placing;
  private readonly levels: Levels | null;
  private readonly most: number;
  private readonly lone: LoneArea | undefined;
  private readonly bbox: ReaderOptions['bbox'];
  /** What the reader of the file changed in areas. */
  private readonly changes: string[] = [];
  /** Areas whose longitudes were from 0 to 360. */
  private wide = 0;
  /** Points and lines beside polygons. */
  private others = 0;
  /** Areas that do not meet the box. */
  private elsewhere = 0;

  constructor(
    map: Readonly<Record<string, string>>,
    defaults: Defaults,
    { fileName, crs, bbox, levels = null, most = Number.POSITIVE_INFINITY, lone }: ReaderOptions,
  ) {
    this.map = map;
    this.mapped = new Set([...Object.values(map), ...(levels?.all ?? []).flatMap(({ id, name }) => [id, name])]);
    this.defaults = defaults;
    this.fileName = fileName;
    this.placing = new Placing(crs);
    this.levels = levels;
    this.bbox = bbox;
    this.most = most;
    this.lone = lone;
  }

  /** Whether it takes no more features. */
  get isFull(): boolean {
    return this.raw.length >= this.most;
  }

  /** Reads a top-level object: a feature, a geometry, a topology, or the frame of a collection already read. */
  document(value: Readonly<Record<string, unknown>>, features: number, object: string | undefined): void {
    if (isTopology(value)) {
      this.system(value.crs);
      this.topology(value, object);
      return;
    }
    if (object !== undefined) throw withoutLayers();
    if (value.type === 'Feature') {
      this.feature(value);
      return;
    }
    if (GEOMETRIES.has(String(value.type))) {
      this.geometry(value);
      return;
    }
    this.system(value.crs);
    if (value.type !== 'FeatureCollection') {
      throw new Error(`neither GeoJSON features nor TopoJSON: an object of type ${shown(value.type)}`);
    } else if (features === 0) throw new Error('a collection without features');
  }

  /** Takes the crs member of a file in GeoJSON. @throws Error as Placing.ofFile() */
  system(said: unknown): void {
    this.placing.ofFile(said, this.count);
  }

  private topology(value: Readonly<Record<string, unknown>>, object: string | undefined): void {
    const topology = readTopology(value, this.placing.place);
    const only = topology.names.length === 1 ? topology.names[0] : undefined;
    const name = object ?? only;
    if (name === undefined || !topology.names.includes(name)) {
      throw new Error(`choose an object of the topology with --layer: it has ${topology.names.join(', ')}`);
    }
    for (const geometry of topology.geometriesOf(name)) {
      if (this.isFull) return;
      this.add(geometry.id, geometry.properties, () => topology.shapeOf(geometry), isNoArea(geometry));
    }
  }

  feature(value: unknown): void {
    const { type, id, properties, geometry } = (value ?? {}) as Readonly<Record<string, unknown>>;
    if (type !== 'Feature') throw new Error(`element ${this.count + 1} of \`features\` is not a Feature`);
    this.placing.ofFeature(value, this.count);
    this.add(id, properties, () => shapeOf(geometry, this.placing.place), isNoArea(geometry));
  }

  /** Reads the features of a file in another format. */
  async areas({ features, hasElementIds, name, system, tally }: OpenedDocument): Promise<void> {
    this.placing.ofDocument(system);
    let isEmpty = true;
    for await (const { id, name: called, properties, polygons } of features) {
      if (this.isFull) return;
      isEmpty = false;
      const isBare = Object.keys(properties).length === 0 && id === null && called === null;
      const known = isBare ? this.named(name) : properties;
      const own = hasElementIds ? (textOf(known, 'id') ?? id) : id;
      const shape = (): Shape => {
        if (polygons.length === 0) throw new Unusable('no polygon');
        return shapeOf({ type: 'MultiPolygon', coordinates: polygons }, this.placing.place);
      };
      this.add(own, known, shape, polygons.length === 0);
    }
    if (isEmpty) throw new Error('it has no features');
    this.others += tally.left;
    for (const [change, records] of Object.entries(tally.changed?.all ?? {})) {
      if (AREA_CHANGES.includes(change)) this.changes.push(`${change}: ${listed(records)}`);
    }
  }

  /** The properties of an area without any: the name of its document, or of the file. */
  private named(document: string | null): Record<string, string> {
    const name = document ?? this.fileName;
    return { [this.map.id ?? 'id']: name, [this.map.name ?? 'name']: name };
  }

  /** Reads a geometry that is not wrapped in a feature: one area with the name of the file. */
  private geometry(value: unknown): void {
    this.placing.ofFeature(value, this.count);
    this.add(undefined, this.named(null), () => shapeOf(value, this.placing.place));
  }

  /** @param isNoArea whether the feature is known to have no polygon, as a point */
  protected add(id: unknown, properties: unknown, shape: () => Shape, isNoArea = false): void {
    const place = ++this.count;
    const known = (typeof properties === 'object' && properties !== null ? properties : {}) as Properties;
    const level = this.levels?.of(known) ?? this.levels?.all.at(-1);
    const property = level?.id ?? this.map.id;
    const ownId = textOf({ id }, 'id');
    if (property === 'id' && ownId !== null) this.properties.add('id');
    const inColumn =
      property === undefined
        ? (ownId ?? textOf(known, 'id'))
        : (textOf(known, property) ?? (property === 'id' ? ownId : null));
    const named = property === ROW_NUMBER ? String(place) : inColumn;
    checkTexts(id, known, named ?? String(place), place);
    for (const name of Object.keys(known)) {
      if (this.properties.size < MOST_PROPERTIES) this.properties.add(name);
    }
    for (const name of this.mapped) if (propertyOf(known, name) !== undefined) this.properties.add(name);
    if (!this.isWanted(known)) {
      this.unwanted++;
      return;
    }
    // Nominatim's postcode files have a `postcode` property and no id.
    const fallback = this.defaults.type === 'postal_code' ? textOf(known, 'postcode') : null;
    const sourceId = named ?? (property === undefined ? fallback : null);
    if (sourceId === null) {
      if (isNoArea) this.left.push({ row: place, id: `row ${place}`, reason: 'no polygon' });
      else {
        this.withoutId.push(place);
        this.lastWithoutId = { known, shape };
      }
      return;
    }
    for (const [key, column] of Object.entries(this.map)) {
      if (key === 'id' || key.startsWith('code')) this.codes.seeCode(column, propertyOf(known, column));
    }
    const onValue: OnValue = (key, value, trouble) => this.codes.see(key, value, trouble, sourceId);
    const describeAt = (at: Level, own: string): Description =>
      describe(known, mapOfLevel(this.map, at), { ...this.defaults, adminLevel: at.adminLevel }, own, onValue);
    const description = level
      ? describeAt(level, sourceId)
      : describe(known, this.map, this.defaults, sourceId, onValue);
    if (level) this.levels?.add(known, level, sourceId, place, describeAt);
    const row = { sourceId, row: place, description };
    const reason = this.lacking(description);
    if (reason === null) this.take(row, shape);
    else this.incomplete.push({ ...row, shape, reason });
  }

  private take(row: Omit<Row, 'shape'>, shape: () => Shape): void {
    const { sourceId, description } = row;
    try {
      const own = shape();
      if (this.bbox !== undefined && !meets(own, this.bbox)) {
        this.elsewhere++;
        return;
      }
      if (own.isWide) this.wide++;
      this.others += own.others;
      this.raw.push({ ...row, shape: own });
      if ([description.name, ...Object.values(description.names)].some((name) => name.includes('\ufffd'))) {
        this.mangled.add(description.name);
      }
    } catch (error) {
      if (!(error instanceof Unusable))
        throw new Error(`feature ${sourceId}: ${(error as Error).message}`, { cause: error });
      this.left.push({ row: row.row, id: sourceId, reason: error.message });
    }
  }

  /** Features left out, by id, and why; in the order of the file. */
  get skipped(): { readonly id: string; readonly reason: string }[] {
    return this.left.toSorted((a, b) => a.row - b.row).map(({ id, reason }) => ({ id, reason }));
  }

  private lacking({ name, adminLevel }: Description): string | null {
    if (name === '') return 'no name';
    return this.defaults.type === 'administrative' && adminLevel === null ? 'no admin_level' : null;
  }

  /** Makes one area of the rows with the same id. @throws as mergeRows does, and for a feature that cannot be read */
  private merge(): void {
    const complete = new Set(this.incomplete.length === 0 ? [] : this.raw.map(({ sourceId }) => sourceId));
    for (const { reason, shape, ...row } of this.incomplete) {
      if (complete.has(row.sourceId)) this.take(row, shape);
      else this.left.push({ row: row.row, id: row.sourceId, reason });
    }
    const { areas, merged } = mergeRows(
      this.raw.toSorted((a, b) => a.row - b.row),
      this.map,
    );
    this.raw = areas;
    this.merged = merged;
  }

  private isWanted(properties: Properties): boolean {
    return Object.entries(this.defaults.where ?? {}).every(([name, of]) => of.includes(textOf(properties, name) ?? ''));
  }

  /** The values that features must have, in words. */
  private wanted(): string {
    const parts = Object.entries(this.defaults.where ?? {}).map(([name, of]) => `${name} ${of.join(' or ')}`);
    return parts.join(' and ');
  }

  /**
   * Checks the file as a whole after its last feature, and merges rows of one area.
   * @throws Error if no feature has a mapped property, ids are missing, all values of a code are invalid,
   *   or no feature is usable
   */
  finish(): void {
    this.nameLone();
    const absent = Object.entries(this.map).filter(
      ([, property]) => property !== ROW_NUMBER && !this.properties.has(property),
    );
    const levels = (this.levels?.all ?? []).filter(
      ({ id, name }) => ![id, name].every((one) => this.properties.has(one)),
    );
    if (this.count > 0 && absent.length + levels.length > 0) {
      const pairs = absent.map(([key, property]) => `${key}=${property}`);
      const flag =
        absent.length > 0
          ? `--map ${pairs.join(',')}`
          : `--levels ${levels.map((one) => `${one.adminLevel}=${one.id}:${one.name}`).join(',')}`;
      const there = [...this.properties].sort();
      throw new Error(
        `no feature has the properties that ${flag} names; they have ` +
          `${there.length === 0 ? 'no properties' : listed(there, MOST_PROPERTIES)}`,
      );
    }
    this.placing.check();
    this.codes.check();
    if (this.withoutId.length > MOST_WITHOUT_ID * this.count) {
      const where = this.map.id === undefined ? 'an id (--map id=PROPERTY)' : `the property "${this.map.id}"`;
      throw new Error(
        `${this.withoutId.length} of ${this.count} features are without ${where}: ` +
          `${listed(this.withoutId.map(String))}; the properties are ${listed([...this.properties].sort(), MOST_PROPERTIES) || 'none'}`,
      );
    }
    const id = this.map.id ?? this.levels?.all.at(-1)?.id;
    for (const row of this.withoutId) this.left.push({ row, id: `row ${row}`, reason: `no id${id ? ` (${id})` : ''}` });
    this.merge();
    if (this.raw.length > 0) return;
    if (this.count > 0 && this.unwanted === this.count) throw new Error(`no feature has ${this.wanted()}`);
    if (this.elsewhere > 0) throw new Error(`no feature meets --bbox ${this.bbox?.join(',')}`);
    const reasons = [...new Set(this.skipped.map((one) => one.reason))].slice(0, 3).join('; ');
    throw new Error(`no feature can be used${reasons === '' ? '' : ` (${reasons})`}`);
  }

  /** Gives the only feature of a file, where it has no id, that of `lone`, and its name where it has none. */
  private nameLone(): void {
    const { lone, lastWithoutId: last, map } = this;
    if (lone === undefined || last === null || this.count > 1 || map.id !== undefined) return;
    const name = map.name ?? 'name';
    this.withoutId.length = 0;
    this.count = 0;
    this.add(lone.id, { ...last.known, [name]: textOf(last.known, name) ?? lone.name }, last.shape);
  }

  /** Checks that features are in their country, as whereabouts() does. */
  checkPlace(country: string): void {
    const notice = whereabouts(this.raw, country);
    if (notice !== null) this.outside.push(notice);
  }

  /** Messages about its coordinates, and about values that look wrong. */
  notices(): string[] {
    const placing = this.placing.notice();
    const notices = placing === null ? [] : [placing];
    if (this.merged.length > 0) notices.push(mergedNotice(this.merged));
    if (this.levels !== null) notices.push(this.levels.notice());
    notices.push(...this.codes.notices());
    if (this.unwanted > 0) notices.push(`${this.unwanted} features are not read: only those with ${this.wanted()} are`);
    if (this.wide > 0) {
      notices.push(`${this.wide} areas have longitudes from 0 to 360: 360 was subtracted from those beyond 180`);
    }
    if (this.others > 0) notices.push(`${this.others} points and lines are left out`);
    notices.push(...this.changes);
    if (this.elsewhere > 0) notices.push(`${this.elsewhere} areas are not read: their boxes do not meet --bbox`);
    if (this.mangled.size > 0) {
      notices.push(
        `${this.mangled.size} names have U+FFFD in place of a letter that was lost when the file was made: ` +
          listed([...this.mangled]),
      );
    }
    return [...notices, ...this.outside];
  }
}
