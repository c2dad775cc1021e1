import { type PolygonRings, type Position, type ReadDocument, type ReadFeature, Unreadable } from './model.ts';
import { doubleArea, polygonsOfRings } from './nest.ts';

/** Polygon, PolygonZ, PolygonM. */
const POLYGONS = [5, 15, 25];
const NULL_SHAPE = 0;
/** Encodings in .cpg files whose names differ from those of TextDecoder. */
const ENCODINGS: Readonly<Record<string, string>> = { '1252': 'windows-1252', '65001': 'utf-8', '': 'utf-8' };

/** The files of a shapefile. Without `dbf`, areas have no attributes. */
export interface Shapefile {
  readonly shp: Uint8Array;
  readonly dbf?: Uint8Array;
  readonly prj?: Uint8Array;
  readonly cpg?: Uint8Array;
}

/**
 * Reads a shapefile in degrees of WGS 84 (ESRI's description of July 1998): polygons with the attributes of its table.
 * @throws Unreadable
 */
export function readShapefile({ shp, dbf, prj, cpg }: Shapefile): ReadDocument {
  const system = prj === undefined ? '' : new TextDecoder().decode(prj);
  if (prj !== undefined && (!/^\s*GEOGCS/i.test(system) || !/WGS[_ ]?(19)?84/i.test(system))) {
    throw new Unreadable('its .prj is not degrees of WGS 84: convert it first (ogr2ogr -t_srs EPSG:4326)');
  }
  try {
    const counts = { left: 0 };
    const shapes = shapesOf(new DataView(shp.buffer, shp.byteOffset, shp.byteLength), counts);
    const rows = dbf === undefined ? [] : rowsOf(dbf, cpg);
    if (dbf !== undefined && rows.length !== shapes.length) {
      throw new Unreadable(`the .dbf has ${rows.length} rows for ${shapes.length} shapes`);
    }
    const features = shapes.map((polygons, i): ReadFeature => {
      const properties = rows[i] ?? {};
      const { id, name } = properties;
      return {
        id: id === undefined ? null : String(id),
        name: typeof name === 'string' ? name : null,
        properties,
        polygons,
      };
    });
    return { name: null, features, left: counts.left };
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable('the shapefile is cut off or damaged');
    throw error;
  }
}

function shapesOf(view: DataView, counts: { left: number }): PolygonRings[][] {
  if (view.byteLength < 100 || view.getInt32(0) !== 9994) throw new Unreadable('this is not a shapefile');
  const shapes: PolygonRings[][] = [];
  for (let at = 100; at < view.byteLength; ) {
    const bytes = 2 * view.getInt32(at + 4);
    const type = view.getInt32(at + 8, true);
    if (POLYGONS.includes(type)) shapes.push(polygonsOf(view, at + 8));
    else {
      if (type !== NULL_SHAPE) counts.left++;
      shapes.push([]);
    }
    if (bytes < 4) throw new RangeError('a record is too short');
    at += 8 + bytes;
  }
  return shapes;
}

/** The polygons of a record. Shells are clockwise, holes counterclockwise. */
function polygonsOf(view: DataView, at: number): PolygonRings[] {
  const [parts, points] = [view.getInt32(at + 36, true), view.getInt32(at + 40, true)];
  const first = at + 44 + 4 * parts;
  const shells: Position[][] = [];
  const holes: Position[][] = [];
  for (let p = 0; p < parts; p++) {
    const from = view.getInt32(at + 44 + 4 * p, true);
    const to = p + 1 < parts ? view.getInt32(at + 48 + 4 * p, true) : points;
    const ring: Position[] = [];
    for (let v = from; v < to; v++) {
      ring.push([view.getFloat64(first + 16 * v, true), view.getFloat64(first + 16 * v + 8, true)]);
    }
    (doubleArea(ring) > 0 ? holes : shells).push(ring);
  }
  return polygonsOfRings(shells, holes);
}

/** The rows of a dBase III table. */
function rowsOf(dbf: Uint8Array, cpg: Uint8Array | undefined): Record<string, unknown>[] {
  const view = new DataView(dbf.buffer, dbf.byteOffset, dbf.byteLength);
  const decode = decoderOf(cpg);
  const [count, head, size] = [view.getUint32(4, true), view.getUint16(8, true), view.getUint16(10, true)];
  const fields: { name: string; type: string; from: number; to: number }[] = [];
  let from = 1;
  for (let at = 32; at + 32 <= head && dbf[at] !== 0x0d; at += 32) {
    const name = decode(dbf.subarray(at, at + 11)).replace(/\0.*$/s, '');
    fields.push({ name, type: String.fromCharCode(dbf[at + 11]), from, to: from + dbf[at + 16] });
    from += dbf[at + 16];
  }
  if (head + count * size > dbf.length) throw new RangeError('rows are missing');
  return Array.from({ length: count }, (_, row) => {
    const own = dbf.subarray(head + row * size, head + (row + 1) * size);
    const properties: Record<string, unknown> = {};
    for (const { name, type, from: start, to } of fields) {
      const value = fieldValue(decode(own.subarray(start, to)), type);
      if (value !== null) properties[name] = value;
    }
    return properties;
  });
}

function fieldValue(text: string, type: string): unknown {
  const trimmed = text.replaceAll('\0', ' ').trimEnd();
  if (type === 'C') return trimmed === '' ? null : trimmed;
  const plain = trimmed.trim();
  if (plain === '' || /^\*+$/.test(plain)) return null;
  if (type === 'N' || type === 'F') return Number.isFinite(Number(plain)) ? Number(plain) : null;
  if (type === 'L') return /^[YyTt]$/.test(plain) ? true : /^[NnFf]$/.test(plain) ? false : null;
  if (type === 'D') return plain.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  return plain;
}

function decoderOf(cpg: Uint8Array | undefined): (bytes: Uint8Array) => string {
  const said = cpg === undefined ? 'iso-8859-1' : new TextDecoder().decode(cpg).trim().toLowerCase();
  try {
    const decoder = new TextDecoder(ENCODINGS[said] ?? said);
    return (bytes) => decoder.decode(bytes);
  } catch {
    throw new Unreadable(`its .cpg names an encoding that is not known: ${said.slice(0, 40)}`);
  }
}
