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
