// Adds up vitest's JSON reports: node .ci/count.mjs [--all] STATUS REPORT [STATUS REPORT ...]
// Prints "passed failed". A file that did not load counts as one failure, and so does a run that failed without a failed
// test. With --all every test must have passed in at least one of the runs: one that every run skipped counts as failed.
import { readFileSync } from 'node:fs';

const words = process.argv.slice(2);
const all = words[0] === '--all' && words.shift() === '--all';
let passed = 0;
let failed = 0;
const skipped = new Set();
const ran = new Set();
for (let i = 0; i < words.length; i += 2) {
  const [status, file] = [words[i], words[i + 1]];
  let run;
  try {
    run = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    failed++;
    continue;
  }
  const loaded = (one) => one.status !== 'failed' || one.assertionResults.some((test) => test.status === 'failed');
  const failures = run.numFailedTests + run.testResults.filter((one) => !loaded(one)).length;
  passed += run.numPassedTests;
  failed += failures || Number(status !== '0');
  for (const { name, assertionResults } of run.testResults) {
    for (const test of assertionResults) {
      const id = `${name}: ${test.fullName}`;
      if (test.status === 'passed' || test.status === 'failed') ran.add(id);
      else skipped.add(id);
    }
  }
}
const never = [...skipped].filter((id) => !ran.has(id));
for (const id of never) console.error(`skipped in every run: ${id}`);
console.log(passed, failed + (all ? never.length : 0));
