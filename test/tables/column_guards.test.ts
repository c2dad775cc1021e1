import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FixtureBoundary, insertFixtures } from '../domain/fixture_boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { TABLES_WORLD } from './tables_world.ts';

const CM = 'r4';
const CO = 'r5';
const division = (id: string, name: string, en: string, country: string, parent: string): FixtureBoundary => ({
  ...{ id, name, names: { en }, kind: 'region', adminLevel: 4, country, parents: [parent] },
});

/** Provinces that are named as directions, and departments whose municipalities are not stored. */
const MORE: readonly FixtureBoundary[] = [
  { id: CM, name: 'Cameroun', kind: 'country', adminLevel: 2, country: 'CM', countryCode: 'CM', iso: 'CM' },
  { id: CO, name: 'Colombia', kind: 'country', adminLevel: 2, country: 'CO', countryCode: 'CO', iso: 'CO' },
  division('r400', 'Nord', 'North', 'CM', CM),
  division('r401', 'Sud', 'South', 'CM', CM),
  division('r402', 'Est', 'East', 'CM', CM),
  division('r403', 'Ouest', 'West', 'CM', CM),
  division('r404', 'Littoral', 'Littoral', 'CM', CM),
  division('r405', 'Adamaoua', 'Adamawa', 'CM', CM),
  division('r500', 'Nariño', 'Nariño', 'CO', CO),
  division('r501', 'Antioquia', 'Antioquia', 'CO', CO),
  division('r502', 'Atlántico', 'Atlántico', 'CO', CO),
];

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await insertFixtures(server.services.db, [...TABLES_WORLD, ...MORE]);
  ({ key } = await server.key());
});
afterAll(() => server?.close());

/** Matches a table: the ids of its rows, or what became of those without one; or the message of its refusal. */
async function matched(lines: readonly string[], query = ''): Promise<readonly string[] | string> {
  const text = `${lines.join('\n')}\n`;
  const reply = await server.ask('POST', `/v1/match${query}`, { key, text, headers: { 'Content-Type': 'text/csv' } });
  if (reply.status !== 200) {
    const { detail, issues = [] } = reply.json as unknown as { detail: string; issues?: { message: string }[] };
    return [detail, ...issues.map(({ message }) => message)].join(' ');
  }
  const [head = '', ...rows] = reply.text.trimEnd().split('\n');
  const columns = head.split(';');
  const at = (name: string): number => columns.indexOf(name);
  return rows.map((row) => {
    const cells = row.split(';');
    return cells[at('match_id')] || (cells[at('match')] ?? '');
  });
}

it('takes directions for parts of any country, and for provinces where something says the country', async () => {
  const parts = ['North', 'South', 'East', 'West'];
  const open = parts.map(() => 'ambiguous');
  expect(await matched(['Region;Sales', ...parts.map((part) => `${part};1`)])).toEqual(open);
  expect(await matched(['Region;Sales', 'Nord;1', 'Sud;2', 'Est;3', 'Ouest;4'])).toEqual(open);
  const ids = ['r400', 'r401', 'r402', 'r403'];
  const inCountry = ['Country;Region', ...parts.map((part) => `Cameroon;${part}`)];
  expect(await matched(inCountry)).toEqual(ids);
  expect(await matched(['Region;Sales', ...parts.map((part) => `${part};1`)], '?country=CM')).toEqual(ids);
  const beside = ['Region;Sales', ...parts.map((part) => `${part};1`), 'Littoral;5', 'Adamawa;6'];
  expect(await matched(beside)).toEqual([...ids, 'r404', 'r405']);
});

it('takes numbers under "code" for codes of places only where the call says so', async () => {
  const goods = ['code;item', '17189;screw', '48477;bolt', '17167;nut', '17019;nail'];
  const ids = ['r100', 'r101', 'r102', 'r103'];
  const refused =
    'No column has names of places, and code may have codes of something else. If they are codes of places';
  expect(await matched(goods)).toContain(refused);
  expect(await matched(goods, '?code_column=code')).toEqual(ids);
  expect(await matched(goods.with(0, 'county_code;item'))).toEqual(ids);
  expect(await matched(goods.with(0, 'FIPS;item'))).toEqual(ids);
  // Firms number their districts, from 1 on.
  const district = ['district_no;sales', '1;10', '2;20', '3;30', '4;40'];
  expect(await matched(district)).toContain('district_no may have codes of something else');
});

it('reads codes behind a country, an office, and the level of the census', async () => {
  const ids = ['r100', 'r101', 'r102', 'r103'];
  const codes = ['17189', '48477', '17167', '17019'];
  const of = (title: string, start: string) => matched([`${title};n`, ...codes.map((code) => `${start}${code};1`)]);
  expect(await of('code', 'US')).toEqual(ids);
  expect(await of('code', 'us-')).toEqual(ids);
  expect(await of('GEO_ID', '0500000US')).toEqual(ids);
  expect(await of('code', 'FIPS ')).toEqual(ids);
  expect(await of('LAU_CODE', 'ES_')).toEqual(codes.map(() => 'not_found'));
});

