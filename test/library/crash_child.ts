/**
 * A process that ends as in a crash: `crash_child.ts <what>…` does one after the other in the DATA_DIR of its
 * environment. `save` and `delete` do so; `save-killed` gets a SIGKILL when the bytes are stored and the entry is written
 * but not committed, `delete-killed` when the entry is deleted but the bytes are not. After each but these it prints a
 * line of JSON: what is stored.
 */

import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openApp } from '../../src/app/app.ts';
import { runCommand } from '../../src/cli/operator/index.ts';
import { createLogger } from '../../src/common/log.ts';
import { loadConfig } from '../../src/config.ts';
import { systemActor } from '../../src/core/access.ts';
import { createFiles } from '../../src/domain/library/files.ts';
import { leading } from '../setup/elements.ts';

const app = await openApp(loadConfig(), createLogger('silent'));
const { services } = app;
const email = 'crash@example.org';
const { account, org } = await services.keys.create({ email, name: 'crash' });
const by = { account: account.id, org: org.id, role: 'owner', actor: systemActor('test') } as const;
const content = Buffer.from('the bytes of a file');
const key = { boundary: 'r1', format: 'wkt', detail: 'low', visibility: 'org' } as const;
const exported = { ...key, version: 1, sha256: createHash('sha256').update(content).digest('hex'), content };

const killed = (): never => {
  process.kill(process.pid, 'SIGKILL');
  // The signal is pending: nothing after this line runs.
  for (;;);
};
const page = { limit: 10, offset: 0 };

for (const what of process.argv.slice(2)) {
  if (what === 'save' || what === 'save-killed') {
    await services.files.save(by, { key, name: 'a file', exported }, async () => {
      if (what === 'save-killed') killed();
    });
  }
  if (what === 'delete' || what === 'delete-killed') {
    const [{ id }] = leading((await services.files.list(by, page)).items, 1);
    const blobs = { ...services.fileBlobs, release: async () => killed() };
    const files = what === 'delete' ? services.files : createFiles(services.db, blobs, killed);
    await files.remove(by, id);
  }
  const swept = what === 'sweep' ? await services.fileBlobs.sweep(0) : 0;
  const report = await runCommand(app, 'admin_blobs', { repair: what === 'repair' }, () => undefined);
  const { total } = await services.files.list(by, page);
  // At once, for the next step may kill it.
  writeSync(1, `${JSON.stringify({ entries: total, swept, report })}\n`);
}
await app.close();
