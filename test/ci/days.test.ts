import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { FAULTS } from '../mutants/faults.ts';
import { TURN_DAYS } from '../proof/rounds.ts';
import {
  filesOfTheDay,
  filesThatWait,
  namedOn,
  repeatedInTurn,
  SLOW,
  secondsOf,
  type TestedDatabase,
} from '../setup/days.ts';
import { divideTests } from '../setup/projects.ts';
import { SLOW_EMBEDDED } from '../setup/seconds.ts';

const projects = divideTests(resolve(import.meta.dirname, '../..'));
const left = (words: readonly string[], tested: TestedDatabase) =>
  filesThatWait(projects, filesOfTheDay(projects, words, tested));
afterEach(() => vi.unstubAllEnvs());

test('with a share of the rounds, a fourteenth of the proofs and slow files by their seconds run, and all others', () => {
  vi.stubEnv('PROOF_ROUNDS', '0.1');
  const inTurn = [...projects.proof, ...SLOW];
  const sum = (files: readonly string[]) => files.reduce((all, path) => all + secondsOf(path), 0);
  const later = left([], 'native');
  for (const path of later) expect(inTurn).toContain(path);
  // The longest file of all takes less than a day has.
  expect(Math.abs(sum(later) - sum(inTurn) * (1 - 1 / TURN_DAYS))).toBeLessThan(10);
  expect(left([], 'embedded').sort()).toEqual([...new Set([...inTurn, ...SLOW_EMBEDDED])].sort());
  const beside = left([], 'embedded beside native').filter((path) => !later.includes(path));
  expect(Math.abs(beside.length - repeatedInTurn(projects).length * (1 - 1 / TURN_DAYS))).toBeLessThan(1);
  for (const path of beside) expect(projects.database).toContain(path);
});

test('each file that is slow on the embedded database alone runs every day on a native one', () => {
  vi.stubEnv('PROOF_ROUNDS', '0.1');
  const running = Object.values(filesOfTheDay(projects, [], 'native')).flat();
  expect(running).toEqual(expect.arrayContaining([...SLOW_EMBEDDED]));
});

test('no file loads the seed data into the embedded database as a newcomer runs the tests, unless it is named', () => {
  vi.stubEnv('PROOF_ROUNDS', '0.1');
  const loads = (path: string) => /\bopen(?:Planning|SeededEnvironment)\(/.test(readFileSync(path, 'utf8'));
  const running = Object.values(filesOfTheDay(projects, [], 'embedded')).flat();
  expect(running.filter(loads)).toEqual([]);
  expect(SLOW_EMBEDDED.some(loads)).toBe(true);
});

test('what the command line names runs on any day, and all of it where proofs run whole', () => {
  vi.stubEnv('PROOF_ROUNDS', '0.1');
  const later = left([], 'embedded beside native');
  expect(later.length).toBeGreaterThan(100);
  const forms: ((path: string) => string)[] = [
    (path) => path,
    (path) => resolve(path),
    (path) => `./${path}`,
    (path) => `${path}:30`,
    (path) => `./${path}:30`,
    (path) => path.toUpperCase(),
    dirname,
  ];
  for (const form of forms)
    expect(left(later.map(form), 'embedded beside native'), form('test/one.test.ts')).toEqual([]);
  vi.stubEnv('PROOF_ROUNDS', undefined);
  expect(left([], 'embedded beside native')).toEqual([]);
  expect(left([], 'embedded')).toEqual([]);
});

test('a word that is a part of no path names no file', () => {
  vi.stubEnv('PROOF_ROUNDS', '0.1');
  expect(left(['nothing_of_this', 'test/ci/days.test.ts:3'], 'embedded')).toEqual(left([], 'embedded'));
});

test.each([
  ['run test/sets', ['test/sets']],
  ['test/sets', ['test/sets']],
  ['watch ./test/sets:3 seed', ['./test/sets:3', 'seed']],
  ['--reporter=dot run test/sets --bail=1', ['test/sets']],
  ['run run', ['run']],
  ['run --project=unit', []],
  ['', []],
])('vitest %s names %j', (line, words) => {
  expect(namedOn(['node', 'vitest', ...line.split(' ').filter(Boolean)])).toEqual(words);
});

test('every planted fault is noticed by a file that runs each day', () => {
  const later = new Set([...SLOW, ...projects.proof]);
  for (const { name, tests } of FAULTS)
    expect([name, tests.some((path) => !later.has(`test/${path}`))]).toEqual([name, true]);
});
