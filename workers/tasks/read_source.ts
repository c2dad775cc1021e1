/** Tiles of a file of areas. The file is read once into shared memory, then drawn tile by tile. */

import { type IsCanceled, throwIfCanceled } from '../cancel.ts';
import { ringsOf } from '../convert_rings.ts';
import { readGeojson } from '../formats/geojson/read.ts';
import { type ReadFeature, Unreadable } from '../formats/reading/document.ts';
import type { DrawnFormat } from '../formats/registry.ts';
import { aboutOf } from '../formats/tile/area_tiles.ts';
import type { TileValue } from '../formats/tile/mvt.ts';
import { readTopojson } from '../formats/topojson/read.ts';
import { PARTS, type TileSource } from './file_tile.ts';
import { shared } from './shared.ts';
import type { TaskContext } from './task.ts';

/** Maximum attributes per feature, and maximum characters per text attribute; the rest is cut off. */
const MOST_ATTRIBUTES = 100;
const MOST_CHARACTERS = 1_000;
/** Maximum features whose borders are looked up, the most important first: as many as one tile of all boundaries shows. */
const MOST_KNOWN = 2_000;
const CANONICAL = /^[rw]\d{1,16}$/;

/** Reads a file of areas into shared memory. */
export interface ReadSourceTask {
  readonly bytes: Uint8Array;
  readonly format: DrawnFormat;
}

export type ReadSourceResult =
  | {
      readonly kind: 'source';
      readonly source: TileSource;
      /** The canonical ids of the first features that have one, with their places in the source. */
      readonly known: readonly (readonly [place: number, id: string])[];
      readonly size: number;
    }
  | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * A file of areas in shared memory, or why it cannot be read. Points and lines are left out.
 * @throws DOMException named AbortError when canceled
 */
export function run({ bytes, format }: ReadSourceTask, { isCanceled }: TaskContext): ReadSourceResult {
  try {
    const features = read(format, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    throwIfCanceled(isCanceled);
    const { source, known } = packed(features, isCanceled);
    const size = Object.values(source).reduce((sum, { byteLength }) => sum + byteLength, 0);
    return { kind: 'source', source, known, size };
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

function read(format: DrawnFormat, text: string): readonly ReadFeature[] {
  if (format === 'topojson') return readTopojson(text).features;
  if (format === 'geojson') return readGeojson(text).features;
  const lines = text
    .split('\n')
    .map((line) => line.replaceAll('\u001e', '').trim())
    .filter((line) => line !== '');
  return readGeojson(`{"type":"FeatureCollection","features":[${lines.join(',')}]}`).features;
}

function packed(
  features: readonly ReadFeature[],
  isCanceled: IsCanceled,
): Pick<ReadSourceResult & { kind: 'source' }, 'source' | 'known'> {
  const texts = features.map(({ id, properties }) => {
    const own = flat(id, properties);
    return { id: own.id, text: Buffer.from(JSON.stringify(own)), rank: aboutOf(own).rank };
  });
  const order = features.map((_, i) => i).sort((a, b) => texts[a].rank - texts[b].rank);
  const rings: number[][] = [];
  const polygonEnd: number[] = [];
  const featureEnd = shared(Uint32Array, PARTS * features.length);
  let [vertices, bytes] = [0, 0];
  order.forEach((f, place) => {
    throwIfCanceled(isCanceled);
    const before = rings.length;
    for (const polygon of features[f].polygons) {
      const kept = ringsOf(polygon, { collapsed: 0 });
      for (const ring of kept) {
        rings.push(ring);
        vertices += ring.length / 2;
      }
      if (kept.length > 0) polygonEnd.push(rings.length - before);
    }
    bytes += texts[f].text.length;
    featureEnd.set([vertices, rings.length, polygonEnd.length, bytes], PARTS * place);
  });
  const source = {
    coords: shared(Int32Array, 2 * vertices),
    ringEnd: shared(Uint32Array, rings.length),
    polygonEnd: shared(Uint32Array, polygonEnd.length),
    featureEnd,
    boxes: shared(Int32Array, 4 * features.length),
    attributes: shared(Uint8Array, bytes),
  };
  source.polygonEnd.set(polygonEnd);
  let [ring, start, at, text] = [0, 0, 0, 0];
  order.forEach((f, place) => {
    const box = [2 ** 31 - 1, 2 ** 31 - 1, -(2 ** 31), -(2 ** 31)];
    for (; ring < featureEnd[PARTS * place + 1]; ring++) {
      source.coords.set(rings[ring], 2 * at);
      at += rings[ring].length / 2;
      source.ringEnd[ring] = at - start;
      for (let i = 0; i < rings[ring].length; i += 2) {
        const [x, y] = [rings[ring][i], rings[ring][i + 1]];
        if (x < box[0]) box[0] = x;
        if (y < box[1]) box[1] = y;
        if (x > box[2]) box[2] = x;
        if (y > box[3]) box[3] = y;
      }
    }
    start = at;
    source.boxes.set(box, 4 * place);
    source.attributes.set(texts[f].text, text);
    text += texts[f].text.length;
  });
  const known: [number, string][] = [];
  for (const [place, f] of order.entries()) {
    const { id } = texts[f];
    if (known.length < MOST_KNOWN && typeof id === 'string' && CANONICAL.test(id)) known.push([place, id]);
  }
  return { source, known };
}

/** The properties that a tile can hold (text, numbers, booleans), with `centroid` flattened to `lat` and `lon`. */
function flat(id: string | null, properties: Readonly<Record<string, unknown>>): Record<string, TileValue> {
  const own: Record<string, TileValue> = id === null ? {} : { id };
  for (const [name, value] of Object.entries(properties).slice(0, MOST_ATTRIBUTES)) {
    if (typeof value === 'string') own[name] = value.slice(0, MOST_CHARACTERS);
    else if (typeof value === 'number' || typeof value === 'boolean') own[name] = value;
  }
  const { centroid } = properties;
  if (typeof centroid === 'object' && centroid !== null) {
    const { lat, lon } = centroid as Readonly<Record<string, unknown>>;
    if (typeof lat === 'number' && typeof lon === 'number') Object.assign(own, { lat, lon });
  }
  return own;
}
