/**
 * Makes data/kinds.json, the table from (country, admin_level) and tags to a kind.
 *
 *   npx tsx scripts/make_kinds.ts admin_levels_libpostal.json
 *
 * The argument is libpostal's resources/boundaries/osm converted to one JSON file. Its classes are coarser than the
 * twelve kinds, and it ages; the rows below come first. A row of the result says where it is from. data/kinds.json is
 * what the service reads, and may be corrected by hand: then correct it here too.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { KINDS } from '../src/common/kinds.ts';

interface Row {
  readonly country?: string;
  readonly admin_level?: number;
  readonly id?: string;
  readonly when?: Readonly<Record<string, readonly string[]>>;
  readonly kind: string;
  readonly source: string;
  readonly as_of: string;
}
interface Libpostal {
  readonly countries: Readonly<Record<string, { readonly admin_level?: Readonly<Record<string, string>> }>>;
}

const WIKI =
  'OSM wiki, Tag:boundary=administrative, table of countries, and libpostal (drafted, not checked row by row)';
const WIKI_DATE = '2026-11';
const LIBPOSTAL = 'libpostal resources/boundaries/osm at 4c030d8 (MIT)';
const LIBPOSTAL_DATE = '2019';
const ISO = 'ISO 3166-2, category of the subdivisions';
const ISO_DATE = '2024';
const KEYS = 'OSM wiki, Key:border_type, Key:place, Key:designation';

/** Levels of countries without a row of their own (OSM wiki; Nominatim uses the same order). */
const DEFAULTS =
  '2 country, 3 region, 4 state, 5 region, 6 county, 7 district, 8 municipality, 9 borough, 10 neighbourhood, ' +
  '11 neighbourhood, 12 neighbourhood';

