/** Control characters (C0, DEL, C1), line separators, and everything that reorders or hides text around it. */
const UNSAFE =
  '\\p{Cc}\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}';
const IN_LINES = new RegExp(`(?!\\n)[${UNSAFE}]`, 'gu');
const IN_A_LINE = new RegExp(`[${UNSAFE}]`, 'gu');
/** JSON keeps its own white space, but for carriage returns. */
const IN_JSON = new RegExp(`(?![\\n\\t])[${UNSAFE}]`, 'gu');

/**
 * Text that cannot steer a terminal or disguise itself: every unsafe character becomes U+FFFD. Line feeds stay unless
 * `oneLine`; text of a server is always shown in one line, so that it cannot pass for a line of this program.
 */
export function visible(text: string, oneLine = false): string {
  return text.replace(oneLine ? IN_A_LINE : IN_LINES, '\ufffd');
}

/** The same JSON value, with every unsafe character in its strings written as an escape. */
export function visibleJson(json: string): string {
  return json
    .replace(/\r/g, ' ')
    .replace(IN_JSON, (character) =>
      [...Array(character.length).keys()]
        .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
        .join(''),
    );
}

/** A value of JSON with every text in it, names of members included, made visible; in one line unless told otherwise. */
export function visibleDeep(value: unknown, oneLine = true): unknown {
  if (typeof value === 'string') return visible(value, oneLine);
  if (Array.isArray(value)) return value.map((item) => visibleDeep(item, oneLine));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, member]) => [visible(name, true), visibleDeep(member, oneLine)]));
}

/** A value as one line of JSON that is safe to print. */
export function printableJson(value: unknown): string {
  return visibleJson(JSON.stringify(value));
}
