import { readdirSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** Imports of a file of ours, for values or types alone, at once or when they are needed. */
const IMPORT =
  /^[ \t]*(?:import|export)\s+(?:[^'";]*?\sfrom\s+)?'(\.[^']+\.tsx?)(?:\?[^']*)?'|\bimport\(\s*'(\.[^']+\.tsx?)'/gm;

/** The files that each file imports, by their paths below a root. */
function importsOf(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const targets = (file: string, text: string): string[] =>
    [...text.matchAll(IMPORT)]
      .map(([, atOnce, later]) => posix.join(posix.dirname(file), atOnce ?? later ?? ''))
      .filter((one) => files.has(one));
  return new Map([...files].map(([file, text]) => [file, targets(file, text)]));
}

/** A circle of imports for each file that is in one. */
function circlesOf(files: ReadonlyMap<string, string>): string[] {
  const imports = importsOf(files);
  const circle = (start: string): string[] => {
    const before = new Map<string, string>();
    const waiting = [start];
    for (const file of waiting) {
      for (const next of imports.get(file) ?? []) {
        if (next === start) {
          const way = [start];
          for (let at = file; at !== start; at = before.get(at) ?? start) way.unshift(at);
          return [[start, ...way].join(' > ')];
        }
        if (before.has(next)) continue;
        before.set(next, file);
        waiting.push(next);
      }
    }
    return [];
  };
  return [...files.keys()].flatMap(circle);
}

test('no files of the dashboard import each other in a circle', () => {
  const names = readdirSync(resolve('web/src'), { recursive: true, encoding: 'utf8' });
  const files = new Map(
    names
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => [name, readFileSync(resolve('web/src', name), 'utf8')] as const),
  );
  expect(importsOf(files).get('main.tsx')).toContain('app.tsx');
  expect(circlesOf(files)).toEqual([]);
});

test('a circle of types alone, and of a file that is loaded later, is found', () => {
  const files = new Map([
    ['a.ts', "import type { B } from './more/b.tsx';\n"],
    ['more/b.tsx', "const c = () => import('../c.ts');\n"],
    ['c.ts', "export {\n  a,\n} from './a.ts';\n"],
    ['d.ts', "import { a } from './a.ts';\n"],
  ]);
  expect(circlesOf(files)).toEqual([
    'a.ts > more/b.tsx > c.ts > a.ts',
    'more/b.tsx > c.ts > a.ts > more/b.tsx',
    'c.ts > a.ts > more/b.tsx > c.ts',
  ]);
});
