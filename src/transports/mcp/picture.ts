import { crc32, deflateSync } from 'node:zlib';
import { defined } from '../../common/elements.ts';

/** The longer side of a picture in pixels, and the margin on each side that is part of it. */
const SIDE = 512;
const MARGIN = 12;

/** Maximum size in bytes of a GeoJSON polygon that is drawn; parsing a larger one would delay other calls. */
export const DRAWN_BYTES = 2 ** 20;

type Ring = readonly (readonly [number, number])[];

/** RGB colors by palette index: background, area, border. */
const PALETTE = [0xff, 0xff, 0xff, 0xc7, 0xd7, 0xe2, 0x1f, 0x5f, 0x8b];
const AREA = 1;
const BORDER = 2;

/**
 * Draws a GeoJSON Polygon or MultiPolygon as a PNG, north up: the area filled (even-odd) and its border, the longer
 * side 512 pixels. Equirectangular projection with the scale of the middle latitude. An area that crosses the
 * antimeridian is drawn in one piece. Null for an area without points.
 */
export function pictureOf({ type, coordinates }: { type: string; coordinates: unknown }): Uint8Array | null {
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as readonly (readonly Ring[])[];
  const rings = joined(polygons.flat());
  const [west, south, east, north] = boxOf(rings);
  if (!Number.isFinite(west)) return null;
  const aspect = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const inner = SIDE - 2 * MARGIN;
  const scale = inner / Math.max((east - west) * aspect, north - south, 1e-9);
  const width = 2 * MARGIN + Math.max(1, Math.ceil((east - west) * aspect * scale));
  const height = 2 * MARGIN + Math.max(1, Math.ceil((north - south) * scale));
  const projected = rings.map((ring) =>
    ring.map(([lon, lat]): [number, number] => [
      MARGIN + (lon - west) * aspect * scale,
      MARGIN + (north - lat) * scale,
    ]),
  );
  const pixels = new Uint8Array(width * height);
  fill(pixels, width, height, projected);
  for (const ring of projected) outline(pixels, width, ring);
  return png(pixels, width, height);
}

/** If rings are on both sides of the antimeridian, moves the western ones east, so that longitudes do not jump. */
function joined(rings: readonly Ring[]): readonly Ring[] {
  const touches = (side: number) => rings.some((ring) => ring.some(([lon]) => lon === side));
  if (!touches(180) || !touches(-180)) return rings;
  return rings.map((ring) => ring.map(([lon, lat]): [number, number] => [lon < 0 ? lon + 360 : lon, lat]));
}

function boxOf(rings: readonly Ring[]): [number, number, number, number] {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (const [lon, lat] of ring) {
      box[0] = Math.min(box[0], lon);
      box[1] = Math.min(box[1], lat);
      box[2] = Math.max(box[2], lon);
      box[3] = Math.max(box[3], lat);
    }
  }
  return box;
}

/** Fills the pixels whose centers are inside (scanline fill). Each edge is visited only by the rows that it crosses. */
function fill(pixels: Uint8Array, width: number, height: number, rings: readonly Ring[]): void {
  const crossings: number[][] = Array.from({ length: height }, () => []);
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [x0, y0] = defined(ring[i - 1]);
      const [x1, y1] = defined(ring[i]);
      const from = Math.ceil(Math.min(y0, y1) - 0.5);
      const to = Math.ceil(Math.max(y0, y1) - 0.5);
      for (let row = from; row < to; row++)
        defined(crossings[row]).push(x0 + ((row + 0.5 - y0) / (y1 - y0)) * (x1 - x0));
    }
  }
  for (const [row, found] of crossings.entries()) {
    found.sort((a, b) => a - b);
    for (let i = 1; i < found.length; i += 2) {
      pixels.fill(
        AREA,
        row * width + Math.ceil(defined(found[i - 1]) - 0.5),
        row * width + Math.ceil(defined(found[i]) - 0.5),
      );
    }
  }
}

/** Draws each edge in steps of at most one pixel. */
function outline(pixels: Uint8Array, width: number, ring: Ring): void {
  for (let i = 1; i < ring.length; i++) {
    const [x0, y0] = defined(ring[i - 1]);
    const [x1, y1] = defined(ring[i]);
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0))));
    for (let step = 0; step <= steps; step++) {
      const x = Math.floor(x0 + ((x1 - x0) * step) / steps);
      const y = Math.floor(y0 + ((y1 - y0) * step) / steps);
      pixels[y * width + x] = BORDER;
    }
  }
}

/** Encodes a PNG (ISO/IEC 15948) with a palette, one byte per pixel and no row filters. */
function png(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row++)
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(PALETTE)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const out = Buffer.alloc(typed.length + 8);
  out.writeUInt32BE(content.length, 0);
  typed.copy(out, 4);
  out.writeUInt32BE(crc32(typed), typed.length + 4);
  return out;
}
