import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** What a file imports, types left out: nothing of them is there when it runs. */
const IMPORTED = /^(?:import|export)\s(?!type\b)[^;]*?\bfrom\s+'(\.[^']+\.ts)'|^import\s+'(\.[^']+\.ts)'/gm;
/** A program of a test that is built and started (built.ts). */
const STARTED = /'(test\/[\w/]+\.ts)'/g;
/** What a file says that starts another process. */
const STARTS = /\bfrom 'node:child_process'|\bprocess\.execPath\b/;

/**
 * Files and folders whose subject is the database itself, with what each is about: the gate runs them on both kinds, when
 * their turn comes (days.ts). Together they run every statement that the embedded database can run. All other files with
 * a database run once in the gate, on a native one, and on whichever `npm test` is given.
 */
const BOTH: Readonly<Record<string, string>> = {
  'test/db/': 'the two databases, migrations, plans, streams, restarts, replicas',
  'test/backup/': 'backup and restore',
  'test/billing/': 'units under concurrency: locks and reservations',
  'test/domain/': 'statements of boundaries, search and tiles',
  'test/auth/device.test.ts': 'transactions of codes for devices',
  'test/auth/invite.test.ts': 'transactions of invitations',
  'test/auth/oauth.test.ts': 'statements of grants and tokens',
  'test/auth/outbox.test.ts': 'the queue of mail',
  'test/auth/owner.test.ts': 'the first owner, claimed once',
  'test/auth/secrets.test.ts': 'keys of the server, made once by processes at once',
  'test/auth/sessions.test.ts': 'statements of sessions',
  'test/auth/sign_in.test.ts': 'counts of attempts, and links that open once',
  'test/cli/import_isolated.test.ts': 'imports in a process of their own, killed',
  'test/cli/loading.test.ts': 'first starts, killed and started again',
  'test/cli/local.test.ts': 'commands that open DATA_DIR themselves, or send their work to its server',
  'test/docs/any_input.test.ts': 'each operation with generated input',
  'test/feedback/': 'statements of the boards',
  'test/history/killed.test.ts': 'imports of editions, killed',
  'test/freshness/': 'updates and tombstones, killed in the middle',
  'test/imports/': 'imports that operators send, killed in the middle',
  'test/jobs/': 'leases of jobs, killed at any step',
  'test/library/follow_killed.test.ts': 'files that follow, made again and killed at each step',
  'test/sets/killed.test.ts': 'versions of area sets, killed in the middle',
  'test/sets/set_jobs_killed.test.ts': 'jobs that store area sets, killed in the middle',
  'test/library/model.test.ts': 'statements of the library',
  'test/library/s3.test.ts': 'statements of stored bytes',
  'test/library/slow_storage.test.ts': 'transactions beside slow storage',
  'test/mcp/access.test.ts': 'a whole walk over MCP',
  'test/ops/billing.test.ts': 'charges of whole calls',
  'test/ops/boundaries.test.ts': 'a whole walk over the operations on boundaries',
  'test/ops/children_pages.test.ts': 'pages of children',
  'test/ops/coverage.test.ts': 'statements of completeness',
  'test/ops/data_status.test.ts': 'statements of the data status',
  'test/ops/locate_points.test.ts': 'a stream that reads a database',
  'test/orgs/': 'statements and transactions of organizations',
  'test/rules/registry.test.ts': 'declarations of operations',
  'test/sets/sets.test.ts': 'statements of area sets',
  'test/tiles/hostile_names.test.ts': 'names of tiles',
  'test/tiles/selections.test.ts': 'statements of selections',
  'test/transports/observed.test.ts': 'failing statements in logs and metrics',
  'test/upstream/fetch.test.ts': 'what is fetched is stored once',
  'test/upstream/flock.test.ts': 'many callers at once, one fetch',
  'test/upstream/local.test.ts': 'statements of what is missing, pending and stale',
  'test/upstream/processes.test.ts': 'processes at once, one fetch',
  'test/upstream/recorded.test.ts': 'recorded answers are stored',
  'test/upstream/search.test.ts': 'statements of names found upstream',
};

/** Test files by the project that runs them, on their days (days.ts); paths are relative to the repository. */
export interface Projects {
  /** Needs neither a database nor another process: runs once. */
  readonly unit: string[];
  /** Starts another process (the program, GDAL, bzip2) and opens no database itself: runs once. */
  readonly program: string[];
  /** Opens a database (imports test/setup/database.ts, directly or not) whose kind does not matter: runs once. */
  readonly either: string[];
  /** Opens a database, and is about the database (BOTH): runs on each kind of it. */
  readonly database: string[];
  /**
   * In test/proof: random worlds and whole countries against an independent oracle; takes minutes. It proves the
   * kernels and the importer, which behave the same on both databases: runs once, on request.
   */
  readonly proof: string[];
  /** Those of the first four that draw their cases (test/proof/rounds.ts). */
  readonly drawing: string[];
  /** Those of all that count work (test/setup/work.ts): each runs in a process of its own. */
  readonly counting: string[];
}

/** The text of each file of one repository, read once. */
function textsOf(): (file: string) => string {
  const texts = new Map<string, string>();
  return (file) => {
    const text = texts.get(file) ?? readFileSync(file, 'utf8');
    texts.set(file, text);
    return text;
  };
}

/** The paths of the test files at `root`, relative to it. */
function testFiles(root: string): string[] {
  const names = readdirSync(resolve(root, 'test'), { recursive: true, encoding: 'utf8' }).sort();
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name}`);
}

/**
 * What a test file of the repository at `root` is made of: it and its transitive imports within test/, and of the program
 * only the files that these import.
 * @param read the text of a file
 * @param isStarted also the programs of test/ that it starts
 */
function reachedFrom(root: string, path: string, read: (file: string) => string, isStarted = false): Set<string> {
  const tests = resolve(root, 'test');
  const found = new Set<string>();
  const reach = (file: string): void => {
    if (found.has(file) || !existsSync(file)) return;
    found.add(file);
    if (!file.startsWith(tests)) return;
    for (const [, from, alone = ''] of read(file).matchAll(IMPORTED)) reach(resolve(dirname(file), from ?? alone));
    // built.ts lists all of them.
    if (!isStarted || file.endsWith('/setup/built.ts')) return;
    for (const [, started = ''] of read(file).matchAll(STARTED)) reach(resolve(root, started));
  };
  reach(resolve(root, path));
  return found;
}

/**
 * The test files that a change of files may concern: one that changed, one of whose imports or started programs within
 * test/ changed, or a file of the program that these import directly, and all in the folder of a subject (test/web,
 * test/formats) when a file changed in a folder of that name outside of test/.
 * @param changed paths relative to `root`
 */
export function testsOfChange(root: string, changed: readonly string[]): string[] {
  if (changed.length === 0) return [];
  const read = textsOf();
  const files = new Set(changed.map((path) => resolve(root, path)));
  const subjects = new Set(changed.filter((path) => !path.startsWith('test/')).flatMap(foldersOf));
  if (subjects.has('sql')) subjects.add('db');
  return testFiles(root).filter((path) => {
    if (foldersOf(path).some((folder, i) => i > 0 && subjects.has(folder))) return true;
    return [...reachedFrom(root, path, read, true)].some((file) => files.has(file));
  });
}

const foldersOf = (path: string): string[] => path.split('/').slice(0, -1);

/**
 * The test files of the repository at `root`.
 * @throws Error when BOTH names what no file with a database has
 */
export function divideTests(root: string): Projects {
  const opener = resolve(root, 'test/setup/database.ts');
  const tests = resolve(root, 'test');
  const textOf = textsOf();
  const starts = (file: string): boolean => file.startsWith(tests) && STARTS.test(textOf(file));
  const database: string[] = [];
  const either: string[] = [];
  const program: string[] = [];
  const unit: string[] = [];
  const proof: string[] = [];
  const drawing: string[] = [];
  const counting: string[] = [];
  const draws = resolve(root, 'test/proof/rounds.ts');
  const counts = resolve(root, 'test/setup/work.ts');
  const listed = Object.keys(BOTH);
  for (const path of testFiles(root)) {
    const files = [...reachedFrom(root, path, textOf)];
    if (path.startsWith('test/proof/')) proof.push(path);
    else if (files.includes(draws)) drawing.push(path);
    if (files.includes(counts)) counting.push(path);
    if (path.startsWith('test/proof/')) continue;
    if (files.includes(opener)) (listed.some((start) => path.startsWith(start)) ? database : either).push(path);
    else (files.some(starts) ? program : unit).push(path);
  }
  const stale = listed.filter((start) => !database.some((path) => path.startsWith(start)));
  if (stale.length > 0)
    throw new Error(`no test with a database is in ${stale.join(', ')}: see BOTH in ${import.meta.filename}`);
  return { unit, program, either, database, proof, drawing, counting };
}
