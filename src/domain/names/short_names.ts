import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';
import { isCommonWord } from './common_words.ts';
import { foldName } from './fold.ts';

interface Table {
  readonly names: ReadonlyMap<string, string>;
  readonly initials: ReadonlyMap<string, string>;
  readonly islands: ReadonlyMap<string, readonly string[]>;
}

let table: Table | undefined;

/** Reads data/short_names.json, made by scripts/make_short_names.ts. */
function load(): Table {
  if (table) return table;
  const read = JSON.parse(readFileSync(join(packageRoot(), 'data', 'short_names.json'), 'utf8')) as Readonly<
    Record<keyof Table, Readonly<Record<string, string>>>
  >;
  const byText = (lists: Readonly<Record<string, string>>) =>
    new Map(Object.entries(lists).flatMap(([code, list]) => list.split(';').map((text) => [text, code] as const)));
  const islands = new Map<string, string[]>();
  for (const [code, list] of Object.entries(read.islands))
    for (const text of list.split(';')) islands.set(text, [...(islands.get(text) ?? []), code]);
  table = { names: byText(read.names), initials: byText(read.initials), islands };
  return table;
}

/** Letters from which an abbreviation is one without a full stop: "que" is a word, "Que." is Quebec. */
const SHORTEST = 4;
/** A text of syllables or ideographs, of which two are a name: "전북". */
const SYLLABLES = /^[\p{Script=Hangul}\p{Script=Han}\p{Script=Katakana}ー]{2,}$/u;
/** Three or four capitals, with full stops or without. */
const CAPITALS = /^\s*(?:\p{Lu}{3,4}|(?:\p{Lu}\.){3,4})\s*$/u;

/**
 * Returns the ISO 3166 code of the country or first-level division that a text is short for, or a former name of: "Haute-Volta",
 * "Calif.", and in capitals initials of its name ("VAE"). Null if it is none.
 */
export function codeOfShortName(text: string): string | null {
  const folded = foldName(text);
  if (CAPITALS.test(text)) {
    const code = load().initials.get(folded.replaceAll(' ', ''));
    if (code !== undefined) return code;
  }
  const isWord = isCommonWord(folded) || (folded.length < SHORTEST && !SYLLABLES.test(folded));
  if (isWord && !/\.\s*$/.test(text)) return null;
  const bare = folded.replace(ARTICLE, '');
  return load().names.get(folded) ?? (bare.includes(' ') ? (load().names.get(bare) ?? null) : null);
}
/** An article in front of a name of several words: "the Sooner State". */
const ARTICLE = /^(?:the|el|la|los|las|le|les|der|die|das) /u;

/** Returns the code that a folded text is short for behind the name of a place: "Spokane, Wash."; undefined if none. */
export const codeOfContainer = (folded: string): string | undefined => load().names.get(folded);

/** Returns the ISO 3166-2 codes of the divisions that an island of a folded name is a part of: "majorca" of ES-IB. */
export const codesAroundIsland = (folded: string): readonly string[] => load().islands.get(folded) ?? [];

/** Letters with which names of an island in several languages begin alike, and those that others may have more. */
const [ALIKE, MORE] = [6, 2];

/** Whether a folded text names such an island, in the languages of the table or nearly so in another one: "teneriffa". */
export function isIslandName(folded: string): boolean {
  if (load().islands.has(folded)) return true;
  return [...load().islands.keys()].some((name) => {
    const start = name.slice(0, Math.max(ALIKE, name.length - 1));
    return folded.startsWith(start) && folded.length <= name.length + MORE;
  });
}
