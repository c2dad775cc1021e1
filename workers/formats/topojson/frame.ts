/** The text around the arcs and geometries of a collection's TopoJSON file. */
import type { Box } from '../../contract.ts';
import type { About } from '../types.ts';

/**
 * The text before the first arc. A box across the antimeridian is left out, because readers would take it for the rest
 * of the world.
 */
export function topologyHead(box: Box | null): string {
  const bbox = box === null || box[0] > box[2] ? null : box.map((value) => value / 1e7);
  return `{"type":"Topology",${bbox ? `"bbox":${JSON.stringify(bbox)},` : ''}"arcs":[\n`;
}

/** The text between the last arc and the first geometry. */
export function topologyObject({ name, attribution }: Pick<About, 'name' | 'attribution'>): string {
  return (
    `\n],"name":${JSON.stringify(name)},"attribution":${JSON.stringify(attribution)},` +
    '"objects":{"boundaries":{"type":"GeometryCollection","geometries":[\n'
  );
}

/** The text after the last geometry. */
export const TOPOLOGY_TAIL = '\n]}}}\n';

/** The geometry of polygons whose rings are lists of arcs (`i`, or `~i` for an arc walked backward). */
export function topologyGeometry(polygons: readonly (readonly (readonly number[])[])[]) {
  return polygons.length === 1 ? { type: 'Polygon', arcs: polygons[0] } : { type: 'MultiPolygon', arcs: polygons };
}
