import { subscribe } from 'node:diagnostics_channel';

const undeclared: Error[] = [];
subscribe('boundary-lookup.undeclared-answer', (error) => void undeclared.push(error as Error));

/** The answers since the last call that the service itself found to be other than declared. */
export function takeUndeclared(): Error[] {
  return undeclared.splice(0);
}
