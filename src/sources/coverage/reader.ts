import { Codes, listed } from './codes.ts';
import { type Features, Frames } from './frames.ts';
import { meets, type Shape, Unusable } from './geometry.ts';
import { type Level, type Levels, mapOfLevel } from './levels.ts';
import type { LoneArea } from './options.ts';
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
import { whereabouts } from './whereabouts.ts';

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
export class Reader implements Features {
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
  /** What takes the file apart. */
  readonly frames: Frames;
  private readonly mapped: ReadonlySet<string>;
  private count = 0;
  /** Features that lack the values which `where` asks for. */
  private unwanted = 0;
  private readonly levels: Levels | null;
  private readonly most: number;
  private readonly lone: LoneArea | undefined;
  private readonly bbox: ReaderOptions['bbox'];
  /** Areas whose longitudes were from 0 to 360. */
  private wide = 0;
  /** Points and lines in features that have polygons as well. */
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
    this.frames = new Frames(this, { fileName, crs, map });
    this.levels = levels;
    this.bbox = bbox;
    this.most = most;
    this.lone = lone;
  }

  /** Whether it takes no more features. */
  get isFull(): boolean {
    return this.raw.length >= this.most;
  }

  /** Takes a feature. @param isNoArea whether the feature is known to have no polygon, as a point */
  add(id: unknown, properties: unknown, shape: () => Shape, isNoArea = false): void {
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
    this.frames.placing.check();
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
    const { placing: place, left, changes } = this.frames;
    const placing = place.notice();
    const notices = placing === null ? [] : [placing];
    if (this.merged.length > 0) notices.push(mergedNotice(this.merged));
    if (this.levels !== null) notices.push(this.levels.notice());
    notices.push(...this.codes.notices());
    if (this.unwanted > 0) notices.push(`${this.unwanted} features are not read: only those with ${this.wanted()} are`);
    if (this.wide > 0) {
      notices.push(`${this.wide} areas have longitudes from 0 to 360: 360 was subtracted from those beyond 180`);
    }
    const others = this.others + left;
    if (others > 0) notices.push(`${others} points and lines are left out`);
    notices.push(...changes);
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
