import { afterAll, beforeAll, expect, it } from 'vitest';
import { foldName } from '../../src/domain/names/fold.ts';
import { countriesWithDivision } from '../../src/domain/names/place_names.ts';
import { idsOf, openPlanning, type Planning } from './planned.ts';

let planning: Planning;
beforeAll(async () => {
  planning = await openPlanning();
}, 600_000);
afterAll(() => planning?.close());

const AROUND_ANDORRA = 'everything within 20 km of Andorra';
const NEAR_ZARAGOZA = 'the intersection of Aragón (Spain) and (everything within 30 km of Zaragoza (Aragón))';

it.each([
  ['a 20 km buffer around Andorra', AROUND_ANDORRA],
  ['20 km buffer of Andorra', AROUND_ANDORRA],
  ['a 20-km radius around Andorra', AROUND_ANDORRA],
  ['a radius of 20 km around Andorra', AROUND_ANDORRA],
  ['Andorra with a 20 km buffer', AROUND_ANDORRA],
  ['un radio de 20 km alrededor de Andorra', AROUND_ANDORRA],
  ['Andorra con un margen de 20 km', AROUND_ANDORRA],
  ['eine Zone von 20 km um Andorra', AROUND_ANDORRA],
  ['20-km-Zone um Andorra', AROUND_ANDORRA],
  ['Andorra mit einem Puffer von 20 km', AROUND_ANDORRA],
  ["une zone de 20 km autour d'Andorre", AROUND_ANDORRA],
  ['Andorra plus 20 km', `Andorra and (${AROUND_ANDORRA})`],
  ['Andorra + 20 km', `Andorra and (${AROUND_ANDORRA})`],
  ['Andorra and everything within 20 km', `Andorra and (${AROUND_ANDORRA})`],
  ['Aragon within 30 km of Zaragoza', NEAR_ZARAGOZA],
  ['the part of Aragon within 30 km of Zaragoza', NEAR_ZARAGOZA],
  ['the provinces of Spain within 30 km of France', '(the provinces of Spain) within 30 km of France'],
  ['les pays frontaliers de la France', 'the countries that border France'],
  ['die Nachbarländer Spaniens', 'the countries that border Spain'],
  ['die Nachbarn Andorras', 'the neighbors of Andorra'],
  ['N. Carolina and N Dakota', 'North Carolina (United States of America) and North Dakota (United States of America)'],
  ['both Carolinas and the Dakotas', 'Carolinas and Dakotas'],
  ['both Koreas and both Congos', 'the two Koreas and the two Congos'],
  ['ambos Congos', 'the two Congos'],
  ['Iberia and France', 'Iberian Peninsula and France'],
  ['Iberia Parish, Louisiana, and France', 'the county of Iberia (Louisiana) and France'],
  ['countries of Asia ending in -stan', '(the countries of Asia) whose name ends with "stan"'],
])('%s', async (description, reading) => {
  expect((await planning.plan(description))?.reading).toBe(reading);
});

it.each([
  ['Huesca and Teruel plus 20 km', 'can mean several of the places before it'],
  ['Huesca and Teruel buffered by 20 km', 'can mean several of the places before it'],
  ['Huesca and Aragon within 30 km of Zaragoza', 'can be read in two ways'],
])('%s is refused, as the distance may be that of all', async (description, problem) => {
  expect((await planning.refused(description)).message).toContain(problem);
});

it.each([
  ['fips:48201 and fips:48113', ['Harris', 'Dallas']],
  ['fips:48201, fips:48113.', ['Harris', 'Dallas']],
  ['US-TX, US-OK', ['Texas', 'Oklahoma']],
  ['US-TX; ES-M', ['Texas', 'Madrid']],
])('codes are ids in a description as elsewhere: %s', async (description, names) => {
  const found = await planning.plan(description);
  expect(found?.include.map(({ name }) => name).sort()).toEqual([...names].sort());
});

