/**
 * Rows in the text format of COPY (PostgreSQL manual, "COPY", "Text Format"): one line per row, a tab between columns,
 * `\N` for null. psql's `\copy` reads it, too.
 */

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const UNESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

/** One row as a line, including its newline. */
export function copyLine(columns: readonly (string | null)[]): string {
  const fields = columns.map((text) =>
    text === null ? '\\N' : text.replace(/[\\\n\r\t]/g, (one) => ESCAPES[one] ?? one),
  );
  return `${fields.join('\t')}\n`;
}

/** The columns of a line without its newline. @throws Error if their number is not `count` */
export function readCopyLine(line: string, count: number): (string | null)[] {
  const fields = line.split('\t');
  if (fields.length !== count) throw new Error(`a row has ${fields.length} columns instead of ${count}`);
  return fields.map((text) =>
    text === '\\N' ? null : text.replace(/\\(.)/g, (_, one: string) => UNESCAPES[one] ?? one),
  );
}
