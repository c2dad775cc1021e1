import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runMatch } from '../../src/cli/commands/match.ts';
import { ops } from '../../src/ops/index.ts';
import { serverTarget } from '../../src/transports/call.ts';
import { localTarget } from '../../src/transports/local.ts';
import { insertFixtures } from '../domain/fixture_boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer, type Reply } from '../ops/boundary_test_server.ts';
import { TABLES_WORLD } from './tables_world.ts';

interface Answer {
  readonly columns: object;
  readonly decided: Readonly<Record<string, unknown>>;
  readonly counts: Readonly<Record<string, number>>;
  readonly rows: readonly {
    readonly match: string;
    readonly boundary: { readonly id: string } | null;
    readonly candidates: readonly { readonly id: string }[];
    readonly decided_by: string | null;
    readonly confidence: number;
  }[];
  readonly code: string;
  readonly detail: string;
  readonly issues: readonly { readonly path: string; readonly message: string }[];
}

let server: BoundaryTestServer;
let key: string;
let folder: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await insertFixtures(server.services.db, TABLES_WORLD);
  ({ key } = await server.key());
  folder = mkdtempSync(join(tmpdir(), 'match-'));
});
afterAll(async () => {
  await server?.close();
  if (folder) rmSync(folder, { recursive: true });
});

const read = (reply: Reply) => reply.json as unknown as Answer;
const byName = async (rows: readonly object[], more: object = {}) =>
  read(await server.rpc('match_names', { rows, ...more }, key));
const send = (text: string, query = '', { type = 'text/csv', by = key } = {}) =>
  server.ask('POST', `/v1/match${query}`, { key: by, text, headers: { 'Content-Type': type } });
const ids = ({ rows }: Answer) => rows.map(({ boundary, match }) => boundary?.id ?? match);
const names = (...list: readonly string[]) => list.map((name) => ({ name }));

