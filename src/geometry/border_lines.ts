/** Borders as lines that say where they are at sea. */
import type { BorderLine } from '../../workers/arcs/border_lines.ts';
import type { Lines } from '../../workers/arcs/tagged_lines.ts';
import { inMercator } from '../../workers/formats/geojson/mercator.ts';
import { defined } from '../common/elements.ts';
import { ArcsMoved } from './arc_leases.ts';
import type { Engine } from './engine.ts';
import type { BoundaryRef } from './engine_model.ts';
import type { BesideSea } from './sea_outlines.ts';
import { ringsOf } from './shape_leases.ts';

export type { BorderLine };

/** Arcs of a boundary. */
export interface ArcsOf {
  readonly boundary: BoundaryRef;
  /** The place of each arc in its rings, counted from 0, and its id. */
  readonly arcs: readonly { readonly place: number; readonly id: number }[];
  /** Per arc, indexes of the boundaries beside it: `b`, or `~b` where the ring of the boundary walks it backward. */
  readonly beside: readonly (readonly number[])[];
  /** How much of each of those is water. */
  readonly water: readonly BesideSea['water'][];
  /** Borders that the map marks as ones at sea. */
  readonly maritime: Lines;
}

/**
 * The lines of each arc at a level (FULL or 0 … 15), in the direction in which it is stored.
 * @throws rate_limited when there is no room for the work; ArcsMoved when a boundary has another shape by now
 */
export function borderLines(
  engine: Engine,
  { boundary, arcs, beside, water, maritime }: ArcsOf,
  level: number,
  signal: AbortSignal,
): Promise<BorderLine[][]> {
  const waters = water.flatMap((one) => (typeof one === 'string' ? [] : [one]));
  return engine.shapes.withShapes([boundary, ...waters], signal, (lease) => {
    const ids = defined(lease.shapes[0]).arcs;
    const refs = defined(lease.refs[0]);
    const slots = arcs.map(({ place, id }) => {
      const ref = refs[place];
      if (ref === undefined || Math.abs(defined(ids[place])) !== id) throw new ArcsMoved(boundary.id);
      return ref < 0 ? ~ref : ref;
    });
    return engine.tasks.run(
      'borderLines',
      {
        heap: lease.heap,
        arcs: Int32Array.from(slots),
        beside,
        water: water.map((one) => (typeof one === 'string' ? one : 'part')),
        waters: ringsOf(lease).slice(1),
        maritime,
        level,
      },
      signal,
    );
  });
}

/**
 * A line as a GeoJSON feature (UTF-8), in degrees or in meters of Web Mercator.
 * @param coords x, y in 1e-7 degrees
 * @param members those of the feature besides its type and its geometry
 * @param wanted the coordinates that are written
 */
export function writeLine(coords: Int32Array, members: object, wanted: { readonly mercator: boolean }): Uint8Array {
  const coordinates = Array.from({ length: coords.length / 2 }, (_, i) => [
    defined(coords[2 * i]) / 1e7,
    defined(coords[2 * i + 1]) / 1e7,
  ]);
  const geometry = { type: 'LineString', coordinates };
  const feature = Buffer.from(JSON.stringify({ type: 'Feature', ...members, geometry }));
  return wanted.mercator ? inMercator(feature) : feature;
}