/** A code is read by what it is with: GA is Gabon and Galicia, too, DE is Germany, IN is India, CO is Córdoba. */
it.each([
  ['GA counties that border Florida', 'counties of Georgia (US) that border Florida'],
  ['counties in GA that border Florida', 'counties of Georgia (US) that border Florida'],
  ['coastal GA counties', 'coastal counties of Georgia (US)'],
  ['the largest MD county', 'the largest county of Maryland'],
  ['the three DE counties', 'counties of Delaware'],
  ['IN counties that border Ohio', 'counties of Indiana that border Ohio'],
  ['counties of Ohio that border IN', 'counties of Ohio that border Indiana'],
  ['CO counties without Denver County', 'counties of Colorado without Denver County'],
  ['condados de CO que limitan con Utah', 'condados de Colorado que limitan con Utah'],
  ['municipios de CO', 'municipios de la provincia de Córdoba'],
  ['Countys von IN, die an Ohio grenzen', 'Countys von Indiana, die an Ohio grenzen'],
  ["les comtés de MS qui touchent l'Alabama", "les comtés du Mississippi qui touchent l'Alabama"],
])('%s', async (coded, named) => {
  const [found, wanted] = [await planning.plan(coded), await planning.plan(named)];
  expect(wanted, named).not.toBeNull();
  expect([idsOf(found?.include ?? []), idsOf(found?.exclude ?? [])]).toEqual(
    [wanted?.include ?? [], wanted?.exclude ?? []].map(idsOf),
  );
});

it.each(['GA', 'GA, FL and AL counties that begin with B'])(
  'a code that nothing decides is refused: %s',
  async (description) => {
    expect(await planning.plan(description)).toBeNull();
  },
);

/** What borders a group lies outside of all its members, and what borders a state is not in its county of that name. */
it.each([
  ['counties that border New England', ['New York']],
  ['counties bordering the Dakotas', ['Iowa', 'Minnesota', 'Montana', 'Nebraska', 'Wyoming']],
  ['counties bordering Idaho', ['Montana', 'Nevada', 'Oregon', 'Utah', 'Washington', 'Wyoming']],
  ['counties that border Iowa or Utah', null],
])('%s', async (description, states) => {
  const found = await planning.plan(description);
  const rows = await planning.server.test.db.query<{ name: string }>(
    `select distinct s.name from boundary_parent p join boundary s on s.id = p.parent
     where p.child = any ($1) and s.admin_level = 4 order by s.name`,
    [idsOf(found?.include ?? [])],
  );
  if (states !== null) expect(rows.map(({ name }) => name)).toEqual(states);
  else for (const name of ['Iowa', 'Utah']) expect(rows.map((one) => one.name)).not.toContain(name);
});

it('a list of communities has the one around the province of a name', async () => {
  for (const list of ['Cataluña, Valencia y Baleares', 'Katalonien, Valencia und die Balearen']) {
    const found = await planning.plan(list);
    expect(found?.include.map(({ name }) => name)).toContain('Comunitat Valenciana');
    expect(found?.choices.join()).toMatch(/Comunitat Valenciana in Spain; also so called/);
  }
  const provinces = await planning.plan('Valencia y Castellón');
  expect(provinces?.include.map(({ name }) => name)).not.toContain('Comunitat Valenciana');
  const countries = await planning.plan('Australia and New Zealand');
  expect(countries?.include.map(({ name }) => name).sort()).toEqual(['Australia', 'New Zealand']);
});

/** A city that is not stored, in another county than the one of its name, is meant as easily where words choose by it. */
it.each([
  ['Texas without Houston', 'Harris in Texas'],
  ['Idaho ohne Boise', 'Ada in Idaho'],
  ['Iowa excepto Des Moines', 'Polk in Iowa'],
  ['counties within 50 miles of Lincoln, Nebraska', 'Lancaster in Nebraska'],
  ['Iowa counties within 30 miles of Des Moines', 'Polk in Iowa'],
  ['Texas counties around Houston', 'Harris in Texas'],
  ['Houston and Galveston', 'Harris in Texas'],
  ['Austin, Travis, Williamson', 'Travis in Texas'],
  ['Nevada except Clark and Reno', 'Washoe in Nevada'],
  ['California except Kern and Ontario', 'San Bernardino in California'],
  ['Texas without Harris and Toledo', 'not part of'],
  ['Maine minus York and Augusta', 'not part of'],
])('%s is refused', async (description, said) => {
  expect((await planning.refused(description)).message).toContain(said);
});

