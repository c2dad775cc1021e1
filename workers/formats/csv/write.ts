import type { ByteWriter } from '../bytes.ts';
import type { TextWriter } from '../format.ts';
import { type About, COLLECTION_DIGITS, type Feature, type Value } from '../types.ts';
import { writeWktGeometry } from '../wkt/write.ts';

/** Quotes by RFC 4180: fields with a quote, a comma or a line break, and those with surrounding spaces. */
function field(value: Value): string {
  if (value === null) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvHead({ columns, geometry }: About): string {
  return `${[...columns.map(({ name }) => name), ...(geometry ? ['wkt'] : [])].map(field).join(',')}\r\n`;
}

function writeRow(out: ByteWriter, { values, polygons }: Feature, { columns, geometry }: About): void {
  out.utf8(columns.map((_, i) => field(values[i] ?? null)).join(','));
  if (!geometry) return;
  out.ascii(',');
  if (!polygons) return;
  out.ascii('"');
  writeWktGeometry(out, polygons, COLLECTION_DIGITS);
  out.ascii('"');
}

/** A table whose last column is well-known text. */
export const CSV_COLLECTION: TextWriter = { head: csvHead, separator: '\r\n', write: writeRow, tail: '\r\n' };
