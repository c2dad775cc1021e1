// As workers/tasks/thread.dev.js: from sources the process starts here, from dist/ in read_isolated_process.js.
const bundled = process.env.BUNDLED_THREADS;
if (!bundled) (await import('tsx/esm/api')).register();
await import(bundled ? `${bundled}/read_isolated_process.js` : './read_isolated_process.ts');
