import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const IMPORTED = /\bfrom\s+'(\.[^']+\.ts)'/g;

/**
 * The test files of the repository at `root`, by whether they import test/setup/database.ts, directly or not. Those
 * that do run on each database; the others need to run only once. Paths are relative to `root`.
 */
export function divideTests(root: string): { readonly database: string[]; readonly unit: string[] } {
  const opener = resolve(root, 'test/setup/database.ts');
  const imports = new Map<string, string[]>();
  const importsOf = (file: string): string[] => {
    const known = imports.get(file);
    if (known) return known;
    const found = [...readFileSync(file, 'utf8').matchAll(IMPORTED)]
      .map(([, path = '']) => resolve(dirname(file), path))
      .filter(existsSync);
    imports.set(file, found);
    return found;
  };
  const opens = (file: string, visited: Set<string>): boolean => {
    if (file === opener) return true;
    if (visited.has(file)) return false;
    visited.add(file);
    return importsOf(file).some((imported) => opens(imported, visited));
  };
  const database: string[] = [];
  const unit: string[] = [];
  for (const name of readdirSync(resolve(root, 'test'), { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.test.ts')) continue;
    const path = `test/${name}`;
    (opens(resolve(root, path), new Set()) ? database : unit).push(path);
  }
  return { database, unit };
}
