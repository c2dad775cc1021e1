// As geometry.dev.js: from sources the thread of a writer starts here.
const bundled = process.env.BUNDLED_THREADS;
if (!bundled) (await import('tsx/esm/api')).register();
await import(bundled ? `${bundled}/collection_writer.js` : './collection_writer.ts');
