/**
 * Makes the committed reference tables data/countries.json and data/subdivisions.json.
 *
 *   npm install --prefix /tmp/reference iso3166-2-db@2.3.11
 *   npx tsx scripts/make_reference.ts /tmp/reference
 *
 * Reads the npm package iso3166-2-db (283 MB, so not a dependency) from the given folder and the country list of
 * country-coder; writes OSM relation ids, admin levels and names. Run it again when either package is updated, and
 * review the diff before you commit it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { borders } from '@rapideditor/country-coder';

interface Place {
  readonly name: string;
  readonly iso: string;
  readonly names: Readonly<Record<string, string>>;
  readonly reference: { readonly openstreetmap?: number | string | null; readonly openstreetmap_level?: number | null };
}
type Database = Readonly<Record<string, Place & { readonly regions: readonly Place[] }>>;

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder where iso3166-2-db is installed.');
const require = createRequire(resolve(folder, 'package.json'));
const database = require('iso3166-2-db/data/iso3166-2.json') as Database;
const version = (require('iso3166-2-db/package.json') as { version: string }).version;

/**
 * Relation ids where the package is wrong, outdated or has none (it gives France and French Guiana the same one). An id
 * is listed only if several public users of OpenStreetMap data agree on it. Null means that they disagree: no id is
 * better than a wrong one.
 */
const RELATIONS: Readonly<Record<string, number | null>> = {
  BL: 537967,
  BV: 2425963,
  CC: 82636,
  CX: 2177207,
  FK: 2185374,
  FR: 2202162,
  GF: 1260551,
  MA: 3630439,
  MF: 1891583,
  NC: 3407643,
  NF: 2574988,
  NL: 47796,
  NO: 2978650,
  PF: 3412620,
  PH: 2850940,
  PR: 4422604,
  TF: null,
  XK: 2088990,
};

/**
 * The admin_level of relations of territories that carry an ISO 3166-1 code below level 2. Source: libpostal,
 * resources/boundaries/osm (MIT), commit 4c030d8, where the table says "country" at another level.
 */
const LEVELS: Readonly<Record<number, string>> = {
  3: 'AW CW SX HK MO AX BL MF NC PF PM TF WF YT',
  4: 'PR AS GU MP VI BV CC CX HM NF SJ UM BQ',
  6: 'GP MQ GF RE',
};

/**
 * Codes of country-coder that ISO only reserves, with the official code of the territory (ISO 3166-1, reserved codes).
 */
const RESERVED: Readonly<Record<string, string>> = {
  AC: 'SH',
  CP: 'FR',
  CQ: 'GG',
  DG: 'IO',
  EA: 'ES',
  FX: 'FR',
  IC: 'ES',
  TA: 'SH',
};

/**
 * Areas with a disputed owner that country-coder gives to one side or to no one. The countries in `by` get the area as
 * well: the service reports the dispute (`disputed`) and does not decide it. OpenStreetMap does the same: the relations
 * of both countries contain Crimea, and that of Cyprus contains the whole island except the bases.
 */
const CLAIMS = {
  Q7835: { name: 'Crimea', by: ['UA'], source: 'United Nations General Assembly resolution 68/262 (2014)' },
  Q23681: { name: 'Northern Cyprus', by: ['CY'], source: 'United Nations Security Council resolution 541 (1983)' },
};

/** USPS codes by FIPS 5-2 code, except the five territories with an ISO 3166-1 code (US Census Bureau, ANSI codes). */
const STATES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    '01 AL 02 AK 04 AZ 05 AR 06 CA 08 CO 09 CT 10 DE 11 DC 12 FL 13 GA 15 HI 16 ID 17 IL 18 IN 19 IA 20 KS 21 KY 22 LA ' +
    '23 ME 24 MD 25 MA 26 MI 27 MN 28 MS 29 MO 30 MT 31 NE 32 NV 33 NH 34 NJ 35 NM 36 NY 37 NC 38 ND 39 OH 40 OK 41 OR ' +
    '42 PA 44 RI 45 SC 46 SD 47 TN 48 TX 49 UT 50 VT 51 VA 53 WA 54 WV 55 WI 56 WY'
  )
    .match(/\d\d [A-Z]{2}/g)!
    .map((pair) => pair.split(' ') as [string, string]),
);

/** ISO 3166-1 codes of the territories among the states in us-atlas, by FIPS 5-2 code. */
const TERRITORIES: Readonly<Record<string, string>> = { 60: 'AS', 66: 'GU', 69: 'MP', 72: 'PR', 78: 'VI' };

/**
 * Autonomous communities of Spain: INE code, ISO 3166-2 suffix, and the suffix in iso3166-2-db if that is an older one.
 */
const COMMUNITIES =
  '01 AN 02 AR 03 AS 04 IB:PM 05 CN 06 CB 07 CL 08 CM 09 CT 10 VC 11 EX 12 GA 13 MD 14 MC:MU 15 NC 16 PV 17 RI:LO 18 CE 19 ML';

/**
 * Provinces of Spain by INE code (ISO 3166-2:ES). Ceuta (51) and Melilla (52) are autonomous cities outside any
 * province.
 */
