import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { defined } from '../../defined.ts';
import { putWkb, wkbLength } from '../../wkb.ts';
import { uniqueNames } from '../column_names.ts';
import type { CollectionWriter, Column, Feature } from '../types.ts';
import { Boxes } from '../writing/hilbert.ts';
import { Spool, type SpoolLimits } from '../writing/spool.ts';
import { COLUMN_NAMES } from './names.ts';

const SCALE = 1e7;
const GEOMETRY = 'geometry';
const BBOX = 'bbox';
const SIDES = ['xmin', 'ymin', 'xmax', 'ymax'] as const;

/** A row group ends at this many bytes of polygons, or this many rows. */
const GROUP_BYTES = 4 << 20;
const GROUP_ROWS = 5_000;

const UTF8 = new TextEncoder();
const TEXT = new TextDecoder();

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];
type Values = Feature['values'];

/**
 * Writes GeoParquet 1.1 (geoparquet.org): MultiPolygons as WKB in OGC:CRS84, shells counterclockwise, in Hilbert order,
 * with a bbox column from which readers choose row groups. Rows without polygons come last. Text is UTF-8, integers
 * have 64 bits. A column whose name is taken (by another column, `geometry` or `bbox`) gets a number.
 *
 * The order is known only at the end, so the features wait in a spool. Memory: at most 16 MB of features, a row group
 * (4 MB of polygons, 5,000 rows or one feature) several times, and about 60 bytes per feature.
 * @throws TooLarge beyond `maxBytes`
 */
export async function* writeGeoparquet(
  features: AsyncIterable<Feature>,
  columns: readonly Column[],
  options: Parameters<CollectionWriter>[2] & SpoolLimits,
): AsyncGenerator<Uint8Array> {
  const spool = new Spool(options);
  try {
    const boxes = new Boxes();
    const starts: number[] = [];
    for await (const feature of features) {
      boxes.add(feature.polygons);
      starts.push(spool.length);
      await spool.append(encodeRow(feature));
    }
    starts.push(spool.length);

    const names = uniqueNames(
      columns.map(({ name }) => name),
      COLUMN_NAMES,
    );
    const out = new ByteWriter();
    const take = (): Uint8Array => {
      const bytes = out.getBytes().slice();
      out.index = 0;
      return bytes;
    };
    const writer = new ParquetWriter({
      writer: out,
      schema: schemaOf(columns, names),
      kvMetadata: [{ key: 'geo', value: JSON.stringify(geoMetadata(boxes)) }],
      createdBy: 'boundary-lookup',
    });
    yield take();
    const order = boxes.hilbertOrder();
    for (const group of groups(order, starts)) {
      const rows: Row[] = [];
      for (const feature of group) {
        const bytes = new Uint8Array(defined(starts[feature + 1]) - defined(starts[feature]));
        await spool.read(defined(starts[feature]), bytes);
        rows.push(decodeRow(bytes));
      }
      await writer.write({ columnData: columnData(rows, group, columns, names, boxes), rowGroupSize: rows.length });
      yield take();
    }
    await writer.finish();
    yield take();
  } finally {
    await spool.close();
  }
}

interface Row {
  readonly values: Values;
  readonly wkb: Uint8Array | null;
}

/** A feature in the spool: the length of its values (32 bits), its values as JSON, its polygons as WKB. */
function encodeRow({ values, polygons }: Feature): Uint8Array {
  const json = UTF8.encode(JSON.stringify(values));
  const some = polygons?.polygonEnd.length ? polygons : null;
  const row = new Uint8Array(4 + json.length + (some ? wkbLength(some) : 0));
  const view = new DataView(row.buffer);
  view.setUint32(0, json.length);
  row.set(json, 4);
  if (some) putWkb(view, 4 + json.length, some);
  return row;
}

function decodeRow(row: Uint8Array): Row {
  const end = 4 + new DataView(row.buffer).getUint32(0);
  return {
    values: JSON.parse(TEXT.decode(row.subarray(4, end))),
    wkb: end === row.length ? null : row.subarray(end),
  };
}

/** Splits the features, in order, into row groups. */
function* groups(order: Uint32Array, starts: readonly number[]): Generator<Uint32Array> {
  let from = 0;
  let bytes = 0;
  for (let i = 0; i < order.length; i++) {
    bytes += defined(starts[defined(order[i]) + 1]) - defined(starts[defined(order[i])]);
    if (bytes < GROUP_BYTES && i + 1 - from < GROUP_ROWS && i + 1 < order.length) continue;
    yield order.subarray(from, i + 1);
    from = i + 1;
    bytes = 0;
  }
}

function schemaOf(columns: readonly Column[], names: readonly string[]): Schema {
  const fields = columns.map(({ type }, i): Schema[number] => {
    const field = { name: defined(names[i]), repetition_type: 'OPTIONAL' } as const;
    if (type === 'integer') return { ...field, type: 'INT64' };
    if (type === 'number') return { ...field, type: 'DOUBLE' };
    if (type === 'boolean') return { ...field, type: 'BOOLEAN' };
    return { ...field, type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } };
  });
  return [
    { name: 'schema', num_children: fields.length + 2 },
    ...fields,
    { name: GEOMETRY, type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
    { name: BBOX, num_children: SIDES.length, repetition_type: 'OPTIONAL' },
    ...SIDES.map((name) => ({ name, type: 'DOUBLE', repetition_type: 'REQUIRED' }) as const),
  ];
}

/** The value of the file's key "geo". Without a crs it is OGC:CRS84: degrees, longitude first. */
function geoMetadata(boxes: Boxes): object {
  const extent = boxes.extent()?.map((side) => side / SCALE);
  return {
    version: '1.1.0',
    primary_column: GEOMETRY,
    columns: {
      [GEOMETRY]: {
        encoding: 'WKB',
        geometry_types: ['MultiPolygon'],
        orientation: 'counterclockwise',
        edges: 'planar',
        ...(extent && { bbox: extent }),
        covering: { [BBOX]: Object.fromEntries(SIDES.map((side) => [side, [BBOX, side]])) },
      },
    },
  };
}

function columnData(
  rows: readonly Row[],
  group: Uint32Array,
  columns: readonly Column[],
  names: readonly string[],
  boxes: Boxes,
): Parameters<ParquetWriter['write']>[0]['columnData'] {
  const attributes = columns.map(({ type }, i) => {
    const data = rows.map(({ values }) => {
      const value = defined(values[i]);
      if (value === null) return null;
      if (type === 'integer') return BigInt(value);
      return type === 'string' ? String(value) : type === 'boolean' ? Boolean(value) : Number(value);
    });
    return { name: defined(names[i]), data };
  });
  const bbox = Array.from(group, (feature) =>
    boxes.isEmpty(feature)
      ? null
      : Object.fromEntries(SIDES.map((name, side) => [name, boxes.get(feature, side) / SCALE])),
  );
  return [
    ...attributes,
    // Coordinates rarely repeat, so a dictionary would not help.
    { name: GEOMETRY, data: rows.map(({ wkb }) => wkb), encoding: 'PLAIN', statistics: false },
    { name: BBOX, data: bbox, encoding: 'PLAIN' },
  ];
}
