import { once } from 'node:events';
import { deploymentOf, type FaultEnvironment, injectFault, type Outcome, serve } from './stage.ts';

/** Kills the server and starts a new one in its place, as systemd does. */
export async function killed(stage: FaultEnvironment): Promise<Outcome> {
  const first = await serve(stage);
  let second = first;
  try {
    return await injectFault(
      stage,
      first,
      async () => {
        const ended = once(first.process, 'exit');
        first.process.kill('SIGKILL');
        await ended;
        second = await serve(stage, { PORT: String(first.port) });
      },
      () => deploymentOf(first, stage),
    );
  } finally {
    await second.stop();
  }
}
