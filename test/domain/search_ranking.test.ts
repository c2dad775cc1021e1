import { describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import type { Boundary } from '../../src/domain/boundaries/boundary.ts';
import { foldName } from '../../src/domain/names/fold.ts';
import { importance } from '../../src/domain/names/names.ts';
import { type Ranked, rank, withoutDuplicates } from '../../src/domain/search/ranking.ts';

const one = (id: string, more: Partial<Ranked> = {}): Ranked => ({
  ...{ id, step: 0, weight: 5, whole: true, kind: 'municipality', type: 'administrative' },
  ...{ west: 0, south: 0, east: 1e7, north: 1e7, lat: 5e6, lon: 5e6 },
  ...more,
});
const order = (list: readonly Ranked[], preferences: Partial<Parameters<typeof rank>[1]> = {}) =>
  rank(list, { wantsCode: false, ...preferences }).map(({ id }) => id);

describe('rank', () => {
  it('puts the better match before the more important place, and the lower id first among equals', () => {
    expect(order([one('r3'), one('r1', { step: 3, weight: 19 }), one('r2')])).toEqual(['r2', 'r3', 'r1']);
  });

  it('lets the name in the language of the caller decide between equals, and no more than that', () => {
    const list = [one('r1'), one('r2'), one('r3', { weight: 7 })];
    expect(order(list, { inLanguage: new Set(['r2']) })).toEqual(['r3', 'r2', 'r1']);
  });

  it('prefers what is near, the end of a word, and no postcodes', () => {
    const far = { west: 9e8, east: 9.1e8, lon: 9.05e8 };
    expect(order([one('r1', far), one('r2', { weight: 3 })], { near: { lat: 0.5, lon: 0.5 } })).toEqual(['r2', 'r1']);
    expect(order([one('r1', { whole: false, weight: 6 }), one('r2')])).toEqual(['r2', 'r1']);
    expect(order([one('r1', { type: 'postal_code', weight: 9 }), one('r2', { step: 8 })])).toEqual(['r2', 'r1']);
    expect(order([one('r1', { type: 'postal_code' }), one('r2')], { wantsCode: true })).toEqual(['r1', 'r2']);
  });
});

describe('importance', () => {
  const town: Parameters<typeof importance>[0] = {
    type: 'administrative',
    kind: 'municipality',
    countryCode: null,
    place: null,
    adminLevel: 8,
    population: null,
    areaKm2: 100,
  };

  it('counts capitals, the city of the name, and a Wikidata item', () => {
    const plain = importance(town);
    expect(importance({ ...town, wikidata: 'Q1' })).toBeGreaterThan(plain);
    const city = importance({ ...town, city: { people: 200, capital: 0 } });
    expect(city).toBeGreaterThan(plain);
    expect(importance({ ...town, city: { people: 200, capital: 1 } })).toBeGreaterThan(city);
    expect(importance({ ...town, population: 200_000 })).toBeGreaterThan(city);
  });
});

describe('withoutDuplicates', () => {
  const place = (id: string, more: Partial<Boundary> = {}): Boundary => ({
    ...{ id, name: 'Écija', kind: 'municipality', admin_level: 8, country: 'ES', countries: ['ES'], disputed: false },
    ...{ parents: [{ id: 'r9', name: 'Sevilla', kind: 'province', admin_level: 6 }], centroid: null, population: null },
    ...{ wikidata: null, iso: null, has_geometry: true, source: 'x', version: 1, stale: null },
    bbox: { west: 0, south: 0, east: 1, north: 1 },
    ...more,
  });
  const ids = (list: readonly Boundary[]) => withoutDuplicates(list, foldName).map(({ id }) => id);

  it('keeps the first of two that are the same place', () => {
    const twin = place('r2', { source: 'y', name: 'Ecija', bbox: { west: 0.05, south: 0, east: 1.05, north: 1 } });
    expect(ids([place('r1'), twin])).toEqual(['r1']);
    const inside = { ...twin, parents: [...twin.parents, { ...defined(twin.parents[0]), id: 'r1', name: 'Écija' }] };
    expect(ids([place('r1'), inside])).toEqual(['r1']);
  });

  it.each<[string, Partial<Boundary>]>([
    ['level', { admin_level: 7 }],
    ['name', { name: 'Osuna' }],
    ['parent', { parents: [] }],
    ['country', { country: 'PT' }],
    ['box', { bbox: { west: 0.5, south: 0, east: 1.5, north: 1 } }],
    ['place of postcodes', { kind: 'postal_code' }],
    ['shape', { bbox: null }],
    ['nothing but the id, in one source', { source: 'x' }],
  ])('keeps both where they differ in %s', (_what, more) => {
    expect(ids([place('r1'), place('r2', { source: 'y', ...more })])).toEqual(['r1', 'r2']);
  });

  it('leaves out what has no polygon for the same item that has one', () => {
    const without = { has_geometry: false, bbox: null, wikidata: 'Q1' };
    expect(ids([place('r1', without), place('r2', { name: 'Other', wikidata: 'Q1' })])).toEqual(['r2']);
  });
});
