import { readFileSync } from 'node:fs';
import type { Queryable } from '../../src/db/connect.ts';
import type { Draw, MadeQuery } from './made.ts';

const tableOf = (file: string): Record<'words' | 'names', string> => JSON.parse(readFileSync(`data/${file}`, 'utf8'));

/** Common words that are not a whole name, nor a word of that of a country, nor one half of a name in two languages: nothing is meant. */
export async function commonWords(db: Queryable, draw: Draw, count: number): Promise<MadeQuery[]> {
  const some = draw.some(tableOf('common_words.json').words.split(';'), count);
  const rows = await db.query<{ readonly word: string }>(
    `select word from unnest($1::text[]) word
     where not exists (select from boundary_name n join boundary b on b.id = n.boundary_id
                       where n.folded = word and (n.type <> 'word' or n.weight >= 9 or b.name like '%/%')
                         or n.folded like word || ' %' and (n.weight >= 9 or b.name like '%/%'))`,
    [some],
  );
  return rows.map(({ word }) => ({ q: word, expect: [] }));
}

/** Names of one word, of six letters or more, with a typo and nothing beside them, of places that people know. */
export async function typosAlone(db: Queryable, draw: Draw, count: number): Promise<MadeQuery[]> {
  const all = await db.query<{ readonly name: string }>(
    `select distinct name from boundary where has_geometry and name ~ '^[A-Z][a-z]{5,}$'
     and (kind in ('country', 'state') or country = 'ES' and admin_level = 6) order by name`,
  );
  const made = draw.some(all, count).map(({ name }) => ({ name, q: draw.typo(name) }));
  // "Granada" is a city, too, and Navarra one of two levels. "Randa" is another town.
  const rows = await db.query<{ readonly q: string; readonly ids: string[] }>(
    `select q, array(select id from boundary b where b.name ilike '%' || name || '%') as ids
     from unnest($1::text[], $2::text[]) as made (name, q)
     where not exists (select from boundary_name n where n.folded = lower(q))`,
    [made.map(({ name }) => name), made.map(({ q }) => q)],
  );
  return rows.map(({ q, ids }) => ({ q, expect: ids }));
}

/** Given names and surnames, or the brands of a table, that begin no name of a place: nothing is meant. */
export async function namesAlone(
  db: Queryable,
  draw: Draw,
  { file, count }: { readonly file: 'person_names.json' | 'brand_names.json'; readonly count: number },
): Promise<MadeQuery[]> {
  const some = draw.some(tableOf(file).names.split(';'), count);
  const rows = await db.query<{ readonly name: string }>(
    `select name from unnest($1::text[]) name
     where not exists (select from boundary_name n where n.folded like name || '%')`,
    [some],
  );
  return rows.map(({ name }) => ({ q: name, expect: [] }));
}
