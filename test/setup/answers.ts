import { afterEach, expect } from 'vitest';
import { takeUndeclared } from './undeclared.ts';

// A wrong answer fails the test that provoked it, though that may have looked at nothing but the status.
afterEach(() => {
  expect(takeUndeclared()).toEqual([]);
});
