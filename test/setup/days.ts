import { isAbsolute, relative, resolve } from 'node:path';
import { ofTheDay } from '../proof/rounds.ts';
import type { Projects } from './projects.ts';

/** Files that take a minute or more over many cases or much data, with the tests that ask the same of fewer each time. */
export const SLOW: Readonly<Record<string, string>> = {
  'test/cli/sources.test.ts': 'test/sources/catalog.test.ts',
  'test/deploy/machines.test.ts': 'test/billing/processes.test.ts and test/cli/processes.test.ts',
  'test/formats/real.test.ts': 'test/formats, on made shapes',
  'test/history/pinned.test.ts': 'test/history/pinned_calls.test.ts and test/ops/replaced.test.ts',
  'test/history/worlds.test.ts': 'the others of test/history',
  'test/land/malta.test.ts': 'test/land/on_land.test.ts and test/kernels/land.test.ts',
  'test/library/model.test.ts': 'the others of test/library',
  'test/ops/identity.test.ts': 'test/ops/superseded.test.ts and test/sources',
  'test/search/made.test.ts': 'test/domain/search.test.ts and test/domain/search_ranking.test.ts',
  'test/search/queries.test.ts': 'test/domain/search.test.ts and test/domain/search_ranking.test.ts',
  'test/security/full_disk.test.ts': 'test/library/slow_storage.test.ts and test/transports/outage.test.ts',
  'test/sets/formats.test.ts': 'test/sets/sets.test.ts and test/sources/any_format.test.ts',
  'test/sources/seed_sets.test.ts': 'test/cli/loading.test.ts and test/db/prepared.test.ts',
  'test/tables/made.test.ts': 'the others of test/tables',
  'test/upstream/processes.test.ts': 'test/upstream/flock.test.ts, in one process',
  'test/history/twenty_editions.test.ts': 'test/history/store.test.ts',
};
/**
 * Files that kill processes which write. On the embedded database they ask all the same of it, that a transaction is whole
 * or not there, and each opens it ten times; on a native one all run.
 */
export const KILLED: readonly string[] = [
  'test/backup/killed.test.ts',
  'test/freshness/killed.test.ts',
  'test/history/killed.test.ts',
  'test/jobs/kill.test.ts',
  'test/library/follow_killed.test.ts',
  'test/sets/killed.test.ts',
];

/** The commands of vitest: the first word of its command line that is no option, if there is any. */
const COMMANDS: readonly string[] = ['run', 'related', 'watch', 'dev', 'bench', 'list'];

/**
 * What a command line of vitest names as files: its words without a command and options.
 * @param line of the process: the runtime, the program, and words
 */
export function namedOn(line: readonly string[]): string[] {
  const words = line.slice(2).filter((word) => !word.startsWith('-'));
  return words.slice(COMMANDS.includes(words[0] ?? '') ? 1 : 0);
}

/** The files of `projects` that `today` leaves for another day. */
export function filesThatWait(projects: Projects, today: Projects): string[] {
  const due = new Set(Object.values(today).flat());
  return [...new Set(Object.values(projects).flat())].filter((path) => !due.has(path));
}

/** Whether a word names a test file by its path in the repository, as vitest compares: any part of it, in any case. */
function isNamed(path: string, words: readonly string[]): boolean {
  const [file, here] = [path.toLowerCase(), resolve('.')];
  return words.some((word) => {
    const name = word.replace(/:\d+$/, '');
    if (isAbsolute(name) && resolve(path).startsWith(name)) return true;
    return [name, relative(here, resolve(name))].some((part) => file.includes(part.toLowerCase()));
  });
}

/**
 * The files of `projects` that run today: a third of the proofs, of the slow files and, on the embedded database, of
 * those that kill, and all others. Where proofs run whole (PROOF_ROUNDS) all run, and whatever `words` name.
 * @param words paths of test files or parts of them: namedOn(), changedTests() (changed.ts)
 * @throws Error when a list names a file that is not there
 */
export function filesOfTheDay(projects: Projects, words: readonly string[], isNative: boolean): Projects {
  const lists = [projects.proof, Object.keys(SLOW), ...(isNative ? [] : [KILLED])];
  const all = new Set(Object.values(projects).flat());
  const missing = [...Object.keys(SLOW), ...KILLED].filter((path) => !all.has(path));
  if (missing.length > 0) throw new Error(`${missing.join(', ')}: no such test (${import.meta.filename})`);
  const later = new Set<string>();
  for (const list of lists) {
    const today = new Set(ofTheDay(list));
    for (const path of list) if (!today.has(path) && !isNamed(path, words)) later.add(path);
  }
  const left = (files: readonly string[]) => files.filter((path) => !later.has(path));
  const { unit, program, either, database, proof, drawing } = projects;
  return {
    unit: left(unit),
    program: left(program),
    either: left(either),
    database: left(database),
    proof: left(proof),
    drawing: left(drawing),
  };
}
