import { readFileSync } from 'node:fs';
import type { Queryable } from '../../src/db/connect.ts';
import type { Draw, MadeQuery } from './made.ts';

interface County {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly state: string;
  readonly letters: string;
}

/** Towns of 15,000 people or more in counties of another name: code, thousands of people, names. */
const { inside } = JSON.parse(readFileSync('data/city_names.json', 'utf8')) as {
  readonly inside: { readonly US: readonly string[] };
};

/** What people write around a county {C} of a state {S}, whose letters are {L}, by class. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  'a preposition and an article before the state': [
    '{C} County in the state of {S}',
    '{C} County in {S}, USA',
    'condado de {C} en el estado de {S}',
    'condado de {C} en {S} Estados Unidos',
    'condado de {C} no {S}',
    'comté de {C} dans le {S}',
  ],
  'a code in front, a year or a postcode behind': [
    '{L} {C} County',
    '{C} County, {S} 2024',
    '{C} County, {L} 12345',
    '#{C} County {L}',
    '{C} County lines {L}',
  ],
  'words for a county in other languages': [
    'hrabstwo {C}, {S}',
    'mapa hrabstwa {C}, {S}',
    'Karte des Countys {C}, {S}',
    'comitatul {C}, {S}',
  ],
};

/** What people write around a town {T} of a county. */
const TOWN_FORMS = ['{T} {C} County {L}', '{T}, {C} County, {S}', '{T} ({C} County), {L}'];

const filled = (form: string, { name, state, letters }: County): string =>
  form.replace('{C}', name).replace('{S}', state).replace('{L}', letters);

/** Queries for counties of the United States, and for towns with their county and their state, by class. */
export async function phrasesOf(
  db: Queryable,
  draw: Draw,
  count: number,
): Promise<Readonly<Record<string, readonly MadeQuery[]>>> {
  const counties = await db.query<County>(
    `select c.id, c.codes[1] as code, c.name, s.name as state, substr(s.iso, 4) as letters
     from boundary c join boundary_parent p on p.child = c.id join boundary s on s.id = p.parent
     where c.country = 'US' and c.kind = 'county' and s.admin_level = 4 and substr(s.iso, 4) not in ('LA', 'AK')`,
  );
  const classes = Object.entries(FORMS).map(([name, forms]) => [
    name,
    draw.some(counties, count).map((one) => ({ q: filled(draw.one(forms), one), expect: [one.id] })),
  ]);
  const known = new Map(counties.map((one) => [one.code, one]));
  const towns = inside.US.flatMap((row): MadeQuery[] => {
    const [code = '', , name = ''] = row.split(';');
    const county = known.get(code);
    if (county === undefined) return [];
    return [{ q: filled(draw.one(TOWN_FORMS), county).replace('{T}', name.replace('@', '')), expect: [county.id] }];
  });
  return { ...Object.fromEntries(classes), 'towns with their county': draw.some(towns, count) };
}
