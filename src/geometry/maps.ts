import { createHash } from 'node:crypto';
import type { CardText } from '../../workers/maps/card.ts';
import { type Classes, readClasses } from '../../workers/maps/classes.ts';
import { MAP_FORMATS, type MapFormat } from '../../workers/maps/marks.ts';
import { SCHEMES } from '../../workers/maps/schemes.ts';
import type { MapArea, MapSpec } from '../../workers/maps/spec.ts';
import { packRings } from '../../workers/packed_tile.ts';
import { invalidInput, problem } from '../core/errors.ts';
import type { Cache, Tile } from './cached.ts';
import type { Engine } from './engine.ts';
import type { BoundaryRef } from './engine_model.ts';
import { ringsOf } from './shape_leases.ts';

/** The media type of each format of maps. */
export const MAP_TYPES = {
  svg: 'image/svg+xml',
  png: 'image/png',
  pdf: 'application/pdf',
} as const satisfies Record<MapFormat, string>;

/** A map to draw: what it shows and says, and its areas, parallel to the boundaries. */
export interface MapWanted {
  readonly spec: Omit<MapSpec, 'outlined'>;
  readonly areas: readonly MapArea[];
  readonly format: MapFormat;
}

/**
 * A map of figures of boundaries. Cached by what it shows; concurrent calls share one run.
 * @throws too_large when the picture would exceed MAX_RESPONSE_BYTES; invalid_input for a text that a picture without
 * fonts cannot show; rate_limited when there is no room for the work; ArcsMoved when a boundary has another shape by now
 */
export function drawMapOf(
  engine: Engine,
  cache: Cache,
  boundaries: readonly BoundaryRef[],
  wanted: MapWanted,
  signal?: AbortSignal,
): Promise<Tile> {
  const shapes = boundaries.map(({ id, ringHash }) => `${id} ${ringHash}`);
  const key = createHash('sha256')
    .update(JSON.stringify([shapes, wanted]))
    .digest('base64url');
  const make = (stop: AbortSignal) =>
    engine.shapes.withShapes(boundaries, stop, async (lease) => {
      const { heap } = lease;
      const task = { ...wanted, heap, boundaries: packRings(ringsOf(lease)), maxBytes: engine.maxResponseBytes };
      const result = await engine.tasks.run('drawMap', task, stop);
      if (result.kind === 'too_large') {
        throw problem('too_large', `The map takes ${result.bytes} bytes; the limit is ${engine.maxResponseBytes}.`);
      }
      if (result.kind === 'no_glyphs') {
        const message = `there is no font here for a character of "${result.text.slice(0, 80)}": use svg`;
        throw invalidInput([{ path: 'format', code: 'conflict', message }]);
      }
      const { bytes } = result;
      return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.buffer.byteLength };
    });
  return cache.getOrMake('maps', key, make, signal);
}

/**
 * The preview picture of boundaries as PNG, 1200 x 630. Cached by what it shows; concurrent calls share one run.
 * @throws rate_limited when there is no room for the work; ArcsMoved when a boundary has another shape by now
 */
export function drawCardOf(
  engine: Engine,
  cache: Cache,
  boundaries: readonly BoundaryRef[],
  text: CardText,
  signal?: AbortSignal,
): Promise<Tile> {
  const shapes = boundaries.map(({ id, ringHash }) => `${id} ${ringHash}`);
  const key = createHash('sha256')
    .update(JSON.stringify(['card', shapes, text]))
    .digest('base64url');
  const make = (stop: AbortSignal) =>
    engine.shapes.withShapes(boundaries, stop, async (lease) => {
      const task = { heap: lease.heap, boundaries: packRings(ringsOf(lease)), text };
      const bytes = await engine.tasks.run('drawCard', task, stop);
      return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.buffer.byteLength };
    });
  return cache.getOrMake('maps', key, make, signal);
}

export { type Classes, MAP_FORMATS, type MapFormat, type MapSpec, readClasses, SCHEMES };
