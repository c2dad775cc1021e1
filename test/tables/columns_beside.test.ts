import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FixtureBoundary, insertFixtures } from '../domain/fixture_boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { TABLES_WORLD } from './tables_world.ts';

const country = (id: string, name: string, iso: string, adminLevel = 2): FixtureBoundary => ({
  ...{ id, name, kind: 'country', adminLevel, country: iso, countryCode: iso, iso, codes: [iso] },
});
const division = (id: string, name: string, iso: string, parent: string, names = {}): FixtureBoundary => ({
  ...{ id, name, names, kind: 'region', adminLevel: 4, country: iso.slice(0, 2), iso, parents: [parent] },
});
const within = (id: string, name: string, adminLevel: 6 | 8, iso: string, parents: string[], names = {}) => ({
  ...{ id, name, names, adminLevel, country: iso, parents },
  kind: adminLevel === 6 ? ('province' as const) : ('municipality' as const),
});

/** Countries with codes that mean states of others as well, and two with provinces of the same names. */
const MORE: readonly FixtureBoundary[] = [
  ...[country('r20', 'Canada', 'CA'), country('r21', 'Namibia', 'NA'), country('r22', 'Portugal', 'PT')],
  ...[country('r23', 'Réunion', 'RE', 6), country('r24', 'Fiji', 'FJ'), country('r25', 'Italia', 'IT')],
  ...[country('r26', 'Myanmar', 'MM'), country('r27', 'Anguilla', 'AI'), country('r28', 'Kenya', 'KE')],
  ...[country('r29', 'Ghana', 'GH'), country('r30', 'France', 'FR'), country('r31', 'United Kingdom', 'GB')],
  { id: 'r12', name: 'California', kind: 'state', adminLevel: 4, country: 'US', iso: 'US-CA', parents: ['r1'] },
  ...[division('r300', 'Ontario', 'CA-ON', 'r20'), division('r301', 'Oshana', 'NA-ON', 'r21')],
  ...[division('r302', 'Central', 'KE-C', 'r28'), division('r303', 'Nyanza', 'KE-N', 'r28')],
  ...[division('r304', 'Central', 'GH-C', 'r29'), division('r305', 'Ashanti', 'GH-A', 'r29')],
  division('r306', 'Portsmouth', 'GB-POR', 'r31'),
  within('r401', 'Roma', 6, 'IT', ['r25'], { de: 'Rom' }),
  within('r402', 'Firenze', 6, 'IT', ['r25'], { de: 'Florenz' }),
  within('r411', 'Roma', 8, 'IT', ['r25', 'r401']),
  within('r412', 'Firenze', 8, 'IT', ['r25', 'r402']),
  within('r413', 'Fiesole', 8, 'IT', ['r25', 'r402']),
  within('r414', 'Tivoli', 8, 'IT', ['r25', 'r401']),
  within('r415', 'Rom', 8, 'FR', ['r30']),
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
  if (reply.status !== 200) return reply.text;
  const [head = '', ...rows] = reply.text.trimEnd().split('\n');
  const at = (name: string): number => head.split(';').indexOf(name);
  return rows.map((row) => row.split(';')[at('match_id')] || (row.split(';')[at('match')] ?? ''));
}

it('takes the municipality beside a hamlet, and leaves no province out to find one elsewhere', async () => {
  const head = 'Localidad;Municipio;Provincia';
  const rows = ['El Molino;Dos Hermanas;Sevilla', 'Sevilla;Sevilla;Sevilla', 'Córdoba;Córdoba;Córdoba'];
  const more = ['Granada;Granada;Granada', 'Dos Hermanas;Jerez de la Frontera;Cádiz'];
  expect(await matched([head, ...rows, ...more])).toEqual(['r214', 'r210', 'r211', 'r212', 'r213']);
});

it('takes the county beside towns that are not stored, where it says as much of the row', async () => {
  const counties = ['Sangamon;IL', 'Champaign;IL', 'Travis;TX', 'Macoupin;IL', 'Washington;TX', 'Clay;TX'];
  const ids = ['r102', 'r103', 'r105', 'r104', 'r101', 'r107'];
  const beside = (title: string, towns: string) => matched([title, ...counties.map((one, i) => `${towns}${i};${one}`)]);
  expect(await beside('City;County;State', 'Oak Grove ')).toEqual(ids);
  const repeated = ['Sangamon;IL', 'Sangamon;IL', 'Travis;TX', 'Travis;TX', 'Travis;TX', 'Sangamon;IL'];
  const towns = repeated.map((one, i) => `Oak Grove ${i};${one}`);
  expect(await matched(['City;County;State', ...towns])).toEqual(repeated.map(() => 'not_found'));
});

it('reads the columns of countries and provinces that a program numbers', async () => {
  const rows = ['Kenya;Central', 'Kenya;Nyanza', 'Ghana;Central', 'Ghana;Ashanti', 'Kenya;Nyanza'];
  expect(await matched(['NAME_0;NAME_1', ...rows])).toEqual(['r302', 'r303', 'r304', 'r305', 'r303']);
});