/** Country: level kind, … A colon after a level adds conditions on tags: `8:place=city|border_type=city city`. */
const COUNTRIES = `
AE 4 state
AF 4 province, 5 district, 6 district
AL 4 county, 7 municipality, 8 district
AM 4 province, 5 municipality, 6 municipality, 7 municipality, 8 municipality
AO 4 province, 6 municipality, 7 district
AR 4 province, 5 county, 6 district, 7 municipality, 8 city, 9 neighbourhood, 10 neighbourhood
AT 4 state, 6 district, 8 municipality, 9 borough, 10 neighbourhood
AU 4 state, 6 municipality, 7 district, 9 neighbourhood, 10 neighbourhood
BE 4 region, 6 province, 7 district, 8 municipality, 9 borough, 10 neighbourhood
BG 4 region, 5 region, 6 province, 7 municipality, 8 city, 9 borough, 10 neighbourhood
BO 4 state, 6 province, 8 municipality
BR 3 region, 4 state, 5 region, 7 region, 8 municipality, 9 district, 10 neighbourhood
BY 4 region, 6 district, 8 municipality, 9 borough
CA 4 province, 5 region, 6 county, 8 municipality, 9 borough, 10 neighbourhood
CH 4 state, 6 district, 8 municipality, 10 neighbourhood
CL 4 region, 6 province, 8 municipality
CN 4 province, 5 city, 6 county, 6:border_type=district|place=district district, 8 municipality, 10 neighbourhood
CO 3 region, 4 state, 6 municipality, 7 district, 8 district, 9 neighbourhood
CZ 4 region, 6 region, 7 district, 8 municipality, 10 neighbourhood
DE 4 state, 5 region, 6 county, 7 municipality, 8 municipality, 9 borough, 10 neighbourhood, 11 neighbourhood
DK 4 region, 7 municipality, 10 district
DZ 4 province, 6 district, 8 municipality
EE 6 county, 7 municipality, 8 municipality, 9 city, 10 neighbourhood
EG 4 province, 6 district
ES 4 region, 6 province, 7 county, 8 municipality, 9 district, 10 neighbourhood
ET 4 region, 5 province, 6 district
FI 3 region, 4 region, 6 region, 7 region, 8 municipality, 9 neighbourhood, 10 neighbourhood
FR 3 region, 4 region, 6 county, 7 district, 8 municipality, 9 borough, 10 neighbourhood
GB 4 state, 5 region, 6 county, 8 district, 9 borough, 10 municipality, 10:designation=ward|border_type=ward ward
GR 3 region, 4 region, 5 region, 6 district, 7 municipality, 8 district
HR 6 county, 7 municipality, 7:border_type=city|place=city;town city, 8 city, 9 borough, 10 neighbourhood
HU 4 region, 5 region, 6 county, 7 district, 8 municipality, 9 borough, 10 neighbourhood
ID 4 province, 5 county, 5:border_type=city;kota|place=city city, 6 district, 7 municipality, 8 neighbourhood, 9 neighbourhood, 10 neighbourhood
IE 5 region, 6 county, 7 district, 8 district, 9 district, 10 neighbourhood
IL 4 district, 5 district, 8 municipality, 10 neighbourhood
IN 4 state, 5 district, 6 district, 7 district, 8 municipality, 9 borough, 10 ward
IR 4 province, 5 county, 6 district, 7 municipality, 8 city, 9 borough, 10 neighbourhood
IT 4 region, 6 province, 8 municipality, 9 borough, 10 neighbourhood
JP 4 province, 5 region, 6 county, 7 municipality, 7:place=city|border_type=city city, 8 ward, 9 neighbourhood, 10 neighbourhood
KE 4 county, 6 district, 8 ward
KR 4 province, 4:place=city|border_type=city city, 6 district, 6:place=city|border_type=city city, 6:place=county|border_type=county county, 7 ward, 8 neighbourhood, 10 neighbourhood
LT 4 county, 5 municipality, 6 district, 8 city, 10 neighbourhood
LU 6 district, 6:place=county district, 8 municipality, 9 neighbourhood, 10 neighbourhood
LV 4 region, 5 municipality, 6 municipality, 7 city, 8 city, 9 city, 10 neighbourhood
MA 4 region, 5 province, 6 province, 8 municipality, 9 borough
MX 4 state, 6 municipality, 8 city, 9 neighbourhood, 10 neighbourhood
MY 4 state, 5 region, 6 district, 7 district, 8 municipality, 10 neighbourhood
NG 4 state, 6 county, 8 ward
NL 4 province, 8 municipality, 9 borough, 10 city, 11 neighbourhood
NO 4 county, 7 municipality, 9 borough
NP 4 province, 6 district, 7 municipality, 9 ward
NZ 4 region, 6 district, 6:border_type=city|place=city city, 8 borough, 10 neighbourhood
PE 4 region, 6 province, 8 district
PH 3 region, 4 province, 6 municipality, 6:border_type=city|place=city city, 7 district, 8 district, 10 borough
PK 4 province, 5 region, 6 district, 7 district, 8 ward, 9 ward, 10 ward
PL 4 state, 6 county, 7 municipality, 8 city, 9 borough, 10 neighbourhood, 11 neighbourhood
PT 4 region, 6 district, 7 municipality, 8 ward, 10 neighbourhood
RO 3 region, 4 county, 5 municipality, 6 municipality, 9 borough
RS 4 region, 6 district, 7 municipality, 8 city, 9 neighbourhood
RU 3 region, 4 state, 5 region, 6 district, 6:place=city|border_type=city city, 8 municipality, 9 borough, 10 neighbourhood
SA 4 province, 6 district
SE 3 region, 4 county, 7 municipality, 8 district, 9 borough, 10 neighbourhood
SI 8 municipality, 10 neighbourhood
SK 3 region, 4 region, 8 district, 9 municipality, 10 borough
TH 3 region, 4 province, 6 district, 8 district, 10 neighbourhood
TN 4 province, 5 district, 6 district
TR 3 region, 4 province, 6 district, 8 neighbourhood, 9 neighbourhood
TW 4 county, 4:place=city|border_type=city city, 7 district, 9 neighbourhood
UA 4 region, 6 district, 7 municipality, 8 borough, 9 city, 10 neighbourhood
US 4 state, 5 city, 6 county, 7 municipality, 8 city, 9 ward, 9:border_type=borough borough, 10 neighbourhood
UY 4 state, 6 municipality, 8 city
UZ 4 region, 6 district
VE 4 state, 6 municipality, 8 district
VN 4 province, 6 district, 8 ward
ZA 4 province, 6 district, 8 municipality, 10 neighbourhood, 10:border_type=ward ward
`;