it.each([
  ['Texas without Houston County', ['48225']],
  ['Texas without Harris and Dallas', ['48113', '48201']],
  ['Iowa without Polk and Dallas', ['19049', '19153']],
])('%s leaves out counties', async (description, codes) => {
  const rows = await planning.server.test.db.query<{ code: string }>(
    'select source_id as code from boundary where id = any ($1) order by source_id',
    [idsOf((await planning.plan(description))?.exclude ?? [])],
  );
  expect(rows.map(({ code }) => code)).toEqual(codes);
});

/** Places in front of a set that is in them do not belong to it. */
it.each([
  ['In Texas and Oklahoma, the coastal counties', 'coastal counties of Texas and Oklahoma'],
  ['En Aragón y Navarra, las provincias', 'las provincias de Aragón y Navarra'],
  ['In Ohio und Iowa die Countys, die an Illinois grenzen', 'Countys von Ohio und Iowa, die an Illinois grenzen'],
  ['En Aragon et Navarre, les provinces', "les provinces d'Aragon et de Navarre"],
])('%s', async (before, behind) => {
  const [found, wanted] = [await planning.plan(before), await planning.plan(behind)];
  expect(wanted?.include.length, behind).toBeGreaterThan(1);
  expect(idsOf(found?.include ?? [])).toEqual(idsOf(wanted?.include ?? []));
});

it.each([
  'En Aragón y Navarra, las provincias de España',
  "Dans l'Ohio et l'Iowa, les comtés des États-Unis",
  'In Texas or Oklahoma, the coastal counties in the United States',
  'In Texas and Oklahoma, the largest county',
  'On Ohio and Iowa, the counties of Utah',
  'In Ohio and Iowa, Franklin County',
])('nor are they added to another one, nor does a rewording do so: %s', async (description) => {
  const { extra } = await planning.refused(description);
  const rewording = extra.rewording as string | null;
  const found = rewording === null ? null : await planning.plan(rewording);
  const added = new Set(['Ohio', 'Iowa', 'Texas', 'Oklahoma']);
  expect(found?.include.filter(({ name }) => added.has(name)) ?? []).toEqual([]);
});

/** Counties with the name of a division of another country that no boundary is stored of: "Ontario", "La Paz". */
it('a county by the name of a division of another country is refused, or the other one is said', async () => {
  const rows = await planning.server.test.db.query<{ id: string; name: string; state: string }>(
    `select min(b.id) as id, min(b.name) as name, min(s.name) as state
     from boundary b join boundary_parent p on p.child = b.id join boundary s on s.id = p.parent
     where b.admin_level = 6 and b.country = 'US' and s.admin_level = 4
       and not exists (select from boundary c where c.admin_level = 2 and lower(c.name) = lower(b.name))
     group by lower(b.name) having count(*) = 1`,
  );
  const abroad = rows.filter(({ name }) => countriesWithDivision(foldName(name)).some((code) => code !== 'US'));
  expect(abroad.map(({ name }) => name)).toContain('Ontario');
  for (const { id, name, state } of abroad) {
    const found = await planning.plan(name);
    // "St. Helena" is an island.
    if (found && found.include[0]?.id !== id) continue;
    if (found) expect(found.choices.join(), name).toContain('other places of that name are not stored');
    else expect((await planning.refused(name)).message, name).toContain(`${name} in ${state}`);
    expect((await planning.plan(`${name} (${state})`))?.include, name).toHaveLength(1);
  }
});

it.each(['Transylvania and Hungary', 'Berkshire, Ireland and France'])(
  'beside countries a known place that is not stored is not read as a county: %s',
  async (description) => {
    expect((await planning.refused(description)).message).toContain('may mean a place that is not stored');
  },
);

/** The official codes of the boundaries that a description includes, in order. */
async function codesOf(description: string): Promise<string[]> {
  const rows = await planning.server.test.db.query<{ code: string }>(
    'select source_id as code from boundary where id = any ($1) order by source_id',
    [idsOf((await planning.plan(description))?.include ?? [])],
  );
  return rows.map(({ code }) => code);
}

