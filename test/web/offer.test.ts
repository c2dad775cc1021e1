import { describe, expect, test } from 'vitest';
import { type Choice, fileKey, given, hasLand, type Offer } from '../../web/src/download/offer.ts';

const CHOICE: Choice = {
  ...{ format: 'geojson', detail: 'medium', area: 'all', asOf: '', names: '', each: false },
};
const areas = (csv: string): Offer => ({
  ...{ key: 'areas', label: 'The areas', name: 'Areas A, B', op: 'dissolve', count: 2, units: 2 },
  ...given({ csv }),
});

describe('a file that was made', () => {
  test('is not that of another input with the same name and number of boundaries', () => {
    const made = fileKey(areas('id,group\nr1,A\nr2,B\n'), CHOICE);
    expect(fileKey(areas('id,group\nr1,A\nr2,B\n'), CHOICE)).toBe(made);
    expect(fileKey(areas('id,group\nr1,B\nr2,A\n'), CHOICE)).not.toBe(made);
  });

  test.each([{ format: 'kml' }, { area: 'land' }, { asOf: '2015-01-01' }, { names: 'en' }] as const)(
    'is not that of another choice: %j',
    (change) => {
      const offer = areas('id,group\nr1,A\n');
      expect(fileKey(offer, { ...CHOICE, ...change })).not.toBe(fileKey(offer, CHOICE));
    },
  );
});

describe('the land of an offer', () => {
  const of = (input: Readonly<Record<string, unknown>>): boolean => hasLand({ ...areas(''), ...given(input) });

  test.each([
    { set: 'regions', as_of: '2020-01-01' },
    { include: ['r1', 'set:regions/A'] },
    { csv: 'id,group\nset:regions/A,A\n' },
  ])('is not offered for areas of sets: %j', (input) => expect(of(input)).toBe(false));

  test.each([{ ids: ['r1', 'r2'] }, { csv: 'id,group\nr1,sunset: late\n' }, { children_of: 'iso:ES', admin_level: 6 }])(
    'is offered for official boundaries: %j',
    (input) => expect(of(input)).toBe(true),
  );
});
