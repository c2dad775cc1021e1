/** The columns of an SQLite table, as its CREATE TABLE statement declares them. */

export type SqliteValue = null | number | bigint | string | Uint8Array;

/** A column of a table. */
export interface TableColumn {
  readonly name: string;
  /** As declared, in upper case; '' without one. */
  readonly type: string;
  /** Whether its value is the number of the row, and not in the record. */
  readonly isRowId: boolean;
  /** The value in rows from before it was added: that of its DEFAULT. Undefined: a default that is not read. */
  readonly initial: SqliteValue | undefined;
}

/** A column: its name, quoted or not, and its type. */
const COLUMN = /^\s*(?:"((?:[^"]|"")*)"|`([^`]*)`|\[([^\]]*)\]|([^\s"`[(),]+))(?:\s+(\w+))?/;
const CONSTRAINT = /^\s*(?:CONSTRAINT|PRIMARY|UNIQUE|CHECK|FOREIGN)\b/i;
const NAMED = /^\s*CONSTRAINT\s+(?:"[^"]*"|[^\s"]+)/i;
/** A key of one column: its name, quoted or not. */
const KEY =
  /^\s*PRIMARY\s+KEY\s*\(\s*(?:"((?:[^"]|"")*)"|`([^`]*)`|\[([^\]]*)\]|([^\s"`[(),]+))(?:\s+(?:ASC|DESC))?(?:\s+AUTOINCREMENT)?\s*\)/i;
/** A default; texts and parentheses that are not of it are skipped. */
const DEFAULT =
  /\bDEFAULT\s*(?:\(\s*([^()]*?)\s*\)|('(?:[^']|'')*'|"(?:[^"]|"")*"|[^\s,()'"]+)|(\())|'(?:[^']|'')*'|"(?:[^"]|"")*"|\([^()]*\)/gi;
const TEXT = /CHAR|CLOB|TEXT/;

/** An integer as a number, or as it is when a double cannot hold it. */
export const numberIfExact = (value: bigint): number | bigint =>
  BigInt.asIntN(54, value) === value ? Number(value) : value;

/** The columns of a CREATE TABLE statement, in order. */
export function columnsOf(sql: string): TableColumn[] {
  const parts = partsOf(sql.slice(sql.indexOf('(') + 1, sql.lastIndexOf(')')));
  const key = parts.map((part) => nameIn(KEY.exec(part.replace(NAMED, '')))).find((name) => name !== undefined);
  return parts.flatMap((part) => {
    const found = CONSTRAINT.test(part) ? null : COLUMN.exec(part);
    const name = nameIn(found);
    if (found === null || name === undefined) return [];
    const type = (found[5] ?? '').toUpperCase();
    const isKey = type === 'INTEGER' && key?.toLowerCase() === name.toLowerCase();
    const isRowId = isKey || /\bINTEGER\b[^,]*\bPRIMARY\s+KEY\b/i.test(part);
    return [{ name, type, isRowId, initial: initialOf(part.slice(found[0].length), type) }];
  });
}

/** The name in a match of COLUMN or KEY. */
function nameIn(match: RegExpExecArray | null): string | undefined {
  const [, double, grave, square, plain] = match ?? [];
  return double?.replaceAll('""', '"') ?? grave ?? square ?? plain;
}

/** The declarations of columns and constraints, which commas separate. */
function partsOf(body: string): string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  let quote = '';
  for (let i = 0; i < body.length; i++) {
    const c = body[i];
    if (quote !== '') {
      if (c === quote) quote = '';
    } else if (c === '"' || c === "'" || c === '`') quote = c;
    else if (c === '[') quote = ']';
    else if (c === '(') depth++;
    else if (c === ')') depth--;
    else if (c === ',' && depth === 0) {
      parts.push(body.slice(from, i));
      from = i + 1;
    }
  }
  return [...parts, body.slice(from)];
}

/** The value of a column's default, as its type stores it. */
function initialOf(constraints: string, type: string): SqliteValue | undefined {
  for (const [, inner, outer, computed] of constraints.matchAll(DEFAULT)) {
    const literal = inner ?? outer;
    if (literal !== undefined) return stored(literal, type);
    if (computed !== undefined) return undefined;
  }
  return null;
}

function stored(literal: string, type: string): SqliteValue | undefined {
  const [, text] = /^'([\s\S]*)'$/.exec(literal) ?? [];
  const [, double] = /^"([\s\S]*)"$/.exec(literal) ?? [];
  const value = text?.replaceAll("''", "'") ?? double?.replaceAll('""', '"');
  const number = numberOf(value ?? literal);
  const isText = TEXT.test(type);
  // A text in a column of numbers is stored as a number, and the other way round.
  if (value !== undefined)
    return isText || number === undefined || !/INT|REAL|FLOA|DOUB|NUM|DEC|BOOL/.test(type) ? value : number;
  if (number !== undefined) return isText ? String(number) : number;
  if (/^null$/i.test(literal)) return null;
  return /^(?:true|false)$/i.test(literal) ? Number(/^true$/i.test(literal)) : undefined;
}

/** The number that a text is; undefined for none. */
function numberOf(text: string): number | bigint | undefined {
  if (/^[+-]?\d{1,18}$/.test(text)) return numberIfExact(BigInt(text.replace(/^\+/, '')));
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}
