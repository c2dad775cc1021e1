/** Ids of areas in sets: `set:NAME/CODE`, with the name of the set in lower case and the code as the set has it. */

/** The most characters of a code. */
export const MOST_CODE = 100;
const SET_ID = /^set:([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)\/([^\s\p{Cc}/@,;"'?#%]{1,100})$/iu;
const NAMED = /(?<![\p{L}\p{N}])set(?::|%3a)([a-z0-9-]{1,40})(?:\/|%2f)/giu;

/** Whether a text may name a set: nearly none does, and this costs less than to look for the name. */
export function mayNameSets(text: string): boolean {
  return /set(?::|%3a)/i.test(text);
}

/** The canonical id of an area of a set; null for any other text. */
export function readSetId(text: string): string | null {
  const [, name, code] = SET_ID.exec(text) ?? [];
  return name === undefined || code === undefined ? null : `set:${name.toLowerCase()}/${code}`;
}

/** The name of the set that a text names as a whole, `set:territories`; null for any other text. */
export function readSetName(text: string): string | null {
  const [, name] = /^set(?::|%3a)([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)$/i.exec(text.trim()) ?? [];
  return name === undefined ? null : name.toLowerCase();
}

/** The names of sets in the ids of a text, which may be one id, encoded as in a URL or not, or a whole table. */
export function setIdsIn(text: string): string[] {
  if (!mayNameSets(text)) return [];
  return Array.from(text.matchAll(NAMED), ([, name = '']) => name.toLowerCase());
}

/** The code of an area as ids have it: what an id cannot hold becomes a hyphen; no letter is cut in two. */
export function codeOf(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._:+&()-]+/gu, '-')
    .slice(0, MOST_CODE)
    .replace(/\p{Cs}$/u, '');
}

/**
 * How the codes of the areas of a file are written in ids: as codeOf() does, but the ids of areas of one set as the codes that
 * they end with, so that a file of the areas of a set makes the same ids again.
 */
export function codesAmong(codes: readonly string[]): (code: string) => string {
  const ids = codes.map((code) => SET_ID.exec(code.trim()));
  const names = new Set(ids.map((id) => id?.[1]?.toLowerCase()));
  if (names.size !== 1 || names.has(undefined)) return codeOf;
  return (code) => codeOf(SET_ID.exec(code.trim())?.[2] ?? code);
}
