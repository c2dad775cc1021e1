import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { heavy } from './clients.ts';
import { fillDisk } from './disk.ts';
import { BREAKABLE, inGroup } from './memory.ts';
import { withServer } from './postgres.ts';
import { killed } from './restart.ts';
import { deploymentOf, type FaultEnvironment, injectFault, type Outcome, serve } from './stage.ts';

/** Faults of a server with the embedded database. */
export const EMBEDDED_FAULTS: Readonly<Record<string, (stage: FaultEnvironment) => Promise<Outcome>>> = {
  "the embedded database's thread ended": async (stage) => {
    const server = await serve(stage, {}, BREAKABLE);
    try {
      return await injectFault(stage, server, async () => {
        server.process.send('end first thread');
        await sleep(3000);
      });
    } finally {
      await server.stop();
    }
  },

  'embedded: serve killed and started again': (stage) => killed(stage),

  'embedded: memory limited to 2 GiB, all of it taken, and started again': (stage) =>
    inGroup(2 * 2 ** 30, async (group) => {
      const first = await serve(stage, {}, group.node);
      let second = first;
      try {
        let calm = 0;
        const harm = async (): Promise<void> => {
          await heavy(stage, first);
          calm = group.usedMb();
          const ended = once(first.process, 'exit');
          first.process.kill('SIGUSR2');
          await ended;
          second = await serve(stage, { PORT: String(first.port) }, group.node);
        };
        const outcome = await injectFault(stage, first, harm, () => deploymentOf(first, stage));
        return { ...outcome, note: `${calm} MB under heavy calls; then ${group.ended()} ended by the kernel` };
      } finally {
        await second.stop();
      }
    }),

  'embedded: DATA_DIR full': (stage) =>
    withServer(stage, async () => {
      const free = fillDisk(stage.folder);
      await sleep(6000);
      free();
    }),
};
