import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { pictureOf } from '../../src/transports/mcp/picture.ts';

/** The pixels of a picture as indexes of its palette, read without the code that writes it. */
function read(png: Uint8Array): { width: number; height: number; at(x: number, y: number): number } {
  const bytes = Buffer.from(png);
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const start = bytes.indexOf('IDAT');
  const rows = inflateSync(bytes.subarray(start + 4, start + 4 + bytes.readUInt32BE(start - 4)));
  expect(rows.length).toBe((width + 1) * height);
  return { width, height, at: (x, y) => defined(rows[Math.floor(y) * (width + 1) + 1 + Math.floor(x)]) };
}

const square = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const polygon = (...coordinates: unknown[]) => pictureOf({ type: 'Polygon', coordinates }) as Uint8Array;

describe('a picture', () => {
  it('has the shape of the area on the ground: fill, border, hole and background', () => {
    const { width, height, at } = read(polygon(square(0, 59, 4, 61), square(1, 59.5, 3, 60.5)));
    // At 60 degrees a degree of longitude is half as long: 4 by 2 degrees is a square.
    expect([width, height]).toEqual([512, 512]);
    expect(at(0, 0)).toBe(0);
    expect(at(width / 2, 0.05 * height)).toBe(1);
    expect(at(width / 2, height / 2)).toBe(0);
    expect(at(12, height / 2)).toBe(2);
  });

  it('has north up', () => {
    const triangle = [
      [0, 0],
      [2, 0],
      [1, 2],
      [0, 0],
    ];
    const { width, height, at } = read(polygon(triangle));
    expect([at(width * 0.1, height * 0.9), at(width * 0.1, height * 0.1)]).toEqual([1, 0]);
  });

  it('is in one piece across the antimeridian', () => {
    const parts = [[square(178, 0, 180, 4)], [square(-180, 0, -178, 4)]];
    const { width, height } = read(pictureOf({ type: 'MultiPolygon', coordinates: parts }) as Uint8Array);
    expect(Math.abs(width - height)).toBeLessThan(3);
  });

  it('of nothing is null, of a speck a picture', () => {
    expect(pictureOf({ type: 'MultiPolygon', coordinates: [] })).toBeNull();
    expect(read(polygon(square(1, 1, 1, 1))).width).toBeGreaterThan(0);
  });

  it('ends with the chunk that every PNG ends with, checksum included', () => {
    const bytes = Buffer.from(polygon(square(0, 0, 1, 1)));
    expect(bytes.subarray(-12).toString('hex')).toBe('0000000049454e44ae426082');
  });
});
