import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { only } from '../../src/common/elements.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { builtScript } from '../setup/built.ts';
import { COMPILE_ONCE } from '../setup/compiled.ts';
import { isNative } from '../setup/database.ts';
import { copyTemplate } from '../setup/embedded.ts';

describe.skipIf(isNative)('kill -9 of a process with the embedded database, in the middle of transactions', () => {
  let dataDir = '';
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'boundary-kill-'));
    await copyTemplate(dataDir);
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  /** Runs the writer until it has acknowledged `count` transactions, kills it, and gives what it acknowledged. */
  async function writeAndKill(count: number): Promise<{ acknowledged: number; pid: number }> {
    const child = spawn(process.execPath, [COMPILE_ONCE, await builtScript('test/db/writer.ts'), dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    let acknowledged = 0;
    let checked = false;
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged = Number(line);
      if (!checked && acknowledged > 0) {
        checked = true;
        await expect(openDatabase({ dataDir })).rejects.toThrow(`process ${child.pid}`);
      }
      if (acknowledged % count === 0) child.kill('SIGKILL');
    }
    await exited;
    return { acknowledged, pid: child.pid! };
  }

  it('loses nothing that was acknowledged and keeps nothing by half', async () => {
    for (const count of [7, 40]) {
      const { acknowledged } = await writeAndKill(count);
      expect(acknowledged).toBeGreaterThan(0);
      const db = await openDatabase({ dataDir });
      try {
        const row = only(
          await db.query<{ a: number; b: number; top: number }>(
            'select (select count(*) from ledger_a) as a, (select count(*) from ledger_b) as b, (select max(n) from ledger_a) as top',
          ),
        );
        expect(row.a).toBe(row.b);
        expect(row.top).toBeGreaterThanOrEqual(acknowledged);
        expect(row.a).toBe(row.top);
        await db.exec('set enable_seqscan = off');
        const index = only(await db.query<{ n: number }>('select count(n) as n from ledger_a where n > 0'));
        expect(index.n).toBe(row.a);
      } finally {
        await db.close();
      }
    }
  });
});
