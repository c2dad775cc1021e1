import { foldName } from '../../src/domain/names/fold.ts';
import type { Draw } from '../search/made.ts';
import type { HeldOutTable } from './held_out_tables.ts';
import {
  latinOnDos,
  latinOnMac,
  lone,
  misread,
  plain,
  type TypedRow,
  typed,
  typedTable,
  type Way,
} from './typed_places.ts';
import type { TypedPlaces } from './typed_tables.ts';

/** What people write in a column of places where there is none. */
const NO_PLACES = (
  'N/A|n.a.|NA|total|Total general|TOTAL:|Gesamt|Insgesamt|Ensemble|Autres|Autre|Sonstige|Andere|other|Others|unknown|' +
  'Unknown/other|(blank)|(leer)|(vide)|(en blanco)|-|—|?|??|...|no answer|keine Angabe|k. A.|ohne Angabe|NR|non renseigné|' +
  'Non précisé|Étranger|Ausland|abroad|Extranjero|Desconocido|No consta|Resto|Otros|All|Alle|Tous|Todos|Overall|Subtotal|' +
  'Sous-total|see note|missing|NULL|#N/D|#N/A|TBD|test|xxx|x|Remote|Online|Home office|Worldwide|national|nationwide|' +
  'bundesweit|ESTERO|Non indicato|Altro|Totale|Media|Average|Promedio|Moyenne|Durchschnitt|Sin especificar|varios'
).split('|');

const NOTES: readonly Way[] = [
  ['X*', ({ name }) => `${name}*`],
  ['X **', ({ name }) => `${name} **`],
  ['X¹', ({ name }) => `${name}¹`],
  ['X ¹,²', ({ name }) => `${name} ¹,²`],
  ['X (a)', ({ name }) => `${name} (a)`],
  ['X a)', ({ name }) => `${name} a)`],
  ['X [note 2]', ({ name }) => `${name} [note 2]`],
  ['X 1/', ({ name }) => `${name} 1/`],
  ['X 2)', ({ name }) => `${name} 2)`],
  ['X (p)', ({ name }) => `${name} (p)`],
  ['X [a][b]', ({ name }) => `${name}[a][b]`],
  ['X (1)(2)', ({ name }) => `${name} (1)(2)`],
  ['X (1,2)', ({ name }) => `${name} (1,2)`],
  ['X1', ({ name }) => `${name}1`],
  ['*X', ({ name }) => `*${name}`],
  ['X #', ({ name }) => `${name} #`],
];

const middle = (name: string, sign: string): string => {
  const at = Math.floor(name.length / 2);
  return name.slice(0, at) + sign + name.slice(at);
};
const BLANKS: readonly Way[] = [
  ['no-break spaces', ({ name }) => name.replaceAll(' ', '\u00a0')],
  ['a zero-width space inside', ({ name }) => middle(name, '\u200b')],
  ['a soft hyphen inside', ({ name }) => middle(name, '\u00ad')],
  ['a tab for a blank', ({ name }) => name.replaceAll(' ', '\t')],
  ['a line break for a blank', ({ name }) => name.replaceAll(' ', '\n')],
  ['thin spaces', ({ name }) => name.replaceAll(' ', '\u2009')],
  ['an ideographic space', ({ name }) => `\u3000${name}`],
  ['a word joiner', ({ name }) => `${name}\u2060`],
  ['direction marks', ({ name }) => `\u200e${name}\u200f`],
  ['dots behind', ({ name }) => `${name} .....`],
  ['an entity', ({ name }) => name.replaceAll(' ', '&nbsp;')],
  ['<br>', ({ name }) => `${name}<br>`],
];

