// Like geometry.dev.js: the entry point of the writer thread when it runs from sources.
import { register } from 'tsx/esm/api';

register();
await import('./collection_writer.ts');
