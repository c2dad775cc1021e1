/** Codes of boundaries with their schemes: fips:48201, nuts:DE212. A scheme is a word in lower case. */

/** A code id: a scheme that begins with a letter, a colon, a code without blanks. */
const CODE_ID = /^([a-z][a-z0-9_-]{0,39}):([^\s/\p{Cc}][^\s\p{Cc}]{0,119})$/iu;

/** Words before a colon that say another thing: other forms of ids, and parts of addresses. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['r', 'w', 'n', 'relation', 'way', 'node', 'osm', 'iso', 'wikidata', 'set'],
  ...['http', 'https', 'ftp', 'file', 'data', 'urn', 'geo', 'mailto', 'javascript'],
]);

/** The scheme, in lower case, and the code of a text such as `nuts:DE212`; null for any other text. */
export function readCodeId(text: string): { readonly scheme: string; readonly code: string } | null {
  const [, scheme, code] = CODE_ID.exec(text) ?? [];
  if (scheme === undefined || code === undefined) return null;
  const known = scheme.toLowerCase();
  return RESERVED.has(known) ? null : { scheme: known, code };
}

/** The code ids of the codes in a text, which may hold several separated by `;`. */
export function codeIdsOf(scheme: string, text: string): string[] {
  return text
    .split(';')
    .map((code) => `${scheme}:${code.trim()}`)
    .filter((id) => readCodeId(id) !== null);
}
