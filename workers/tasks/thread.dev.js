// Node 20 does not load TypeScript in a worker thread by itself: from sources (tests, tsx) the pool starts here,
// from dist/ it starts thread.js and this file is not there.
// Tests make one file of it first (test/setup/threads.ts), which a thread has read much sooner.
const bundled = process.env.BUNDLED_THREADS;
if (!bundled) (await import('tsx/esm/api')).register();
export const { default: runTask } = await import(bundled ? `${bundled}/thread.js` : './thread.ts');
export default runTask;
