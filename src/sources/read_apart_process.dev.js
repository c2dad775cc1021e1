// As workers/tasks/thread.dev.js: from sources the process starts here, from dist/ in read_apart_process.js.
(await import('tsx/esm/api')).register();
await import('./read_apart_process.ts');
