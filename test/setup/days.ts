import { isAbsolute, relative, resolve } from 'node:path';
import { ofTheDay } from '../proof/rounds.ts';
import type { Projects } from './projects.ts';

/**
 * Files that take more than 10 seconds in a gate, on one of the databases: browsers, processes that are killed, made worlds, long lists of cases. What
 * each asks at length is asked briefly by files that run each day, by which every planted fault is noticed (test/mutants).
 * Not those whose subject is all of the program (test/rules, the help, each operation with generated input).
 */
export const SLOW: readonly string[] = [
  'test/areas/fuzz.test.ts',
  'test/areas/held_out.test.ts',
  'test/areas/made.test.ts',
  'test/areas/typed.test.ts',
  'test/areas/work.test.ts',
  'test/backup/history.test.ts',
  'test/backup/killed.test.ts',
  'test/backup/restore.test.ts',
  'test/backup/s3.test.ts',
  'test/backup/sets.test.ts',
  'test/bench/command.test.ts',
  'test/billing/processes.test.ts',
  'test/cli/convert.test.ts',
  'test/cli/import.test.ts',
  'test/cli/import_isolated.test.ts',
  'test/cli/import_groups.test.ts',
  'test/cli/import_replace.test.ts',
  'test/cli/loading.test.ts',
  'test/cli/local.test.ts',
  'test/cli/new_user.test.ts',
  'test/cli/package.test.ts',
  'test/cli/processes.test.ts',
  'test/cli/session.test.ts',
  'test/cli/sources.test.ts',
  'test/collections/pmtiles.test.ts',
  'test/db/formats.test.ts',
  'test/db/plans.test.ts',
  'test/db/prepared.test.ts',
  'test/db/replica.test.ts',
  'test/deploy/machines.test.ts',
  'test/docs/client.test.ts',
  'test/docs/command_lines.test.ts',
  'test/docs/examples.test.ts',
  'test/docs/pages.test.ts',
  'test/docs/programs.test.ts',
  'test/docs/recipes.test.ts',
  'test/domain/search_plan.test.ts',
  'test/feedback/board.test.ts',
  'test/formats/collection/flatgeobuf.test.ts',
  'test/formats/collection/geopackage.test.ts',
  'test/formats/collection/geoparquet_damaged.test.ts',
  'test/formats/collection/single_files.test.ts',
  'test/formats/real.test.ts',
  'test/formats/repeated.test.ts',
  'test/formats/valid.test.ts',
  'test/freshness/changes.test.ts',
  'test/freshness/killed.test.ts',
  'test/geometry/serving.test.ts',
  'test/history/killed.test.ts',
  'test/history/pinned.test.ts',
  'test/history/prune.test.ts',
  'test/history/twenty_editions.test.ts',
  'test/history/worlds.test.ts',
  'test/imports/killed.test.ts',
  'test/jobs/kill.test.ts',
  'test/land/line_collection.test.ts',
  'test/land/malta.test.ts',
  'test/land/restart.test.ts',
  'test/library/crash.test.ts',
  'test/library/follow.test.ts',
  'test/library/follow_killed.test.ts',
  'test/library/model.test.ts',
  'test/library/save.test.ts',
  'test/maps/pictures.test.ts',
  'test/mcp/stdio.test.ts',
  'test/ops/children_pages.test.ts',
  'test/ops/identity.test.ts',
  'test/ops/reads.test.ts',
  'test/ops/replaced.test.ts',
  'test/ops/superseded.test.ts',
  'test/orgs/fuzz.test.ts',
  'test/projections/places.test.ts',
  'test/projections/texts.test.ts',
  'test/search/held_out.test.ts',
  'test/search/made.test.ts',
  'test/search/queries.test.ts',
  'test/security/bodies.test.ts',
  'test/security/clock.test.ts',
  'test/security/file_modes.test.ts',
  'test/security/full_disk.test.ts',
  'test/security/hostile_server.test.ts',
  'test/security/slow_readers.test.ts',
  'test/sets/access_matrix.test.ts',
  'test/sets/compare_file.test.ts',
  'test/sets/formats.test.ts',
  'test/sets/jobs.test.ts',
  'test/sets/killed.test.ts',
  'test/sets/limits.test.ts',
  'test/sets/plans.test.ts',
  'test/sets/set_jobs.test.ts',
  'test/sets/sets.test.ts',
  'test/sets/tiling.test.ts',
  'test/sources/centroid.test.ts',
  'test/sources/osm_bzip2.test.ts',
  'test/sources/seed_sets.test.ts',
  'test/sources/unshaped.test.ts',
  'test/tables/held_out.test.ts',
  'test/tables/made.test.ts',
  'test/tiles/ogc_filter.test.ts',
  'test/tiles/selection_heap.test.ts',
  'test/tiles/tiles.test.ts',
  'test/tiles/valid.test.ts',
  'test/transports/large_bodies.test.ts',
  'test/transports/largest_inputs.test.ts',
  'test/upstream/failures.test.ts',
  'test/upstream/hasty.test.ts',
  'test/upstream/processes.test.ts',
  'test/web/clicks.test.ts',
  'test/web/dashboard.test.ts',
  'test/web/download.test.ts',
  'test/web/figures.test.ts',
  'test/web/file.test.ts',
  'test/web/ground.test.ts',
  'test/web/library.test.ts',
  'test/web/map_tools.test.ts',
  'test/web/select.test.ts',
  'test/web/server_pages.test.ts',
  'test/web/sets.test.ts',
  'test/web/sets_drawing.test.ts',
  'test/web/sets_saving.test.ts',
  'test/web/time.test.ts',
  'test/web/walk.test.ts',
];

