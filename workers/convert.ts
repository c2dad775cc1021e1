/** Converts a file of areas to another format: reads, validates, merges if asked, and writes. */

import { polygonsBox } from './arcs/box.ts';
import { digitsOf, levelFor, toleranceMeters, writerDigits } from './arcs/levels.ts';
import { isValid, overlay } from './arcs/overlay.ts';
import { simplifyPolygons } from './arcs/simplify_polygons.ts';
import { type IsCanceled, TooLarge, throwIfCanceled } from './cancel.ts';
import { type Detail, type Document, FULL, type Polygons } from './contract.ts';
import { attributeChanges, mergingChanges, readingChanges } from './convert_changes.ts';
import { type ReadArea, writeAreas } from './convert_collection.ts';
import { type AreaRepair, type OnInvalid, repaired, troubleOf } from './convert_repairs.ts';
import { DEGREE, ringsOf } from './convert_rings.ts';
import { attributesOf } from './formats/attributes.ts';
import { type Reading, readDocument } from './formats/read.ts';
import { type ReadDocument, type ReadFeature, Unreadable } from './formats/reading/document.ts';
import { type CollectionFormat, FORMATS, type Format, type Readable, writeDocument } from './formats/registry.ts';
import { FormatLimitError } from './formats/types.ts';

/** Reads a file and writes it in another format. */
export interface ConvertTask {
  readonly bytes: Uint8Array;
  readonly from: Readable;
  readonly to: Format | CollectionFormat;
  /** Merges all areas into one. */
  readonly dissolve: boolean;
  /** What becomes of areas that are not valid; default: the file is refused. */
  readonly invalid?: OnInvalid;
  /** The sidecar files of a shapefile, by extension. */
  readonly beside?: Readonly<Record<string, Uint8Array>>;
  /** The format of the files in a zip. */
  readonly zipOf?: Format;
  readonly detail: Detail;
  /** The level that a single area of full detail is of; default: that of full detail. */
  readonly level?: number;
  /** The name of the area when the file has none. */
  readonly name: string;
  readonly maxBytes: number;
  /** The layer, the column of the geometry and the encoding of the file, where it has several or does not say. */
  readonly reading?: Omit<Reading, 'beside'>;
}

export type ConvertResult =
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array;
      /** Features written, or merged into one area. */
      readonly features: number;
      /** Features left out because they have no area. */
      readonly empty: number;
      /** Points and lines of the file, which are left out. */
      readonly left: number;
      /** Rings left out because they collapse on the grid of 1e-7 degrees. */
      readonly collapsed: number;
      /** What else became different, one sentence per kind of change: values, names and layers that the format lacks. */
      readonly changes: readonly string[];
      /** Areas that were not valid, in the order of the file: repaired or left out. */
      readonly repairs: readonly AreaRepair[];
      /** 0: not simplified. */
      readonly toleranceMeters: number;
    }
  /** `isInvalid`: an area is not valid, which `invalid` may change. */
  | { readonly kind: 'unreadable'; readonly reason: string; readonly isInvalid?: true }
  | { readonly kind: 'too_large'; readonly bytes: number };

/**
 * Converts a file. Features stay separate, in order and with their properties, unless they are merged into one area. A
 * single area in a single-area format (geojson, kml, wkt, svg, gml) becomes a document of that area. Returns
 * `unreadable` for a file without areas, for an area that OGC Simple Features calls invalid, with the place, and for a position outside -180 …
 * 180, -90 … 90 degrees: no area is guessed.
 * @throws DOMException named AbortError when canceled
 */
export async function convertFile(task: ConvertTask, isCanceled: IsCanceled): Promise<ConvertResult> {
  try {
    const document = await readDocument(task.from, task.bytes, {
      ...task.reading,
      ...(task.beside && { beside: task.beside }),
    });
    throwIfCanceled(isCanceled);
    const counts = { collapsed: 0 };
    const repairs: AreaRepair[] = [];
    const areas: ReadArea[] = [];
    const isOnly = document.features.length === 1;
    for (const [i, feature] of document.features.entries()) {
      const name = feature.name ?? feature.id ?? `feature ${i + 1}`;
      const drawn = areaOf(feature, counts, isOnly ? '' : `${name}: `);
      const polygons = await validOf(drawn, name, { invalid: task.invalid ?? 'refuse', isOnly, repairs });
      if (polygons.polygonEnd.length > 0) areas.push({ feature, polygons });
      throwIfCanceled(isCanceled);
    }
    if (areas.length === 0) {
      if (repairs.length > 0) throw new Unreadable('it has no area that is valid');
      throw new Unreadable(document.left > 0 ? 'it has points or lines, but no area' : 'it has no area');
    }
    const { left } = document;
    const skipped = repairs.filter(({ action }) => action === 'skipped').length;
    const empty = document.features.length - areas.length - skipped;
    const summary = { left, features: areas.length, empty, repairs };
    const keepsAreas = !task.dissolve && areas.length > 1;
    if (keepsAreas && task.detail !== 'full') {
      throw new Unreadable(
        'areas that are simplified one by one no longer fit each other: leave out --detail, merge them with --dissolve, or import the file and export it with --detail',
      );
    }
    if (keepsAreas && task.to === 'wkt') {
      throw new Unreadable(
        `well-known text holds one area, and there are ${areas.length}: add --dissolve, or write csv`,
      );
    }
    const whole =
      areas.length === 1 ? areas[0].polygons : await overlay(keepsAreas ? [] : areas.map((one) => one.polygons), []);
    const simplifiedTo = keepsAreas ? FULL : levelFor(task.detail, polygonsBox(whole));
    const simplified = keepsAreas ? whole : await simplifyPolygons(whole, simplifiedTo, isCanceled);
    const only = areas.length === 1 ? areas[0].feature : null;
    const about = aboutOf(document, only, task, { polygons: simplified, level: simplifiedTo });
    const limits = { maxBytes: task.maxBytes, isCanceled };
    const { to } = task;
    const single = !keepsAreas && isSingle(to);
    const zipOf = task.zipOf ?? 'geojson';
    const features = areas.map(({ feature }) => feature);
    const changes = [
      ...readingChanges(document),
      ...(keepsAreas || only !== null ? [] : mergingChanges(attributesOf(features))),
      ...attributeChanges(attributesOf(keepsAreas ? features : [only ?? { ...about, name: null }]), {
        format: to === 'zip' ? zipOf : to,
        single: single || to === 'zip',
      }),
    ];
    const write = (): Uint8Array | Promise<Uint8Array> => {
      if (single && isSingle(to)) return writeDocument(to, simplified, about, limits);
      const { name, attribution } = about;
      const one = { feature: about, polygons: simplified };
      const file = {
        format: to as CollectionFormat,
        zipOf,
        name: keepsAreas ? (document.name ?? task.name) : name,
        attribution,
      };
      return writeAreas(keepsAreas ? areas : [one], { ...file, level: task.level ?? simplifiedTo, ...limits });
    };
    const bytes = await write();
    return { kind: 'bytes', bytes, ...summary, ...counts, changes, toleranceMeters: toleranceMeters(simplifiedTo) };
  } catch (error) {
    if (error instanceof Invalid) return { kind: 'unreadable', reason: error.message, isInvalid: true };
    if (error instanceof Unreadable || error instanceof FormatLimitError)
      return { kind: 'unreadable', reason: error.message };
    if (error instanceof TooLarge) return { kind: 'too_large', bytes: error.bytes };
    throw error;
  }
}