describe('match_names by name', () => {
  it('decides a county of two states by the other rows, and says so', async () => {
    const found = await byName(names('Washington', 'Sangamon', 'Champaign County', 'Macoupin'));
    expect(ids(found)).toEqual(['r100', 'r102', 'r103', 'r104']);
    expect(found.decided).toEqual({
      ...{ country: 'US', admin_level: 6, within: { id: 'r10', name: 'Illinois' }, language: null },
    });
    expect(found.rows.map(({ decided_by }) => decided_by)).toEqual(['column', null, null, null]);
    expect(found.rows[0]?.candidates.map(({ id }) => id)).toEqual(['r101']);
  });

  it('reads a name without the number of a list and the marks of notes, if no place has it as it is written', async () => {
    const found = await byName(names('3. Sangamon', 'Champaign [1]', 'Macoupin¹', '12) Clay (2)', 'Washington †'));
    expect(ids(found)).toEqual(['r102', 'r103', 'r104', 'r106', 'r100']);
  });

  it('reads what is around a row and was cut within a word, of the length of the longest', async () => {
    const of = async (...within: readonly string[]) =>
      ids(await byName(within.map((one) => ({ name: 'Sangamon', within: one }))));
    expect(await of('United Sta')).toEqual(['r102']);
    expect(await of('United Kin')).toEqual(['ambiguous']);
    // Too short, shorter than the longest, and no start.
    expect(await of('Illin')).toEqual(['ambiguous']);
    expect(await of('United Sta', 'United States')).toEqual(['ambiguous', 'r102']);
    expect(await of('nited Stat')).toEqual(['ambiguous']);
  });

  it('guesses nothing: alone, or in a column of both states, the county is ambiguous', async () => {
    const rows = names('Washington', 'Sangamon', 'Champaign', 'Macoupin');
    const alone = await byName(rows, { decide: 'row' });
    expect(ids(alone)).toEqual(['ambiguous', 'r102', 'r103', 'r104']);
    expect(alone.rows[0]?.candidates.map(({ id }) => id).sort()).toEqual(['r100', 'r101']);
    const both = await byName(names('Washington', 'Sangamon', 'Travis', 'Macoupin'));
    expect(ids(both)).toEqual(['ambiguous', 'r102', 'r105', 'r104']);
  });

  it('takes what a row says of its place: a state by name or code, a type word, a level, a country', async () => {
    const rows = [
      { name: 'Washington', within: 'Texas' },
      { name: 'Washington', within: ['IL', 'US'] },
      { name: 'Washington County, Texas' },
      { name: 'Sevilla', type: 'provincia' },
      { name: 'sevilla', type: '8' },
      { name: 'Granada', within: 'ES', type: 'municipio' },
      { code: '17189' },
      { code: 'r105' },
      { code: 'iso:US-TX' },
      { name: '48077' },
      { name: 'Atlantis' },
      { name: 'Washington', within: 'Atlantis' },
    ];
    expect(ids(await byName(rows, { decide: 'row' }))).toEqual([
      ...['r101', 'r100', 'r101', 'r200', 'r210', 'r212', 'r100', 'r105', 'r11', 'r107', 'not_found', 'ambiguous'],
    ]);
  });

  it('leaves open a code and a name of different places', async () => {
    const [one, two] = (
      await byName([
        { name: 'Washington', code: '17189' },
        { name: 'Travis', code: '17189' },
      ])
    ).rows;
    expect([one?.boundary?.id, one?.match]).toEqual(['r100', 'code']);
    expect([two?.match, two?.candidates.map(({ id }) => id)]).toEqual(['ambiguous', ['r100', 'r105']]);
  });

  it('takes a code only where the name means its place, in any spelling, and the other rows allow it', async () => {
    const code = '48453';
    const rows = ['', 'Travis', 'travis county', 'Travs', 'Sangamon', 'Nothing such'].map((name) => ({ name, code }));
    expect(ids(await byName(rows, { decide: 'row' }))).toEqual([
      ...['r105', 'r105', 'r105', 'r105', 'ambiguous', 'ambiguous'],
    ]);
    const spanish = ['Sevilla', 'Jaén', 'Cádiz', 'Córdoba', 'Dos Hermanas', 'Jerez de la Frontera'].flatMap((name) =>
      [[], ['ES'], ['España']].map((within) => ({ name, within })),
    );
    for (const [row, id] of [
      [{ code }, 'ambiguous'],
      [{ code, name: 'Travis' }, 'r105'],
      [{ code: 'iso:US-TX' }, 'r11'],
    ] as const) {
      const found = await byName([...spanish, row]);
      expect([found.decided.country, ids(found).at(-1)]).toEqual(['ES', id]);
    }
  });

  it('repairs a typo only where one place is that near', async () => {
    const found = await byName(names('Sangamon', 'Macoupin', 'Champaign', 'Washingtno', 'Clary'));
    expect(ids(found)).toEqual(['r102', 'r104', 'r103', 'r100', 'r106']);
    expect(found.rows.map(({ match }) => match)).toEqual(['exact', 'exact', 'exact', 'typo', 'typo']);
    expect(found.rows[4]?.confidence).toBeLessThan(0.9);
    expect(ids(await byName(names('Sangamon', 'Macoupin', 'Travis', 'Clary'))).at(-1)).toBe('ambiguous');
  });

  it('reads provinces and municipalities of one name by the level of the others', async () => {
    const provinces = await byName(names('Sevilla', 'Córdoba', 'Jaén', 'Cádiz'));
    expect(ids(provinces)).toEqual(['r200', 'r201', 'r203', 'r204']);
    const municipalities = await byName(names('Sevilla', 'CORDOBA', 'Jerez de la Frontera', 'Dos  Hermanas'));
    expect(ids(municipalities)).toEqual(['r210', 'r211', 'r213', 'r214']);
    expect(ids(await byName(names('Sevilla', 'Córdoba')))).toEqual(['ambiguous', 'ambiguous']);
    expect(ids(await byName(names('Sevilla', 'Córdoba'), { admin_level: 8 }))).toEqual(['r210', 'r211']);
    expect(ids(await byName(names('Sevilla'), { kind: 'province' }))).toEqual(['r200']);
  });

  it('leaves open what lies outside of all other rows', async () => {
    const found = await byName(names('Sevilla', 'Jaén', 'Cádiz', 'Córdoba', 'Granada', 'Sangamon'));
    expect(ids(found)).toEqual(['r200', 'r203', 'r204', 'r201', 'r202', 'ambiguous']);
    expect(found.rows[5]?.candidates.map(({ id }) => id)).toEqual(['r102']);
  });

  it('refuses what is not a list of rows, and counts 1,000 rows as a unit', async () => {
    expect((await byName([])).code).toBe('invalid_input');
    expect((await byName(names('x'), { name_column: 'a' })).issues[0]?.path).toBe('name_column');
    expect((await byName([{ nam: 'x' }])).issues[0]?.path).toMatch(/^rows/);
    const many = Array.from({ length: 10_001 }, () => ({ name: 'x' }));
    expect((await byName(many)).issues[0]?.path).toBe('rows');
    expect((await server.rpc('match_names', { rows: names('x') }, '')).status).toBe(401);
    const mine = (await server.key('free')).key;
    await server.rpc('match_names', { rows: Array.from({ length: 1001 }, () => ({ name: 'Sevilla' })) }, mine);
    expect(await server.used(mine)).toBe(2);
  });
});

