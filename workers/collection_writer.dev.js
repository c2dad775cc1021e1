// As geometry.dev.js: from sources the thread of a writer starts here.
import { register } from 'tsx/esm/api';

register();
await import('./collection_writer.ts');
