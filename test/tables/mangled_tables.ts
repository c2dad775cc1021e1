import type { Queryable } from '../../src/db/connect.ts';
import type { Draw } from '../search/made.ts';
import { placesAt } from './fresh_tables.ts';
import { type HeldOutTable, made, type Place, type Recipe } from './held_out_tables.ts';

type Written = { readonly written: string; readonly noise: string };
type Way = readonly [noise: string, does: (name: string, draw: Draw) => string];

/** One of several ways to write a name, each as often as the others. */
const oneOf =
  (...ways: readonly Way[]) =>
  (draw: Draw, name: string): Written => {
    const [noise, does] = draw.one(ways);
    const written = does(name, draw);
    return { written, noise: written === name ? 'none' : noise };
  };

const none: Way = ['none', (name) => name];
const blanks: Way = ['blanks', (name, draw) => draw.one([`${name}\u00a0`, `  ${name}`, `${name}\t`, `${name}   `])];
const capitals: Way = ['capitals', (name) => name.toUpperCase()];
/** As Italian offices write capitals: CANTU' for Cantù. */
const apostrophes: Way = [
  'apostrophes for accents',
  (name) => name.normalize('NFD').replaceAll(/\p{M}/gu, "'").toUpperCase(),
];
/** What programs leave of letters that their character set lacks. */
const lost: Way = ['lost letters', (name, draw) => name.replaceAll(/[^\0-\x7f]/g, draw.one(['?', '\ufffd']))];
/** As most programs for spreadsheets read a file without a mark of its encoding. */
const misread: Way = [
  'UTF-8 read as Windows-1252',
  (name) => new TextDecoder('windows-1252').decode(Buffer.from(name, 'utf8')),
];

/** Tables as spreadsheets and exports leave them: codes without zeros, letters lost, several languages, two places in a cell. */
export async function mangledTables(draw: Draw, db: Queryable, comuni: readonly Place[]): Promise<HeldOutTable[]> {
  const [counties, states, municipalities, countries] = await Promise.all([
    placesAt(db, 'US', 6, 4),
    placesAt(db, 'US', 4, 2),
    placesAt(db, 'ES', 8, 6),
    placesAt(db, null, 2, 2),
  ]);
  const written = (_: Place, text: string) => text;
  // Independent cities have codes from 510 on, and are in no column of counties.
  const accented = municipalities.filter(({ name }) => /[^\0-\x7f]/.test(name));
  const rural = counties.filter(({ codes: [one = ''] }) => one.length === 5 && one.slice(2) < '510');
  const figure = () => (draw.below(1_000_000) / 10).toFixed(1);
  const within = (place: Place) => (place as Place & { within: string | null }).within ?? '';
  const stateOf = new Map(states.map(({ name, iso }) => [name, (iso ?? '').slice(3)]));
  const state = (place: Place) => stateOf.get(within(place)) ?? '';
  const code = ({ codes: [first = ''] }: Place) => first;
  const languages = ['de', 'en', 'es', 'fr', 'it', 'nl', 'pl', 'pt'] as const;
  const recipes: Recipe[] = [
    {
      ...{ name: 'comuni with ISTAT codes that lost their zeros', places: draw.some(comuni, 200), coded: true },
      does: oneOf(none, capitals, apostrophes, blanks),
      columns: { 'Codice Comune': (place) => code(place).replace(/^0+/, ''), Comune: written, Residenti: figure },
    },
    {
      ...{ name: 'comuni as offices write them', places: draw.some(comuni, 200), among: comuni, separator: ';' },
      does: oneOf(apostrophes, capitals, blanks, misread),
      columns: { Denominazione: written, 'Spesa (€)': figure },
    },
    {
      ...{ name: 'counties with FIPS as floating-point numbers', places: draw.some(rural, 200), coded: true },
      does: oneOf(none, blanks),
      columns: {
        fips: (place) => (code(place) === '' ? '' : `${Number(code(place))}.0`),
        county: written,
        rate: figure,
      },
    },
    {
      ...{ name: 'counties and states in one cell', places: draw.some(rural, 200), among: counties },
      ...{ containerOf: within, does: oneOf(none, capitals, blanks) },
      columns: { Location: (place, text) => `${text} County, ${within(place)}`, Claims: figure },
    },
    {
      ...{
        name: 'counties with postal codes of states in one cell',
        places: draw.some(counties, 200),
        among: counties,
      },
      ...{ containerOf: within, does: oneOf(none, blanks) },
      columns: { place: (place, text) => `${text}, ${state(place)}`, n: figure },
    },
    {
      ...{ name: 'municipalities with lost letters', places: draw.some(accented, 200), among: municipalities },
      ...{ containerOf: within, does: oneOf(none, lost, misread, blanks), separator: ';' },
      columns: { Municipio: written, Provincia: within, Gasto: figure },
    },
    {
      ...{ name: 'countries in eight languages', places: countries },
      columns: {
        Herkunft: ({ names }, text) => names[draw.one(languages)] ?? text,
        Gäste: figure,
      },
      does: oneOf(none),
    },
  ];
  return recipes.map((recipe) => made(draw, { strangers: 0, ...recipe }));
}
