import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const IMPORTED = /\bfrom\s+'(\.[^']+\.ts)'/g;

/** Test files by the project that runs them; paths are relative to the repository. */
export interface Projects {
  /** Needs no database: runs once. */
  readonly unit: string[];
  /** Opens a database (imports test/setup/database.ts, directly or not): runs on each kind of it. */
  readonly database: string[];
  /**
   * In test/proof: random worlds and whole countries against an independent oracle, minutes long. What they prove is in
   * the kernels and the importer, and the same on both databases: runs once, where it is asked for.
   */
  readonly proof: string[];
}

/** The test files of the repository at `root`. */
export function divideTests(root: string): Projects {
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
  const proof: string[] = [];
  for (const name of readdirSync(resolve(root, 'test'), { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.test.ts')) continue;
    const path = `test/${name}`;
    if (path.startsWith('test/proof/')) proof.push(path);
    else (opens(resolve(root, path), new Set()) ? database : unit).push(path);
  }
  return { unit, database, proof };
}
