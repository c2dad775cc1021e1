import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FAULTS } from '../mutants/faults.ts';

test('there are 30 faults or more, of every area, each with a name of its own', () => {
  expect(FAULTS.length).toBeGreaterThanOrEqual(30);
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
  expect(new Set(FAULTS.map(({ area }) => area)).size).toBe(8);
});

test.each(FAULTS.map((fault) => [fault.name, fault] as const))(
  'can be planted: %s',
  (_name, { file, text, instead, tests }) => {
    expect(readFileSync(file, 'utf8').split(text).length).toBe(2);
    expect(instead).not.toBe(text);
    for (const path of tests) expect(existsSync(`test/${path}`), path).toBe(true);
  },
);
