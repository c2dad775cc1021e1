import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { casesOf, drawn, ofTheDay, TURN_DAYS } from '../proof/rounds.ts';
import { filesOfTheDay, repeatedInTurn, SLOW } from '../setup/days.ts';
import { divideTests } from '../setup/projects.ts';

const projects = divideTests(resolve(import.meta.dirname, '../..'));
/** The files that do not run each day. */
const inTurn = new Set([...projects.proof, ...SLOW, ...repeatedInTurn(projects)]);

afterEach(() => vi.unstubAllEnvs());

test.each([
  [1, 1],
  [7, 1],
  [10, 1],
  [25, 3],
  [400, 40],
  [5, 2],
])('of %i cases, %i a turn, each has its turn, and no turn has one twice', (length, count) => {
  const all = Array.from({ length }, (_, i) => i);
  const seen = new Set<number>();
  for (let turn = 20_000; turn < 20_000 + length; turn++) {
    const some = casesOf(turn, all, count);
    expect(some.length).toBe(count);
    expect(new Set(some).size).toBe(count);
    expect(some).toEqual([...some].sort((a, b) => a - b));
    for (const one of some) seen.add(one);
  }
  expect(seen.size).toBe(length);
});

test('where as many are asked for as there are, or more, all run', () => {
  expect(casesOf(20_783, ['a', 'b', 'c'], 3)).toEqual(['a', 'b', 'c']);
  expect(casesOf(20_783, ['a', 'b', 'c'], 9)).toEqual(['a', 'b', 'c']);
  expect(casesOf(20_783, [], 1)).toEqual([]);
});

test('whatever runs in turn has run after two weeks', () => {
  vi.stubEnv('PROOF_ROUNDS', '0.1');
  for (const length of [1, 2, 3, 31, 39, 40]) {
    const all = Array.from({ length }, (_, i) => i);
    const days = Array.from({ length: TURN_DAYS }, (_, i) => 20_783 + i).flatMap((day) => {
      vi.stubEnv('PROOF_DAY', String(day));
      return ofTheDay(all);
    });
    expect(days.sort((a, b) => a - b)).toEqual(all);
  }
});

test('a file that runs in turn runs every case of each list that it draws from, within 240 days', () => {
  vi.stubEnv('PROOF_ROUNDS', '0.1');
  const lengths = [...Array.from({ length: 40 }, (_, n) => n + 1), 75, 100, 149, 150];
  const lists = lengths.map((length) => Array.from({ length }, (_, i) => i));
  /** What ran, by the file and the number of cases. */
  const ran = new Map<string, Set<number>[]>();
  for (let day = 20_783; day < 21_023; day++) {
    vi.stubEnv('PROOF_DAY', String(day));
    const cases = lists.map((list) => drawn(list));
    for (const path of Object.values(filesOfTheDay(projects, [], 'embedded beside native')).flat()) {
      if (!inTurn.has(path)) continue;
      const seen = ran.get(path) ?? lists.map(() => new Set());
      ran.set(path, seen);
      for (const [i, some] of cases.entries()) for (const one of some) defined(seen[i]).add(one);
    }
  }
  expect([...ran.keys()].sort()).toEqual([...inTurn].sort());
  for (const [path, seen] of ran)
    expect([path, ...seen.map(({ size }) => size)]).toEqual([path, ...lists.map(({ length }) => length)]);
});

test('no file that runs in turn takes a fourteenth of a list each day: it would be the same one', () => {
  for (const path of inTurn) expect([path, readFileSync(path, 'utf8').includes('ofTheDay(')]).toEqual([path, false]);
});
