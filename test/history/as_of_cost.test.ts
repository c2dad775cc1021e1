import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadQuery } from '../../src/db/query.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { middleOf, rowOf, storeMade } from './made_editions.ts';

const [COLUMNS, ROWS] = [20, 10];
let server: BoundaryTestServer;
let key: string;
/** Statements that were sent, besides those that read the revision. */
let sent: string[] = [];
/** Statements that read boxes. */
const boxes = { started: 0, running: 0, most: 0 };

beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key());
  const areas = (name: string) =>
    Array.from({ length: ROWS * COLUMNS }, (_, i) => {
      const [row, column] = [Math.floor(i / COLUMNS), i % COLUMNS];
      return { id: `m${i}`, name: `${name} ${i}`, level: 8, cells: rowOf(row, column, column + 1) };
    });
  await storeMade(server, '2010-01-01', areas('Old'));
  await storeMade(server, '2020-01-01', areas('Newer'));
  await storeMade(server, null, areas('Today'));
  const { db } = server.services;
  const real = { query: db.query, transaction: db.transaction };
  const noted = (query: typeof db.query) =>
    ((sql: string, ...more: []) => {
      if (!sql.startsWith(loadQuery('data_revision'))) sent.push(sql);
      if (!sql.startsWith(loadQuery('boundary_boxes'))) return query(sql, ...more);
      boxes.started++;
      boxes.most = Math.max(boxes.most, ++boxes.running);
      return query(sql, ...more).finally(() => {
        boxes.running--;
      });
    }) as typeof db.query;
  Object.assign(db, {
    query: noted(real.query),
    transaction: ((work, options) =>
      real.transaction((tx) => work({ ...tx, query: noted(tx.query) }), options)) as typeof db.transaction,
  });
}, 240_000);
afterAll(() => server?.close());

const at = (i: number) => {
  const { lat, lon } = middleOf((7 * i) % COLUMNS, (3 * i) % ROWS);
  return `/v1/boundaries/reverse?lat=${lat}&lon=${lon}`;
};

/** The answers, and how many statements about boundaries they took. */
async function ask(paths: readonly string[]) {
  const answers: string[] = [];
  sent = [];
  for (const path of paths) {
    const reply = await server.get(path, key);
    expect(reply.status).toBe(200);
    answers.push(reply.text);
  }
  const asked = sent.filter((sql) => /boundary|edition_as_of|search_path/.test(sql));
  return { answers, statements: asked.length };
}

it('reverse and get as of a date that is asked for often send no statement, as those of today', {
  timeout: 240_000,
}, async () => {
  const points = Array.from({ length: 30 }, (_, i) => at(i));
  const past = points.map((path) => `${path}&as_of=2015-05-05`);
  const first = await ask(past);
  expect(JSON.parse(first.answers[0] ?? '').items[0].name).toMatch(/^Old /);
  await ask(points);
  // Boxes are read in the background.
  for (let i = 0; i < 100 && (await ask(past)).statements > 0; i++) await new Promise((later) => setTimeout(later, 50));
  const [today, then] = [await ask(points), await ask(past)];
  expect([today.statements, then.statements]).toEqual([0, 0]);
  expect(then.answers).toEqual(first.answers);
  const ids = first.answers.map((text) => JSON.parse(text).items[0].id as string);
  const gets = (on: string) => ids.map((id) => `/v1/boundaries/${id}?detail=low${on}`);
  for (const on of ['', '&as_of=2015-05-05']) await ask(gets(on));
  const [whole, wholeThen] = [await ask(gets('')), await ask(gets('&as_of=2015-05-05'))];
  expect([whole.statements, wholeThen.statements]).toEqual([0, 0]);
});

it('of many dates at once read the boxes of one after the other, in a part of the time', {
  timeout: 240_000,
}, async () => {
  Object.assign(boxes, { started: 0, most: 0 });
  const dates = Array.from({ length: 12 }, (_, i) => `${2009 + i}-06-01`);
  for (const year of dates.map((date) => date.slice(0, 4))) {
    await storeMade(server, `${year}-03-01`, [{ id: 'far', name: year, level: 4, cells: rowOf(15, 0, 2) }]);
  }
  for (const date of dates) {
    const paths = Array.from({ length: 12 }, (_, i) => `${at(i)}&as_of=${date}`);
    const replies = await Promise.all(paths.map((path) => server.get(path, key)));
    expect(replies.map(({ status }) => status)).toEqual(paths.map(() => 200));
  }
  expect([boxes.most, boxes.started > 0, boxes.started < dates.length]).toEqual([1, true, true]);
});
