/** The process that runs one data command for a server (isolated.ts). */
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { z } from 'zod';
import { limitMemory } from '../../common/memory_limit.ts';
import { asProblem } from '../../core/errors.ts';
import { borrow } from '../../db/lent.ts';
import { createCache } from '../../geometry/cached.ts';
import { Engine } from '../../geometry/engine.ts';
import type { DataCommand } from './command.ts';
import { importCommands } from './import.ts';
import type { Order, Said, Work } from './isolated.ts';
import { updateCommands } from './update.ts';

const commands = { ...importCommands, ...updateCommands };

const say = (said: Said) => new Promise<void>((resolve) => process.send?.(said, undefined, {}, () => resolve()));

const borrowed = (kind: Work['kind']) => borrow(kind, (asked) => void say({ asked }));
let database: ReturnType<typeof borrowed> | null = null;

async function run({ name, input, kind, engine: { cacheBytes, ...options }, mostBytes }: Work): Promise<void> {
  // Threads that start from here on have its priority too: calls of the server come first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  limitMemory(mostBytes);
  database = borrowed(kind);
  const engine = new Engine(database.db, { ...options, cache: createCache(cacheBytes) });
  const command = commands[name as keyof typeof commands] as DataCommand<z.ZodType>;
  const app = { services: { db: database.db, engine } };
  await say({ result: await command.run(app, input, (progress) => void say({ progress })) });
}

/** Makes this the process that Linux ends first when the machine has no memory left. */
function volunteer(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Another system, or one that does not allow it: the limit of memory remains.
  }
}

volunteer();
process.on('message', (message) => {
  const order = message as Order;
  if ('reply' in order) database?.receive(order.reply);
  else {
    run(order.work).catch((error: unknown) => {
      const known = asProblem(error);
      const { message: detail, stack, code } = error as Error & { code?: unknown };
      return say(
        known
          ? { problem: { code: known.code, detail: known.message, extra: known.extra } }
          : { failure: { message: detail, stack, code } },
      );
    });
  }
});
// The server has died: there is no database any more.
process.once('disconnect', () => process.exit(1));
