import { expect } from 'vitest';
import { levelOfZoom } from '../../src/tiles/boundary_tiles.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import { endClassOf } from '../../workers/arcs/levels.ts';
import { columnOf, rowOf } from '../../workers/arcs/mercator.ts';
import { intersection } from '../../workers/arcs/overlay.ts';
import { drawTile } from '../../workers/arcs/tile.ts';
import { BUFFER, EXTENT, type TilePlace } from '../../workers/arcs/tile_ring.ts';
import { FULL } from '../../workers/contract.ts';
import { AreaLayers } from '../../workers/formats/tile/layers.ts';
import type { World } from '../proof/worlds.ts';
import { type Decoded, decodeTile } from './decode.ts';
import { looseLines, misfits, troublesOf } from './valid.ts';

/** The tile of some boundaries of a world. */
export function worldTile(world: World, place: TilePlace, level: number): Record<string, Decoded[]> {
  const { boundaries } = world;
  const layers = new AreaLayers((b) => [b + 1, { id: boundaries[b]!.id, level: boundaries[b]!.adminLevel }]);
  drawTile(
    world.arcs,
    boundaries.map(({ rings }) => rings),
    boundaries.map(() => ({ marked: false, water: 'unknown' as const })),
    { ...place, level, endClass: level === FULL ? 0 : endClassOf(boundaries.map(({ adminLevel }) => adminLevel)) },
    {
      ring: (b, points, count) => layers.ring(b, points, count),
      line: (b, disputed, points, count, maritime) =>
        layers.line({ level: boundaries[b]!.adminLevel, disputed, maritime }, points, count),
    },
    () => false,
  );
  const bytes = layers.finish();
  return bytes.length === 0 ? {} : decodeTile(bytes);
}

/** The tiles of a zoom in which a world may have something. */
export function placesOf(world: World, z: number): TilePlace[] {
  const found = new Map<string, TilePlace>();
  const { box } = world.arcs;
  const across = 2 ** z;
  const tileOf = (value: number): number => Math.floor(value / EXTENT);
  for (let arc = 0; 4 * arc < box.length; arc++) {
    const [west, south, east, north] = box.subarray(4 * arc, 4 * arc + 4);
    const span = (from: number, to: number): [number, number] => [
      Math.max(0, tileOf(from - BUFFER)),
      Math.min(across - 1, tileOf(to + BUFFER)),
    ];
    const [left, right] = span(columnOf(west!, EXTENT * across), columnOf(east!, EXTENT * across));
    const [top, bottom] = span(rowOf(north!, EXTENT * across), rowOf(south!, EXTENT * across));
    for (let x = left; x <= right; x++) for (let y = top; y <= bottom; y++) found.set(`${x} ${y}`, { z, x, y });
  }
  return [...found.values()];
}

/**
 * Draws some tiles of a world and expects every area to be valid, and every line to be an edge of one. Areas that do not
 * overlap at the level of the zoom must fit in the tile. Returns the number of areas.
 */
export async function expectValidTiles(world: World, places: readonly TilePlace[]): Promise<number> {
  let count = 0;
  const overlap = new Map<string, boolean>();
  const byId = new Map(world.boundaries.map((one) => [one.id, one]));
  const endClass = endClassOf(world.boundaries.map(({ adminLevel }) => adminLevel));
  const overlapAt = async (level: number, ids: readonly string[]): Promise<boolean> => {
    const [one, other] = ids.map((id) => materialize(world.arcs, byId.get(id)!.rings, level, endClass));
    return (await intersection(one!, other!)).polygonEnd.length > 0;
  };
  for (const place of places) {
    const where = `${world.name}, ${place.z}/${place.x}/${place.y}`;
    const detail = levelOfZoom(place.z);
    const { areas = [], lines = [] } = worldTile(world, place, detail);
    count += areas.length;
    expect(await troublesOf(areas), where).toEqual([]);
    expect(looseLines(areas, lines), where).toEqual([]);
    for (const level of new Set(areas.map(({ properties }) => properties.level))) {
      for (const pair of await misfits(areas.filter(({ properties }) => properties.level === level))) {
        const ids = pair.map(({ properties }) => String(properties.id));
        const key = `${detail} ${ids.join()}`;
        if (!overlap.has(key)) overlap.set(key, await overlapAt(detail, ids));
        expect(overlap.get(key), `${where}: ${key}`).toBe(true);
      }
    }
  }
  return count;
}
