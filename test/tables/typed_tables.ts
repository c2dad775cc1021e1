import type { Queryable } from '../../src/db/connect.ts';
import type { Draw } from '../search/made.ts';
import type { fillWithDistricts } from './districts.ts';
import { placesAt } from './fresh_tables.ts';
import type { HeldOutTable } from './held_out_tables.ts';
import { frenchTables, germanTables, italianTables, spanishTables, swissTables } from './typed_languages.ts';
import { lone, type TypedRow, typed, typedTable, type Way, type Within } from './typed_places.ts';
import { brokenTables } from './typed_signs.ts';

/** All that tables are typed of. */
export interface TypedPlaces {
  readonly counties: readonly Within[];
  readonly states: readonly Within[];
  readonly municipios: readonly Within[];
  readonly provincias: readonly Within[];
  readonly comunidades: readonly Within[];
  readonly gemeinden: readonly Within[];
  readonly communes: readonly Within[];
  readonly comuni: readonly Within[];
  readonly countries: readonly Within[];
  /** Divisions of the first level of other countries. */
  readonly divisions: readonly Within[];
  readonly districts: Awaited<ReturnType<typeof fillWithDistricts>>;
}

export async function typedPlaces(db: Queryable, districts: TypedPlaces['districts']): Promise<TypedPlaces> {
  const [counties, states, municipios, provincias, comunidades, countries, divisions] = await Promise.all([
    placesAt(db, 'US', 6, 4),
    placesAt(db, 'US', 4, 2),
    placesAt(db, 'ES', 8, 6),
    placesAt(db, 'ES', 6, 4),
    placesAt(db, 'ES', 4, 2),
    placesAt(db, null, 2, 2),
    placesAt(db, null, 4, 2),
  ]);
  const [gemeinden, communes, comuni] = await Promise.all([
    placesAt(db, 'CH', 8, 4),
    placesAt(db, 'FR', 8, 6),
    placesAt(db, 'IT', 8, 6),
  ]);
  return {
    ...{ counties, states, municipios, provincias, comunidades, countries, gemeinden, communes, comuni, districts },
    divisions: divisions.filter(({ country }) => country !== 'US' && country !== 'ES' && country !== 'CH'),
  };
}

/** The states of the United States as the press shortens them. */
const PRESS: Readonly<Record<string, string>> = {
  ...{ Alabama: 'Ala.', Arkansas: 'Ark.', California: 'Calif.', Colorado: 'Colo.', Florida: 'Fla.', Georgia: 'Ga.' },
  ...{ Illinois: 'Ill.', Indiana: 'Ind.', Kansas: 'Kan.', Kentucky: 'Ky.', Michigan: 'Mich.', Minnesota: 'Minn.' },
  ...{ Mississippi: 'Miss.', Missouri: 'Mo.', Montana: 'Mont.', Nebraska: 'Neb.', Oklahoma: 'Okla.', Oregon: 'Ore.' },
  ...{ Pennsylvania: 'Pa.', Tennessee: 'Tenn.', Virginia: 'Va.', Washington: 'Wash.', Wisconsin: 'Wis.' },
  ...{ 'North Carolina': 'N.C.', 'South Dakota': 'S.D.', 'West Virginia': 'W.Va.', 'New York': 'N.Y.' },
};