describe('match_names of a table', () => {
  it('answers the same rows with columns added, and what it decided in a header', async () => {
    const table = '\ufeffCondado;pais;n\r\nWashington;US;1\r\n"Sangamon";US;"a;b"\r\nMacoupin;;3\r\nNowhere;US;4\r\n';
    const reply = await send(table);
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/csv']);
    expect(reply.text.split('\n')).toEqual([
      'Condado;pais;n;match_id;match_name;match_level;match_parents;match;match_confidence;match_candidates',
      'Washington;US;1;r100;Washington;6;United States > Illinois;exact;0.95;r101',
      '"Sangamon";US;"a;b";r102;Sangamon;6;United States > Illinois;exact;1;',
      'Macoupin;;3;r104;Macoupin;6;United States > Illinois;exact;1;',
      'Nowhere;US;4;;;;;not_found;;',
      '',
    ]);
    expect(reply.headers['boundary-match']).toBe(
      'rows=4, distinct=4, matched=3, ambiguous=0, not_found=1, country=US, admin_level=6, within=r10, ' +
        'name_column="Condado", within_columns=("pais")',
    );
  });

  it('refuses a table without names of columns, whose first row would be lost', async () => {
    for (const table of ['Dos Hermanas,1\nJerez de la Frontera,2\n', 'Jaén\nCádiz\nGranada\n']) {
      const { status, text } = await send(table);
      expect([status, text]).toEqual([400, expect.stringContaining('line 1 names a place')]);
    }
    const named = await send('Jaén\nCádiz\nCórdoba\n', '?name_column=Ja%C3%A9n');
    expect([named.status, named.text.split('\n').length]).toEqual([200, 4]);
    expect((await send('lugares\nDos Hermanas\nJerez de la Frontera\n')).status).toBe(200);
  });

  it('finds the column by its contents, and shows ten rows of a dry run for one unit', async () => {
    const mine = (await server.key('free')).key;
    const rows = Array.from({ length: 1_500 }, (_, i) => `${i},x${i},${['Sevilla', 'Jaén', 'Cádiz'][i % 3]}`);
    const reply = read(await send(`a,b,c\n${rows.join('\n')}`, '?dry_run=true', { by: mine }));
    expect(reply.columns).toEqual({ name: 'c', code: null, within: [], type: null });
    expect(reply.counts).toEqual({ rows: 1500, distinct: 3, matched: 1500, ambiguous: 0, not_found: 0 });
    expect(ids(reply)).toEqual([...'012012012'].map((i) => ['r200', 'r203', 'r204'][Number(i)]).concat('r200'));
    expect(await server.used(mine)).toBe(1);
  });

  it('takes a column whose cells repeat for what is around the names beside it', async () => {
    const columns = async (head: string, rows: readonly string[]) =>
      read(await send(`${[head, ...rows].join('\n')}\n`, '?dry_run=true')).columns;
    const counties = ['Washington', 'Sangamon', 'Champaign', 'Macoupin', 'Clay'].map((name) => `Illinois,${name},x`);
    const none = { code: null, within: [], type: null };
    expect(await columns('state,where,c', counties)).toEqual({ ...none, name: 'where', within: ['state'] });
    expect(await columns('a,b,c', counties)).toEqual({ ...none, name: 'b', within: ['a'] });
    // What is beside it has no names of places, or they are not inside of it.
    const goods = ['wheat', 'rice', 'corn', 'oats', 'rye'].map((name) => `Illinois,${name},x`);
    expect(await columns('state,crop,c', goods)).toEqual({ ...none, name: 'state' });
    const others = ['Washington', 'Sangamon', 'Champaign', 'Macoupin', 'Clay'].map((name) => `Sevilla,${name},x`);
    expect(await columns('a,b,c', others)).toEqual({ ...none, name: 'b' });
  });

  it('takes no column for the codes of the rows that has those of something else', async () => {
    const columns = async (text: string) => read(await send(text, '?dry_run=true')).columns;
    const none = { code: null, within: [], type: null };
    expect(await columns('id,county\n17189,Travis\n17167,Clay\n')).toEqual({ ...none, name: 'county' });
    expect(await columns('id,county\nr105,Travis\niso:US-TX,Texas\n,x\n')).toMatchObject({
      name: 'county',
      code: 'id',
    });
    expect(await columns('id,county\nhttp://x/1,Travis\n')).toMatchObject({ code: null });
    expect(await columns('postal_code,municipio\n17189,Sevilla\n')).toEqual({ ...none, name: 'municipio' });
    expect(await columns('CodePostal,commune\n17189,Sevilla\n')).toEqual({ ...none, name: 'commune' });
    const around = { ...none, name: 'county', within: ['state_code', 'country_code'] };
    expect(await columns('country_code,state_code,county\nUS,US-TX,Travis\n')).toEqual(around);
    const named = { ...none, name: 'county', within: ['state'] };
    expect(await columns('state,state_code,county\nTexas,48,Travis\n')).toEqual(named);
    expect(await columns('county_code,city\n48453,Sevilla\n')).toEqual({
      ...none,
      name: 'city',
      within: ['county_code'],
    });
    expect(await columns('county_code,county,state\n48453,Travis,Texas\n')).toEqual({
      ...{ name: 'county', code: 'county_code', within: ['state'], type: null },
    });
    const [, row] = (await send('county,state_code\nClay,US-TX\n')).text.split('\n');
    expect(row).toMatch(/^Clay,US-TX,r107,/);
  });

  /** Rows that explain a reading: five counties of two states, one of a name that both have. */
  const COUNTIES = [
    ['Sangamon', 'Illinois', '17167', 'r102'],
    ['Champaign', 'Illinois', '17019', 'r103'],
    ['Macoupin', 'Illinois', '17117', 'r104'],
    ['Clay', 'Illinois', '17025', 'r106'],
    ['Travis', 'Texas', '48453', 'r105'],
    ['Clay', 'Texas', '48077', 'r107'],
  ] as const;
  it.each([
    [
      'a name of a firm',
      'Account Name,County,State',
      ([name, state]: readonly string[], i: number) => [`Firm ${i}`, name, state],
    ],
    [
      'regions of sales',
      'Region,County,State',
      ([name, state]: readonly string[], i: number) => [['North', 'South'][i % 2], name, state],
    ],
    [
      'codes of goods',
      'Code,County,State',
      ([name, state]: readonly string[], i: number) => [['US-TX', 'ES-SE', 'A-1'][i % 3], name, state],
    ],
    [
      'levels of something else',
      'Level,County,State',
      ([name, state]: readonly string[], i: number) => [String(i % 3), name, state],
    ],
    [
      'a seat of the same word',
      'County Seat,County,State',
      ([name, state]: readonly string[], i: number) => [`Town ${i}`, name, state],
    ],
    [
      'the same names once more',
      'County,County name,State',
      ([name, state]: readonly string[]) => [name, `${name} County`, state],
    ],
    [
      'people in an office',
      'Head of state,County,State',
      ([name, state]: readonly string[], i: number) => [`Person ${i}`, name, state],
    ],
  ])('reads the columns that explain the rows beside %s', async (_, head, cells) => {
    const table = [head, ...COUNTIES.map((row, i) => cells(row, i).join())].join('\n');
    const lines = (await send(`${table}\n`)).text.trimEnd().split('\n').slice(1);
    expect(lines.map((line) => line.split(',')[3])).toEqual(COUNTIES.map(([, , , id]) => id));
  });

  it('refuses two columns of places that are not around one another, and takes one that is', async () => {
    const from = ['Sangamon', 'Champaign', 'Macoupin', 'Travis', 'Washington'];
    const to = ['Travis', 'Macoupin', 'Sangamon', 'Champaign', 'Macoupin'];
    const table = `county from,county to\n${from.map((name, i) => `${name},${to[i]}`).join('\n')}\n`;
    const refused = read(await send(table));
    expect(refused.issues).toEqual([
      {
        ...{ path: 'name_column', code: 'ambiguous' },
        message: 'county from and county to both have names of places: say which with name_column',
      },
    ]);
    const [, row] = (await send(table, '?name_column=county%20to')).text.split('\n');
    expect(row).toMatch(/^Sangamon,Travis,r105,/);
  });

  it('reads a ditto mark and a cell that was merged as the one above', async () => {
    const ditto = 'state;county\nTexas;Clay\n″;Travis\ndo.;Washington\nIllinois;Clay\nidem;Washington\n';
    const merged = 'state;county\nTexas;Clay\n;Travis\n;Washington\nIllinois;Clay\n;Washington\n';
    for (const table of [ditto, merged]) {
      const lines = (await send(table)).text.trimEnd().split('\n').slice(1);
      expect(lines.map((line) => line.split(';')[2])).toEqual(['r107', 'r105', 'r101', 'r106', 'r100']);
    }
    // Empty cells that say nothing: the names are not inside of what is above.
    const empty = 'state;county\nTexas;Travis\n;Sangamon\n;Champaign\n;Macoupin\n;Clay\n';
    const lines = (await send(empty)).text.trimEnd().split('\n').slice(1);
    expect(lines.map((line) => line.split(';')[2])).toEqual(['r105', 'r102', 'r103', 'r104', '']);
  });

  it('takes nothing from a column of something else, of which a cell is the name of a place', async () => {
    const some = 'Indicator,1990\nArea,1\nPeople,2\nTravis,3\nIncome,4\nTourists,5\n';
    const lines = (await send(some, '?name_column=Indicator')).text.trimEnd().split('\n').slice(1);
    expect(lines.map((line) => line.split(',')[6])).toEqual([
      'not_found',
      'not_found',
      'ambiguous',
      'not_found',
      'not_found',
    ]);
    const few = `Shelf,Product\n${Array.from({ length: 12 }, (_, i) => `A ${i},${['Dos Hermanas', 'Jerez de la Frontera'][i % 2]}`).join('\n')}\n`;
    expect(read(await send(few)).detail).toContain('No column has names or codes of places: Shelf, Product');
    // The places in the states are not stored: the states themselves are not meant.
    const states = ['Illinois', 'Texas', 'Sevilla', 'Córdoba', 'Granada', 'Jaén'];
    const own = await byName(states.map((name) => ({ name, within: name })));
    expect(own.rows.filter(({ match }) => match === 'ambiguous').length).toBeGreaterThan(1);
  });

  it('takes the columns that are named', async () => {
    const table = 'provincia,capital\nSevilla,Dos Hermanas\n';
    const [, row] = (await send(table, '?name_column=Capital&admin_level=8')).text.split('\n');
    expect(row).toMatch(/^Sevilla,Dos Hermanas,r214,/);
    const wrong = read(await send(table, '?name_column=ciudad'));
    expect(wrong.issues[0]).toMatchObject({ path: 'name_column' });
    expect(wrong.detail).toContain('provincia, capital');
  });

  it('refuses a hostile or broken table with the line', async () => {
    const message = async (text: string) => {
      const answer = read(await send(text));
      expect(answer.code).toBe('invalid_input');
      return answer.detail;
    };
    expect(await message('')).toContain('empty');
    expect(await message(`name\n${'x'.repeat(1_000_000)}\n`)).toContain('line 2');
    expect(await message(`${'a,'.repeat(1_000_000)}\nx\n`)).toContain('line 1');
    expect(await message(`${'a,'.repeat(1_200)}\nx\n`)).toContain('line 1: 1000 columns');
    expect(await message('name,x\nSevilla,1\nJaén\n')).toContain('line 3: 1 cells');
    expect(await message('match_id,name\n1,Sevilla\n')).toContain('match_id');
    expect(await message('a,b\n1,2\n')).toContain('No column has names');
  });

  it('charges nothing for a table that fails, and refuses more rows than there are units for', async () => {
    const mine = (await server.key('free')).key;
    expect((await send('name,x\nSevilla,1\nJaén\n', '', { by: mine })).status).toBe(400);
    expect(await server.used(mine)).toBe(0);
    expect((await send('a,b\nxyz,uvw\n', '', { by: mine })).status).toBe(400);
    expect(await server.used(mine)).toBe(1);
    await send(`name\n${'Sevilla\n'.repeat(2_001)}`, '', { by: mine });
    expect(await server.used(mine)).toBe(4);
    expect((await send('name\nSevilla\n', '', { by: '' })).status).toBe(401);
  });
});

