import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter } from 'vitest/node';
import type { Unhandled } from './count.ts';

/**
 * A reporter for vitest that writes the errors which no test caught as a JSON list to the file that UNHANDLED_ERRORS
 * names: vitest fails a run for them, and its JSON report leaves them out.
 */
export default class UnhandledErrors implements Reporter {
  onTestRunEnd: Reporter['onTestRunEnd'] = (_files, errors) => {
    const file = process.env.UNHANDLED_ERRORS;
    if (!file) throw new Error('UNHANDLED_ERRORS is not set');
    const list = errors.map((error): Unhandled => {
      const path = error.VITEST_TEST_PATH;
      const text = [`${error.name}: ${error.message}`, ...(error.stack ?? '').split('\n').slice(1)].join('\n');
      return { path: typeof path === 'string' ? path : null, message: text.replaceAll(`${process.cwd()}/`, '') };
    });
    writeFileSync(file, JSON.stringify(list));
    for (const { path, message } of list)
      console.log(`not caught by a test${path ? ` (${relative(process.cwd(), path)})` : ''}: ${message}`);
  };
}
