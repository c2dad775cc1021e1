/** Tiles of a file of areas. The file is read once into shared memory, then drawn tile by tile. */
import { type Area, aboutOf, cellOf, drawAreas } from './area_tiles.ts';
import { type IsCancelled, throwIfCancelled } from './cancel.ts';
import { ringsOf } from './convert.ts';
import type { DrawnFormat } from './formats/tile/drawn.ts';
import type { TileValue } from './formats/tile/mvt.ts';
import { PolygonTile } from './kernels/tile_polygons.ts';
import type { TilePlace } from './kernels/tile_ring.ts';
import { readGeojson } from './readers/geojson.ts';
import { type ReadDocument, type ReadFeature, Unreadable } from './readers/model.ts';
import { readTopojson } from './readers/topojson.ts';
import type { TaskBase } from './tasks.ts';
import type { TileResult } from './tile.ts';

/** Maximum attributes per feature, and maximum characters per text attribute; the rest is cut off. */
const MOST_ATTRIBUTES = 100;
const MOST_CHARACTERS = 1_000;

/** The areas of a file in shared memory, ordered by admin_level, then by decreasing size. */
export interface TileSource {
  /** x, y per vertex in 1e-7 degrees. */
  readonly coords: Int32Array;
  /** Ends of rings and polygons, counted from the first vertex and the first ring of their feature. */
  readonly ringEnd: Uint32Array;
  readonly polygonEnd: Uint32Array;
  /** Four numbers per feature: total vertices, rings, polygons and attribute bytes up to its end. */
  readonly featureEnd: Uint32Array;
  /** West, south, east, north of each feature in 1e-7 degrees. */
  readonly boxes: Int32Array;
  /** The properties of each feature as JSON. */
  readonly attributes: Uint8Array;
}

/** Reads a file of areas into shared memory. */
export interface ReadSourceTask extends TaskBase {
  readonly bytes: Uint8Array;
  readonly format: DrawnFormat;
}

export type ReadSourceResult =
  | { readonly kind: 'source'; readonly source: TileSource; readonly size: number }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Draws one tile of a file. */
export interface FileTileTask extends TaskBase {
  readonly source: TileSource;
  readonly place: TilePlace;
  /** The last zoom. */
  readonly maxZoom: number;
}

const PARTS = 4;

/**
 * A file of areas in shared memory, or why it cannot be read. Points and lines are left out.
 * @throws DOMException named AbortError when canceled
 */
export function readSource({ bytes, format }: ReadSourceTask, isCancelled: IsCancelled): ReadSourceResult {
  try {
    const { features } = read(format, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    throwIfCancelled(isCancelled);
    const source = packed(features, isCancelled);
    return { kind: 'source', source, size: Object.values(source).reduce((sum, { byteLength }) => sum + byteLength, 0) };
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

function read(format: DrawnFormat, text: string): ReadDocument {
  if (format === 'topojson') return readTopojson(text);
  if (format === 'geojson') return readGeojson(text);
  const lines = text
    .split('\n')
    .map((line) => line.replaceAll('\u001e', '').trim())
    .filter((line) => line !== '');
  return readGeojson(`{"type":"FeatureCollection","features":[${lines.join(',')}]}`);
}

function packed(features: readonly ReadFeature[], isCancelled: IsCancelled): TileSource {
  const texts = features.map(({ id, properties }) => {
    const own = flat(id, properties);
    return { text: Buffer.from(JSON.stringify(own)), rank: aboutOf(own).rank };
  });
  const order = features.map((_, i) => i).sort((a, b) => texts[a].rank - texts[b].rank);
  const rings: number[][] = [];
  const polygonEnd: number[] = [];
  const featureEnd = shared(Uint32Array, PARTS * features.length);
  let [vertices, bytes] = [0, 0];
  order.forEach((f, place) => {
    throwIfCancelled(isCancelled);
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
  return source;
}

/** A typed array in shared memory. */
function shared<T>(type: new (buffer: SharedArrayBuffer) => T, length: number): T {
  const { BYTES_PER_ELEMENT } = type as unknown as { readonly BYTES_PER_ELEMENT: number };
  return new type(new SharedArrayBuffer(BYTES_PER_ELEMENT * length));
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

/**
 * The bytes of a tile of a file, zero bytes when nothing is in it.
 * @throws DOMException named AbortError when canceled
 */
export function fileTile({ source, place, maxZoom }: FileTileTask, isCancelled: IsCancelled): TileResult {
  const tile = new PolygonTile(place, cellOf(place, maxZoom));
  const areas: Area[] = [];
  const { boxes } = source;
  for (let f = 0; 4 * f < boxes.length; f++) {
    if (tile.isBeside(boxes[4 * f], boxes[4 * f + 1], boxes[4 * f + 2], boxes[4 * f + 3])) continue;
    throwIfCancelled(isCancelled);
    areas.push(areaOf(source, f));
  }
  const bytes = drawAreas(tile, place, areas);
  return { kind: 'bytes', bytes, areas: areas.length };
}

function areaOf({ coords, ringEnd, polygonEnd, featureEnd, attributes }: TileSource, f: number): Area {
  const start = (part: number): number => (f === 0 ? 0 : featureEnd[PARTS * (f - 1) + part]);
  const end = (part: number): number => featureEnd[PARTS * f + part];
  const polygons = {
    coords: coords.subarray(2 * start(0), 2 * end(0)),
    ringEnd: ringEnd.subarray(start(1), end(1)),
    polygonEnd: polygonEnd.subarray(start(2), end(2)),
  };
  // TextDecoder cannot read shared memory, so the bytes are copied first.
  const text = Buffer.from(attributes.subarray(start(3), end(3))).toString();
  return { polygons: polygons.polygonEnd.length > 0 ? polygons : null, about: aboutOf(JSON.parse(text)) };
}