/** Countries as people type them into a form, by ISO code; null where what they type is not a country that is stored. */
const COUNTRIES: readonly (readonly [iso: string | null, ...texts: string[]])[] = [
  ['US', 'USA', 'U.S.', 'U.S.A.', 'United States', 'the US', 'US of America'],
  ['GB', 'UK', 'U.K.', 'Great Britain', 'United kingdom'],
  ['NL', 'Holland', 'The Netherlands', 'Netherland'],
  ['DE', 'Germany', 'Deutschland', 'Allemagne'],
  ['KR', 'South Korea', 'S. Korea', 'Korea, South', 'Korea (South)'],
  ['CZ', 'Czech Rep.', 'Czech Rep', 'Czechia'],
  ['AE', 'UAE', 'U.A.E.', 'Emirates'],
  ['BA', 'Bosnia', 'Bosnia & Herzegovina', 'Bosnia-Herzegovina', 'Bosnia/Herzegovina'],
  ['CD', 'DR Congo', 'Congo-Kinshasa', 'D.R. Congo', 'Congo (DRC)', 'Congo (Kinshasa)', 'DRC'],
  ['CI', 'Ivory Coast', 'Cote d Ivoire', 'Côte d’Ivoire'],
  ['PH', 'Phillipines', 'The Philippines', 'Philipines'],
  ['BR', 'Brasil', 'brazil'],
  ['RU', 'Russia', 'Russian Fed.'],
  ['TR', 'Turkey', 'Turkiye'],
  ['SA', 'Saudi', 'Saudi-Arabia', 'KSA'],
  ['NZ', 'New Zeland', 'N. Zealand', 'NZ'],
  ['PG', 'Papua N. Guinea', 'Papua New Guinea', 'PNG'],
  ['VN', 'Vietnam', 'Viet-Nam'],
  ['TT', 'Trinidad & Tobago', 'Trinidad and Tobago'],
  ['ZA', 'South Africa', 'S. Africa', 'RSA'],
  [
    null,
    'Scotland & Wales',
    'other',
    'Prefer not to say',
    'Unknown',
    'Yugoslavia',
    'Kurdistan',
    'EU',
    'Africa',
    'none',
  ],
];

/** Words that people put around the name of a town, in English lists; what is greater than the town is not the town. */
const AROUND_TOWNS: readonly Way[] = [
  ['City of X', ({ name }) => `City of ${name}`],
  ['Town of X', ({ name }) => `Town of ${name}`],
  ['X City', ({ name }) => `${name} City`],
  ['X town', ({ name }) => `${name} town`],
  ['Municipality of X', ({ name }) => `Municipality of ${name}`],
  ['X (city)', ({ name }) => `${name} (city)`],
  ['The town of X', ({ name }) => `The town of ${name}`],
  ['X municipality', ({ name }) => `${name} municipality`],
];
const GREATER: readonly Way[] = [
  ['Greater X', ({ name }) => `Greater ${name}`],
  ['X Metropolitan Area', ({ name }) => `${name} Metropolitan Area`],
];

