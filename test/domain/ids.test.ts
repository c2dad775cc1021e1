import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../src/core/errors.ts';
import { compareIds, looksLikeName, parseBoundaryId } from '../../src/domain/boundaries/ids.ts';

const OBJECTS: readonly (readonly [string, string])[] = [
  ['r62422', 'r62422'],
  ['R62422', 'r62422'],
  ['w123', 'w123'],
  ['W123', 'w123'],
  ['relation/62422', 'r62422'],
  ['Relation/62422', 'r62422'],
  ['way/123', 'w123'],
  ['-62422', 'r62422'],
  ['  r62422\t', 'r62422'],
  ['\n-62422 ', 'r62422'],
  ['relation%2F62422', 'r62422'],
  ['r9007199254740991', 'r9007199254740991'],
  ['r1', 'r1'],
  ['https://www.openstreetmap.org/relation/62422', 'r62422'],
  ['http://www.openstreetmap.org/relation/62422', 'r62422'],
  ['https://openstreetmap.org/relation/62422', 'r62422'],
  ['HTTPS://WWW.OpenStreetMap.org/relation/62422', 'r62422'],
  ['openstreetmap.org/relation/62422', 'r62422'],
  ['www.openstreetmap.org/way/123', 'w123'],
  ['https://www.openstreetmap.org/way/123', 'w123'],
  ['https://www.openstreetmap.org/relation/62422/', 'r62422'],
  ['https://www.openstreetmap.org/relation/62422/history', 'r62422'],
  ['https://www.openstreetmap.org/relation/62422/history/7', 'r62422'],
  ['https://www.openstreetmap.org/relation/62422?locale=de&x=1', 'r62422'],
  ['https://www.openstreetmap.org/relation/62422#map=10/52.5/13.4', 'r62422'],
  ['https://www.openstreetmap.org/way/123?a=b%20c#map=1/2/3&layers=N', 'w123'],
  ['https://osm.org/relation/62422', 'r62422'],
  ['osm.org/way/123', 'w123'],
  ['www.osm.org/relation/62422', 'r62422'],
  ['https://m.openstreetmap.org/relation/62422', 'r62422'],
  ['https://www.openstreetmap.org/browse/relation/62422', 'r62422'],
  ['http://openstreetmap.org/browse/way/123/history', 'w123'],
  ['https://www.openstreetmap.org/?relation=62422#map=10/52.5/13.4', 'r62422'],
  ['https://www.openstreetmap.org/edit?way=123', 'w123'],
  ['https%3A%2F%2Fwww.openstreetmap.org%2Frelation%2F62422', 'r62422'],
];

const REJECTED: readonly string[] = [
  ...['', ' ', 'r', 'w', '-', '62422', '+62422', 'r0', 'w0', '-0', 'r01', 'w007', 'r-1', '--1', 'r 62422', 'r62422x'],
  ...['n1', 'node/1', 'x62422', 'rr1', 'r1r2', 'r1,r2', 'r1.0', 'r1e3', 'r٣', 'r１２', 'ｒ1', 'R', 'r9007199254740992'],
  ...['r99999999999999999999', 'relation/', 'relation/0', 'relation/062422', 'relation/62422/history', '/relation/1'],
  ...['relation/1/relation/2', 'relation//1', 'relation:1', 'wikidata:', 'wikidata:64', 'wikidata:Q', 'wikidata:Q0'],
  ...['wikidata:Q064', 'wikidata:P64', 'wikidata: Q64', 'Q64', 'iso:', 'iso:D', 'iso:DEU', 'iso:DE-', 'iso:DE-BERL'],
  ...['iso:DE_BE', 'iso:12', 'iso:DE-B E', 'DE', 'US-CA', 'https://www.openstreetmap.org', 'relation%2', '%', '%ff'],
  ...['https://www.openstreetmap.org/', 'https://www.openstreetmap.org/node/1', 'ftp://www.openstreetmap.org/way/1'],
  ...['https://www.openstreetmap.org/relation/0', 'https://www.openstreetmap.org/relation/62422/full'],
  ...['https://example.org/relation/62422', 'https://www.openstreetmap.org.example.org/relation/62422'],
  ...['https://example.org/?u=https://www.openstreetmap.org/relation/62422', 'https://evilopenstreetmap.org/way/1'],
  ...['https://www.openstreetmap.org@example.org/relation/1', 'https://x@www.openstreetmap.org/relation/1'],
  ...['https://example.org/browse/relation/1', 'https://osm.org.example.org/relation/1', 'browse/relation/1'],
  ...['https://osm.org/?relation=1&way=2', 'https://osm.org/?relation=1&relation=2', 'https://osm.org/?node=1'],
  ...['https://x.osm.org/relation/1', 'https://osm.org/go/0JDRg2', 'https://osm.org/about?relation=1'],
  ...['https://www.openstreetmap.org:8443/relation/1', 'https://api.openstreetmap.org/relation/1', 'javascript:r1'],
  ...["r1'; drop table boundary", 'r1\n2', '\0', 'null', 'undefined', '[object Object]'],
];