/** "County" and "city" tell a county from the city of its name that is in no county. */
it.each([
  ['Baltimore County, Maryland', ['24005']],
  ['Baltimore city, Maryland', ['24510']],
  ['the city of Baltimore', ['24510']],
  ['Baltimore County and the city of Baltimore', ['24005', '24510']],
  ['el condado de Baltimore, Maryland', ['24005']],
  ['la ciudad de Baltimore', ['24510']],
  ['le comté de Fairfax en Virginie', ['51059']],
  ['die Stadt Richmond in Virginia', ['51760']],
  ['Richmond County, VA', ['51159']],
  ['Fairfax and Loudoun counties, Virginia', ['51059', '51107']],
  ['Henrico, Chesterfield and Richmond counties in Virginia', ['51041', '51087', '51159']],
  ['counties of Virginia that border the city of Richmond', ['51041', '51087']],
])('%s', async (description, codes) => {
  expect(await codesOf(description)).toEqual(codes);
});

it('cities in no county are counted among the counties, or not, as a number says', async () => {
  const members = async (description: string) => (await planning.plan(description))?.include.length;
  expect(await members('counties of Virginia')).toBe(132);
  expect(await members('the 95 counties of Virginia')).toBe(95);
  expect(await members('all 24 counties of Maryland')).toBe(24);
  expect(await members('the 23 counties of Maryland')).toBe(23);
  expect((await planning.plan('counties of Nevada'))?.choices.join()).toContain('Carson City');
  expect(await planning.plan('the 22 counties of Maryland')).toBeNull();
  expect((await planning.plan('Norfolk County, Virginia'))?.choices.join()).toContain('a city that is in no county');
  const { message, extra } = await planning.refused('Richmond, Virginia');
  expect(message).toContain('the city of Richmond in Virginia, Richmond in Virginia');
  expect(await planning.plan(extra.rewording as string)).not.toBeNull();
});

/** Codes with the word for their scheme or their level, cities in a list, and a container with its level. */
it.each([
  ['48201, 48113 counties', ['48113', '48201']],
  ['48201,48113 counties', ['48113', '48201']],
  ['counties 06037 and 06059', ['06037', '06059']],
  ['FIPS 17031, 17043', ['17031', '17043']],
  ['les codes FIPS 49035, 49011', ['49011', '49035']],
  ['counties with FIPS codes 48201 and 48113', ['48113', '48201']],
  ['los condados 48201 y 48113', ['48113', '48201']],
  ['die Countys mit den FIPS-Codes 48201 und 48113', ['48113', '48201']],
  ['les comtés 48201 et 48113', ['48113', '48201']],
  ['the cities of Norfolk and Hampton, Virginia', ['51650', '51710']],
  ['the cities of Seville and Huelva', ['21041', '41091']],
  ['las ciudades de Burgos y Soria', ['09059', '42173']],
  ['die Städte Lugo und Ourense', ['27028', '32054']],
  ['les villes de Cadix et de Jerez de la Frontera', ['11012', '11020']],
  ['King and Pierce counties in the state of Washington', ['53033', '53053']],
  ['los condados de King y Pierce en el estado de Washington', ['53033', '53053']],
  ['King und Pierce County im Bundesstaat Washington', ['53033', '53053']],
])('%s', async (description, codes) => {
  expect(await codesOf(description)).toEqual(codes);
});

it('a code that is not stored and a list of cities with a country are refused', async () => {
  for (const description of ['99999, 48113 counties', '48201 and 48113', 'the cities of Spain and France'])
    expect(await planning.plan(description), description).toBeNull();
});

it.each([
  ['the three smallest countries in the world', 'Tuvalu and Nauru are nearly equal in area'],
  ['the five most populous US states', 'Illinois and Pennsylvania are nearly equal in population'],
  ['the five most populous US states', 'populations are those of 2016'],
])('of %s is said: %s', async (description, sentence) => {
  expect((await planning.plan(description))?.choices).toContain(sentence);
});

it.each([
  ['Great Britain', '"Great Britain" is read as United Kingdom'],
  ['Holland', '"Holland" is read as Kingdom of the Netherlands'],
  ['América', '"América" is read as United States of America'],
  ['Baleares sin Ibiza', '"Ibiza" is read as Eivissa in Illes Balears'],
  ['Mérida', '"Mérida" is read as Mérida in Badajoz; other places of that name are not stored'],
  ['Nijar', '"Nijar" is read as Níjar in Almería; also so called: Niger'],
])(
  'says which place is read by a name that is not its own, or not its own alone: %s',
  async (description, sentence) => {
    expect((await planning.plan(description))?.choices).toContain(sentence);
  },
);

