import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Coords } from '../../workers/contract.ts';
import { placerOf } from '../../workers/formats/reading/degrees.ts';
import type { OpenedDocument } from '../../workers/formats/reading/document.ts';
import type { Placer } from '../../workers/projections/place.ts';
import { defined } from '../common/elements.ts';
import { latitude, longitude } from '../core/schemas.ts';
import { type FeatureSink, feed, readingError } from './coverage/feed.ts';
import { type Shape, shapeOf, Unusable } from './coverage/geometry.ts';
import { coverageOptions } from './coverage/options.ts';
import { placerOfCrs } from './coverage/system.ts';
import { isTopology } from './coverage/topology.ts';
import type { CoastLine } from './store/source_rows.ts';

/** How to read a file of polygons of land or of inland water; the name of its source is such as osm-land. */
export const landOptions = coverageOptions
  .pick({
    source: true,
    name: true,
    url: true,
    license: true,
    attribution: true,
    layer: true,
    encoding: true,
    crs: true,
  })
  .extend({
    /** What the set covers: west, south, east, north in degrees (west > east across 180); absent: as its polygons do. */
    bbox: z.tuple([longitude, latitude, longitude, latitude]).readonly().optional(),
  });

export type LandOptions = Readonly<z.output<typeof landOptions>>;

/** Limit of the vertices of a file: they are in memory together, and the planet's coast has 40 million. */
const MOST_VERTICES = 100_000_000;

/** Collects the rings of all polygons, with land on their left, whatever their direction in the file. */
class Rings implements FeatureSink {
  readonly isFull = false;
  readonly lines: Int32Array[] = [];
  private vertices = 0;
  private place: Placer | null;
  private readonly isGiven: boolean;

  constructor(crs: string | undefined) {
    this.place = crs === undefined ? null : placerOfCrs(crs);
    this.isGiven = crs !== undefined;
  }

  document(value: Readonly<Record<string, unknown>>): void {
    if (isTopology(value)) throw new Error('land polygons are not read from TopoJSON: convert the file first');
    this.system(value.crs);
    if (value.type === 'Feature') this.feature(value);
    else if (value.type !== 'FeatureCollection') this.add(() => shapeOf(value, this.place));
  }

  system(said: unknown): void {
    if (said !== undefined && said !== null && !this.isGiven) this.place = placerOfCrs(said);
  }

  feature(value: unknown): void {
    const { geometry } = (value ?? {}) as { readonly geometry?: unknown };
    this.add(() => shapeOf(geometry, this.place));
  }

  async areas({ features, system }: OpenedDocument): Promise<void> {
    this.place ??= placerOf(system);
    for await (const { polygons } of features)
      if (polygons.length > 0) this.add(() => shapeOf({ type: 'MultiPolygon', coordinates: polygons }, this.place));
  }

  private add(read: () => Shape): void {
    let shape: Shape;
    try {
      shape = read();
    } catch (error) {
      // A point or a line among polygons is not land.
      if (error instanceof Unusable) return;
      throw error;
    }
    let ring = 0;
    shape.polygonEnd.forEach((end, polygon) => {
      for (; ring < end; ring++) {
        const line = defined(shape.rings[ring]);
        const isShell = ring < defined(shape.shellEnd[polygon]);
        this.lines.push(isCounterclockwise(line) === isShell ? line : reversed(line));
        this.vertices += line.length / 2;
      }
    });
    if (this.vertices > MOST_VERTICES) throw new Error(`land of more than ${MOST_VERTICES} vertices is not read`);
  }
}

function isCounterclockwise(ring: Coords): boolean {
  let doubled = 0;
  const [x, y] = [defined(ring[0]), defined(ring[1])];
  for (let i = 2; i < ring.length; i += 2) {
    const [ax, ay] = [defined(ring[i - 2]) - x, defined(ring[i - 1]) - y];
    doubled += ax * (defined(ring[i + 1]) - y) - ay * (defined(ring[i]) - x);
  }
  return doubled > 0;
}

function reversed(ring: Coords): Int32Array {
  const out = new Int32Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) {
    out[ring.length - 2 - i] = defined(ring[i]);
    out[ring.length - 1 - i] = defined(ring[i + 1]);
  }
  return out;
}

/**
 * Reads land polygons from a file in any format of areas that is read. They may overlap, as sets that are split into
 * tiles do. The id of a ring is a hash of its vertices, so that the same file gives the same lines.
 * @throws Error that says what is wrong with the file
 */
export async function readLand(path: string, options: LandOptions): Promise<CoastLine[]> {
  const { encoding, layer, crs } = options;
  const given = { ...(encoding && { encoding }), ...(layer && { layer }), rowNumbers: false };
  const rings = new Rings(crs);
  try {
    await feed(path, rings, given);
    if (rings.lines.length === 0) throw new Error('it has no polygons');
  } catch (error) {
    throw await readingError(error, path, { ...given, crs });
  }
  const seen = new Set<number>();
  return rings.lines.flatMap((coords) => {
    const bytes = new Uint8Array(coords.buffer, coords.byteOffset, coords.byteLength);
    const id = createHash('sha256').update(bytes).digest().readUIntBE(0, 6);
    if (seen.has(id)) return [];
    seen.add(id);
    return [{ id, version: 1, coords }];
  });
}
