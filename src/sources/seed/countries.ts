import type * as CountryCoder from '@rapideditor/country-coder';
import type { Coords } from '../../../workers/contract.ts';
import { countryTable } from '../countries.ts';
import { requirePackage } from '../reference.ts';
import type { SourceBoundary } from '../types.ts';
import { boundary, type SeedCoverage, type SeedSource } from './rows.ts';
import { countryShapes, type ShapeSource } from './shapes.ts';

const SOURCES: Readonly<Record<ShapeSource, SeedSource>> = {
  'world-atlas': {
    id: 'world-atlas',
    name: 'Natural Earth (world-atlas), land of the countries of the world',
    url: 'https://github.com/topojson/world-atlas',
    license: 'public domain; borders with small countries ODbL 1.0',
    attribution: 'Natural Earth; borders with small countries © OpenStreetMap contributors',
    resolution: 'made for 1:10,000,000; borders and coasts simplified to about 2 km, islands under 10 km2 left out',
  },
  'geo-maps': {
    id: 'geo-maps',
    name: 'geo-maps (OpenStreetMap), land of countries under 5,000 km2',
    url: 'https://github.com/simonepri/geo-maps',
    license: 'ODbL 1.0',
    attribution: '© OpenStreetMap contributors',
    resolution: 'simplified to about 10 m, above 1,000 km2 to 60 m',
  },
};

const VERSIONS: Readonly<Record<ShapeSource, string>> = { 'world-atlas': '2.0.2', 'geo-maps': '0.6.0' };

/**
 * The countries and territories of the world with an ISO 3166-1 code (and Kosovo), as two coverages, one per source.
 * Shapes come from the committed file of their land, whose borders match each other and those of the subdivisions in
 * the seed data; names and codes come from country-coder. The file leaves out countries that other seed sources have in
 * finer shapes.
 */
export function seedCountries(): SeedCoverage[] {
  const boundaries: Record<ShapeSource, SourceBoundary[]> = { 'world-atlas': [], 'geo-maps': [] };
  for (const { code, source, rings } of countryShapes()) {
    boundaries[source].push(countryBoundary(code, VERSIONS[source], rings));
  }
  // Small countries first, so the borders they share with larger ones are stored before those.
  return (['geo-maps', 'world-atlas'] as const).map((id) => ({
    source: SOURCES[id],
    boundaries: boundaries[id],
    repairs: 0,
    skipped: [],
  }));
}

/** A country or territory as a boundary, with its data from country-coder and the committed tables. */
export function countryBoundary(code: string, version: string, rings: readonly Coords[]): SourceBoundary {
  const coder = requirePackage<typeof CountryCoder>('@rapideditor/country-coder');
  const row = countryTable().countries[code];
  const known = coder.feature(code)?.properties;
  if (row === undefined || known === undefined) throw new Error(`no country ${code} in data/countries.json`);
  const alpha3 = known.iso1A3;
  return boundary({
    sourceId: code,
    version,
    relation: row.relation,
    name: known.nameEn,
    names: { en: known.nameEn, ...row.names },
    codes: [code, ...(alpha3 === undefined ? [] : [alpha3])],
    adminLevel: row.admin_level,
    kind: 'country',
    countryCode: code,
    country: code,
    iso: code,
    wikidata: known.wikidata,
    tags: {
      boundary: 'administrative',
      'ISO3166-1:alpha2': code,
      ...(alpha3 === undefined ? {} : { 'ISO3166-1:alpha3': alpha3 }),
    },
    rings,
  });
}
