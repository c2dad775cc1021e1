import { subscribe } from 'node:diagnostics_channel';

const undeclared: Error[] = [];
subscribe('boundary-lookup.undeclared-answer', (error) => void undeclared.push(error as Error));

/** Returns and clears the responses that the service itself found to differ from their declaration. */
export function takeUndeclared(): Error[] {
  return undeclared.splice(0);
}
