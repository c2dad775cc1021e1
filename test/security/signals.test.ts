import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';

/** Runs a script of this project in a process of its own, with its standard error as a pipe. */
function run(script: string) {
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const heard = (stream: NodeJS.ReadableStream, text: string): Promise<void> =>
  new Promise((resolve) => {
    let all = '';
    stream.on('data', (part) => {
      all += part;
      if (all.includes(text)) resolve();
    });
  });

const LOG = `const { createLogger } = await import('./src/common/log.ts'); const log = createLogger('info');`;

describe('the log', () => {
  test('a pipe that no one reads holds up nothing; once it is read, all of it comes', async () => {
    const child = run(`${LOG}
      for (let i = 0; i < 20_000; i++) log.info({ i }, 'x'.repeat(200));
      console.log('went on');`);
    await heard(child.stdout, 'went on');
    let lines = 0;
    child.stderr.on('data', (part) => {
      lines += String(part).split('\n').length - 1;
    });
    await once(child, 'close');
    expect(lines).toBe(20_000);
  });

  test('what is not written yet when the process ends is written then', async () => {
    const child = run(`${LOG} log.info('the last word'); process.exit(0);`);
    await Promise.all([heard(child.stderr, 'the last word'), once(child, 'close')]);
  });
});

describe('signals', () => {
  const STOP = `${LOG} const { stopOnSignals } = await import('./src/cli/server/stop.ts'); setInterval(() => {}, 1000);`;

  test('the first ends the process when all is closed', async () => {
    const child = run(`${STOP} stopOnSignals(async () => console.log('closing'), log); console.log('ready');`);
    await heard(child.stdout, 'ready');
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('a second %s ends it at once, whatever it waits for', async (signal, code) => {
    const never = `new Promise(() => console.log('closing'))`;
    const child = run(`${STOP} stopOnSignals(() => ${never}, log); console.log('ready');`);
    await heard(child.stdout, 'ready');
    const closing = heard(child.stdout, 'closing');
    child.kill(signal);
    await closing;
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([code, null]);
  });
});
