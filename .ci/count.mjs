// Adds up vitest's JSON reports: node .ci/count.mjs [--all] NAMES STATUS REPORT [STATUS REPORT ...]
// Prints "passed failed", and writes a line for each failure into the file NAMES. A file that did not load counts as one
// failure, and so does a run that failed without a failed test. With --all every test must have passed in at least one of
// the runs: one that every run skipped counts as failed.
import { readFileSync, writeFileSync } from 'node:fs';

const words = process.argv.slice(2);
const all = words[0] === '--all' && words.shift() === '--all';
const names = words.shift();
const failures = [];
let passed = 0;
const skipped = new Set();
const ran = new Set();
for (let i = 0; i < words.length; i += 2) {
  const [status, file] = [words[i], words[i + 1]];
  const before = failures.length;
  let run;
  try {
    run = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    failures.push(`run ${i / 2 + 1} wrote no report`);
    continue;
  }
  passed += run.numPassedTests;
  for (const { name, status: ended, message, assertionResults } of run.testResults) {
    let seen = false;
    for (const test of assertionResults) {
      const id = `${name}: ${test.fullName}`;
      if (test.status === 'passed' || test.status === 'failed') ran.add(id);
      else skipped.add(id);
      if (test.status !== 'failed') continue;
      seen = true;
      failures.push(`${id}\n    ${(test.failureMessages[0] ?? '').split('\n').slice(0, 3).join('\n    ')}`);
    }
    if (ended === 'failed' && !seen) failures.push(`${name} did not load: ${(message ?? '').split('\n')[0]}`);
  }
  if (status !== '0' && failures.length === before) failures.push(`run ${i / 2 + 1} ended with status ${status}`);
}
if (all) for (const id of skipped) if (!ran.has(id)) failures.push(`skipped in every run: ${id}`);
writeFileSync(names, failures.map((line) => `failed: ${line}\n`).join(''));
console.log(passed, failures.length);
