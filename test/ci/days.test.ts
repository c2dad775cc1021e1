import { resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { FAULTS } from '../mutants/faults.ts';
import { filesOfTheDay, KILLED, SLOW } from '../setup/days.ts';
import { divideTests } from '../setup/projects.ts';

const projects = divideTests(resolve(import.meta.dirname, '../..'));
const left = (words: readonly string[], isNative: boolean) => {
  const today = Object.values(filesOfTheDay(projects, words, isNative)).flat();
  return [...new Set(Object.values(projects).flat())].filter((path) => !today.includes(path));
};
afterEach(() => vi.unstubAllEnvs());

test('with a share of the rounds, a third of the proofs and of the slow files run, and all others', () => {
  vi.stubEnv('PROOF_ROUNDS', '0.1');
  const later = left([], true);
  const proofs = later.filter((path) => path.startsWith('test/proof/'));
  expect(Math.abs(proofs.length - (projects.proof.length * 2) / 3)).toBeLessThan(1);
  expect(later.length - proofs.length).toBeGreaterThan(3);
  expect(later.length).toBeLessThan(projects.proof.length);
  expect(later.filter((path) => path.includes('kill'))).toEqual([]);
  const embedded = left([], false).filter((path) => !later.includes(path));
  expect(Math.abs(embedded.length - (KILLED.length * 2) / 3)).toBeLessThan(1);
  for (const path of embedded) expect(path).toMatch(/\/kill(ed)?\.test\.ts$/);
});

test('what the command line names runs on any day, and all of it where proofs run whole', () => {
  vi.stubEnv('PROOF_ROUNDS', '0.1');
  for (const path of left([], false)) {
    for (const word of [path, resolve(path)]) expect(left(['--project=either', word], false)).not.toContain(path);
  }
  vi.stubEnv('PROOF_ROUNDS', undefined);
  expect(left([], false)).toEqual([]);
});

test('every planted fault is noticed by a file that runs each day', () => {
  const later = new Set([...Object.keys(SLOW), ...KILLED, ...projects.proof]);
  for (const { name, tests } of FAULTS)
    expect([name, tests.some((path) => !later.has(`test/${path}`))]).toEqual([name, true]);
});
