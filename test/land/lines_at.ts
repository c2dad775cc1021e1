/** What lines of tiles say at a place. */
import { expect } from 'vitest';
import { columnOf, rowOf } from '../../workers/arcs/mercator.ts';
import { type Decoded, decodeTile } from '../tiles/decode.ts';
import { looseLines, misfits, troublesOf } from '../tiles/valid.ts';

const EXTENT = 4096;

/** Where tiles come from: their path below the server's address, and their bytes. */
export interface TilesOf {
  readonly get: (path: string) => Promise<{ readonly status: number; readonly bytes: Uint8Array }>;
  /** Of tiles: /tiles/boundaries unless given. */
  readonly path?: string;
  /** How near a line must be to count, in degrees of longitude; absent: 3 of the 4096 units of a tile. */
  readonly near?: number;
}

export const placeOf = (lon: number, lat: number, z: number) => {
  const world = EXTENT * 2 ** z;
  const [column, row] = [columnOf(lon * 1e7, world), rowOf(lat * 1e7, world)];
  return { z, x: Math.floor(column / EXTENT), y: Math.floor(row / EXTENT) };
};

/** The tile around a place, whose areas are valid and fit. */
async function tileAt({ get, path = '/tiles/boundaries' }: TilesOf, lon: number, lat: number, z: number) {
  const { x, y } = placeOf(lon, lat, z);
  const reply = await get(`${path}/${z}/${x}/${y}.mvt`);
  expect(reply.status).toBe(200);
  const tile = decodeTile(reply.bytes);
  expect(await troublesOf(tile.areas ?? [])).toEqual([]);
  expect(await misfits(tile.areas ?? [])).toEqual([]);
  expect(looseLines(tile.areas ?? [], tile.lines ?? [])).toEqual([]);
  return tile as Record<string, Decoded[]>;
}

/** What lines near a place say of `maritime`, in the tile around it: without an attribute, undefined. */
export async function saidAt(of: TilesOf, lon: number, lat: number, z: number): Promise<unknown[]> {
  const { lines = [] } = await tileAt(of, lon, lat, z);
  const { x, y } = placeOf(lon, lat, z);
  const world = EXTENT * 2 ** z;
  const [px, py] = [columnOf(lon * 1e7, world) - EXTENT * x, rowOf(lat * 1e7, world) - EXTENT * y];
  const near = of.near === undefined ? 3 : (of.near / 360) * world;
  const said = new Set<unknown>();
  for (const { properties, parts } of lines) {
    for (const line of parts) {
      for (let i = 0; i + 1 < line.length; i++) {
        const [{ x: ax, y: ay }, { x: bx, y: by }] = [line[i]!, line[i + 1]!];
        const [dx, dy] = [bx - ax, by - ay];
        const t = Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy)));
        if (Math.hypot(ax + t * dx - px, ay + t * dy - py) <= near) said.add(properties.maritime);
      }
    }
  }
  return [...said];
}