const PROVINCES =
  '01 VI 02 AB 03 A 04 AL 05 AV 06 BA 07 PM 08 B 09 BU 10 CC 11 CA 12 CS 13 CR 14 CO 15 C 16 CU 17 GI 18 GR 19 GU 20 SS ' +
  '21 H 22 HU 23 J 24 LE 25 L 26 LO 27 LU 28 M 29 MA 30 MU 31 NA 32 OR 33 O 34 P 35 GC 36 PO 37 SA 38 TF 39 S 40 SG ' +
  '41 SE 42 SO 43 T 44 TE 45 TO 46 V 47 VA 48 BI 49 ZA 50 Z';

/** The value that the package has as Chinese name of five divisions: "Chinese", in Russian. */
const NO_NAME = 'китайский';

/** Names by language; the package's own `geonames` is not a language. */
function namesOf(place: Place): Record<string, string> {
  return Object.fromEntries(
    Object.entries(place.names)
      .filter(([language, name]) => /^[a-z]{2,3}$/.test(language) && name.trim() !== '' && name !== NO_NAME)
      .map(([language, name]) => [language, name.trim()] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function relationOf(place: Place | undefined): number | null {
  const id = Number(place?.reference.openstreetmap ?? 0);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

function region(country: string, suffix: string): Place | undefined {
  return database[country]?.regions.find((place) => place.iso === suffix);
}

function countries() {
  const levels = new Map(
    Object.entries(LEVELS).flatMap(([level, codes]) => codes.split(' ').map((code) => [code, Number(level)] as const)),
  );
  const codes = borders.features
    .map((feature) => feature.properties.iso1A2)
    .filter((code) => code !== undefined && !(code in RESERVED) && code !== 'EU' && code !== 'UN')
    .sort() as string[];
  const rows: Record<string, { relation: number | null; admin_level: number; names: Record<string, string> }> = {};
  for (const code of codes) {
    const place = database[code];
    rows[code] = {
      relation: code in RELATIONS ? (RELATIONS[code] ?? null) : relationOf(place),
      admin_level: levels.get(code) ?? 2,
      names: place === undefined ? {} : namesOf(place),
    };
  }
  const used = new Map<number, string>();
  for (const [code, row] of Object.entries(rows)) {
    if (row.relation === null) continue;
    const other = used.get(row.relation);
    if (other !== undefined) throw new Error(`${code} and ${other} have the same relation ${row.relation}`);
    used.set(row.relation, code);
  }
  return { countries: rows, reserved: RESERVED, claims: CLAIMS };
}

function subdivisions() {
  const row = (country: string, code: string, iso: string, level: number, suffix: string | null) => {
    const place = suffix === null ? undefined : region(country, suffix);
    return [
      code,
      { iso, admin_level: level, relation: relationOf(place), names: place === undefined ? {} : namesOf(place) },
    ] as const;
  };
  const pairs = (text: string) => text.split(/ (?=\d\d )/).map((pair) => pair.split(' ') as [string, string]);
  return {
    us_states: Object.fromEntries(
      Object.entries(STATES)
        .map(([fips, usps]) => row('US', fips, `US-${usps}`, 4, usps))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    us_territories: TERRITORIES,
    es_communities: Object.fromEntries(
      pairs(COMMUNITIES).map(([ine, suffixes]) => {
        const [iso, older] = suffixes.split(':') as [string, string | undefined];
        return row('ES', ine, `ES-${iso}`, 4, older ?? iso);
      }),
    ),
    // The package lacks the provinces of Spain: codes only.
    es_provinces: Object.fromEntries(pairs(PROVINCES).map(([ine, suffix]) => row('ES', ine, `ES-${suffix}`, 6, null))),
  };
}

/** One entry per line, for readable diffs. */
function write(name: string, source: string, table: Readonly<Record<string, Readonly<Record<string, unknown>>>>): void {
  const sections = Object.entries(table).map(([key, rows]) => {
    const lines = Object.entries(rows).map(([code, value]) => `    ${JSON.stringify(code)}: ${JSON.stringify(value)}`);
    return `  ${JSON.stringify(key)}: {\n${lines.join(',\n')}\n  }`;
  });
  const head = [
    `  "source": ${JSON.stringify(source)}`,
    `  "license": "MIT (iso3166-2-db), ISC (country-coder)"`,
    `  "as_of": "2024-12-13"`,
  ];
  writeFileSync(new URL(`../data/${name}`, import.meta.url), `{\n${[...head, ...sections].join(',\n')}\n}\n`);
  const bytes = readFileSync(new URL(`../data/${name}`, import.meta.url)).length;
  process.stdout.write(`data/${name}: ${bytes} bytes\n`);
}

write(
  'countries.json',
  `npm iso3166-2-db ${version} (relation ids, names; corrections in scripts/make_reference.ts), ` +
    'libpostal resources/boundaries/osm at 4c030d8 (admin levels), npm @rapideditor/country-coder (list of codes)',
  countries(),
);
write(
  'subdivisions.json',
  `npm iso3166-2-db ${version} (relation ids, names), US Census Bureau (FIPS and USPS codes), INE and ISO 3166-2:ES (codes)`,
  subdivisions(),
);