it('reads codes in a column of countries as those of countries', async () => {
  const rows = ['ON;CA', 'TX;US', 'IL;US', 'CA;US'];
  expect(await matched(['Billing State;Billing Country', ...rows])).toEqual(['r300', 'r11', 'r10', 'r12']);
  const codes = ['US', 'ES', 'RE', 'FJ', 'PT', 'GD'];
  expect(await matched(['Geography;Views', ...codes.map((code) => `${code};1`)])).toEqual([
    'r1',
    'r2',
    'r23',
    'r24',
    'r22',
    'r3',
  ]);
});

it('takes territories with a code of their own in a column of countries', async () => {
  const names = ['Canada', 'Réunion', 'Fiji', 'España', 'Namibia'];
  expect(await matched(['Country;n', ...names.map((name) => `${name};1`)])).toEqual(['r20', 'r23', 'r24', 'r2', 'r21']);
});

it('reads a country beside the code of its team, and beside names of continents', async () => {
  const teams = ['Portugal;POR', 'Canada;CAN', 'Kenya;KEN', 'Fiji;FIJ', 'Ghana;GHA', 'España;ESP'];
  expect(await matched(['Team;Code', ...teams])).toEqual(['r22', 'r20', 'r28', 'r24', 'r29', 'r2']);
  const groups = ['Asia', 'Arab World', 'Angulla', 'Canada', 'Ghana', 'Fiji', 'Kenya'];
  expect(await matched(['Entity;n', ...groups.map((name) => `${name};1`)])).toEqual([
    'not_found',
    'not_found',
    'r27',
    'r20',
    'r29',
    'r24',
    'r28',
  ]);
});

it('reads two names of one place in a cell, and neither alone where they differ', async () => {
  const names = ['Myanmar (Burma)', 'España (Spain)', 'Canada', 'Fiji', 'Kenya (Ghana)'];
  expect(await matched(['Country;n', ...names.map((name) => `${name};1`)])).toEqual([
    'r26',
    'r2',
    'r20',
    'r24',
    'not_found',
  ]);
});

it('reads lists that show the depth of a line, and leaves open what lies at another depth', async () => {
  const list = ['- Sevilla', '......0001 Dos Hermanas', '......0002 Córdoba', '......0003 Jerez de la Frontera'];
  expect(await matched(['Provincia (-) / Municipio (......);n', ...list.map((line) => `${line};1`)])).toEqual([
    'ambiguous',
    'r214',
    'r211',
    'r213',
  ]);
});

it('reads the towns of Italy that German names mean', async () => {
  const towns = ['Rom', 'Florenz', 'Fiesole', 'Tivoli'];
  expect(await matched(['Stadt;n', ...towns.map((name) => `${name};1`)])).toEqual(['r411', 'r412', 'r413', 'r414']);
});

it('takes countries beside regions of a firm, and towns beside names of firms', async () => {
  const countries = ['Canada', 'Namibia', 'Fiji', 'Portugal', 'Kenya', 'Ghana'];
  const regions = ['AMER', 'EMEA'];
  const rows = countries.map((name, i) => `${regions[i % 2]};${name}`);
  expect(await matched(['region;country', ...rows])).toEqual(['r20', 'r21', 'r24', 'r22', 'r28', 'r29']);
  const firms = ['Sevilla', 'Dos Hermanas', 'Córdoba', 'Jerez de la Frontera'].map(
    (town, i) => `Firma ${i} SL;${town}`,
  );
  expect(await matched(['NOMBRE;MUNICIPIO', ...firms])).toEqual(['r210', 'r214', 'r211', 'r213']);
});

it('takes the codes beside a column of one text, and says nothing of short words among codes', async () => {
  const codes = ['CA', 'FJ', 'PT', 'KE', 'GH', 'MM'];
  const ids = ['r20', 'r24', 'r22', 'r28', 'r29', 'r26'];
  expect(await matched(['reporter_name;partner_iso', ...codes.map((code) => `World;${code}`)])).toEqual(ids);
  const teams = ['SUI', 'NED', 'ROM', 'RSA', 'INA', 'CHI'];
  const open = await matched(['NOC;Gold', ...teams.map((team) => `${team};1`)]);
  expect(open).not.toContain('r415');
});

it('takes any column around the names that tells places of one name apart', async () => {
  const rows = ['Clay;IL', 'Travis;TX', 'Sangamon;IL', 'Champaign;IL', 'Clay;TX', 'Macoupin;IL'];
  const ids = ['r106', 'r105', 'r102', 'r103', 'r107', 'r104'];
  expect(await matched(['County;PR', ...rows])).toEqual(ids);
  const apart = rows.map((row, i) => (i === 2 ? row.replace('IL', 'TX') : row));
  expect(await matched(['County;PR', ...apart])).toEqual(['ambiguous', ...ids.slice(1, 4), 'ambiguous', 'r104']);
});