/**
 * Tag values that mean the same in every country, with the levels where they do: a village at level 10 is a part of a
 * municipality, at level 8 it is one.
 */
const WORDS: readonly (readonly [string, string, string, string])[] = [
  ['2-12', 'border_type', 'nation;country', 'country'],
  ['2-12', 'border_type', 'state;federal_state;territory', 'state'],
  ['2-12', 'border_type', 'region;autonomous_region', 'region'],
  ['2-12', 'border_type', 'province;prefecture;voivodeship', 'province'],
  ['2-12', 'border_type', 'county;parish;census_area', 'county'],
  ['2-12', 'border_type', 'non_metropolitan_county;metropolitan_county;ceremonial_county', 'county'],
  ['2-12', 'border_type', 'district;unitary_authority;subdistrict;rural_district;raion', 'district'],
  [
    '2-12',
    'border_type',
    'municipality;township;charter_township;town;village;commune;civil_parish;community',
    'municipality',
  ],
  ['2-12', 'border_type', 'city;independent_city', 'city'],
  ['2-12', 'border_type', 'borough;london_borough', 'borough'],
  ['2-12', 'border_type', 'ward', 'ward'],
  ['2-12', 'border_type', 'neighborhood;neighbourhood;suburb;quarter', 'neighbourhood'],
  ['2-12', 'designation', 'non_metropolitan_county;metropolitan_county;ceremonial_county', 'county'],
  [
    '2-12',
    'designation',
    'non_metropolitan_district;metropolitan_district;council_area;principal_area;unitary_authority',
    'district',
  ],
  ['2-12', 'designation', 'civil_parish;community;town;parish', 'municipality'],
  ['2-12', 'designation', 'london_borough;metropolitan_borough;borough;royal_borough', 'borough'],
  ['2-12', 'designation', 'ward', 'ward'],
  ['3-6', 'place', 'state', 'state'],
  ['3-6', 'place', 'region', 'region'],
  ['3-6', 'place', 'province', 'province'],
  ['4-7', 'place', 'county', 'county'],
  ['4-9', 'place', 'district', 'district'],
  ['4-10', 'place', 'municipality', 'municipality'],
  ['6-8', 'place', 'town;village', 'municipality'],
  ['4-10', 'place', 'city', 'city'],
  ['6-10', 'place', 'borough', 'borough'],
  ['8-12', 'place', 'suburb;quarter;neighbourhood', 'neighbourhood'],
];

/**
 * Boundaries whose level gives the wrong kind. libpostal calls many more of them "city", which it uses for any
 * settlement.
 */
const IDS: readonly (readonly [string, string, string])[] = [
  ['AT', 'r109166', 'city'],
  ['CN', 'r912940', 'city'],
  ['CN', 'r912999', 'city'],
  ['CN', 'r913067', 'city'],
  ['CN', 'r913069', 'city'],
];

/**
 * Independent cities of the United States are in no county and at its level. A file of the Census Bureau says so by the
 * description of the area (LSAD) or its class; Carson City has the class alone. OpenStreetMap says it by border_type.
 */
const CENSUS = 'US Census Bureau, LSAD 25 and class code C7 (independent city)';
const CENSUS_DATE = '2025';
const INDEPENDENT_CITIES = { country: 'US', admin_level: 6, when: { LSAD: ['25'], CLASSFP: ['c7'] }, kind: 'city' };

/** First-level subdivisions that libpostal calls "state" everywhere, by their ISO 3166-2 category. */
const CATEGORIES = `
GH 4 region
GN 4 region
KI 4 region
LR 4 county
MH 4 municipality
ML 4 region
MV 4 district
`;

/** The kind by `place` for a boundary without admin_level. */
const WITHOUT_LEVEL: readonly (readonly [string, string])[] = [
  ['city', 'city'],
  ['town;village;municipality', 'municipality'],
  ['borough', 'borough'],
  ['suburb;quarter;neighbourhood', 'neighbourhood'],
  ['state', 'state'],
  ['region', 'region'],
  ['province', 'province'],
  ['county', 'county'],
];

