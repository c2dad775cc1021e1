import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** What a file imports, types left out: nothing of them is there when it runs. */
const IMPORTED = /^(?:import|export)\s(?!type\b)[^;]*?\bfrom\s+'(\.[^']+\.ts)'|^import\s+'(\.[^']+\.ts)'/gm;
/** What a file says that starts another process. */
const STARTS = /\bfrom 'node:child_process'|\bprocess\.execPath\b/;

/**
 * Files and folders that open a database, but whose subject would be the same over any: what they prove lies before the
 * first statement or behind the last row. What the statements themselves do is proved on both kinds by the tests of
 * test/db, test/domain, test/ops and of the other subjects.
 */
const EITHER: Readonly<Record<string, string>> = {
  'test/auth/browser.test.ts': 'a browser shows the pages of sign-in',
  'test/bench/': '`boundary bench` is a client and knows a server by HTTP alone',
  'test/cli/pty.test.ts': 'what commands draw on a terminal',
  'test/cli/session.test.ts': 'commands sign in at a server, and keep its key',
  'test/cli/work.test.ts': 'commands call a server, and write files',
  'test/collections/binary.test.ts': 'GDAL and other readers open the files of collections',
  'test/collections/pmtiles.test.ts': 'another reader opens archives of tiles',
  'test/deploy/deploy.test.ts': 'files of deployment are held against settings and metrics',
  'test/deploy/nginx.test.ts': 'nginx keeps answers in front of a server',
  'test/docs/client.test.ts': 'a client is generated from openapi.json and compiled',
  'test/docs/examples.test.ts':
    'operations answer their examples as documented; test/docs/any_input.test.ts runs each operation on both',
  'test/docs/openapi.test.ts': 'openapi.json is held against its specification',
  'test/docs/pages.test.ts': 'pages are followed link by link, and opened in a browser',
  'test/docs/programs.test.ts': 'programs of the documentation are run, most against no server',
  'test/geometry/serving.test.ts': 'the queue of the engine, and bytes on their way to readers',
  'test/mcp/stdio.test.ts': '`boundary mcp` is a process with an embedded database of its own, or a client of a server',
  'test/search/queries.test.ts':
    'the order of hits for 1,500 queries; test/domain/search.test.ts runs its statements on both',
  'test/security/bodies.test.ts': 'bodies and headers are refused before anything is asked of a database',
  'test/sources/centroid.test.ts': 'the kernel that finds centroids, held against PostGIS',
  'test/sources/seed_sets.test.ts':
    'which seed data a list of sources lacks; test/cli/loading.test.ts asks for it and loads it on both',
  'test/transports/traces.test.ts': 'spans reach a collector, among them one for each statement over either kind',
  'test/upstream/failures.test.ts':
    'an Overpass server fails in every way; test/upstream/recorded.test.ts stores its answers on both',
  'test/web/': 'a browser drives the dashboard',
};

/** Test files by the project that runs them; paths are relative to the repository. */
export interface Projects {
  /** Needs neither a database nor another process: runs once. */
  readonly unit: string[];
  /** Starts another process (the program, GDAL, bzip2) and opens no database itself: runs once. */
  readonly program: string[];
  /** Opens a database (imports test/setup/database.ts, directly or not), which may be of either kind (EITHER): runs once. */
  readonly either: string[];
  /** Opens a database, which decides what is proved: runs on each kind of it. */
  readonly database: string[];
  /**
   * In test/proof: random worlds and whole countries against an independent oracle; takes minutes. It proves the
   * kernels and the importer, which behave the same on both databases: runs once, on request.
   */
  readonly proof: string[];
}

/**
 * The test files of the repository at `root`.
 * @throws Error when EITHER names what no file with a database has
 */
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
  const either: string[] = [];
  const program: string[] = [];
  const unit: string[] = [];
  const proof: string[] = [];
  const reasons = Object.keys(EITHER);
  for (const name of readdirSync(resolve(root, 'test'), { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.test.ts')) continue;
    const path = `test/${name}`;
    const files = [...reached(resolve(root, path))];
    if (path.startsWith('test/proof/')) proof.push(path);
    else if (files.includes(opener)) (reasons.some((start) => path.startsWith(start)) ? either : database).push(path);
    else (files.some(starts) ? program : unit).push(path);
  }
  const stale = reasons.filter((start) => !either.some((path) => path.startsWith(start)));
  if (stale.length > 0)
    throw new Error(`no test with a database is in ${stale.join(', ')}: see EITHER in ${import.meta.filename}`);
  return { unit, program, either, database, proof };
}
