import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { pairs } from '../setup/elements.ts';

/** A feature as a map library reads it: geometry in tile units, rings closed. */
export interface Decoded {
  readonly id: number | undefined;
  readonly type: 'point' | 'line' | 'polygon';
  readonly properties: Readonly<Record<string, string | number | boolean>>;
  readonly parts: readonly (readonly { readonly x: number; readonly y: number }[])[];
}

const TYPES = { 1: 'point', 2: 'line', 3: 'polygon' } as const;

/** The layers of a vector tile, decoded by the library that maps use. */
export function decodeTile(bytes: Uint8Array): Record<string, Decoded[]> {
  const { layers } = new VectorTile(new PbfReader(bytes));
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [
      name,
      Array.from({ length: layer.length }, (_, i) => decoded(layer.feature(i))),
    ]),
  );
}

function decoded(feature: VectorTileFeature): Decoded {
  return {
    id: feature.id,
    type: TYPES[feature.type as 1 | 2 | 3],
    properties: feature.properties,
    parts: feature.loadGeometry().map((part) => part.map(({ x, y }) => ({ x, y }))),
  };
}

/** Twice the area of a closed ring (shoelace formula): positive for shells. */
export function doubleArea(ring: Decoded['parts'][number]): number {
  let sum = 0;
  for (const [a, b] of pairs(ring)) sum += a.x * b.y - b.x * a.y;
  return sum;
}