/** Tables that name several levels, several countries, or words around names. */
function mixedTables(draw: Draw, places: TypedPlaces): HeldOutTable[] {
  const { counties, states, municipios, provincias, comunidades, gemeinden, communes, comuni, divisions } = places;
  const figure = () => String(1 + draw.below(99_999));
  const fourCountries = [communes, comuni, gemeinden, municipios].flatMap((some) =>
    draw.some(
      lone(some, some, false).filter(({ name }) => !/[/,(]/.test(name)),
      15,
    ),
  );
  const inGerman: Readonly<Record<string, string>> = { FR: 'Frankreich', IT: 'Italien', CH: 'Schweiz', ES: 'Spanien' };
  const inSpanish: Readonly<Record<string, string>> = { FR: 'Francia', IT: 'Italia', CH: 'Suiza', ES: 'España' };
  const inFrench = new Intl.DisplayNames(['fr'], { type: 'region' });
  const some = draw.some(lone(divisions, divisions), 60).filter(({ names }) => names.en);
  const blocks = draw.some(states, 3);
  const names = new Set(blocks.map(({ name }) => name));
  const inBlocks = blocks.flatMap((state): TypedRow[] => {
    const own = counties.filter(({ within }) => within === state.name);
    const single = new Set(lone(own, counties, false).map(({ id }) => id));
    return [
      { cells: { Area: state.name, n: figure() }, id: state.id, noise: 'state' },
      ...own.map((one) => ({
        cells: { Area: `   ${one.name}`, n: figure() },
        id: single.has(one.id) && !names.has(one.name) ? one.id : null,
        noise: single.has(one.id) ? 'county' : 'county of several states',
      })),
    ];
  });
  const short = (name: string) => name.replace(/^(?:Comunidad Foral de|Principado de|Comunidad de|Región de) /, '');
  const both = new Set(
    provincias.map(({ name }) => name).filter((name) => comunidades.some((one) => short(one.name) === name)),
  );
  const ofLevel = (level: string, list: readonly Within[]): TypedRow[] =>
    list.map((one) => ({ cells: { Nivel: level, Territorio: one.name, Tasa: figure() }, id: one.id, noise: level }));
  const withoutLevel = [...comunidades, ...provincias].map((one) => ({
    ...{ cells: { Territorio: one.name, Tasa: figure() }, id: both.has(one.name) ? null : one.id },
    noise: both.has(one.name) ? 'name of two levels' : 'two levels',
  }));
  const towns = draw.some(
    lone(municipios, municipios, false).filter(({ name }) => !/[/,]/.test(name)),
    60,
  );
  const codeOf = new Map(states.map(({ name, iso }) => [name, (iso ?? '').slice(3)]));
  const pressed = lone(counties, counties).filter(
    ({ within, codes: [code = ''] }) => PRESS[within ?? ''] !== undefined && code.slice(2) < '510',
  );
  const press = ({ within }: Within) => PRESS[within ?? ''] ?? '';
  const countyWays: readonly Way[] = [
    ['X Co. Fla.', (one) => `${one.name} Co. ${press(one)}`],
    ['X County, Ind.', (one) => `${one.name} County, ${press(one)}`],
    ['X, Ind.', (one) => `${one.name}, ${press(one)}`],
    ['X County (Calif.)', (one) => `${one.name} County (${press(one)})`],
    ['X Cnty NC', (one) => `${one.name} Cnty ${codeOf.get(one.within ?? '')}`],
    ['X FL', (one) => `${one.name} ${codeOf.get(one.within ?? '')}`],
    ['X CO., MISS.', (one) => `${one.name.toUpperCase()} CO., ${press(one).toUpperCase()}`],
    ['X - Fla.', (one) => `${one.name} - ${press(one)}`],
  ];
  const isoOf = new Map(places.countries.map(({ iso, id }) => [iso, id]));
  const typedCountries = COUNTRIES.flatMap(([iso, ...texts]) =>
    texts.map((text) => ({
      ...{ cells: { 'Where do you live?': text, age: figure() }, id: iso === null ? null : (isoOf.get(iso) ?? null) },
      noise: iso === null ? 'no country' : 'country',
    })),
  );
  return [
    typedTable(
      'Orte in four countries, the country in German',
      typed(draw, fourCountries, [['none', ({ name }) => name]], 'Wohnort', ({ country }) => ({
        Land: inGerman[country] ?? '',
        Alter: figure(),
      })),
    ),
    typedTable(
      'ciudades with their country in one cell',
      typed(
        draw,
        fourCountries,
        [
          ['X (Suiza)', ({ name, country }) => `${name} (${inSpanish[country]})`],
          ['X, Suiza', ({ name, country }) => `${name}, ${inSpanish[country]}`],
          ['X - Suiza', ({ name, country }) => `${name} - ${inSpanish[country]}`],
        ],
        'Ciudad',
      ),
    ),
    typedTable(
      'divisions in English, the country in French',
      typed(draw, some, [['none', ({ names }) => names.en ?? '']], 'Region', ({ country }) => ({
        Pays: inFrench.of(country) ?? '',
        n: figure(),
      })),
    ),
    typedTable('states with their counties below', inBlocks),
    typedTable('comunidades and provincias with their level', [
      ...ofLevel('CCAA', comunidades),
      ...ofLevel('Provincia', provincias),
    ]),
    typedTable('comunidades and provincias without their level', withoutLevel),
    typedTable('towns with English words', [
      ...typed(draw, towns.slice(0, 48), AROUND_TOWNS, 'City'),
      ...typed(draw, towns.slice(48), GREATER, 'City').map((row) => ({ ...row, id: null })),
    ]),
    typedTable(
      'counties with states as the press shortens them',
      typed(draw, draw.some(pressed, 64), countyWays, 'Where'),
    ),
    typedTable('countries as people type them', typedCountries),
  ];
}

/** Tables as people type them, of kinds that no table beside them has. What each row means is known by construction. */
export function typedTables(draw: Draw, places: TypedPlaces): HeldOutTable[] {
  return [
    ...mixedTables(draw, places),
    ...frenchTables(draw, places),
    ...spanishTables(draw, places),
    ...germanTables(draw, places),
    ...swissTables(draw, places),
    ...italianTables(draw, places),
    ...brokenTables(draw, places),
  ];
}
