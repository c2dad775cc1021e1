import { expect, test } from 'vitest';
import { count, filesToRepeat, type Report, slowestFiles } from '../../scripts/ci/count.ts';

const ROOT = '/checkout';

/** A report of files, whose tests are given as name: status. */
function reportOf(files: Record<string, Record<string, string> | 'broken'>): Report {
  const testResults = Object.entries(files).map(([name, tests], i) => {
    const results = Object.entries(tests === 'broken' ? {} : tests).map(([fullName, status]) => ({
      fullName,
      status,
      failureMessages: status === 'failed' ? [`${fullName} is wrong\nat line 1`] : [],
    }));
    const failed = tests === 'broken' || results.some(({ status }) => status === 'failed');
    return {
      name: `${ROOT}/${name}`,
      status: failed ? 'failed' : 'passed',
      ...(tests === 'broken' ? { message: 'did not load' } : {}),
      startTime: 0,
      endTime: 1000 * (i + 1),
      assertionResults: results,
    };
  });
  const passed = testResults.flatMap(({ assertionResults }) => assertionResults);
  return { numPassedTests: passed.filter(({ status }) => status === 'passed').length, testResults };
}

const options = { complete: false, reruns: new Set<string>(), root: ROOT };

test('passed and failed tests of all runs are added up, and each failure is listed', () => {
  const one = reportOf({ 'a.test.ts': { x: 'passed', y: 'failed' } });
  const two = reportOf({ 'a.test.ts': { x: 'passed', y: 'passed' } });
  const counts = count(
    [
      { status: 1, report: one, unhandled: [], due: [], again: null },
      { status: 0, report: two, unhandled: [], due: [], again: null },
    ],
    options,
  );
  expect(counts).toMatchObject({ passed: 3, failed: 1, skipped: 0 });
  expect(counts.lines).toEqual(['failed: a.test.ts: y\n    y is wrong\n    at line 1']);
});

test('a test that passes alone counts as passed, unless it is known to be flaky', () => {
  const run = {
    status: 1,
    report: reportOf({ 'a.test.ts': { y: 'failed' }, 'b.test.ts': 'broken' }),
    unhandled: [],
    due: [],
    again: { report: reportOf({ 'a.test.ts': { y: 'passed' }, 'b.test.ts': { z: 'passed' } }), unhandled: [] },
  };
  expect(count([run], options)).toMatchObject({ passed: 2, failed: 0 });
  const listed = count([run], { ...options, reruns: new Set(['a.test.ts: y']) });
  expect(listed).toMatchObject({ passed: 1, failed: 1 });
  expect(listed.lines[0]).toContain('passes alone, but is listed');
});

test('a file that did not load, a run without a report and a run that failed without a failed test are failures', () => {
  const counts = count(
    [
      { status: 1, report: reportOf({ 'b.test.ts': 'broken' }), unhandled: [], due: [], again: null },
      { status: 1, report: null, unhandled: [], due: [], again: null },
      { status: 1, report: reportOf({ 'a.test.ts': { x: 'passed' } }), unhandled: [], due: [], again: null },
    ],
    options,
  );
  expect(counts).toMatchObject({ passed: 1, failed: 3 });
});

test('each file that was due and did not run is a failure, and a run without a report is one', () => {
  const report = reportOf({ 'a.test.ts': { x: 'passed' }, 'b.test.ts': { y: 'skipped' } });
  const run = { status: 0, report, unhandled: [], due: ['a.test.ts', 'b.test.ts', 'c.test.ts'], again: null };
  const { failed, lines } = count([run], options);
  expect(failed).toBe(1);
  expect(lines).toContain('failed: run 1 was to run c.test.ts, and did not');
  expect(count([{ ...run, due: ['a.test.ts'] }], options).failed).toBe(0);
  expect(count([{ ...run, report: null }], options).failed).toBe(1);
});

test('an error that no test caught fails its run with its text, unless its file runs alone without it', () => {
  const passed = reportOf({ 'a.test.ts': { x: 'passed' } });
  const error = { path: `${ROOT}/a.test.ts`, message: 'Error: late\n at b' };
  const run = { status: 1, report: passed, unhandled: [error], due: [], again: null };
  expect(filesToRepeat(run)).toEqual([`${ROOT}/a.test.ts`]);
  const counts = count([run], options);
  expect(counts).toMatchObject({ passed: 1, failed: 1 });
  expect(counts.lines).toEqual(['failed: a.test.ts: an error that no test caught\n    Error: late\n     at b']);
  const alone = count([{ ...run, again: { report: passed, unhandled: [] } }], options);
  expect(alone).toMatchObject({ passed: 1, failed: 0 });
  expect(alone.lines[0]).toContain('did not come again when the file ran alone: a.test.ts');
  expect(count([{ ...run, again: { report: passed, unhandled: [error] } }], options)).toMatchObject({ failed: 1 });
  // Nothing says which file it was: nothing can be run again.
  expect(count([{ ...run, unhandled: [{ path: null, message: 'Error: worker' }] }], options).lines[0]).toContain(
    'run 1: an error that no test caught',
  );
});

test('a test skipped in every run is listed; where everything is installed it fails', () => {
  const runs = [
    {
      status: 0,
      report: reportOf({ 'a.test.ts': { x: 'skipped', y: 'skipped' } }),
      unhandled: [],
      due: [],
      again: null,
    },
    {
      status: 0,
      report: reportOf({ 'a.test.ts': { x: 'passed', y: 'skipped' } }),
      unhandled: [],
      due: [],
      again: null,
    },
  ];
  expect(count(runs, options)).toMatchObject({ passed: 1, failed: 0, skipped: 1 });
  expect(count(runs, { ...options, complete: true })).toMatchObject({ passed: 1, failed: 1, skipped: 0 });
});

test('a few failed files are run again, many are not', () => {
  const broken = (n: number) =>
    reportOf(Object.fromEntries(Array.from({ length: n }, (_, i) => [`${i}.ts`, 'broken'])));
  expect(filesToRepeat({ report: broken(6), unhandled: [] })).toHaveLength(6);
  expect(filesToRepeat({ report: broken(7), unhandled: [] })).toEqual([]);
  expect(filesToRepeat({ report: null, unhandled: [] })).toEqual([]);
});

test('the slowest files come first', () => {
  const report = reportOf({ 'a.test.ts': { x: 'passed' }, 'b.test.ts': { x: 'passed', y: 'passed' } });
  expect(slowestFiles(report, {}, ROOT)).toEqual([
    '3 s of tests in 2 files; the slowest:',
    '     2.0 s  b.test.ts (2)',
    '     1.0 s  a.test.ts (1)',
  ]);
  // With what a file does before and after its tests, where that is known.
  expect(slowestFiles(report, { [`${ROOT}/a.test.ts`]: 5_000 }, ROOT)).toEqual([
    '7 s of tests in 2 files; the slowest:',
    '     5.0 s  a.test.ts (1)',
    '     2.0 s  b.test.ts (2)',
  ]);
});
