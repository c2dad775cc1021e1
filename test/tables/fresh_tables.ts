import type { Queryable } from '../../src/db/connect.ts';
import { foldName } from '../../src/domain/names/fold.ts';
import type { Draw } from '../search/made.ts';
import { type HeldOutTable, made, type Place, type Recipe } from './held_out_tables.ts';

/** A place with the name of what is around it. */
interface PlaceWithin extends Place {
  readonly within: string | null;
}

/** Places of a country and level with the division around them; `country` null: of all countries. */
export function placesAt(db: Queryable, country: string | null, level: number, around: number): Promise<PlaceWithin[]> {
  return db.query<PlaceWithin>(
    `select b.id, b.name, b.names, b.country, b.codes, b.iso, p.name as within
     from boundary b
     left join lateral (select q.name from boundary_parent bp join boundary q on q.id = bp.parent
                        where bp.child = b.id and q.admin_level = $3 limit 1) p on true
     where b.type = 'administrative' and b.country is not null and b.admin_level = $2 and ($1::text is null or b.country = $1)
     order by b.id`,
    [country, level, around],
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ é: '&eacute;', è: '&egrave;', á: '&aacute;', í: '&iacute;', ó: '&oacute;', ú: '&uacute;', ñ: '&ntilde;' },
  ...{ ü: '&uuml;', ö: '&ouml;', ä: '&auml;', "'": '&#39;', ç: '&ccedil;' },
};
const NEAR: Readonly<Record<string, string>> = {
  a: 's',
  e: 'r',
  i: 'o',
  o: 'p',
  n: 'm',
  t: 'y',
  s: 'd',
  r: 'e',
  l: 'k',
};
const WORD = /^\p{L}{7,}$/u;

type Change = (draw: Draw, name: string) => string;

