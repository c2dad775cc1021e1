import { type ReadDocument, type ReadFeature, Unreadable } from './model.ts';
import { readWkt } from './wkt.ts';

/** Accepted names of the geometry column, in lower case. */
const GEOMETRIES = ['wkt', 'geometry', 'geom', 'the_geom', 'wkt_geom', 'shape'];

/**
 * Reads a table whose first line names the columns, one of them with well-known text; separated by commas, semicolons
 * or tabs. The other columns become text properties, so codes keep their leading zeros.
 * @throws Unreadable
 */
export function readCsv(text: string): ReadDocument {
  const separator = /[,;\t]/.exec(text.slice(0, text.search(/[\r\n]|$/)))?.[0] ?? ',';
  const rows = rowsOf(text, separator);
  const [names = []] = rows;
  const at = names.findIndex((name) => GEOMETRIES.includes(name.trim().toLowerCase()));
  if (at < 0) throw new Unreadable(`its first line names no column ${GEOMETRIES.slice(0, 3).join(', ')}`);
  const features: ReadFeature[] = [];
  let left = 0;
  rows.slice(1).forEach((cells, i) => {
    if (cells.length === 1 && cells[0] === '') return;
    if (cells.length !== names.length) {
      throw new Unreadable(`row ${i + 2} has ${cells.length} cells where the first has ${names.length}`);
    }
    const properties: Record<string, string> = {};
    names.forEach((name, c) => {
      if (c !== at && cells[c] !== '') properties[name] = cells[c];
    });
    const { id = null, name = null } = properties;
    try {
      const read = cells[at].trim() === '' ? null : readWkt(cells[at]);
      left += read?.left ?? 0;
      features.push({ id, name, properties, polygons: read?.features[0]?.polygons ?? [] });
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      throw new Unreadable(`row ${i + 2}: ${error.message}`);
    }
  });
  return { name: null, features, left };
}

/** The cells of each row (RFC 4180). */
function rowsOf(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  for (let at = 0; at <= text.length; ) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; ; ) {
        const end = text.indexOf('"', at);
        if (end < 0) throw new Unreadable(`row ${rows.length + 1}: a quote is not closed`);
        cell += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at++;
      }
    }
    let end = at;
    while (end < text.length && text[end] !== separator && text[end] !== '\n') end++;
    cell += text.slice(at, end).replace(/\r$/, '');
    cells.push(cell);
    at = end + 1;
    if (text[end] === separator) continue;
    rows.push(cells);
    cells = [];
    if (end >= text.length - 1) break;
  }
  return rows;
}