/** The kind for libpostal's class at a level, or null if the class says nothing about a boundary. */
function kindOfClass(name: string, level: number): string | null {
  switch (name) {
    case 'country':
      return 'country';
    case 'country_region':
      return 'region';
    case 'state':
      return level <= 4 ? 'state' : 'province';
    case 'state_district':
      return level <= 5 ? 'region' : 'district';
    case 'city':
      return level <= 8 ? 'municipality' : 'city';
    case 'city_district':
      return 'borough';
    case 'suburb':
      return 'neighbourhood';
    default:
      return null;
  }
}

function when(text: string): Record<string, string[]> {
  const conditions: Record<string, string[]> = {};
  for (const part of text.split('|')) {
    const [key, values] = part.split('=') as [string, string];
    conditions[key] = values.split(';');
  }
  return conditions;
}

function cells(text: string): { level: number; condition: string; kind: string }[] {
  return text.split(',').map((cell) => {
    const match = /^\s*(\d+)(?::(\S+))? ([a-z_]+)\s*$/.exec(cell);
    if (match === null || !(KINDS as readonly string[]).includes(match[3]!)) throw new Error(`bad cell "${cell}"`);
    return { level: Number(match[1]), condition: match[2] ?? '', kind: match[3]! };
  });
}

function rows(libpostal: Libpostal): Row[] {
  const out: Row[] = [];
  const taken = new Set<string>();
  for (const line of COUNTRIES.trim().split('\n')) {
    const country = line.slice(0, 2);
    for (const { level, condition, kind } of cells(line.slice(3))) {
      if (condition === '') taken.add(`${country} ${level}`);
      const conditions = condition === '' ? {} : { when: when(condition) };
      out.push({ country, admin_level: level, ...conditions, kind, source: WIKI, as_of: WIKI_DATE });
    }
  }
  out.push({ ...INDEPENDENT_CITIES, source: CENSUS, as_of: CENSUS_DATE });
  for (const line of CATEGORIES.trim().split('\n')) {
    const country = line.slice(0, 2);
    for (const { level, kind } of cells(line.slice(3))) {
      taken.add(`${country} ${level}`);
      out.push({ country, admin_level: level, kind, source: ISO, as_of: ISO_DATE });
    }
  }
  for (const [country, table] of Object.entries(libpostal.countries)) {
    for (const [level, name] of Object.entries(table.admin_level ?? {})) {
      const kind = kindOfClass(name, Number(level));
      if (kind === null || taken.has(`${country} ${level}`)) continue;
      out.push({ country, admin_level: Number(level), kind, source: LIBPOSTAL, as_of: LIBPOSTAL_DATE });
    }
  }
  for (const [country, id, kind] of IDS) out.push({ country, id, kind, source: LIBPOSTAL, as_of: LIBPOSTAL_DATE });
  for (const [range, key, values, kind] of WORDS) {
    const [from, to] = range.split('-').map(Number) as [number, number];
    for (let level = from; level <= to; level++) {
      out.push({ admin_level: level, when: { [key]: values.split(';') }, kind, source: KEYS, as_of: WIKI_DATE });
    }
  }
  for (const [values, kind] of WITHOUT_LEVEL) {
    out.push({ when: { place: values.split(';') }, kind, source: KEYS, as_of: WIKI_DATE });
  }
  for (const { level, kind } of cells(DEFAULTS)) {
    out.push({ admin_level: level, kind, source: 'OSM wiki, Tag:boundary=administrative', as_of: WIKI_DATE });
  }
  return out;
}

const path = process.argv[2];
if (path === undefined) throw new Error('usage: make_kinds.ts admin_levels_libpostal.json');
const libpostal = JSON.parse(readFileSync(path, 'utf8')) as Libpostal;
const lines = rows(libpostal).map((row) => `  ${JSON.stringify(row)}`);
writeFileSync(new URL('../data/kinds.json', import.meta.url), `[\n${lines.join(',\n')}\n]\n`);
process.stdout.write(`data/kinds.json: ${lines.length} rows\n`);
