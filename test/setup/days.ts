import { isAbsolute, relative, resolve } from 'node:path';
import { ofTheDay } from '../proof/rounds.ts';
import type { Projects } from './projects.ts';
import { SECONDS, SLOW_EMBEDDED } from './seconds.ts';

/**
 * Files that take more than 10 seconds in a gate, on one of the databases. What each asks at length is asked briefly by
 * files that run each day, by which every planted fault is noticed (test/mutants).
 * Not those whose subject is all of the program (test/rules, the help, each operation with generated input).
 */
export const SLOW: readonly string[] = Object.keys(SECONDS).filter((path) => !path.startsWith('test/proof/'));
/** What is taken as the seconds of a proof that takes fewer than those in the list. */
const SECONDS_OF_OTHERS = 8;

/** How long a file that runs in turn takes in a gate, in seconds. */
export const secondsOf = (path: string): number => SECONDS[path] ?? SECONDS_OF_OTHERS;

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

/** The commands of vitest: the first word of its command line that is not an option, if there is any. */
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

/** Tells whether words name a test file by its path in the repository, as vitest compares: any part of it, in any case. */
function naming(words: readonly string[]): (path: string) => boolean {
  const names = words.map((word) => word.replace(/:\d+$/, ''));
  const parts = names.flatMap((name) => [name, relative('.', name)]).map((part) => part.toLowerCase());
  const absolute = names.filter(isAbsolute);
  return (path) =>
    parts.some((part) => path.toLowerCase().includes(part)) || absolute.some((name) => resolve(path).startsWith(name));
}

/**
 * The files of `projects` that run today: a fourteenth of the proofs and slow files by their seconds, none of them and none
 * of SLOW_EMBEDDED on the embedded database alone (`npm test` as a newcomer runs it), beside a native one a fourteenth of
 * those that run there as well (OWN aside), and all others. Where proofs run whole (PROOF_ROUNDS) all run, and whatever
 * `words` name.
 * @param words paths of test files or parts of them: namedOn(), testsOfChange() (projects.ts)
 * @throws Error when a list names a file that is not there
 */
export function filesOfTheDay(projects: Projects, words: readonly string[], tested: TestedDatabase): Projects {
  const all = new Set(Object.values(projects).flat());
  const missing = [...Object.keys(SECONDS), ...SLOW_EMBEDDED].filter((path) => !all.has(path));
  if (missing.length > 0) throw new Error(`${missing.join(', ')}: no such test (test/setup/seconds.ts)`);
  const inTurn = [...projects.proof, ...SLOW];
  const repeated = tested === 'embedded beside native' ? repeatedInTurn(projects) : [];
  const isWhole = ofTheDay(inTurn, secondsOf).length === inTurn.length;
  const isBrief = tested === 'embedded' && !isWhole;
  const due = new Set(isBrief ? [] : [...ofTheDay(inTurn, secondsOf), ...ofTheDay(repeated)]);
  const waiting = [...inTurn, ...repeated, ...(isBrief ? SLOW_EMBEDDED : [])];
  const isNamed = naming(words);
  const later = new Set(waiting.filter((path) => !due.has(path) && !isNamed(path)));
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
