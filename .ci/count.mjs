// Adds up vitest's JSON reports: node .ci/count.mjs [--all] NAMES STATUS REPORT AGAIN [STATUS REPORT AGAIN ...] Prints
// "passed failed" and writes a line for each failure to the file NAMES. A file that did not load counts as one failure,
// and so does a run that failed without a failed test. AGAIN is the report of a second run of the failed files, each
// alone ("-": none): a test that passes there counts as passed and is listed as such. With --all, a test that was
// skipped in every run counts as failed.
//
// node .ci/count.mjs --failed REPORT prints the files with failures, one per line; none if there are too many for
// chance. node .ci/count.mjs --slow REPORT prints the files that took longest.
import { readFileSync, writeFileSync } from 'node:fs';

const BY_CHANCE = 6;

/** A report, or null if the run wrote none. */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Whether a file failed without a failed test. */
const isBroken = ({ status, assertionResults }) =>
  status === 'failed' && !assertionResults.some((test) => test.status === 'failed');

/** The names of the passed tests and the loaded files of a report. */
function passedIn(run) {
  const files = run?.testResults ?? [];
  return new Set([
    ...files.filter((file) => file.status === 'passed').map(({ name }) => name),
    ...files.flatMap(({ name, assertionResults }) =>
      assertionResults.filter(({ status }) => status === 'passed').map(({ fullName }) => `${name}: ${fullName}`),
    ),
  ]);
}

function failedFiles(report) {
  const files = (read(report)?.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name);
  return files.length > BY_CHANCE ? [] : files;
}

const SHOWN = 15;

/** The slowest files, with their seconds and number of tests. */
function slowFiles(report) {
  const files = (read(report)?.testResults ?? []).map(({ name, startTime, endTime, assertionResults }) => ({
    name: name.replace(`${process.cwd()}/`, ''),
    seconds: (endTime - startTime) / 1000,
    tests: assertionResults.length,
  }));
  const all = files.reduce((sum, { seconds }) => sum + seconds, 0);
  const longest = files.sort((a, b) => b.seconds - a.seconds).slice(0, SHOWN);
  return [
    `${all.toFixed(0)} s of tests in ${files.length} files; the longest:`,
    ...longest.map(({ name, seconds, tests }) => `${seconds.toFixed(1).padStart(8)} s  ${name} (${tests})`),
  ];
}

function count(all, names, words) {
  const lines = [];
  const skipped = new Set();
  const ran = new Set();
  let [passed, failed] = [0, 0];
  const fail = (line) => {
    lines.push(`failed: ${line}`);
    failed++;
  };
  for (let i = 0; i < words.length; i += 3) {
    const [status, report, again] = words.slice(i, i + 3);
    const run = read(report);
    if (run === null) {
      fail(`run ${i / 3 + 1} wrote no report`);
      continue;
    }
    const second = passedIn(again === '-' ? null : read(again));
    let seen = false;
    const judge = (id, why) => {
      seen = true;
      if (second.has(id)) {
        lines.push(`passed only when it was run again, alone: ${id}`);
        passed++;
      } else fail(`${id}\n    ${why.split('\n').slice(0, 3).join('\n    ')}`);
    };
    passed += run.numPassedTests;
    for (const file of run.testResults) {
      if (isBroken(file)) judge(file.name, file.message ?? '');
      for (const { fullName, status: ended, failureMessages } of file.assertionResults) {
        const id = `${file.name}: ${fullName}`;
        (ended === 'passed' || ended === 'failed' ? ran : skipped).add(id);
        if (ended === 'failed') judge(id, failureMessages[0] ?? '');
      }
    }
    if (status !== '0' && !seen) fail(`run ${i / 3 + 1} ended with status ${status}`);
  }
  if (all) for (const id of skipped) if (!ran.has(id)) fail(`skipped in every run: ${id}`);
  writeFileSync(names, lines.map((line) => `${line}\n`).join(''));
  console.log(passed, failed);
}

const words = process.argv.slice(2);
if (words[0] === '--failed') {
  for (const file of failedFiles(words[1])) console.log(file);
} else if (words[0] === '--slow') {
  for (const line of slowFiles(words[1])) console.log(line);
} else {
  const all = words[0] === '--all' && words.shift() === '--all';
  count(all, words.shift(), words);
}
