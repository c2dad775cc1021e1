import { SOUTH, WEST } from '../ops/fixture_world.ts';

/** A rectangle in cells of the fixture world, as a ring. */
export function cell(x: number, y: number, width = 1, height = 1): number[][] {
  const [west, south, east, north] = [WEST + x, SOUTH + y, WEST + x + width, SOUTH + y + height];
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** A GeoJSON file of areas by code. */
export function fileOf(areas: Readonly<Record<string, number[][]>>, properties: Record<string, unknown> = {}): string {
  const features = Object.entries(areas).map(([id, ring]) => ({
    type: 'Feature',
    properties: { id, name: `Area ${id}`, ...properties },
    geometry: { type: 'Polygon', coordinates: [ring] },
  }));
  return JSON.stringify({ type: 'FeatureCollection', features });
}
