import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAst } from 'vitest/node';
import { DIRECTIONS, LEVEL_WORDS } from '../../src/domain/areas/algebra.ts';
import { SENTENCES as de } from '../../src/domain/areas/wording/de.ts';
import { SENTENCES as es } from '../../src/domain/areas/wording/es.ts';
import { SENTENCES as fr } from '../../src/domain/areas/wording/fr.ts';
import { firstOf, inLanguage, joined, keyOf, said, term, wordingIn } from '../../src/domain/areas/wording/said.ts';

const TABLES = { es, de, fr } as const;

/** A node of a syntax tree, as far as this test looks at it. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
const nameOf = (value: unknown): string => {
  const node = value as { name?: string; property?: unknown } | undefined;
  return node?.name ?? (node?.property === undefined ? '' : nameOf(node.property));
};

/** The texts that may be the sentence of an argument: those of both branches of a choice. */
function textsOf(node: Node): Node[] {
  if (node.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].flatMap((one) => textsOf(one as Node));
  return node.type === 'Literal' || node.type === 'TemplateLiteral' ? [node] : [];
}

/** The arguments of a call, or the value of a member, that are sentences. */
function sentencesOf(node: Node): unknown[] {
  const args = (node.arguments ?? []) as unknown[];
  const callee = node.callee as Node | undefined;
  if (node.type === 'NewExpression') return nameOf(callee) === 'DescriptionError' ? args.slice(0, 1) : [];
  if (node.type === 'Property') return ['reason', 'because'].includes(nameOf(node.key)) ? [node.value] : [];
  if (node.type === 'VariableDeclarator') return ['reason', 'because'].includes(nameOf(node.id)) ? [node.init] : [];
  if (node.type !== 'CallExpression') return [];
  const name = nameOf(callee);
  if (name === 'push')
    return ['choices', 'notes'].includes(nameOf((callee as { object?: unknown }).object)) ? args : [];
  if (['certain', 'meant'].includes(name)) return args.slice(1);
  return ['fail', 'refuse', 'term'].includes(name) ? args : [];
}

/** The sentences that a file writes, by their keys, and the templates with values that have no translation. */
function sentencesIn(file: string): { readonly keys: string[]; readonly untold: string[] } {
  const code = readFileSync(file, 'utf8');
  const [keys, untold]: [string[], string[]] = [[], []];
  const cooked = (template: Node): string[] =>
    (template.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    if (!isNode(value)) return;
    if (value.type === 'TaggedTemplateExpression' && nameOf(value.tag) === 'said')
      keys.push(keyOf(cooked(value.quasi as Node)));
    for (const text of sentencesOf(value).flatMap((one) => (isNode(one) ? textsOf(one) : []))) {
      if (text.type === 'Literal') keys.push(...(typeof text.value === 'string' ? [text.value] : []));
      else if (cooked(text).length > 1) untold.push(`${file}:${code.slice(0, text.start).split('\n').length}`);
      else keys.push(cooked(text).join(''));
    }
    for (const [field, child] of Object.entries(value)) if (field !== 'type') visit(child);
  };
  visit(parseAst(code, { lang: 'ts' }));
  return { keys, untold };
}

const files = ['src/domain/areas', 'src/ops/areas'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('vocabulary'))
    .map((name) => join(folder, name)),
);
/** Keys that are made of data: of each direction, level and side of a plan. */
const MADE = [
  ...DIRECTIONS.flatMap((one) => [`${one} of {0}`, `the ${one} of {0}`]),
  ...['north', 'south', 'east', 'west'].flatMap((one) => [`{0}° ${one}`, `${one}ern end`]),
  ...['north', 'south'].flatMap((one) => ['east', 'west'].map((other) => `${one}ern and ${other}ern ends`)),
  ...['the parallel', 'the meridian', 'the parallel and the meridian', 'area', 'population', 'land', 'water'],
  ...['Descriptions are understood in English, Spanish, German and French; names in any language.'],
  ...LEVEL_WORDS,
];

describe('sentences about an area', () => {
  const found = files.map(sentencesIn);

  it('have their values where a translation can place them', () => {
    expect(found.flatMap(({ untold }) => untold)).toEqual([]);
  });

  it.each(Object.entries(TABLES))('are all written in %s, with the same values, and no others are', (_, table) => {
    // A list of values, and a sentence behind another one, are the same in all languages.
    const keys = new Set([...found.flatMap(({ keys }) => keys), ...MADE].filter((key) => /[A-Za-z°"]/.test(key)));
    expect(Object.keys(table).sort()).toEqual([...keys].sort());
    for (const [key, text] of Object.entries(table)) {
      const values = (one: string) => [...new Set(one.match(/\{\d+\}/g))].sort();
      expect(values(text), key).toEqual(values(key));
      expect([key.length > 12 && key === text, text.trim() === ''], key).toEqual([false, false]);
    }
  });

  it('keep what people wrote as it is, in English and in other languages', () => {
    const name = '{1} $& "x" is read as <b>';
    const sentence = said`"${name}" is read as "${'Y'}"`;
    expect(String(sentence)).toBe(`"${name}" is read as "Y"`);
    expect(JSON.stringify({ sentence })).toBe(JSON.stringify({ sentence: String(sentence) }));
    expect(inLanguage(sentence, 'en')).toBe(String(sentence));
    expect(inLanguage(sentence, 'es')).toBe(`«${name}» se lee como «Y»`);
    // Without a translation, parts keep theirs.
    expect(inLanguage(said`no such sentence: ${term('county')}`, 'fr')).toBe('no such sentence: comté');
    expect(inLanguage('constructor', 'de')).toBe('constructor');
  });

  it('name the first of a list, and how many more there are', () => {
    const of = (names: string[]) => String(firstOf(names, 2));
    expect([of([]), of(['A']), of(['A', 'B']), of(['A', 'B', 'C'])]).toEqual(['', 'A', 'A, B', 'A, B and 1 more']);
    expect(inLanguage(firstOf(['A', 'B', 'C'], 2, 'others'), 'de')).toBe('A, B und andere');
    expect(inLanguage(joined([term('county'), 'B'], term('; or ')), 'es')).toBe('condado; o B');
  });

  it('are in the first language of the caller that they have', () => {
    expect([['de-AT', 'en'], ['it', 'fr-CA'], ['pt'], []].map(wordingIn)).toEqual(['de', 'fr', 'en', 'en']);
  });
});
