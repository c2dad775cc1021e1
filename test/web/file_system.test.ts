import { expect, test } from 'vitest';
import { namesIn, systemByPlaces } from '../../web/src/file/names.ts';

type Box = readonly [number, number, number, number];

test('the names of a file are those of the column with the most of them', () => {
  const rows = Array.from({ length: 20 }, (_, i) => [
    `400${i}`,
    `Villar ${String.fromCharCode(65 + i)}`,
    'Segovia',
    '7',
  ]);
  const names = namesIn({ columns: ['code', 'name', 'province', 'n'], rows });
  expect(names).toEqual(['Villar A', 'Villar E', 'Villar I', 'Villar M', 'Villar Q']);
  expect(namesIn({ columns: ['code'], rows: [['40001'], ['40002']] })).toEqual([]);
});

test('a file is in the system that puts it where its names are stored', () => {
  const spain: Box = [-4.7, 40.6, -3.2, 41.6];
  const germany: Box = [7.3, 40.6, 8.8, 41.6];
  const boxes = new Map<string, Box | null>([
    ['EPSG:25832', germany],
    ['EPSG:25830', spain],
    ['EPSG:2154', null],
  ]);
  const segovia = { lat: 41.2, lon: -4.1 };
  const elsewhere = { lat: 8.3, lon: 124 };
  expect(systemByPlaces(boxes, [[elsewhere, segovia], [segovia], []])).toBe('EPSG:25830');
  // Two systems of one place: the first.
  const twins = new Map<string, Box | null>([...boxes, ['EPSG:32630', [-4.700001, 40.6, -3.2, 41.600001]]]);
  expect(systemByPlaces(twins, [[segovia]])).toBe('EPSG:25830');
  // No name is stored there; or as many in two systems.
  expect(systemByPlaces(boxes, [[elsewhere], []])).toBeNull();
  expect(systemByPlaces(boxes, [[segovia], [{ lat: 41, lon: 8 }]])).toBeNull();
  expect(systemByPlaces(new Map(), [[segovia]])).toBeNull();
});