/** An area is not valid. */
class Invalid extends Unreadable {
  override name = 'Invalid';
}

const isSingle = (format: Format | CollectionFormat): format is Format => FORMATS.some((one) => one === format);

/**
 * The polygons of a feature on the grid of 1e-7 degrees: closed rings, shells counterclockwise, holes clockwise.
 * @param where which feature it is, before what is wrong with it
 * @throws Unreadable for a position that is not in degrees
 */
function areaOf(feature: ReadFeature, counts: { collapsed: number }, where: string): Polygons {
  const coords: number[] = [];
  const ringEnd: number[] = [];
  const polygonEnd: number[] = [];
  for (const rings of feature.polygons) {
    const kept = ringsOf(rings, counts, where);
    for (const ring of kept) {
      for (const value of ring) coords.push(value);
      ringEnd.push(coords.length / 2);
    }
    if (kept.length > 0) polygonEnd.push(ringEnd.length);
  }
  return {
    coords: Int32Array.from(coords),
    ringEnd: Uint32Array.from(ringEnd),
    polygonEnd: Uint32Array.from(polygonEnd),
  };
}

/**
 * The polygons of an area if they are valid by OGC Simple Features, else what a repair makes of them, or none.
 * @throws Unreadable with the place where they are not valid, if that refuses the file
 */
async function validOf(
  polygons: Polygons,
  name: string,
  options: { readonly invalid: OnInvalid; readonly isOnly: boolean; readonly repairs: AreaRepair[] },
): Promise<Polygons> {
  const { invalid, isOnly, repairs } = options;
  const trouble = polygons.polygonEnd.length === 0 ? null : await isValid(polygons);
  if (!trouble) return polygons;
  const { reason, lat, lon } = troubleOf(trouble);
  if (invalid === 'refuse') {
    throw new Invalid(`${isOnly ? 'the area' : name} is not valid: ${reason} near ${lat},${lon} (latitude, longitude)`);
  }
  const made = invalid === 'repair' ? await repaired(polygons) : null;
  const about = { area: name, reason, lat, lon };
  repairs.push(
    made
      ? { ...about, action: 'repaired', km2_before: made.km2Before, km2_after: made.km2After }
      : { ...about, action: 'skipped', km2_before: null, km2_after: null },
  );
  return made?.polygons ?? { coords: new Int32Array(0), ringEnd: new Uint32Array(0), polygonEnd: new Uint32Array(0) };
}

/** What is written besides the polygons: all properties of the only area, with its new detail and tolerance. */
function aboutOf(
  document: ReadDocument,
  only: ReadArea['feature'] | null,
  task: ConvertTask,
  { polygons, level }: { readonly polygons: Polygons; readonly level: number },
): Document {
  const properties: Record<string, unknown> = { ...only?.properties };
  if (toleranceMeters(level) > 0) {
    properties.detail = task.detail;
    properties.tolerance_m = toleranceMeters(level);
  }
  const attributions = document.features.map((feature) => feature.properties.attribution);
  const texts = [...new Set(attributions.filter((one) => typeof one === 'string'))];
  const box = polygonsBox(polygons);
  return {
    id: only?.id ?? null,
    name: only?.name ?? nameOf(properties) ?? document.name ?? task.name,
    properties,
    bbox: box && [box[0] / DEGREE, box[1] / DEGREE, box[2] / DEGREE, box[3] / DEGREE],
    attribution: texts.join('; '),
    digits: isSingle(task.to) ? writerDigits(task.to, level) : digitsOf(level),
  };
}

/** A name that is a number, as text. */
function nameOf({ name }: Readonly<Record<string, unknown>>): string | null {
  return typeof name === 'number' ? String(name) : null;
}
