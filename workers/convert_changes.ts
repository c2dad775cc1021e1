/** What a conversion changes besides the format, as sentences for the person who converts. */

import type { Attributes, Row } from './formats/attributes.ts';
import type { ReadDocument } from './formats/reading/document.ts';
import { attributeRules, type CollectionFormat, columnNames } from './formats/registry.ts';
import { dbfText } from './formats/shapefile/write.ts';
import { svgNames } from './formats/svg/names.ts';
import { tileName } from './formats/tile/area_tiles.ts';
import type { Column } from './formats/types.ts';
import { xmlText } from './formats/xml.ts';

/** Where attributes are written: single-area formats of one area are `single`. */
export interface Target {
  readonly format: CollectionFormat | 'wkt';
  readonly single: boolean;
}

/** The columns that formats without other attributes keep; absent: all. */
function keptColumns({ format, single }: Target): readonly string[] | undefined {
  const { kept, keptOfOne } = attributeRules(format);
  return single && keptOfOne ? keptOfOne : kept;
}

type Test = (value: unknown) => boolean;

/**
 * The changes to the attributes of areas that are written in a format: what it leaves out, renames, cuts or turns into
 * text. One sentence for each kind of change, with the columns.
 */
export function attributeChanges({ columns, rows }: Attributes, target: Target): string[] {
  const { format } = target;
  const kept = keptColumns(target);
  if (kept !== undefined) {
    const lost = columns.filter(({ name }) => !kept.includes(name));
    return lost.length === 0 ? [] : [`left out, because ${format} has no place for them: ${list(lost)}`];
  }
  const rules = attributeRules(format);
  const changes: string[] = [];
  const add = (what: string, some: readonly Column[]): void => {
    if (some.length > 0) changes.push(`${what}: ${list(some)}`);
  };
  const having = (test: Test, type?: Column['type']): Column[] =>
    columns.filter((column) => (type === undefined || column.type === type) && has(rows, column, test));
  if (rules.dropsNull) {
    add(
      'columns without a value left out',
      columns.filter((column) => !has(rows, column, isSomething)),
    );
  }
  const renamed = renames(format, columns, rows);
  if (renamed.length > 0) changes.push(`renamed: ${renamed.join(', ')}`);
  add('numbers that are not exact beyond 9007199254740991', having(isInexact));
  add('numbers that are not finite, written as null or text', having(isNotFinite));
  if (rules.isJson) return changes;
  add('lists and objects written as JSON text', having(isObject));
  const texts = having(isTyped, 'string');
  if (rules.isTextOnly) {
    add(`written as text, because ${format} has no types`, [
      ...texts,
      ...columns.filter(({ type }) => type !== 'string'),
    ]);
  } else add('values of several types written as text', texts);
  if (rules.emptyIsNull)
    add(
      'empty texts written as no value',
      having((value) => value === ''),
    );
  if (format === 'shapefile') {
    add('texts cut to 254 bytes', having(isCut));
    add('line breaks and control characters written as spaces', having(isOnLines));
  }
  if (rules.isXml) add('characters that XML cannot hold written as U+FFFD', having(isNotXml));
  return changes;
}

/** What areas lose that are merged into one: all but the attribution. */
export function mergingChanges({ columns }: Attributes): string[] {
  const lost = columns.filter(({ name }) => name !== 'attribution');
  return lost.length === 0 ? [] : [`attributes of the merged areas left out: ${list(lost)}`];
}

/** Names that one line lists. */
const LISTED = 50;

function firstOf(names: readonly string[]): string {
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : '';
  return names.slice(0, LISTED).join(', ') + more;
}

/** What the reader of a file left out or changed. */
export function readingChanges({ layers, heights, notices = [], changes = {} }: ReadDocument): string[] {
  return [
    ...notices,
    ...(layers === undefined ? [] : [`areas of ${layers.length} layers joined in one: ${layers.join(', ')}`]),
    ...(heights ? ['heights and measures left out'] : []),
    ...Object.entries(changes).map(([what, columns]) => `${what}: ${firstOf(columns)}`),
  ];
}

const list = (columns: readonly Column[]): string => columns.map(({ name }) => name).join(', ');

const has = (rows: readonly Row[], { name }: Column, test: Test): boolean => rows.some((row) => test(row.get(name)));

function renames(format: CollectionFormat | 'wkt', columns: readonly Column[], rows: readonly Row[]): string[] {
  const names = columns.map(({ name }) => name);
  const own =
    format === 'pmtiles'
      ? names.map((name) => tileName(name, Object.fromEntries(rows[0] ?? [])))
      : format === 'svg'
        ? svgNames(names)
        : columnNames(format, names);
  return names.flatMap((name, i) => (own[i] === name ? [] : [`${name} to ${own[i]}`]));
}

const isSomething: Test = (value) => value !== null && value !== undefined;
const isObject: Test = (value) => typeof value === 'object' && value !== null;
const isTyped: Test = (value) => typeof value === 'number' || typeof value === 'boolean';
const isInexact: Test = (value) => Number.isInteger(value) && !Number.isSafeInteger(value);
const isNotFinite: Test = (value) => typeof value === 'number' && !Number.isFinite(value);
const textOf = (value: unknown): string => (isObject(value) ? JSON.stringify(value) : String(value ?? ''));
const isCut: Test = (value) => {
  const line = textOf(value).replace(/\p{Cc}/gu, ' ');
  return dbfText(line) !== line;
};
const isOnLines: Test = (value) => /\p{Cc}/u.test(textOf(value));
const isNotXml: Test = (value) => {
  const text = textOf(value);
  return xmlText(text).split('\ufffd').length !== text.split('\ufffd').length;
};