/**
 * Of the tests that run on both databases, those about what is the embedded one's own: its files, its start, its statements.
 * In a gate they run on it each day. The others ask the same of it as of the native one, in turns.
 */
const OWN: readonly string[] = [
  'test/backup/',
  'test/cli/',
  'test/db/',
  'test/auth/secrets.test.ts',
  'test/docs/any_input.test.ts',
  'test/domain/',
  'test/rules/registry.test.ts',
];

/** The database of a run: native, embedded, or embedded beside a run of the same tests on a native one. */
export type TestedDatabase = 'native' | 'embedded' | 'embedded beside native';

/** The database of a run with these settings: BESIDE_NATIVE says that another run has the same tests on a native one. */
export function testedDatabase(env: NodeJS.ProcessEnv): TestedDatabase {
  if (env.TEST_DATABASE_URL) return 'native';
  return env.BESIDE_NATIVE ? 'embedded beside native' : 'embedded';
}

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

/** The files with a database that, where a native one runs them as well, run on the embedded one in turns. */
export function repeatedInTurn({ database }: Projects): string[] {
  return database.filter((path) => !SLOW.includes(path) && !OWN.some((start) => path.startsWith(start)));
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
 * The files of `projects` that run today: a sixth of the proofs, of the slow files and, on the embedded database, of
 * those that a native one runs as well (OWN aside), and all others. Where proofs run whole
 * (PROOF_ROUNDS) all run, and whatever `words` name.
 * @param words paths of test files or parts of them: namedOn(), testsOfChange() (projects.ts)
 * @throws Error when a list names a file that is not there
 */
export function filesOfTheDay(projects: Projects, words: readonly string[], tested: TestedDatabase): Projects {
  const lists = [projects.proof, SLOW];
  if (tested === 'embedded beside native') lists.push(repeatedInTurn(projects));
  const all = new Set(Object.values(projects).flat());
  const missing = SLOW.filter((path) => !all.has(path));
  if (missing.length > 0) throw new Error(`${missing.join(', ')}: no such test (${import.meta.filename})`);
  const later = new Set<string>();
  for (const list of lists) {
    const today = new Set(ofTheDay(list));
    for (const path of list) if (!today.has(path) && !isNamed(path, words)) later.add(path);
  }
  const left = (files: readonly string[]) => files.filter((path) => !later.has(path));
  const { unit, program, either, database, proof, drawing, counting } = projects;
  return {
    unit: left(unit),
    program: left(program),
    either: left(either),
    database: left(database),
    proof: left(proof),
    drawing: left(drawing),
    counting: left(counting),
  };
}
