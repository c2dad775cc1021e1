import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/bench/random.ts';
import { defined } from '../../src/common/elements.ts';
import type { PointFormat, PointRow } from '../../src/domain/points/point_rows.ts';
import { pointRows } from '../../src/domain/points/rows.ts';
import { numberIn, numberOf } from '../../src/domain/points/text.ts';

/** The rows of a text that comes in pieces of a size. */
function read(format: PointFormat, text: string, size: number) {
  const rows = pointRows(format);
  const found: PointRow[] = [];
  for (let at = 0; at < text.length; at += size) found.push(...rows.push(text.slice(at, at + size)));
  found.push(...rows.end());
  return { rows, found };
}

const added = [
  ['id', 'r1'],
  ['name', 'a "b", c'],
  ['error', null],
] as const;

const CSV = 'n;Latitude;LNG\r\n"a;\r\n""x""";48.5;"2.25"\n\nb; -90 ;1e1\r\nc;;2\nd;0x10;2\ne;1\nf;90.1;2\ng;0;-180';
const NDJSON =
  '{"lat":1,"lon":2,"big":12345678901234567890}\n{}\n\x1e{"type":"Feature","geometry":{"type":"Point","coordinates":[3,4]},"properties":{"a":1}}\n[1]\nnope\n{"y":"1.5","x":"-2"}';
const FEATURES =
  '{"type":"FeatureCollection","name":"]}\\"",\n"features" : [ {"type":"Feature","properties":{"t":"}]\\""},"geometry":{"type":"Point","coordinates":[1,2]}},\n 7, {"type":"Feature","properties":null,"geometry":null} ],"after":[{}]}';

