import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const EXPORTED = /^export (?:default )?(?:async )?(?:function\*?|class) (\w+)|^export const (\w+) = (?:async )?\(/;

/** Exported functions and classes of a source text without a docstring. */
function undocumented(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    const [, declared, constant] = EXPORTED.exec(line) ?? [];
    let above = i - 1;
    // Remarks to tools and to who reads the code may stand between.
    while (lines[above]?.startsWith('//')) above--;
    const name = declared ?? constant;
    return name === undefined || /\*\/$/.test(lines[above] ?? '') ? [] : [name];
  });
}

const files = ['src', 'workers'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);

/** Docstrings that say in a sentence of their own what is thrown: readers look for `@throws`. */
const sentences = (text: string): string[] =>
  (text.match(/\/\*\*.*?\*\//gs) ?? []).filter((docstring) => /\bThrows\b/.test(docstring));

it('errors are in one notation, @throws', () => {
  const found = files.flatMap((file) =>
    sentences(readFileSync(file, 'utf8')).map((docstring) => `${file}: ${docstring}`),
  );
  expect(found).toEqual([]);
  expect(sentences('/** Reads. Throws Error. */ const Throws = 1; /** Reads. @throws Error */')).toHaveLength(1);
});

it('every exported function has a docstring', () => {
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) => undocumented(readFileSync(file, 'utf8')).map((name) => `${file}: ${name}`));
  expect(found).toEqual([]);
});

it('the rule sees what it must see', () => {
  const text = [
    '/** What it does. */',
    'export function called() {}',
    'export async function untold() {}',
    'export const short = (a: number) => a;',
    '/** What it does. */',
    '// biome-ignore lint: for a reason',
    'export const spoken = (given: number) => given;',
    'export const CONSTANT = 7;',
  ].join('\n');
  expect(undocumented(text)).toEqual(['untold', 'short']);
});
