import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter } from 'vitest/node';
import type { Ended, Unhandled } from './count.ts';

/**
 * A reporter for vitest that writes what its JSON report leaves out (Ended) to the file that ENDED_FILE names: errors
 * which no test caught, for which vitest fails a run, and the time of files with what they do before and after their tests.
 */
export default class EndedReporter implements Reporter {
  onTestRunEnd: Reporter['onTestRunEnd'] = (files, errors) => {
    const file = process.env.ENDED_FILE;
    if (!file) throw new Error('ENDED_FILE is not set');
    const unhandled = errors.map((error): Unhandled => {
      const path = error.VITEST_TEST_PATH;
      const text = [`${error.name}: ${error.message}`, ...(error.stack ?? '').split('\n').slice(1)].join('\n');
      return { path: typeof path === 'string' ? path : null, message: text.replaceAll(`${process.cwd()}/`, '') };
    });
    const milliseconds = Object.fromEntries(files.map((one) => [one.moduleId, one.diagnostic().duration]));
    writeFileSync(file, JSON.stringify({ unhandled, milliseconds } satisfies Ended));
    for (const { path, message } of unhandled)
      console.log(`not caught by a test${path ? ` (${relative(process.cwd(), path)})` : ''}: ${message}`);
  };
}
