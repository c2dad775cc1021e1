/**
 * Stores a version of the set "zones" from a date on in the database of its environment, three areas beside each other
 * from the x given. With a part of a statement more it is killed right after that statement has run.
 */
import { openApp } from '../../src/app/app.ts';
import { createLogger } from '../../src/common/log.ts';
import { loadConfig } from '../../src/config.ts';
import { systemActor } from '../../src/core/access.ts';
import { storeAreas } from '../../src/sources/area_sets.ts';
import { madeBoundary, type Point } from '../proof/made.ts';
import { killAfter } from '../setup/kill_after.ts';

const [validFrom = '', x = '0', part = ''] = process.argv.slice(2);
const app = await openApp(loadConfig(), createLogger('silent'));
const { db, engine, keys, areaSets } = app.services;
const { account, org } = await keys.create({ email: 'storer@example.org' });
const by = { account: account.id, org: org.id, role: 'owner', actor: systemActor('test') } as const;
const square = (at: number): Point[] => [
  [at, 0],
  [at + 1e6, 0],
  [at + 1e6, 1e6],
  [at, 1e6],
];
const areas = [0, 1, 2].map((i) => ({
  ...madeBoundary(`a${i}`, [square(Number(x) + i * 1e6)]),
  ...{ id: `set:zones/a${i}`, adminLevel: null, kind: 'district' as const, country: null },
}));
const about = { name: 'zones', title: undefined, visibility: undefined, validFrom, madeFrom: 'file' as const };
const more = { attribution: 'zones', replace: true, report: {}, seams: '[]', base: undefined };
await storeAreas({ db: killAfter(db, part), engine }, { name: 'zones', areas }, (tx, made) =>
  areaSets.putVersion(tx, by, { ...about, ...more, areas: made.areas, vertices: made.vertices }),
);
await app.close();
