import { subscribe } from 'node:diagnostics_channel';
import { afterEach, expect } from 'vitest';

const undeclared: Error[] = [];
subscribe('boundary-lookup.undeclared-answer', (error) => void undeclared.push(error as Error));

/** The answers since the last call that the service itself found to be other than declared. */
export function takeUndeclared(): Error[] {
  return undeclared.splice(0);
}

// A wrong answer fails the test that provoked it, though that may have looked at nothing but the status.
afterEach(() => {
  expect(takeUndeclared()).toEqual([]);
});
