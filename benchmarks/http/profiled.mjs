// Preloaded into a server: its parent starts and stops a profile of the main thread by messages.
import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

const INTERVAL_US = 500;

if (isMainThread && process.send) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
  process.on('message', (message) => {
    if (message === 'start') session.post('Profiler.start', () => process.send('started'));
    if (message === 'stop') session.post('Profiler.stop', (_error, { profile }) => process.send({ profile }));
  });
  process.channel?.unref();
}
