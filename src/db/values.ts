import pg from 'pg';
import { DatabaseError } from './database_error.ts';

const BYTEA = 17;
const HEADER_BYTES = 20;

/**
 * Returns a JavaScript value as a parameter of the wire protocol: text, or bytes in binary form.
 *
 * Accepts text, finite numbers, bigint, booleans, null (and undefined, as null), Date, Uint8Array (bytea), arrays of
 * those, and the other typed arrays (as arrays of numbers: only Uint8Array is bytea). Send JSON as text from
 * JSON.stringify with a `::jsonb` cast.
 * @throws DatabaseError `value` for anything else, including non-finite numbers: PostGIS has functions that crash on
 * NaN
 */
export function toParameter(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return bytes(value);
  if (Array.isArray(value)) return arrayParameter(value);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return numbersParameter(value);
  return scalar(value);
}

type NumberArray = Exclude<NodeJS.TypedArray, Uint8Array>;

function numbersParameter(value: ArrayBufferView): string {
  const numbers = value as NumberArray;
  for (const number of numbers) scalar(number);
  return `{${numbers.join(',')}}`;
}

function scalar(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new DatabaseError('value', `${value} cannot be sent to the database.`);
      return String(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (value instanceof Date) return dateText(value);
      throw new DatabaseError('value', `A value of type ${typeof value} cannot be sent; send JSON as text.`);
  }
}

function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new DatabaseError('value', 'An invalid Date cannot be sent.');
  return date.toISOString();
}

function bytes(value: Uint8Array): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

function arrayParameter(values: readonly unknown[]): string | Buffer {
  return values.some((value) => value instanceof Uint8Array) ? byteaArray(values) : arrayText(values);
}

/** An array literal (PostgreSQL manual, "Arrays": array input and output syntax). */
function arrayText(values: readonly unknown[]): string {
  return `{${values.map(elementText).join(',')}}`;
}

function elementText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number') return scalar(value);
  if (Array.isArray(value)) return arrayText(value);
  if (value instanceof Uint8Array) throw new DatabaseError('value', 'Arrays of bytes cannot be nested.');
  return `"${scalar(value).replace(/["\\]/g, '\\$&')}"`;
}

/**
 * A bytea[] in the binary form of array_recv (src/backend/utils/adt/arrayfuncs.c): dimensions, null flag, element type,
 * length and lower bound, then each element after its length (-1: null). Half the size of text in hex, and nothing to
 * escape.
 */
function byteaArray(values: readonly unknown[]): Buffer {
  let size = HEADER_BYTES;
  let nulls = 0;
  for (const value of values) {
    size += 4;
    if (value instanceof Uint8Array) size += value.byteLength;
    else if (value === null || value === undefined) nulls = 1;
    else throw new DatabaseError('value', 'An array with bytes in it may hold only bytes and nulls.');
  }
  const out = Buffer.allocUnsafe(size);
  const header = [1, nulls, BYTEA, values.length, 1];
  header.forEach((word, i) => {
    out.writeInt32BE(word, 4 * i);
  });
  let at = HEADER_BYTES;
  for (const value of values) {
    const element = value instanceof Uint8Array ? value : null;
    at = out.writeInt32BE(element ? element.byteLength : -1, at);
    if (element) {
      out.set(element, at);
      at += element.byteLength;
    }
  }
  return out;
}

type Parser = (text: string) => unknown;

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new DatabaseError('value', `The bigint ${text} is beyond the integers that a JavaScript number holds.`);
  }
  return value;
}

function safeIntegers(text: string): (number | null)[] {
  if (text === '{}') return [];
  if (!/^\{[^{}]*\}$/.test(text)) throw new DatabaseError('value', 'Only one-dimensional bigint arrays can be read.');
  const items = text.slice(1, -1).split(',');
  return items.map((item) => (item === 'NULL' ? null : safeInteger(item)));
}

/**
 * Parses a bytea[]. A parser of our own, because the elements contain no comma or quote, and pg's general parser takes
 * time quadratic in the number of elements.
 */
function byteas(text: string): (Buffer | null)[] {
  if (text === '{}') return [];
  const items = text.slice(1, -1).split(',');
  return items.map((item) => {
    if (item === 'NULL') return null;
    if (!item.startsWith('"\\\\x')) throw new DatabaseError('value', 'Only one-dimensional bytea arrays can be read.');
    return Buffer.from(item.slice(4, -1), 'hex');
  });
}

function known(oid: number): Parser {
  return pg.types.getTypeParser(oid, 'text') as Parser;
}

const TEXT_ARRAY = 1009;
const asText: Parser = (text) => text;

/** By type oid (pg_type.dat): types that pg parses well, and bigint, which pg would leave as text. */
const parsers = new Map<number, Parser>([
  [20, safeInteger],
  [1016, safeIntegers],
  [1001, byteas],
  // bool, bytea, int2, int4, oid, json, float4, float8, timestamptz, jsonb
  ...[16, BYTEA, 21, 23, 26, 114, 700, 701, 1184, 3802].map((oid): [number, Parser] => [oid, known(oid)]),
  // bool[], int2[], int4[], float4[], float8[], timestamptz[], json[], jsonb[]
  ...[1000, 1005, 1007, 1021, 1022, 1185, 199, 3807].map((oid): [number, Parser] => [oid, known(oid)]),
  // char[], name[], text[], bpchar[], varchar[], uuid[]
  ...[1002, 1003, TEXT_ARRAY, 1014, 1015, 2951].map((oid): [number, Parser] => [oid, known(TEXT_ARRAY)]),
]);

/**
 * How columns are read: bigint as a number (DatabaseError `value` when it is not a safe integer), float and int as
 * numbers, bytea as Buffer, timestamptz as Date, json and jsonb parsed, arrays of those as arrays. Everything else is
 * text as the server writes it, including numeric and date: a numeric may have more digits than a number.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number) => parsers.get(oid) ?? asText) as typeof pg.types.getTypeParser,
};