it('reads codes whose parts are in two columns', async () => {
  const rows = [
    ['17', '189', 'Washington', 'r100'],
    ['48', '477', 'Washington', 'r101'],
    ['17', '25', 'Clay', 'r106'],
    ['48', '77', 'Clay', 'r107'],
    ['17', '19', 'Champaign', 'r103'],
  ];
  const ids = rows.map(([, , , id]) => id);
  const lines = rows.map(([state, county, name]) => `${state};${county};${name};5`);
  expect(await matched(['STATEFP;COUNTYFP;NAME;ALAND', ...lines])).toEqual(ids);
  const bare = rows.map(([state, county]) => `${state};${county};5`);
  expect(await matched(['state_code;county_code;people', ...bare])).toEqual(ids);
  const other = await matched([
    'STATEFP;COUNTYFP;NAME',
    '17;189;Clay',
    ...lines.slice(1).map((line) => line.slice(0, -2)),
  ]);
  expect(other).toEqual(['ambiguous', ...ids.slice(1)]);
});

it('takes no people, things or teams for places, but teams of countries', async () => {
  const clubs = ['Club;Coach;Points', 'Reds;Sangamon;1', 'Blues;Champaign;2', 'Whites;Macoupin;3', 'Blacks;Travis;4'];
  expect(await matched(clubs)).toContain('No column has names or codes of places: Club, Coach, Points.');
  expect(await matched(clubs, '?name_column=Coach')).toEqual(['r102', 'r103', 'r104', 'r105']);
  expect(await matched(['Team;Points', 'Spain;1', 'Cameroon;2', 'Colombia;3', 'Grenada;4'])).toEqual([
    'r2',
    CM,
    CO,
    'r3',
  ]);
  const towns = ['Equipo;Puntos', 'Sevilla;1', 'Jerez de la Frontera;2', 'Dos Hermanas;3', 'Granada;4'];
  expect(await matched(towns)).toContain('No column has names');
});

it('takes a first line above columns of numbers for names of columns, also one that is a place', async () => {
  const rows = ['Sangamon;10', 'Champaign;20', 'Macoupin;30', 'Clay;50'];
  const ids = ['r102', 'r103', 'r104', 'r106'];
  expect(await matched(['Washington;people', ...rows])).toEqual(ids);
  expect(await matched(['Washington;5', ...rows])).toContain('line 1 names a place, Washington');
});

it('looks for names of which few are found inside of the states beside them', async () => {
  const rows = ['Soledad;Atlántico', 'Granada;Antioquia', 'Bello;Antioquia', 'Córdoba;Nariño', 'Tumaco;Nariño'];
  const ids = await matched(['Municipio;Zona DANE', ...rows]);
  expect(ids).not.toContain('r211');
  expect(ids).not.toContain('r212');
  expect(await matched(['Municipio;Depto.', ...rows])).toEqual(ids);
});

it('reads the place of an administration', async () => {
  const rows = [
    'Diputación Provincial de Granada',
    'Excma. Diputación de Jaén',
    'Diputación provincial de Cádiz',
    'Diputación de Sevilla',
  ];
  expect(await matched(['Organismo;n', ...rows.map((row) => `${row};1`)])).toEqual(['r202', 'r203', 'r204', 'r200']);
});

it('separates cells as the second line says, where a name of a column has commas', async () => {
  expect(await matched(['Country, or part;n', 'Spain;1', 'Grenada;2', 'Colombia;3'])).toEqual(['r2', 'r3', CO]);
});

it('takes the names inside of provinces that repeat, under any name of a column', async () => {
  const rows = [
    'Dos Hermanas;Sevilla',
    'Sevilla;Sevilla',
    'Jerez de la Frontera;Cádiz',
    'Granada;Granada',
    'Córdoba;Córdoba',
  ];
  const ids = ['r214', 'r210', 'r213', 'r212', 'r211'];
  expect(await matched(['Llegó de;Prov. de origen', ...rows])).toEqual(ids);
  expect(await matched(['Nacido en;Prov. nacimiento', ...rows])).toEqual(ids);
});

it('takes the codes beside names of several places, whatever their column is called', async () => {
  const rows = [
    '17189;Washington;r100',
    '48077;Clay;r107',
    '17019;Champaign;r103',
    '48453;Travis;r105',
    '17025;Clay;r106',
  ];
  const cells = rows.map((row) => row.split(';'));
  const lines = cells.map(([code, name]) => `${code};${name}`);
  expect(await matched(['com;libcom', ...lines])).toEqual(cells.map(([, , id]) => id));
  const goods = cells.map(([, name], i) => `${10000 + i * 7};${name}`);
  expect(await matched(['sku;county', ...goods])).toEqual(['ambiguous', 'ambiguous', 'r103', 'r105', 'ambiguous']);
});