/** What programs and people do to names, which no rule of the matching was made for. */
const CHANGES: readonly (readonly [what: string, often: number, does: Change])[] = [
  ['UTF-8 read as Latin-1', 4, (_, name) => Buffer.from(name, 'utf8').toString('latin1')],
  ['entities of HTML', 4, (_, name) => name.replaceAll(/[éèáíóúñüöä'ç]/g, (letter) => ENTITIES[letter] ?? letter)],
  ['underscores', 4, (_, name) => name.toLowerCase().replaceAll(' ', '_')],
  ['signs that are not seen', 4, (_, name) => `\u200b${name}\ufeff`],
  ['quotes', 3, (draw, name) => draw.one([`«${name}»`, `'${name}'`, `“${name}”`])],
  ['a dot behind', 3, (_, name) => `${name}.`],
  ['a colon or a dash behind', 3, (draw, name) => name + draw.one([':', ' -', ';'.replace(';', ' –')])],
  [
    'letters of full width',
    2,
    (_, name) => name.replaceAll(/[A-Za-z]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
  ],
  ['a neighbor on the keyboard', 6, (draw, name) => (WORD.test(name) ? keyed(draw, name) : name)],
  ['two letters swapped', 4, (draw, name) => (WORD.test(name) ? swapped(draw, name) : name)],
  ['words of names in capitals apart', 2, (_, name) => name.toUpperCase().split('').join('').replaceAll('-', ' - ')],
];

function keyed(draw: Draw, name: string): string {
  const places = [...name].flatMap((letter, i) => (i > 1 && NEAR[letter] ? [i] : []));
  const at = draw.one(places.length > 0 ? places : [2]);
  return name.slice(0, at) + (NEAR[name[at] ?? ''] ?? 'x') + name.slice(at + 1);
}

function swapped(draw: Draw, name: string): string {
  const at = 1 + draw.below(name.length - 3);
  return name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2);
}

/** Texts in columns of places that are not a place, and places that are not stored. */
const NOT_STORED = [
  ...[
    'Various',
    'Multiple locations',
    'Offshore',
    'International waters',
    'Not stated',
    'Refused',
    'Other',
    'Sin datos',
  ],
  ...[
    'Hors zone',
    'Unbekannt',
    'Summe',
    'Lake Michigan',
    'Danube',
    'Mont Blanc',
    'Atlantis',
    'Acme GmbH',
    'Head office',
  ],
  ...['Gotham', 'Narnia', 'Middle Earth', 'Westeros', 'Mars', 'Zwischensumme', 'Gesamtergebnis', 'Grand total'],
];

function does(draw: Draw, name: string): { written: string; noise: string } {
  let pick = draw.below(100);
  for (const [noise, often, change] of CHANGES) {
    if (pick < often) {
      const written = change(draw, name);
      // A change of the letters alone that is not seen is none; one that leaves another name is a typo.
      const isTypo = noise.startsWith('a neighbor') || noise.startsWith('two letters');
      return {
        written,
        noise: foldName(written) === foldName(name) && written === name ? 'none' : isTypo ? 'typo' : noise,
      };
    }
    pick -= often;
  }
  return { written: name, noise: 'none' };
}

/** 20 tables by rule, of other places and with other noise than those of held_out_tables.ts. */
export async function freshTables(
  draw: Draw,
  db: Queryable,
  of: (...codes: string[]) => readonly Place[],
): Promise<HeldOutTable[]> {
  const [counties, states, countries, municipalities, provinces] = await Promise.all([
    placesAt(db, 'US', 6, 4),
    placesAt(db, 'US', 4, 2),
    placesAt(db, null, 2, 2),
    placesAt(db, 'ES', 8, 6),
    placesAt(db, 'ES', 6, 4),
  ]);
  const gemeinden = await placesAt(db, 'CH', 8, 4);
  const communes = await placesAt(db, 'FR', 8, 4);
  const comuni = await placesAt(db, 'IT', 8, 4);
  const written = (_: Place, text: string) => text;
  const figure = () => (draw.below(1_000_000) / 10).toFixed(1);
  const within = (place: Place) => (place as PlaceWithin).within ?? '';
  const stateOf = new Map(states.map(({ name, iso }) => [name, (iso ?? '').slice(3)]));
  const inState = (state: string) => counties.filter((county) => county.within === state);
  const byCountry = ({ country }: Place) => country;
  const common = { does, notStored: NOT_STORED, strangers: 0.05 };
  const recipes: Recipe[] = [
    {
      name: 'counties with their states',
      places: draw.some(counties, 300),
      among: counties,
      containerOf: within,
      ...common,
      columns: { cnty: written, st: within, v: figure },
    },
    {
      name: 'counties with codes of states',
      places: draw.some(counties, 300),
      among: counties,
      containerOf: within,
      ...common,
      columns: { State: (place) => stateOf.get(within(place)) ?? '', County: written },
    },
    {
      name: 'counties of Georgia',
      places: inState('Georgia'),
      ...common,
      columns: { County: written, 'Cases per 100k': figure },
    },
    {
      name: 'counties of Ohio with a year',
      places: inState('Ohio'),
      ...common,
      columns: { year: () => '2021', area_name: written },
    },
    { name: 'states of the United States', places: states, ...common, columns: { State: written, Rank: figure } },
    {
      name: 'municipalities with provinces',
      places: draw.some(municipalities, 400),
      among: municipalities,
      containerOf: within,
      ...common,
      separator: ';',
      columns: { Municipio: written, Provincia: within, Renta: figure },
    },
    {
      name: 'municipalities of Zaragoza',
      places: municipalities.filter((one) => one.within === 'Zaragoza'),
      among: municipalities,
      ...common,
      separator: ';',
      columns: { localidad: written, hab: figure },
    },
    {
      name: 'provinces of Spain',
      places: provinces,
      ...common,
      separator: ';',
      columns: { Prov: written, Paro: figure },
    },
    {
      name: 'countries in English',
      places: countries,
      language: 'en',
      ...common,
      columns: { Destination: written, Flights: figure },
    },
    {
      name: 'countries in Spanish',
      places: countries,
      language: 'es',
      ...common,
      separator: ';',
      columns: { 'País de nacimiento': written, Personas: figure },
    },
    {
      name: 'countries in Portuguese',
      places: countries,
      language: 'pt',
      ...common,
      separator: ';',
      columns: { País: written, Valor: figure },
    },
    {
      name: 'countries in Italian',
      places: countries,
      language: 'it',
      ...common,
      separator: ';',
      columns: { Stato: written, Valore: figure },
    },
    {
      name: 'provinces of Korea and Vietnam',
      places: of('KR', 'VN'),
      language: 'en',
      containerOf: byCountry,
      ...common,
      columns: { province: written, country: byCountry, n: figure },
    },
    {
      name: 'provinces of Thailand',
      places: of('TH'),
      language: 'en',
      ...common,
      columns: { Province: written, Rice: figure },
    },
    {
      name: 'regions of Ukraine in Ukrainian',
      places: of('UA'),
      language: 'uk',
      ...common,
      separator: ';',
      columns: { Область: written, Кількість: figure },
    },
    {
      name: 'counties of Romania and Hungary',
      places: of('RO', 'HU'),
      containerOf: byCountry,
      ...common,
      columns: { iso2: byCountry, county: written, gdp: figure },
    },
    {
      name: 'provinces of South Africa and Kenya',
      places: of('ZA', 'KE'),
      language: 'en',
      containerOf: byCountry,
      ...common,
      columns: { Country: (place) => (place.country === 'ZA' ? 'South Africa' : 'Kenya'), Province: written },
    },
    {
      name: 'Gemeinden of Switzerland in a list',
      places: draw.some(gemeinden, 300),
      among: gemeinden,
      ...common,
      separator: ';',
      columns: { Ort: written, Betrag: figure },
    },
    {
      name: 'communes of France in a list',
      places: draw.some(communes, 400),
      among: communes,
      ...common,
      separator: ';',
      columns: { Commune: written, Montant: figure },
    },
    {
      name: 'comuni of Italy in a list',
      places: draw.some(comuni, 400),
      among: comuni,
      ...common,
      separator: ';',
      columns: { Comune: written, Euro: figure },
    },
  ];
  return recipes.map((recipe) => made(draw, recipe));
}
