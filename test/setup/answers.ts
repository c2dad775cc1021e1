import { afterEach, expect } from 'vitest';
import { takeUndeclared } from './undeclared.ts';

// An undeclared response fails the test that caused it, even if that test only checked the status.
afterEach(() => {
  expect(takeUndeclared()).toEqual([]);
});
