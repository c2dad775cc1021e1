import { damage } from '../../test/sources/osm_damage.ts';

/** A random integer below a bound. */
export type Random = (below: number) => number;

const some = <T>(list: readonly T[], random: Random): T => list[random(list.length)];

/** Values that have broken readers of JSON. */
const VALUES: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    '',
    'x',
    '0',
    '1e5',
    '\u0000',
    '\ud800',
    '__proto__',
    'Polygon',
    'GeometryCollection',
    'Topology',
  ],
  ...[
    0,
    -0,
    1,
    -1,
    0.5,
    1e-320,
    1e21,
    1e308,
    -1e308,
    180,
    180.00005,
    181,
    360,
    -90.1,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    -(2 ** 53),
  ],
  ...[[], {}, [[]], [null], [[null]], [[[]]], { type: 'Polygon' }, [0, 0], [[0, 0]], [[0, 0, 0, 0]]],
];

/** Words that have broken readers of text. */
const WORDS: readonly string[] = [
  ...[
    '',
    '0',
    '-0',
    '1e5',
    '1e999',
    '-1e999',
    'NaN',
    'Infinity',
    'nan',
    '1e-999',
    '0x1f',
    '1,5',
    '181',
    '-91',
    '٣',
    '１',
  ],
  ...['9007199254740993', '123456789012345678901234567890', '.', '-', '+1', '1.2.3', '\u0000', '\ufeff', '\u2028', '𝔘'],
  ...[
    '(',
    ')',
    '((',
    '))',
    '<',
    '>',
    '<a>',
    '</a>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '&lt;',
    '&x;',
    '&#0;',
    '&#x110000;',
  ],
  ...[
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    ',',
    ';',
    'EMPTY',
    'Z',
    'POLYGON',
    'null',
    'true',
    'EPSG:3857',
    'urn:ogc:def:crs:EPSG::4326',
  ],
];

/** The values of a JSON tree, each with its parent. */
function places(tree: unknown): { parent: Record<string, unknown>; key: string }[] {
  if (typeof tree !== 'object' || tree === null) return [];
  const parent = tree as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...places(parent[key])]);
}

/** The JSON tree with one to three values deleted, repeated, swapped or replaced. */
export function damageTree<T>(tree: T, random: Random): T {
  const out = { root: structuredClone(tree) as unknown };
  for (let n = 1 + random(3); n > 0; n--) {
    const all = places(out);
    if (all.length === 0) break;
    const { parent, key } = some(all, random);
    const other = some(all, random);
    const kind = random(6);
    if (kind === 0) Array.isArray(parent) ? parent.splice(Number(key), 1) : delete parent[key];
    else if (kind === 1 && Array.isArray(parent)) parent.splice(Number(key), 0, structuredClone(parent[key as never]));
    else if (kind === 2) parent[key] = structuredClone(other.parent[other.key]);
    else if (kind === 3) parent[key] = [parent[key]];
    else if (kind === 4 && typeof parent[key] === 'number')
      parent[key] = (parent[key] as number) * some([-1, 2, 0.5, 1.0001, 100], random);
    else parent[key] = structuredClone(some(VALUES, random));
  }
  return out.root as T;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[\p{L}_:][\w:.-]*|\s+|./gsu;

/** The text with one to three words deleted, repeated, swapped or replaced. */
function damageWords(text: string, random: Random): string {
  const tokens = text.match(TOKEN) ?? [];
  for (let n = 1 + random(3); n > 0 && tokens.length > 0; n--) {
    const [at, other] = [random(tokens.length), random(tokens.length)];
    const kind = random(5);
    if (kind === 0) tokens.splice(at, 1 + random(4));
    else if (kind === 1) tokens.splice(at, 0, ...tokens.slice(at, at + 1 + random(6)));
    else if (kind === 2) tokens[at] = tokens[other];
    else if (kind === 3) [tokens[at], tokens[other]] = [tokens[other], tokens[at]];
    else tokens[at] = some(WORDS, random);
  }
  return tokens.join('');
}

/** The ranges from each opening to its end: XML elements, or brackets. */
function spansOf(text: string): [from: number, to: number][] {
  const open: number[] = [];
  const spans: [number, number][] = [];
  for (const { 0: mark, index } of text.matchAll(text.startsWith('<') ? /<\/?[\w:]+[^<>]*>/g : /[([{}\])]/g)) {
    const end = index + mark.length;
    if (/^<[^/]*\/>$/.test(mark) || mark.endsWith('/>')) spans.push([index, end]);
    else if (/^(<\/|[)\]}])/.test(mark)) {
      const from = open.pop();
      if (from !== undefined) spans.push([from, end]);
    } else open.push(index);
  }
  return spans;
}

/** The text with an element or bracketed part deleted, repeated, moved, or nested in itself. */
function damageSpans(text: string, random: Random): string {
  const spans = spansOf(text);
  if (spans.length === 0) return text;
  const [from, to] = some(spans, random);
  const [target] = some(spans, random);
  const span = text.slice(from, to);
  const put = (at: number, what: string): string => text.slice(0, at) + what + text.slice(at);
  switch (random(4)) {
    case 0:
      return text.slice(0, from) + text.slice(to);
    case 1:
      return put(to, span.repeat(1 + random(3)));
    case 2:
      return put(target, span);
    default:
      return put(from + span.search(/[>([{]/) + 1, span);
  }
}

/** The text damaged in one of these ways, or in its bytes. */
export function damageText(text: string, random: Random): Buffer {
  switch (random(4)) {
    case 0:
      return damage(Buffer.from(text), random);
    case 1:
      return Buffer.from(damageSpans(text, random));
    case 2:
      return Buffer.from(damageWords(damageSpans(text, random), random));
    default:
      return Buffer.from(damageWords(text, random));
  }
}

/** The JSON damaged as a tree or as a text. */
export function damageJson(tree: unknown, random: Random): Buffer {
  if (random(3) > 0) return Buffer.from(JSON.stringify(damageTree(tree, random)) ?? 'null');
  return damageText(JSON.stringify(tree), random);
}
