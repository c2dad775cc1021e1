/** Writes Mapbox Vector Tiles 2.1: layers of features on the integer grid of a tile, y downward. */
import { defined } from '../../defined.ts';
import { ProtobufWriter } from './protobuf.ts';

/** Grid units per side of a tile. */
export const EXTENT = 4096;

const POINT = 1;
const LINE = 2;
const POLYGON = 3;

const MOVE_TO = 1;
const LINE_TO = 2;
const CLOSE_PATH = 15;

/** A value of a feature; keys with null or undefined are left out. */
export type TileValue = string | number | boolean | null | undefined;

/** One layer while its features are written. Keys and values are stored once. */
export class TileLayer {
  private readonly name: string;
  private readonly features = new ProtobufWriter(16_384);
  private readonly feature = new ProtobufWriter(4096);
  private readonly geometry = new ProtobufWriter(4096);
  private readonly tags = new ProtobufWriter(64);
  private readonly keys = new Map<string, number>();
  private readonly values = new Map<string | number | boolean, number>();
  private x = 0;
  private y = 0;
  /** Features written so far. */
  count = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Bytes of the features written so far. */
  get length(): number {
    return this.features.length;
  }

  private move(x: number, y: number): void {
    this.geometry.signed(x - this.x);
    this.geometry.signed(y - this.y);
    this.x = x;
    this.y = y;
  }

  /** Adds a point to the geometry of the next feature. */
  point(x: number, y: number): void {
    this.geometry.varint((1 << 3) | MOVE_TO);
    this.move(x, y);
  }

  /** Adds a line: the first `count` points (x, y pairs) of `points` from index `from`. At least two points. */
  line(points: Int32Array, from: number, count: number): void {
    this.path(points, from, count);
  }

  /** Adds a ring, like line(), without repeating the first point. At least three points. */
  ring(points: Int32Array, from: number, count: number): void {
    this.path(points, from, count);
    this.geometry.varint(CLOSE_PATH);
  }

  private path(points: Int32Array, from: number, count: number): void {
    this.geometry.varint((1 << 3) | MOVE_TO);
    this.move(defined(points[2 * from]), defined(points[2 * from + 1]));
    this.geometry.varint(((count - 1) << 3) | LINE_TO);
    for (let i = from + 1; i < from + count; i++) this.move(defined(points[2 * i]), defined(points[2 * i + 1]));
  }

  /** Finishes a feature: the geometry added so far, with these attributes. Writes nothing for an empty geometry. */
  end(type: 'point' | 'line' | 'polygon', id: number | null, attributes: Readonly<Record<string, TileValue>>): void {
    if (this.geometry.length > 0) {
      this.feature.clear();
      if (id !== null) this.feature.number(1, id);
      this.tags.clear();
      for (const [key, value] of Object.entries(attributes)) {
        if (value === null || value === undefined) continue;
        this.tags.varint(indexOf(this.keys, key));
        this.tags.varint(indexOf(this.values, value));
      }
      if (this.tags.length > 0) this.feature.block(2, this.tags.view());
      this.feature.number(3, type === 'point' ? POINT : type === 'line' ? LINE : POLYGON);
      this.feature.block(4, this.geometry.view());
      this.features.block(2, this.feature.view());
      this.count++;
    }
    this.geometry.clear();
    this.x = 0;
    this.y = 0;
  }

  /** Writes the layer into a tile, unless it is empty. */
  writeTo(tile: ProtobufWriter): void {
    if (this.count === 0) return;
    const layer = new ProtobufWriter(this.features.length + 4096);
    layer.text(1, this.name);
    layer.append(this.features.view());
    for (const key of this.keys.keys()) layer.text(3, key);
    for (const value of this.values.keys()) {
      this.feature.clear();
      writeValue(this.feature, value);
      layer.block(4, this.feature.view());
    }
    layer.number(5, EXTENT);
    layer.number(15, 2);
    tile.block(3, layer.view());
  }
}

function indexOf<K>(indexes: Map<K, number>, key: K): number {
  let index = indexes.get(key);
  if (index === undefined) {
    index = indexes.size;
    indexes.set(key, index);
  }
  return index;
}

function writeValue(out: ProtobufWriter, value: string | number | boolean): void {
  if (typeof value === 'string') out.text(1, value);
  else if (typeof value === 'boolean') out.number(7, value ? 1 : 0);
  else if (Number.isSafeInteger(value) && value >= 0) out.number(5, value);
  else out.double(3, value);
}

/** The bytes of a tile with these layers; zero bytes when all are empty. */
export function writeTile(layers: readonly TileLayer[]): Uint8Array {
  const tile = new ProtobufWriter(layers.reduce((sum, { length }) => sum + length, 4096));
  for (const layer of layers) layer.writeTo(tile);
  return tile.finish();
}