describe('rows of points', () => {
  it('have the same numbers whether they stand in a longer text or by themselves', () => {
    const next = seeded(17);
    const signs = '0123456789.-+eE x';
    const some = ['', '-', '.', '-.5', '5.', '-0', '00.10', '1.2.3', '179.99999995', '0.1234567890123456789', '1e400'];
    for (let i = 0; i < 20_000; i++) {
      const digits = () => String(Math.floor(next() * 10 ** Math.floor(1 + next() * 9)));
      const made = Array.from({ length: 1 + Math.floor(next() * 6) }, () => signs[Math.floor(next() * signs.length)]);
      some.push(made.join(''), `${next() < 0.5 ? '-' : ''}${digits()}.${digits()}${digits()}`);
    }
    for (const text of some) expect(numberIn(`-1,${text},7`, 3, 3 + text.length), text).toBe(numberOf(text));
  });

  it.each([1, 2, 7, 1000])('tables in pieces of %i', (size) => {
    const { rows, found } = read('text/csv', CSV, size);
    expect(rows.failure).toBeNull();
    expect(found.map(({ x, y, line, fault }) => (fault === null ? [line, x, y] : [line, fault]))).toEqual([
      [2, 22_500_000, 485_000_000],
      [5, 100_000_000, -900_000_000],
      [6, 'the latitude must be a number from -90 to 90'],
      [7, 'the latitude must be a number from -90 to 90'],
      [8, '2 cells where the first line has 3'],
      [9, 'the latitude must be a number from -90 to 90'],
      [10, -1_800_000_000, 0],
    ]);
    expect(rows.head(['id', 'name', 'error'])).toBe('n;Latitude;LNG;id;name;error\n');
    expect(rows.row(defined(found[0]), added, true)).toBe('"a;\r\n""x""";48.5;"2.25";r1;"a ""b"", c";\n');
    expect(rows.row(defined(found[4]), added, false)).toBe('e;1;;r1;"a ""b"", c";\n');
    expect(rows.errorRow(['id', 'name', 'error'], 'quota_exceeded', false)).toBe(';;;;;quota_exceeded\n');
  });

  it.each([1, 3, 1000])('objects on lines in pieces of %i', (size) => {
    const { rows, found } = read('application/x-ndjson', NDJSON, size);
    expect(found.map(({ x, y, fault }) => fault ?? [x, y])).toEqual([
      [20_000_000, 10_000_000],
      'the latitude must be a number from -90 to 90',
      [30_000_000, 40_000_000],
      'not a JSON object',
      'not a JSON object',
      [-20_000_000, 15_000_000],
    ]);
    const one = [['id', 'r1'] as const];
    expect(found.map((row) => rows.row(row, one, false))).toEqual([
      '{"lat":1,"lon":2,"big":12345678901234567890,"id":"r1"}\n',
      '{"id":"r1"}\n',
      '{"type":"Feature","geometry":{"type":"Point","coordinates":[3,4]},"properties":{"a":1,"id":"r1"}}\n',
      '{"row":"[1]","id":"r1"}\n',
      '{"row":"nope","id":"r1"}\n',
      '{"y":"1.5","x":"-2","id":"r1"}\n',
    ]);
  });

  it.each([1, 5, 1000])('features of a collection in pieces of %i', (size) => {
    const { rows, found } = read('application/geo+json', FEATURES, size);
    expect(rows.failure).toBeNull();
    expect(found.map(({ x, y, line, fault }) => [line, fault ?? [x, y]])).toEqual([
      [2, [10_000_000, 20_000_000]],
      [3, 'not a JSON object'],
      [3, 'its geometry is not a Point'],
    ]);
    const text = rows.head([]) + found.map((row, i) => rows.row(row, [['id', 'r1']], i === 0)).join('') + rows.tail;
    expect(JSON.parse(text).features.map((one: { properties: object }) => one.properties)).toEqual([
      { t: '}]"', id: 'r1' },
      { row: '7', id: 'r1' },
      { id: 'r1' },
    ]);
  });

  it('keeps what comes before a row that is too long, and says which it is', () => {
    const long = 'x'.repeat(70_000);
    const table = pointRows('text/csv');
    expect(table.push(`lat,lon\n1,2\n${long}\n3,4\n`)).toHaveLength(1);
    expect(table.failure).toBe('line 3 is longer than 65536 characters');
    expect([...table.push('3,4\n'), ...table.end()]).toEqual([]);
    const open = pointRows('text/csv');
    expect(open.push(`lat,lon\n1,2\n"${long}\n${long}`)).toHaveLength(1);
    expect(open.failure).toMatch(/^line 3 is longer/);
    const lines = pointRows('application/x-ndjson');
    expect(lines.push(`{"lat":1,"lon":2}\n${long}`)).toHaveLength(1);
    expect(lines.failure).toMatch(/^line 2/);
    expect(pointRows('application/x-ndjson').push('{"lat":1,"lon":2}\n'.repeat(10_000))).toHaveLength(10_000);
    const features = pointRows('application/geo+json');
    expect(features.push(`{"features":[{"type":"Feature"},{"a":"${long}`)).toHaveLength(1);
    expect(features.failure).toMatch(/is longer/);
    const cut = pointRows('application/geo+json');
    cut.push('{"features":[{"type":"Feature"}');
    cut.end();
    expect(cut.failure).toBe('the FeatureCollection is not closed');
  });

  it.each([
    ['Nombre;LATITUD;Longitud\nx;37,3891;-5,9845\n', {}],
    ['id|lat|lon\n1|37.3891|-5.9845\n', {}],
    ['"a, b";Breite;Länge\n"x, y";"37,3891";-5,9845\n', {}],
    ['pickup_lat,pickup_lon,lat_name\n37.3891,-5.9845,z\n', {}],
    ['decimalLatitude\tdecimalLongitude\tx\n37.3891\t-5.9845\t1\n', {}],
    ['from_lat,from_lng,to_lat,to_lng\n1,2,37.3891,-5.9845\n', { lat: 'TO_LAT', lon: 'to_lng' }],
    ['N,E\n37.3891,-5.9845\n', { lat: 'n', lon: 'E' }],
    ['a;b,c;N;E\n1;2;37,3891;-5,9845\n', { lat: 'N', lon: 'E' }],
  ])('finds the coordinates in %j', (text, named) => {
    const rows = pointRows('text/csv', named);
    const [row] = [...rows.push(text), ...rows.end()];
    expect([row?.fault, row?.x, row?.y]).toEqual([null, -59_845_000, 373_891_000]);
  });

  // The same place by gdaltransform.
  it.each([
    ['text/csv', 'X;Y\n235778,520391;4142218,73005721\n'],
    ['text/csv', 'name,Easting,Northing\n"a, b",235778.520391,4142218.73005721\n'],
    ['application/x-ndjson', '{"x":235778.520391,"y":4142218.73005721}\n'],
    [
      'application/geo+json',
      '{"features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[235778.520391,4142218.73005721]}}]}',
    ],
  ] as const)('takes coordinates of a reference system in %s: %j', (format, text) => {
    const rows = pointRows(format, { crs: 'EPSG:25830' });
    const [row] = [...rows.push(text), ...rows.end()];
    expect([row?.fault, row?.x, row?.y]).toEqual([null, -59_845_000, 373_891_000]);
  });

  it('says which coordinates lie outside of the reference system, and which system is unknown', () => {
    const rows = pointRows('text/csv', { crs: 'EPSG:2154' });
    const found = rows.push('x,y\n652000,6862000\n1e12,6862000\n,1\n');
    expect(found.map(({ fault }) => fault)).toEqual([
      null,
      '1000000000000, 6862000 lies outside of the reference system',
      'x and y must be numbers',
    ]);
    expect(() => pointRows('text/csv', { crs: 'EPSG:999999' })).toThrow(/^crs: .*999999/);
    // Degrees that are those of WGS 84 stay as they are.
    expect(pointRows('text/csv', { crs: 'EPSG:4258' }).push('lat,lon\n1,2\n')[0]).toMatchObject({ x: 2e7, y: 1e7 });
  });

  it('finds the coordinates of objects in the same way', () => {
    const rows = pointRows('application/x-ndjson', {});
    const found = rows.push('{"start_lat":1,"start_lon":2}\n{"LATITUD":"1,5","LONGITUD":3}\n{"a":1}\n');
    expect(found.map(({ x, y, fault }) => fault ?? [x, y])).toEqual([
      [20_000_000, 10_000_000],
      [30_000_000, 15_000_000],
      'the latitude must be a number from -90 to 90',
    ]);
  });

  it.each([
    ['from_lat,from_lng,to_lat,to_lng\n', {}, /several pairs .*from_lat and from_lng; to_lat and to_lng: choose with/],
    ['a,b\n', { lat: 'c' }, /there is no column c; the columns are a, b/],
    ['a,b\n', {}, /must name a column lat and a column lon; the columns are a, b/],
    ['lat,1,2\n', {}, /must name a column lat and a column lon/],
  ])('says why it does not find them in %j', (text, named, message) => {
    expect(() => pointRows('text/csv', named).push(text)).toThrow(message);
  });

  it('writes no column twice', () => {
    const rows = pointRows('text/csv');
    rows.push('lat,lon,admin_8_id\n');
    expect(() => rows.head(['admin_8_id', 'admin_8_name'])).toThrow(/has the columns admin_8_id already/);
  });

  it('refuses what has no columns, or no features', () => {
    expect(() => pointRows('text/csv').push('a,b\n1,2\n')).toThrow(/must name a column/);
    expect(() => pointRows('text/csv').end()).toThrow(/is empty/);
    expect(() => pointRows('application/geo+json').end()).toThrow(/FeatureCollection/);
  });

  it('a million quotes take no time', () => {
    const table = pointRows('text/csv');
    const began = process.cpuUsage();
    table.push('lat,lon\n');
    for (let i = 0; i < 1000 && table.failure === null; i++) table.push('"\n'.repeat(500));
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });
});
