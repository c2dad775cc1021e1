import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

/** A node of a syntax tree, as far as this test looks at it. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Attributes that people see or hear. */
const SEEN = ['title', 'aria-label', 'aria-valuetext', 'label', 'placeholder', 'confirm', 'about', 'many', 'alt'];
/** Attributes that no one reads, however their value is made. */
const UNSEEN = ['class', 'style', 'id', 'key', 'href', 'name', 'type', 'role'];
/** What is the same in every language: names, and what a program reads. */
const NAMES = [
  ...['Boundary Lookup', 'Geofabrik', 'Wikidata', 'Sevilla', 'Chaves, New Mexico', 'MultiPolygon'],
  ...['Feature', 'Polygon', 'Point', 'Escape', 'Enter', 'Shapefile', 'Python', 'None', 'True', 'False', 'Files'],
  ...['English', 'Español', 'Deutsch', 'Français', 'Zip', 'li, section', 'set:'],
  // What the server says, which is compared.
  'server at capacity',
];
/** Files of commands and code, which are in English wherever they are run. */
const CODE = ['share.tsx', 'download/snippets.ts'];
/** Several words of a sentence, or one with a capital letter; not a selector, a class, a header or a media query. */
const isEnglish = (text: string): boolean =>
  /^[A-Z][a-z]+$|[A-Za-z]{2}[,.;:]? [a-z]{2,}[a-z .,:;]|[a-z]{2}[.:!?…]$/.test(text.trim()) && !isCode(text.trim());
const isCode = (text: string): boolean =>
  NAMES.includes(text) ||
  /^(?:boundary |curl |import |application\/|Content-|Retry-)|[[\](){}=<>]|^[.#]\w| --|:\w+\(|^(?:#?[\w:@*.-]*# ?)+$/.test(
    text,
  );

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
const nameOf = (node: Node | undefined): string => ((node?.name as Node | undefined)?.name as unknown as string) ?? '';
/** Whether a text is given to `className`. */
const isClass = (parent: Node | undefined): boolean =>
  ((parent?.left as Node | undefined)?.property as { name?: string } | undefined)?.name === 'className';

/** Every text of a file that is written in it, with its line, although the pages have four languages. */
function textsIn(file: string): string[] {
  const code = readFileSync(resolve('web/src', file), 'utf8');
  const found: string[] = [];
  const add = (node: Node, text: string): void => {
    found.push(`${file}:${code.slice(0, node.start).split('\n').length} ${text.replace(/\s+/g, ' ').trim()}`);
  };
  const visit = (value: unknown, above: readonly Node[]): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, above);
    if (!isNode(value)) return;
    const parent = above.at(-1);
    const isImport = /^(?:Import|Export(?:All|Named))/.test(value.type) && !value.declaration;
    // Types, and the calls whose strings are keys: of texts, of requests, of styles.
    if (isImport || (/^TS/.test(value.type) && !/^TS(?:As|NonNull|Satisfies)Expression/.test(value.type))) return;
    const attribute = parent?.type === 'JSXAttribute' ? nameOf(parent) : null;
    const around = nameOf(above.findLast(({ type }) => type === 'JSXAttribute'));
    const isHidden = (attribute !== null && !SEEN.includes(attribute)) || UNSEEN.includes(around) || isClass(parent);
    if (value.type === 'JSXText') {
      const element = nameOf((parent as { openingElement?: Node } | undefined)?.openingElement);
      const text = String(value.value).trim();
      if (element !== 'code' && /[A-Za-z]{2}/.test(text) && !NAMES.includes(text)) add(value, text);
    } else if (value.type === 'Literal' && typeof value.value === 'string' && !isHidden) {
      const text = value.value;
      if (attribute !== null ? /[a-z]{2}/.test(text) && !/^[\w:.,+-]+$/.test(text) : isEnglish(text)) add(value, text);
    } else if (value.type === 'TemplateLiteral') {
      const text = (value.quasis as { value: { raw: string } }[]).map(({ value: { raw } }) => raw).join('#');
      // The key of a request or of a style is words and values, without an end.
      const isKey = /^[a-z]+(?: #|#| )*(?: ?#)*$|^[a-z]+ #/.test(text) && !/[.:!?]$/.test(text);
      if (!isKey && isEnglish(text)) add(value, text);
    }
    for (const [field, child] of Object.entries(value)) if (field !== 'type') visit(child, [...above, value]);
  };
  visit(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), []);
  return found;
}

describe('texts that people read', () => {
  const files = readdirSync(resolve('web/src'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !/^texts\b/.test(name) && !CODE.includes(name),
  );

  test('are in the table of each language, not in the source of a page', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap(textsIn)).toEqual([]);
  });

  test.each(['No keys yet.', 'Search documentation', 'It needs a name', 'Select', 'The first # of # rows', 'Saved:'])(
    '“%s” would be found',
    (text) => expect(isEnglish(text)).toBe(true),
  );
});