const ENCODINGS: readonly Way[] = [
  ['UTF-8 on a Macintosh', ({ name }) => misread(name, 'macintosh')],
  ['UTF-8 on Windows', ({ name }) => misread(name, 'windows-1252')],
  ['UTF-8 on Windows, then in capitals', ({ name }) => misread(name, 'windows-1252').toUpperCase()],
  ['UTF-8 on Windows, then in small letters', ({ name }) => misread(name, 'windows-1252').toLowerCase()],
  ['Latin-1 on a Macintosh', ({ name }) => latinOnMac(name)],
  ['Latin-1 in DOS', ({ name }) => latinOnDos(name)],
  ['of an address', ({ name }) => encodeURIComponent(name)],
  ['of an address, with +', ({ name }) => encodeURIComponent(name).replaceAll('%20', '+')],
  [
    'escapes',
    ({ name }) => name.replaceAll(/[^\0-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ],
  ['numbers of HTML', ({ name }) => name.replaceAll(/[^\0-\x7f]/g, (c) => `&#${c.charCodeAt(0)};`)],
  [
    'accents behind letters',
    ({ name }) => name.normalize('NFD').replaceAll('\u0301', "'").replaceAll('\u0303', '~').normalize('NFC'),
  ],
  ['lost without a trace', ({ name }) => name.replaceAll(/[^\0-\x7f]/g, '')],
  ['lost to _', ({ name }) => name.replaceAll(/[^\0-\x7f]/g, '_')],
];

/** Names of columns of places that people write in four languages, and none that says it. */
const HEADERS = [
  ...['Where?', 'Ubicación', 'Endroit', 'Standort', 'Wohnort', 'Lieu de résidence', 'Place of birth', 'Geburtsort'],
  ...[
    'Población',
    'Bezirk',
    'Ville de naissance',
    'Destinazione',
    'Municipio de residencia',
    'Lugar de nacimiento',
    'Herkunftsort',
    'col1',
    'Field3',
    '',
  ],
];

/** Tables whose cells have signs around names, or letters that programs spoiled, and columns that are named as people do. */
export function brokenTables(draw: Draw, places: TypedPlaces): HeldOutTable[] {
  const { municipios, communes, countries, provincias, divisions, states } = places;
  const figure = () => String(1 + draw.below(9_999));
  const several = lone(municipios, municipios, false).filter(({ name }) => / /.test(name) && !/[/,]/.test(name));
  const accented = lone(municipios, municipios).filter(({ name }) => /[^\0-\x7f]/.test(name) && !/[/,]/.test(name));
  // Tous is a municipality.
  const nothing = (column: string, among: TypedPlaces['municipios'] = []): TypedRow[] =>
    NO_PLACES.map((text) => {
      const [one, ...more] = among.filter(({ name }) => foldName(name) === foldName(text));
      const id = more.length > 0 ? null : (one?.id ?? null);
      return { cells: { [column]: text, n: figure() }, id, noise: `nothing: ${text}` };
    });
  const some = (list: TypedPlaces['municipios'], count: number) =>
    draw.some(
      lone(list, list, false).filter(({ name }) => !/[/,]/.test(name)),
      count,
    );
  const as = (column: string, list: TypedPlaces['municipios']) =>
    typed(draw, list, [['a place', ({ name }) => name]], column);
  const english = countries.filter(({ names }) => names.en);
  const columns = HEADERS.map((header) =>
    typedTable(
      `a column named ${header}`,
      typed(draw, some(municipios, 12), [['none', ({ name }) => name]], header || 'Unnamed: 0', ({ within }) => ({
        Provincia: within ?? '',
        2024: figure(),
      })),
    ),
  );
  return [
    typedTable('municipios and rows of no place', [
      ...as('Municipio', some(municipios, 60)),
      ...nothing('Municipio', municipios),
    ]),
    typedTable('communes and rows of no place', [
      ...as('Commune', some(communes, 60)),
      ...nothing('Commune', communes),
    ]),
    typedTable('countries and rows of no place', [
      ...typed(draw, draw.some(english, 60), [['a place', ({ names }) => names.en ?? '']], 'Country'),
      ...nothing('Country'),
    ]),
    typedTable('states and rows of no place', [...as('State', states), ...nothing('State')]),
    typedTable(
      'countries with notes',
      typed(
        draw,
        draw.some(english, 80).map((one) => ({ ...one, name: one.names.en ?? '' })),
        NOTES,
        'Country',
      ),
    ),
    typedTable('provincias with notes', typed(draw, provincias, NOTES, 'Provincia')),
    typedTable('municipios with blanks of all sorts', typed(draw, draw.some(several, 80), BLANKS, 'Municipio')),
    typedTable(
      'municipios in broken encodings',
      typed(draw, draw.some(accented, 130), ENCODINGS, 'Municipio', ({ within }) => ({ Provincia: within ?? '' })),
    ),
    typedTable(
      'divisions in capitals without accents',
      typed(
        draw,
        draw.some(
          lone(divisions, divisions).filter(({ name }) => /[^\0-\x7f]/.test(name)),
          80,
        ),
        [['CAPITALS', ({ name }) => plain(name).toUpperCase()]],
        'REGION',
        ({ country }) => ({ COUNTRY: country }),
      ),
    ),
    ...columns,
  ];
}