describe('parseBoundaryId', () => {
  it.each(OBJECTS)('reads %j as %s', (text, id) => {
    expect(parseBoundaryId(text)).toEqual({ kind: 'osm', id });
  });

  it.each([
    ['wikidata:Q64', 'Q64'],
    ['WIKIDATA:q64', 'Q64'],
    [' Wikidata:Q11696 ', 'Q11696'],
  ])('reads %j as wikidata %s', (text, id) => {
    expect(parseBoundaryId(text)).toEqual({ kind: 'wikidata', id });
  });

  it.each([
    ['iso:US-CA', 'US-CA'],
    ['ISO:us-ca', 'US-CA'],
    ['iso:DE', 'DE'],
    ['iso:de', 'DE'],
    ['iso:FX', 'FR'],
    ['iso:zr', 'CD'],
    ['iso:FR-2A', 'FR-2A'],
    ['iso:ID-JK', 'ID-JK'],
    ['iso:GB-ENG', 'GB-ENG'],
    ['iso:AT-9', 'AT-9'],
  ])('reads %j as code %s', (text, code) => {
    expect(parseBoundaryId(text)).toEqual({ kind: 'iso', code });
  });

  it.each(REJECTED)('refuses %j', (text) => {
    expect(() => parseBoundaryId(text)).toThrow(ProblemError);
    expect(() => parseBoundaryId(text)).toThrow(expect.objectContaining({ code: 'invalid_id', status: 400 }));
  });

  it('reads every number there is in every form alike', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (n) => {
        const forms = [`r${n}`, `R${n}`, `relation/${n}`, `-${n}`, `https://www.openstreetmap.org/relation/${n}#map=1`];
        for (const form of forms) expect(parseBoundaryId(form)).toEqual({ kind: 'osm', id: `r${n}` });
      }),
    );
  });

  it('answers any text with an id of the canonical form or with invalid_id', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        try {
          const id = parseBoundaryId(text);
          expect(id.kind === 'iso' ? id.code : id.id).toMatch(/^([rw][1-9]\d*|Q[1-9]\d*|[A-Z]{2}(-[A-Z0-9]{1,3})?)$/);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_id' });
        }
      }),
      { numRuns: 500 },
    );
  });
});

it('says of an id with a date that the date is too much', () => {
  for (const text of ['r62422@2015-01-01', 'set:zones/north@2019-06-01', 'iso:ES@2020-02-29']) {
    expect(() => parseBoundaryId(text)).toThrow(`"${text}" has a date, which is not possible here`);
  }
  expect(() => parseBoundaryId('r62422@2015-02-30')).toThrow('is not a boundary id');
});

describe('looksLikeName', () => {
  it.each([
    'Vaduz',
    ' São Paulo ',
    'Biel/Bienne',
    "L'Aquila",
    '東京',
    'Ay',
    '16e Arrondissement',
    'Relation Town',
    'US-CA',
  ])('takes %j for a name', (text) => {
    expect(looksLikeName(text)).toBe(true);
    expect(() => parseBoundaryId(text)).toThrow(`"${text.trim()}" looks like a name. Search for it`);
  });

  it.each([
    '',
    '62422',
    'r0',
    'r62422x',
    'Q64',
    'relation/0',
    'node/1',
    'wikidata:64',
    'https://example.org/',
    'osm.org',
  ])('does not take %j for one', (text) => {
    expect(looksLikeName(text)).toBe(false);
    expect(() => parseBoundaryId(text)).toThrow('is not a boundary id; use r62422');
  });
});

describe('compareIds', () => {
  it('orders by letter, then by number', () => {
    const sorted = ['w2', 'r10', 'r9', 'w1', 'r100', 'r9'].sort(compareIds);
    expect(sorted).toEqual(['r9', 'r9', 'r10', 'r100', 'w1', 'w2']);
  });
});
