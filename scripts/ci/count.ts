import { readFileSync } from 'node:fs';

/** One test in vitest's JSON report. */
interface TestReport {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

/** One file in vitest's JSON report; times are in milliseconds. */
interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly TestReport[];
}

/** What `vitest --reporter=json` writes, as far as it is read here. */
export interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly FileReport[];
}

/** An error that no test caught: thrown after a test had ended, or by the runner itself. */
export interface Unhandled {
  /** The test file that ran; null if that is not known. */
  readonly path: string | null;
  /** Its name, text and stack. */
  readonly message: string;
}

/** What scripts/ci/reporter.ts writes at the end of a run. */
export interface Ended {
  readonly unhandled: readonly Unhandled[];
  /** Of each file by its path, with what it does before and after its tests. */
  readonly milliseconds: Readonly<Record<string, number>>;
}

/** One run of the suite. */
export interface Run {
  /** The exit status of vitest. */
  readonly status: number;
  /** The errors that no test caught. */
  readonly unhandled: readonly Unhandled[];
  /** Its report; null if it wrote none. */
  readonly report: Report | null;
  /** The paths of the files that were due, in the repository. */
  readonly due: readonly string[];
  /** The second run of the failed files, each alone in a process; null without a second run. */
  readonly again: Pick<Run, 'report' | 'unhandled'> | null;
}

/** Counts over several runs, with a line for each failure, rerun and test that did not run. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Tests that were skipped in every run. */
  readonly skipped: number;
  readonly lines: readonly string[];
}

/** More failed files than this are not a matter of chance: they are not run again. */
const BY_CHANCE = 6;
const SLOWEST = 10;
const LINES_OF_A_FAILURE = 3;
const LINES_OF_A_STACK = 8;

/** Reads a report; null if the run wrote none. */
export function readReport(path: string): Report | null {
  return read<Report>(path);
}

/** Reads what the reporter wrote beside the report; nothing if the run wrote no file. */
export function readEnded(path: string): Ended {
  return read<Ended>(path) ?? { unhandled: [], milliseconds: {} };
}

function read<T>(path: string): T | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return null;
  }
}

/** The files to run a second time: those with failures or uncaught errors, or none if there are too many for chance. */
export function filesToRepeat({ report, unhandled }: Pick<Run, 'report' | 'unhandled'>): string[] {
  const files = (report?.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name);
  const uncaught = unhandled.flatMap(({ path }) => path ?? []);
  const all = [...new Set([...files, ...uncaught])];
  return all.length > BY_CHANCE ? [] : all;
}

/** The seconds of all files, and of the slowest with their number of tests. */
export function slowestFiles(report: Report | null, milliseconds: Ended['milliseconds'], root: string): string[] {
  const files = (report?.testResults ?? []).map(({ name, startTime, endTime, assertionResults }) => ({
    name: name.replace(`${root}/`, ''),
    seconds: (milliseconds[name] ?? endTime - startTime) / 1000,
    tests: assertionResults.length,
  }));
  const all = files.reduce((sum, { seconds }) => sum + seconds, 0);
  const longest = files.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  return [
    `${all.toFixed(0)} s of tests in ${files.length} files; the slowest:`,
    ...longest.map(({ name, seconds, tests }) => `${seconds.toFixed(1).padStart(8)} s  ${name} (${tests})`),
  ];
}

/**
 * Adds up runs. A file that did not load counts as one failure, and so do one that was due and did not run and a run that
 * failed without a failed test. A test that fails and passes in the second run counts as passed, unless `reruns` names it: then it is known to be flaky
 * and counts as failed.
 * @param complete whether a test that was skipped in every run counts as failed
 */
export function count(
  runs: readonly Run[],
  { complete, reruns, root }: { complete: boolean; reruns: ReadonlySet<string>; root: string },
): Counts {
  const lines: string[] = [];
  const skipped = new Set<string>();
  const ran = new Set<string>();
  let [passed, failed] = [0, 0];
  const fail = (line: string) => {
    lines.push(`failed: ${line}`);
    failed++;
  };
  const nameOf = (path: string) => path.replace(`${root}/`, '');
  runs.forEach(({ status, report, unhandled, due, again }, i) => {
    if (report === null) {
      fail(`run ${i + 1} wrote no report`);
      return;
    }
    const second = passedIn(again);
    let seen = false;
    const judge = (path: string, test: string, why: string) => {
      seen = true;
      const id = `${nameOf(path)}${test && `: ${test}`}`;
      if (second.has(`${path}: ${test}`) && !reruns.has(id)) {
        lines.push(`passed only when it was run again, alone: ${id}\n    ${firstLines(why)}`);
        passed++;
      } else {
        const known = second.has(`${path}: ${test}`) ? ' (passes alone, but is listed in .ci/reruns)' : '';
        fail(`${id}${known}\n    ${firstLines(why)}`);
      }
    };
    passed += report.numPassedTests;
    for (const file of report.testResults) {
      if (isBroken(file)) judge(file.name, '', file.message ?? '');
      for (const { fullName, status: ended, failureMessages } of file.assertionResults) {
        const id = `${nameOf(file.name)}: ${fullName}`;
        (ended === 'passed' || ended === 'failed' ? ran : skipped).add(id);
        if (ended === 'failed') judge(file.name, fullName, failureMessages[0] ?? '');
      }
    }
    const reported = new Set(report.testResults.map(({ name }) => nameOf(name)));
    for (const path of due) if (!reported.has(path)) fail(`run ${i + 1} was to run ${path}, and did not`);
    for (const { path, message } of unhandled) {
      seen = true;
      const id = `${path ? nameOf(path) : `run ${i + 1}`}: an error that no test caught`;
      if (path && second.has(`${path}: `) && !reruns.has(id)) {
        lines.push(`did not come again when the file ran alone: ${id}\n    ${firstLines(message, LINES_OF_A_STACK)}`);
      } else fail(`${id}\n    ${firstLines(message, LINES_OF_A_STACK)}`);
    }
    if (status !== 0 && !seen) fail(`run ${i + 1} ended with status ${status}`);
  });
  const never = [...skipped].filter((id) => !ran.has(id));
  for (const id of never) {
    if (complete) fail(`skipped in every run: ${id}`);
    else lines.push(`skipped in every run: ${id}`);
  }
  return { passed, failed, skipped: complete ? 0 : never.length, lines };
}

function firstLines(text: string, most = LINES_OF_A_FAILURE): string {
  return text.split('\n').slice(0, most).join('\n    ');
}

/** Whether a file failed without a failed test. */
function isBroken({ status, assertionResults }: FileReport): boolean {
  return status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
}

/** The passed tests of a run, and its files without any failure or uncaught error (with an empty test name). */
function passedIn(run: Pick<Run, 'report' | 'unhandled'> | null): Set<string> {
  const uncaught = new Set(run?.unhandled.map(({ path }) => path));
  return new Set(
    (run?.report?.testResults ?? []).flatMap(({ name, status, assertionResults }) => [
      ...(status === 'passed' && !uncaught.has(name) && !uncaught.has(null) ? [`${name}: `] : []),
      ...assertionResults.filter((test) => test.status === 'passed').map(({ fullName }) => `${name}: ${fullName}`),
    ]),
  );
}
