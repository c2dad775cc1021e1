/** The attributes of areas, which may be any JSON, as a table whose columns have types. */
import type { Column, Value } from './types.ts';

/** What is known about an area besides its shape. */
export interface Described {
  readonly id: string | null;
  readonly name: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Attributes by column name. A column that an area lacks is not in its row. */
export type Row = ReadonlyMap<string, unknown>;

/** The attributes of areas: `id` and `name` first, the other columns in order of appearance. */
export interface Attributes {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/**
 * The attributes of areas. A column of only booleans, only integers or only numbers has that type; another is text. The
 * id and the name of an area are its columns `id` and `name`; a property of that name with another value gets a number.
 */
export function attributesOf(areas: readonly Described[]): Attributes {
  const rows = areas.map(rowOf);
  const met = new Set(rows.flatMap((row) => [...row.keys()]));
  const first = ['id', 'name'].filter((name) => met.has(name));
  const names = [...first, ...[...met].filter((name) => !first.includes(name))];
  const columns = names.map((name): Column => ({ name, type: typeOf(rows.map((row) => row.get(name) ?? null)) }));
  return { columns, rows };
}

/** The values of a row in the order of the columns: what is not of a column's type as text, lists and objects as JSON. */
export function valuesOf(row: Row, columns: readonly Column[]): Value[] {
  return columns.map(({ name, type }) => {
    const value = row.get(name) ?? null;
    if (value === null || type !== 'string') return value as Value;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
}

function rowOf({ id, name, properties }: Described): Row {
  const row = new Map<string, unknown>();
  if (id !== null) row.set('id', isSame(properties.id, id) ? properties.id : id);
  if (name !== null) row.set('name', isSame(properties.name, name) ? properties.name : name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || (row.has(key) && (value === null || row.get(key) === value))) continue;
    let free = key;
    for (let n = 2; row.has(free) || (free !== key && Object.hasOwn(properties, free)); n++) free = `${key}_${n}`;
    row.set(free, value);
  }
  return row;
}

const isSame = (value: unknown, text: string): boolean =>
  value !== undefined && value !== null && String(value) === text;

function typeOf(values: readonly unknown[]): Column['type'] {
  const some = values.filter((value) => value !== null);
  if (some.length === 0) return 'string';
  if (some.every((value) => typeof value === 'boolean')) return 'boolean';
  if (!some.every(Number.isFinite)) return 'string';
  return some.every((value) => Number.isSafeInteger(value) && !Object.is(value, -0)) ? 'integer' : 'number';
}
