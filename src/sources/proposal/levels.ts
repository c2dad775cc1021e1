import { foldName } from '../../domain/names/fold.ts';
import { kindsOfTypeWords } from '../../domain/names/type_kinds.ts';
import type { Level } from '../coverage/levels.ts';
import { kindRows } from '../kinds.ts';
import type { Sample } from './sample.ts';

/** Columns of ids and names by level: those of GADM and of the United Nations (OCHA). */
const ID_OF_LEVEL = /^(?:GID|ID|CODE)_(\d)$|^ADM(\d)_P?CODE$/i;
const NAME_OF_LEVEL = /^NAME_(\d)$|^ADM(\d)_(?:NAME|[A-Z]{2})$/i;

/** The admin_level of a file's own levels, from the country down, as for geoBoundaries. */
const ADMIN_LEVELS = [2, 4, 6, 8, 9, 10] as const;

/** The levels of which the rows of a file have an id and a name; null where there are not two. */
export function levelsIn({ columns }: Sample): readonly Level[] | null {
  const levels: Level[] = [];
  for (const [n, adminLevel] of ADMIN_LEVELS.entries()) {
    const find = (pattern: RegExp): string | undefined =>
      columns.find(({ name, filled }) => {
        const [, one, other] = pattern.exec(name) ?? [];
        return filled > 0 && (one ?? other) === String(n);
      })?.name;
    const id = find(ID_OF_LEVEL);
    const name =
      find(NAME_OF_LEVEL) ??
      (n === 0 ? columns.find((one) => /^country$/i.test(one.name) && one.filled > 0)?.name : undefined);
    if (id !== undefined && name !== undefined) levels.push({ adminLevel, id, name });
  }
  return levels.length < 2 ? null : levels;
}

/** Words of which the kinds of names do not tell the level in a country. */
const LEVEL_OF_WORD: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  CH: { canton: 4, kanton: 4, cantone: 4 },
};

/** Shorter words of types, and these, mean something else in the names of files and columns. */
const SHORTEST = 4;
const OTHER_MEANINGS = new Set(['land', 'local', 'nation', 'grad', 'capital', 'division', 'vald', 'linn']);

/** The forms of a word that may be the singular: communes, counties, comuni, gemeinden. */
function singulars(word: string): string[] {
  const [one, two] = [word.slice(0, -1), word.slice(0, -2)];
  const all = [word, one, two, `${one}e`, `${one}o`, `${word.slice(0, -3)}y`, `${two}o`];
  return all.filter((form) => form.length >= SHORTEST && !OTHER_MEANINGS.has(form));
}

/**
 * The admin_level that words such as those of a file's name mean in a country; null where they mean none.
 * @param country ISO 3166-1 code; null: the level that most countries have
 */
export function levelOfWords(
  text: string,
  country: string | null,
): { readonly level: number; readonly word: string } | null {
  const words = foldName(text.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_\W\d]+/gu, ' ')).split(' ');
  for (const word of words) {
    for (const singular of singulars(word)) {
      const known = country === null ? undefined : LEVEL_OF_WORD[country]?.[singular];
      if (known !== undefined) return { level: known, word };
      for (const kind of kindsOfTypeWords(singular)) {
        const level = levelOfKind(kind, country) ?? levelOfKind(kind, null);
        if (level !== null) return { level, word };
      }
    }
  }
  return null;
}

/** The level of a kind in a country: of several the first even one, as countries use these first. */
function levelOfKind(kind: string, country: string | null): number | null {
  const levels = kindRows()
    .filter((row) => row.kind === kind && row.country === (country ?? undefined))
    .filter((row) => row.when === undefined && row.id === undefined && row.within === undefined)
    .flatMap((row) => row.admin_level ?? [])
    .sort((a, b) => a - b);
  return levels.find((level) => level % 2 === 0) ?? levels[0] ?? null;
}
