/** Control characters (C0, DEL, C1), line separators, and everything that reorders or hides surrounding text. */
const UNSAFE =
  '\\p{Cc}\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}';
const IN_LINES = new RegExp(`(?!\\n)[${UNSAFE}]`, 'gu');
const IN_A_LINE = new RegExp(`[${UNSAFE}]`, 'gu');
/** In JSON, line feeds and tabs are white space; carriage returns are replaced separately. */
const IN_JSON = new RegExp(`(?![\\n\\t])[${UNSAFE}]`, 'gu');

/**
 * Makes text safe to print: replaces every character that could control the terminal or disguise the text with U+FFFD.
 * Line feeds stay unless `oneLine`. Text from a server is always printed on one line, so that it cannot imitate a line
 * of this program.
 */
export function visible(text: string, oneLine = false): string {
  return text.replace(oneLine ? IN_A_LINE : IN_LINES, '\ufffd');
}

/** Escapes every unsafe character in the strings of a JSON text; the value stays the same. */
export function visibleJson(json: string): string {
  return json
    .replace(/\r/g, ' ')
    .replace(IN_JSON, (character) =>
      [...Array(character.length).keys()]
        .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
        .join(''),
    );
}

/** Applies `visible` to every string of a JSON value, member names included. `oneLine`: strings become one line. */
export function visibleDeep(value: unknown, oneLine = true): unknown {
  if (typeof value === 'string') return visible(value, oneLine);
  if (Array.isArray(value)) return value.map((item) => visibleDeep(item, oneLine));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, member]) => [visible(name, true), visibleDeep(member, oneLine)]));
}

/** Serializes a value as one line of JSON that is safe to print. */
export function printableJson(value: unknown): string {
  return visibleJson(JSON.stringify(value));
}
