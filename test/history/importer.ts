/**
 * Stores a file, with the options of a coverage, as the edition of a date into the given data directory or database. With a part of a statement more it
 * is killed right after that statement has run.
 */
import { openDatabase } from '../../src/db/connect.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { importFile } from '../../src/sources/import.ts';
import { killAfter } from '../setup/kill_after.ts';

const [dataDir = '', databaseUrl, file = '', coverage = '', validFrom = '', part = ''] = process.argv.slice(2);
const db = await openDatabase({ dataDir, databaseUrl: databaseUrl || null });
const engine = new Engine(db, { threads: 1, arcBytes: 64e6, cache: createCache(16e6), maxResponseBytes: 64e6 });
await importFile({ db: killAfter(db, part), engine }, file, JSON.parse(coverage), { validFrom });
await engine.close();
await db.close();
