import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

test('work is counted by blocks, and what ran before that, which V8 counts by calls only, is an error', async () => {
  const script = `
    import { batches } from './src/sources/batches.ts';
    import { isDate } from './src/common/dates.ts';
    import { countWork, startCounting } from './test/setup/work.ts';
    const failed = (work) => countWork(work).catch(({ message }) => message.replace(/: .*/, ''));
    const said = [await failed(async () => undefined)];
    isDate('2026-01-01');
    startCounting();
    said.push(await failed(async () => isDate('2026-01-01')));
    const { total } = await countWork(async () => [...batches(Array(1000).fill(0), () => 1)]);
    console.log(JSON.stringify([...said, total > 1000]));
  `;
  const { stdout } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
  const before = 'ran before startCounting(), so only their calls are counted';
  expect(JSON.parse(stdout)).toEqual(['nothing is counted before startCounting()', before, true]);
});
