import { resolve } from 'node:path';
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
  'test/sets/killed.test.ts',
];

/**
 * The files of `projects` that run today: a third of the proofs, of the slow files and, on the embedded database, of
 * those that kill, and all others. Where proofs run whole (PROOF_ROUNDS) all run, and whatever `words` name.
 * @param words of the command line, after "run"
 * @throws Error when a list names a file that is not there
 */
export function filesOfTheDay(projects: Projects, words: readonly string[], isNative: boolean): Projects {
  const isNamed = (path: string) => words.some((word) => !word.startsWith('-') && resolve(path).includes(word));
  const lists = [projects.proof, Object.keys(SLOW), ...(isNative ? [] : [KILLED])];
  const all = new Set(Object.values(projects).flat());
  const missing = [...Object.keys(SLOW), ...KILLED].filter((path) => !all.has(path));
  if (missing.length > 0) throw new Error(`${missing.join(', ')}: no such test (${import.meta.filename})`);
  const later = new Set<string>();
  for (const list of lists) {
    const today = new Set(ofTheDay(list));
    for (const path of list) if (!today.has(path) && !isNamed(path)) later.add(path);
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
