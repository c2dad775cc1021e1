/** Tiles of laid-out areas, for an archive of a collection and for a file of the library. */

import { columnOf, rowOf } from '../../arcs/mercator.ts';
import type { MarkedPolygons } from '../../arcs/sea_outlines.ts';
import type { PolygonTile } from '../../arcs/tile_polygons.ts';
import { EXTENT, type TilePlace } from '../../arcs/tile_ring.ts';
import { defined } from '../../defined.ts';
import { AreaLayers, type Attributes, featureNumber } from './layers.ts';
import type { TileValue } from './mvt.ts';

/** Maximum labels per tile. The most important areas come first; the others appear at later zooms. */
const MOST_LABELS = 2_000;
/** Grid step of vertices at zooms before the last: every second grid line, a quarter of a pixel. */
const CELL = 2;
/** The level of boundaries without an admin_level, for ranking. */
const WITHOUT_LEVEL = 13;
const DEGREE = 1e7;

/** An area, cropped to the tiles at hand. */
export interface Area {
  readonly polygons: MarkedPolygons | null;
  readonly about: About;
}

/** The attributes of an area in tiles. */
export interface About {
  readonly number: number | null;
  readonly attributes: Attributes;
  readonly level: number | null;
  readonly rank: number;
  /** Longitude and latitude in 1e-7 degrees. */
  readonly label: readonly [number, number] | null;
}

/** The grid step of vertices in a tile of an archive whose last zoom is `maxZoom`: 1 or CELL grid lines. */
export const cellOf = ({ z }: TilePlace, maxZoom: number): number => (z >= maxZoom ? 1 : CELL);

/** The name of a property in tiles: that of admin_level is `level`, as in all our tiles, unless another has it. */
export function tileName(name: string, properties: Readonly<Record<string, unknown>>): string {
  return name === 'admin_level' && !Object.hasOwn(properties, 'level') ? 'level' : name;
}

/** The tile attributes of an area with these properties. */
export function aboutOf(properties: Readonly<Record<string, TileValue>>): About {
  const own = new Map(Object.entries(properties).map(([name, value]) => [tileName(name, properties), value]));
  const number = (name: string): number | null => {
    const value = own.get(name);
    return typeof value === 'number' ? value : null;
  };
  const [lat, lon, level] = [number('lat'), number('lon'), number('level')];
  const size = Math.min(99, Math.floor(10 * Math.log10((number('area_km2') ?? 0) + 1)));
  return {
    number: featureNumber(String(own.get('id') ?? '')),
    attributes: Object.fromEntries(own),
    level,
    rank: 100 * (level ?? WITHOUT_LEVEL) - size,
    label: lat === null || lon === null ? null : [Math.round(lon * DEGREE), Math.round(lat * DEGREE)],
  };
}

/** The parts of areas that a tile, and the tiles within it, may show. */
export function cropped(tile: PolygonTile, place: TilePlace, areas: readonly Area[]): Area[] {
  const within: Area[] = [];
  for (const area of areas) {
    const polygons = area.polygons && tile.crop(area.polygons);
    if (polygons === area.polygons && polygons !== null) within.push(area);
    else if (polygons !== null || labelIn(place, area.about) !== null) within.push({ about: area.about, polygons });
  }
  return within;
}

/** The position of an area's label in a tile, or null when it is outside. */
function labelIn({ z, x, y }: TilePlace, { label }: About): readonly [number, number] | null {
  if (label === null) return null;
  const world = EXTENT * 2 ** z;
  const column = columnOf(label[0], world) - EXTENT * x;
  const row = rowOf(label[1], world) - EXTENT * y;
  return column < 0 || row < 0 || column >= EXTENT || row >= EXTENT ? null : [column, row];
}

/**
 * The bytes of a tile of areas, zero bytes when nothing is in it. A shared border is drawn as part of the first area
 * that has it.
 */
export function drawAreas(tile: PolygonTile, place: TilePlace, areas: readonly Area[]): Uint8Array {
  const drawn = areas.filter(({ polygons }) => polygons !== null);
  for (const { polygons } of drawn) if (polygons !== null) tile.area(polygons);
  const layers = new AreaLayers((b) => [defined(drawn[b]).about.number, defined(drawn[b]).about.attributes]);
  tile.finish({
    ring: (b, points, count) => layers.ring(b, points, count),
    line: (b, _marked, points, count, maritime) =>
      layers.line({ level: defined(drawn[b]).about.level, disputed: null, maritime }, points, count),
  });
  for (const { about } of areas) {
    if (layers.labelled >= MOST_LABELS) break;
    const at = labelIn(place, about);
    if (at === null) continue;
    const { id, name, level, kind, country } = about.attributes;
    layers.label(about.number, { id, name, level, kind, country, rank: about.rank }, at[0], at[1]);
  }
  return layers.finish();
}
