import { expect, test } from 'vitest';
import { type ReadFeature, Unreadable } from '../../workers/formats/reading/document.ts';
import { readShapefile } from '../../workers/formats/shapefile/read.ts';

type Point = readonly [x: number, y: number];

const SQUARE: readonly Point[] = [
  [0, 0],
  [0, 1],
  [1, 1],
  [1, 0],
  [0, 0],
];

/** A polygon record, with the number of its points as `said`. */
function record(parts: readonly number[], points: readonly Point[], said = points.length): Uint8Array {
  const content = new DataView(new ArrayBuffer(44 + 4 * parts.length + 16 * points.length));
  content.setInt32(0, 5, true);
  content.setInt32(36, parts.length, true);
  content.setInt32(40, said, true);
  for (const [i, part] of parts.entries()) content.setInt32(44 + 4 * i, part, true);
  for (const [i, [x, y]] of points.entries()) {
    content.setFloat64(44 + 4 * parts.length + 16 * i, x, true);
    content.setFloat64(52 + 4 * parts.length + 16 * i, y, true);
  }
  return new Uint8Array(content.buffer);
}

/** The shapes of a shapefile with these records, whose header states a type. */
function shapes(records: readonly Uint8Array[], type: number): Uint8Array {
  const size = records.reduce((sum, { length }) => sum + 8 + length, 100);
  const [bytes, view] = [new Uint8Array(size), new DataView(new ArrayBuffer(8))];
  new DataView(bytes.buffer).setInt32(0, 9994);
  new DataView(bytes.buffer).setInt32(32, type, true);
  let at = 100;
  for (const [i, content] of records.entries()) {
    view.setInt32(0, i + 1);
    view.setInt32(4, content.length / 2);
    bytes.set(new Uint8Array(view.buffer), at);
    bytes.set(content, at + 8);
    at += 8 + content.length;
  }
  return bytes;
}

/** The number of points of each ring, by record. */
function ringsOf(...records: readonly Uint8Array[]): number[][] {
  return ringsOfType(5, ...records);
}

function ringsOfType(type: number, ...records: readonly Uint8Array[]): number[][] {
  const { features } = readShapefile({ '.shp': shapes(records, type) });
  return [...(features as Iterable<ReadFeature>)].map(({ polygons }) => polygons.flat().map(({ length }) => length));
}

const FAR = SQUARE.map(([x, y]): Point => [x + 5, y]);

test('reads the parts of a shape, also one of no points', () => {
  expect(ringsOf(record([0], SQUARE), record([0, 5], [...SQUARE, ...FAR]))).toEqual([[5], [5, 5]]);
  expect(ringsOf(record([0, 5, 5], [...SQUARE, ...FAR]), record([], []))).toEqual([[5, 5], []]);
});

test.each([
  ['a part that begins before the first point', record([-5], SQUARE)],
  ['a first part that leaves points out', record([3], SQUARE)],
  ['parts that go back', record([0, 5, 2], [...SQUARE, ...FAR])],
  ['a first part after the second', record([3, 0], SQUARE)],
  ['a part beyond the last point', record([0, 99], SQUARE)],
  ['points without a part', record([], SQUARE)],
  ['fewer than no points', record([0], SQUARE, -1)],
  ['more points than the record has, where another record follows', record([0], SQUARE, 8)],
])('refuses %s', (_what, damaged) => {
  expect(() => ringsOf(damaged, record([0], FAR), record([0], FAR))).toThrow(Unreadable);
});

const POINT = new Uint8Array(Int32Array.of(1, 0, 0, 0, 0).buffer);
const NULL = new Uint8Array(Int32Array.of(0).buffer);

test('refuses a ring that does not close, with its record and both ends', () => {
  const open = SQUARE.slice(0, 4);
  expect(() => ringsOf(record([0], FAR), record([0], open))).toThrow(
    'a ring of record 2 does not close: it begins at 0 0 and ends at 1 0',
  );
  // A part that begins a point too early takes it from the ring before it.
  expect(() => ringsOf(record([0, 4], [...SQUARE, ...FAR]))).toThrow('a ring of record 1 does not close');
});

test('reads a ring whose ends differ by rounding', () => {
  const rounded = (x: number, y: number, by: number) => [
    ...SQUARE.slice(0, 4).map(([dx, dy]): Point => [x + dx, y + dy]),
    [x + by, y - by] as const,
  ];
  expect(ringsOf(record([0], rounded(-3.7, 40.4, 1e-12)), record([0], rounded(440_000, 4_470_000, 1e-7)))).toEqual([
    [5],
    [5],
  ]);
  expect(() => ringsOf(record([0], rounded(-3.7, 40.4, 1e-6)))).toThrow('does not close');
});

test.each([1, 3, 0, 99])('refuses polygons in a file whose header says shapes of type %i', (type) => {
  expect(() => ringsOfType(type, record([0], SQUARE))).toThrow(
    `its header says shapes of type ${type}, and record 1 has type 5`,
  );
});

test('refuses a point in a file of polygons, and leaves out the points of a file of points', () => {
  expect(() => ringsOf(record([0], SQUARE), POINT)).toThrow(
    'its header says shapes of type 5, and record 2 has type 1',
  );
  expect(ringsOfType(1, POINT, NULL)).toEqual([[], []]);
  expect([ringsOfType(15, record([0], SQUARE)), ringsOf(NULL)]).toEqual([[[5]], [[]]]);
});
