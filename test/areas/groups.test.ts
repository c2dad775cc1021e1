import { expect, test } from 'vitest';
import { areaGroups, groupOf } from '../../src/domain/names/groups.ts';

/** Words for the members of a group; `_` is its name. */
const MEMBERS = [
  ...[
    '_ members',
    '_ member states',
    'members of the _',
    'member countries of _',
    'miembros de la _',
    'miembros del _',
  ],
  ...['estados miembros de _', '_-Mitglieder', '_-Mitgliedstaaten', 'Mitglieder der _', 'Mitgliedsländer von _'],
  ...['membres de la _', 'membres du _', 'États membres de l’_', "pays membres de l'_"],
];

test.each(MEMBERS)('the members of a group are the group: %s', (form) => {
  const named = areaGroups().filter(({ name }) => !name.startsWith('the '));
  const others = named.filter(({ name }) => groupOf(form.replace('_', name))?.name !== name);
  expect(others.map(({ name }) => name)).toEqual([]);
});

test.each(['EU members in 2005', 'EU member states in 2005'])('of a year: %s', (words) => {
  expect(groupOf(words)).toBe(groupOf('EU in 2005'));
});

test.each([
  ['el espacio Schengen en 2005', 'Schengen Area in 2005', 15],
  ['Mercosur 2005', 'Mercosur in 2005', 4],
  ['Mercosur in 2014', 'Mercosur in 2014', 5],
  ['BRICS in 2015', 'BRICS in 2015', 5],
  ['eurozone 2011', 'Eurozone in 2011', 17],
  ['euro area in January 2024', 'Eurozone in 2024', 20],
  ['UE en enero de 2019', 'European Union in 2019', 28],
  ['EU im März 2010', 'European Union in 2010', 27],
])('%s is %s', (words, name, members) => {
  expect(groupOf(words.replace(/^el /, ''))).toMatchObject({ name, members: { length: members } });
});

test.each(['EU in July 2013', 'BRICS 2008', 'NATO 2099', 'EU 20', '2013'])(
  'of no group, or of a month of a year in which the members changed: %s',
  (words) => {
    expect(groupOf(words)).toBeNull();
  },
);

test('at the end of this year a group with a history has the members that it has', () => {
  const year = new Date().getFullYear();
  const dated = areaGroups().flatMap(({ name, members }) => {
    const now = groupOf(`${name} in ${year}`);
    return now === null ? [] : [[name, [...now.members].sort(), [...members].sort()] as const];
  });
  expect(dated.length).toBeGreaterThan(8);
  for (const [name, now, members] of dated) expect(now, name).toEqual(members);
});

test.each(['members', 'members of Ohio', 'eu', 'membres de la Loire'])('no group: %s', (words) => {
  expect(groupOf(words)).toBeNull();
});

test('a name that is also that of a place is a group where no place has it', () => {
  expect(groupOf('Schengen')).toBeNull();
  expect(groupOf('Schengen', (folded) => folded === 'schengen')).toBeNull();
  expect(groupOf('Schengen', () => false)?.name).toBe('Schengen Area');
  expect(groupOf('Schengen members')?.name).toBe('Schengen Area');
});

test('each group has a source, and each member once', () => {
  for (const { name, members, source } of areaGroups()) {
    expect([...new Set(members)], name).toEqual(members);
    expect(source, name).not.toBe('');
  }
});

test.each([
  ['EU as it stood in 2000', 15],
  ['Unión Europea en 1994', 12],
  ["UE telle qu'elle était en 2006", 25],
  ['EU-Länder im Jahr 2010', 27],
  ['European Union before 2004', 15],
  ['countries that were in the EU in 2020', 27],
  ['OTAN en 1990', 16],
  ['countries that joined the EU in 2004', 10],
  ['founding members of NATO', 12],
  ['Gründungsstaaten der EU', 6],
  ['pays fondateurs de l’Union européenne', 6],
  ['países fundadores de la ASEAN', 5],
])('as it was, by the years in which its members joined: %s', (words, count) => {
  const group = groupOf(words);
  expect(group?.members).toHaveLength(count);
  expect(groupOf(group?.name ?? '')).toBe(group);
});

test.each(['EU in 1950', 'EU in 2090', 'Benelux in 2000', 'New England in 1990', 'founding members of Ohio'])(
  'no group of a year that is not known: %s',
  (words) => {
    expect(groupOf(words)).toBeNull();
  },
);

test('the members of a group are those that joined and have not left', () => {
  const dated = areaGroups().filter(({ name }) => groupOf(`${name} in 2026`) !== null);
  expect(dated.length).toBeGreaterThan(4);
  for (const { name, members } of dated)
    expect([...(groupOf(`${name} in 2026`)?.members ?? [])].sort()).toEqual([...members].sort());
});

test.each([
  ['Census Bureau’s Northeast region', 'Northeastern United States'],
  ['división West South Central', 'West South Central states'],
  ['Census division 5', 'South Atlantic states'],
  ['UN M49 Western Asia', 'Western Asia'],
])('with the scheme that it is of: %s', (words, name) => {
  expect(groupOf(words)?.name).toBe(name);
});

test.each(['Northeast', 'South', 'division 5', 'Census Bureau Benelux'])('not without its scheme: %s', (words) => {
  expect(groupOf(words)).toBeNull();
});
