import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** What a file imports, types left out: nothing of them is there when it runs. */
const IMPORTED = /^(?:import|export)\s(?!type\b)[^;]*?\bfrom\s+'(\.[^']+\.ts)'|^import\s+'(\.[^']+\.ts)'/gm;
/** What a file says that starts another process. */
const STARTS = /\bfrom 'node:child_process'|\bprocess\.execPath\b/;

/** Test files by the project that runs them; paths are relative to the repository. */
export interface Projects {
  /** Needs neither a database nor another process: runs once. */
  readonly unit: string[];
  /** Starts another process (the program, GDAL, bzip2) and opens no database itself: runs once. */
  readonly program: string[];
  /** Opens a database (imports test/setup/database.ts, directly or indirectly): runs on each kind of database. */
  readonly database: string[];
  /**
   * In test/proof: random worlds and whole countries against an independent oracle; takes minutes. It proves the
   * kernels and the importer, which behave the same on both databases: runs once, on request.
   */
  readonly proof: string[];
}

/** Divides the test files of the repository at `root` into projects. */
export function divideTests(root: string): Projects {
  const opener = resolve(root, 'test/setup/database.ts');
  const tests = resolve(root, 'test');
  const texts = new Map<string, string>();
  const textOf = (file: string): string => {
    const text = texts.get(file) ?? readFileSync(file, 'utf8');
    texts.set(file, text);
    return text;
  };
  /** A test file and its transitive imports within test/; of the program, only the files imported directly. */
  const reached = (file: string, found = new Set<string>()): Set<string> => {
    if (found.has(file)) return found;
    found.add(file);
    if (!file.startsWith(tests)) return found;
    for (const [, from, alone = ''] of textOf(file).matchAll(IMPORTED)) {
      const imported = resolve(dirname(file), from ?? alone);
      if (existsSync(imported)) reached(imported, found);
    }
    return found;
  };
  const starts = (file: string): boolean => file.startsWith(tests) && STARTS.test(textOf(file));
  const database: string[] = [];
  const program: string[] = [];
  const unit: string[] = [];
  const proof: string[] = [];
  for (const name of readdirSync(resolve(root, 'test'), { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.test.ts')) continue;
    const path = `test/${name}`;
    const files = [...reached(resolve(root, path))];
    if (path.startsWith('test/proof/')) proof.push(path);
    else if (files.includes(opener)) database.push(path);
    else (files.some(starts) ? program : unit).push(path);
  }
  return { unit, program, database, proof };
}