it('boundary match: the same on this machine and from a server, with formulas escaped on request', async () => {
  const path = join(folder, 'places.csv');
  writeFileSync(path, 'name,note\nSevilla,=1+1\nJaén,-2\nCádiz,\n');
  const never = new AbortController().signal;
  const [local, remote] = [
    localTarget(server.services, ops, never),
    serverTarget({ baseUrl: server.address, apiKey: key }, never),
  ];
  const texts: string[] = [];
  let said = '';
  const terminal = {
    stdout(text: string | Uint8Array) {
      said += text;
    },
    stderr(text: string) {
      said += text;
    },
  };
  for (const target of [local, remote]) {
    const output = join(folder, 'matched.csv');
    await runMatch(target, path, { output, safeCsv: true }, terminal);
    texts.push(readFileSync(output, 'utf8'));
  }
  expect(texts[0]).toBe(texts[1]);
  expect(texts[0]?.split('\n').slice(1, 3)).toEqual([
    "Sevilla,'=1+1,r200,Sevilla,6,España,exact,0.95,r210",
    'Jaén,-2,r203,Jaén,6,España,exact,1,',
  ]);
  expect(said).toContain('rows=3, distinct=3, matched=3');
  await runMatch(remote, path, { dryRun: true }, terminal);
  expect(said).toContain('"admin_level": 6');
  await expect(runMatch(remote, join(folder, 'none.csv'), { dryRun: true }, terminal)).rejects.toThrow('none.csv');
});