it.each(['Elche', 'Estados Unidos', 'USA', 'Österreich', 'the Bronx'])(
  'says nothing of a name in use: %s',
  async (name) => {
    expect((await planning.plan(name))?.choices).toEqual([]);
  },
);

it.each([
  ['EU countries starting with I', 'Ireland and Italy'],
  ['European countries whose name starts with K', 'Kosovo'],
  ['African countries starting with Congo', 'both Congos'],
  ['países de la UE que empiezan por E', 'España, Estonia, Eslovenia y Eslovaquia'],
  ['Länder der EU, die auf land enden', 'Deutschland, Estland, Finnland, Griechenland, Irland und Lettland'],
  ["pays de l'UE qui commencent par P", 'les Pays-Bas, la Pologne et le Portugal'],
  ['G7 countries containing "United"', 'the United Kingdom and the United States'],
])('names of countries have the letters of the language of the description: %s', async (description, list) => {
  const wanted = idsOf((await planning.plan(list))?.include ?? []);
  const plan = await planning.plan(description);
  expect(wanted.length).toBeGreaterThan(0);
  expect(idsOf(plan?.include ?? [])).toEqual(wanted);
  expect(idsOf((await planning.plan(plan?.steps ?? []))?.include ?? [])).toEqual(wanted);
});

it('says which countries their other names put in or out', async () => {
  const plan = await planning.plan('European countries starting with N');
  expect(plan?.choices.join('; ')).toContain('Netherlands (Kingdom of the Netherlands)');
  expect((await planning.plan('counties of Ohio starting with W'))?.choices).toEqual([]);
});

it.each([
  ['Sevilla, Andalucía, España', 'Sevilla in Andalucía'],
  ['Ronda, Malaga, Spain', 'Ronda in Málaga'],
  ['Vigo, Pontevedra, Galicia', 'Vigo in Pontevedra'],
  ['Kern County, California, USA', 'Kern County in California'],
  ['Cook, IL, USA', 'Cook County in Illinois'],
  ['Harris, Texas, USA; Cook, Illinois, USA', 'Harris in Texas; Cook in Illinois'],
  ['Cook County, IL and Lake County, IN, USA', 'Cook County in Illinois; Lake County in Indiana'],
  ['Estados Unidos y Noruega', 'the United States and Norway'],
  ['Países Bajos y Bélgica', 'the Netherlands and Belgium'],
  ['Pays-Bas et Portugal', 'the Netherlands and Portugal'],
  ['Polinesia Francesa y Noruega', 'French Polynesia and Norway'],
  ['Afrique du Sud et Lesotho', 'South Africa and Lesotho'],
  ['Bosnia & Herzegovina and Norway', 'Bosnia and Herzegovina; Norway'],
  ['Calif. and Nev.', 'California and Nevada'],
  ['Mérida y Badajoz, los dos municipios', 'municipio de Mérida y municipio de Badajoz'],
  ['Ávila, Segovia y Soria, las tres de Castilla y León', 'Ávila, Segovia y Soria'],
  ['Minn., Wis., Iowa', 'Minnesota, Wisconsin and Iowa'],
])('%s is %s', async (written, meant) => {
  const wanted = idsOf((await planning.plan(meant))?.include ?? []);
  expect(wanted.length).toBeGreaterThan(0);
  expect(idsOf((await planning.plan(written))?.include ?? [])).toEqual(wanted);
});

it.each(['Andalucia, Spain, Europe', 'Lugo, Galicia, Spain, Portugal'])(
  'a container behind a container may be one more place of a list: %s',
  async (description) => {
    expect((await planning.refused(description)).message).toContain('can be read in two ways');
  },
);

it.each([
  ['MN, MB and SK', 'MB is none, SK Slovakia'],
  ["Huesca, Saragosse et Séville, les trois provinces d'Aragon", '"Séville" (character 22) is not found'],
])('refuses %s', async (description, message) => {
  expect((await planning.refused(description)).message).toContain(message);
});
