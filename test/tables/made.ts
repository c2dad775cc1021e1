import type { Queryable } from '../../src/db/connect.ts';
import { foldName, stripTypeWords } from '../../src/domain/names/fold.ts';
import type { PlaceRow } from '../../src/domain/tables/match_rows.ts';
import type { Draw } from '../search/made.ts';

/** A row of a table, and the boundary that it means; null: several do, or none is stored. */
export interface MadeRow extends PlaceRow {
  readonly expect: string | null;
  /** What was done to the name. */
  readonly noise: string;
  /** Whether it belongs to the part that no rule was tried on. */
  readonly held: boolean;
}

export interface MadeTable {
  readonly name: string;
  readonly rows: readonly MadeRow[];
}

/** A boundary that tables are made of. */
export interface Stored {
  readonly id: string;
  readonly name: string;
  readonly names: Readonly<Record<string, string>>;
  readonly kind: string;
  readonly country: string;
  readonly within: string | null;
}

/** The boundaries of a level, with what is around them at another level. */
export function storedAt(db: Queryable, level: number, around: number, country: string | null): Promise<Stored[]> {
  return db.query<Stored>(
    `select b.id, b.name, b.names, b.kind, b.country, p.name as within
     from boundary b
     left join lateral (select q.name from boundary_parent bp join boundary q on q.id = bp.parent
                        where bp.child = b.id and q.admin_level = $2 limit 1) p on true
     where b.type = 'administrative' and b.has_geometry and b.admin_level = $1 and b.country is not null
       and ($3::text is null or b.country = $3)
     order by b.id`,
    [level, around, country],
  );
}

/** The ten languages that names are written in. */
export const LANGUAGES = ['en', 'es', 'fr', 'de', 'it', 'pt', 'ru', 'zh', 'ja', 'ar'] as const;

/** Words for the kind, as people write them around a name. */
const AROUND: Readonly<Record<string, readonly ((name: string) => string)[]>> = {
  US: [(name) => `${name} County`, (name) => `${name} Co.`, (name) => `County of ${name}`],
  ES: [(name) => `Municipio de ${name}`, (name) => `Ayuntamiento de ${name}`],
};

const withoutAccents = (name: string): string => name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
const LATIN = /^[\p{Script=Latin}\p{M}\s'’.,()/-]+$/u;
/** Letters from which a name with a typo is not another common name. */
const TYPO_FROM = 6;

/** A name as a person may write it. */
function noisy(draw: Draw, name: string, country: string | null): { readonly name: string; readonly noise: string } {
  const plain = { name, noise: 'none' };
  const pick = draw.below(100);
  if (pick < 50) return plain;
  if (pick < 58) return { name: draw.one([name.toUpperCase(), name.toLowerCase()]), noise: 'case' };
  if (pick < 68 && LATIN.test(name)) return { name: withoutAccents(name), noise: 'accents' };
  if (pick < 74) return { name: ` ${name.replace(' ', '  ')} `, noise: 'blanks' };
  if (pick < 80) return { name: `${name}${draw.one(['*', '.', ' ', ' -'])}`, noise: 'signs' };
  const around = country === null ? undefined : AROUND[country];
  if (pick < 88 && around !== undefined) return { name: draw.one(around)(name), noise: 'type word' };
  const word = name.split(' ').sort((a, b) => b.length - a.length)[0] ?? '';
  if (pick >= 92 && LATIN.test(name) && word.length >= TYPO_FROM && /^\p{L}+$/u.test(word)) {
    return { name: draw.typo(name), noise: 'typo' };
  }
  return plain;
}

/** Every third boundary, by its number, is held out. */
const isHeld = (id: string): boolean => Number(id.replaceAll(/\D/g, '')) % 3 === 0;

/**
 * A table of boundaries, a row each, with noise. A row whose name another row has too, in the same place, means none.
 * @param language of the names; null: the local names. Boundaries without a name in it are left out
 * @param around what each row says of the place around it
 * @param typed whether rows may have the word for municipalities of Spain or counties of the United States
 */
export function made(
  draw: Draw,
  name: string,
  stored: readonly Stored[],
  language: string | null,
  around: (one: Stored) => readonly string[],
  typed = false,
): MadeTable {
  const named = stored.flatMap((one) => {
    const text = language === null ? one.name : one.names[language];
    return text === undefined ? [] : [{ one, text }];
  });
  const keyOf = (text: string, one: Stored): string => `${foldName(text)}|${around(one).join('|')}`;
  const forms = new Map<string, Set<string>>();
  for (const { one } of named) {
    const own = [one.name, ...Object.values(one.names)];
    for (const text of own.flatMap((each) => [foldName(each), ...stripTypeWords(foldName(each))])) {
      const key = keyOf(text, one);
      forms.set(key, (forms.get(key) ?? new Set()).add(one.id));
    }
  }
  const rows = named.map(({ one, text }): MadeRow => {
    const { name: written, noise } = noisy(draw, text, typed ? one.country : null);
    const same = (forms.get(keyOf(text, one))?.size ?? 0) > 1;
    // A typo may make the name of another place, which is then meant.
    const other = noise === 'typo' && forms.has(keyOf(written, one));
    const expect = same || other ? null : one.id;
    return { name: written, code: '', within: around(one), type: '', expect, noise, held: isHeld(one.id) };
  });
  return { name, rows };
}

/** Names that are not stored, among those that are. */
export function withStrangers(table: MadeTable, draw: Draw, share: number): MadeTable {
  const syllables = ['bra', 'kun', 'tel', 'mor', 'zev', 'pli', 'gos', 'hin', 'wax', 'dul'];
  const strangers = Array.from({ length: Math.ceil(share * table.rows.length) }, (_, i): MadeRow => {
    const word = draw.some(syllables, 4).join('');
    const name = word[0]?.toUpperCase() + word.slice(1);
    return {
      ...{ name, code: '', type: '', expect: null, noise: 'stranger' },
      within: table.rows[0]?.within ?? [],
      held: i % 3 === 0,
    };
  });
  return { name: table.name, rows: [...table.rows, ...strangers] };
}

/** The tables: of municipalities, provinces, counties, states and countries, local and in ten languages. */
export async function madeTables(db: Queryable, draw: Draw): Promise<MadeTable[]> {
  const nothing = () => [];
  const inside = ({ within }: Stored) => (within === null ? [] : [within]);
  const [spain, counties, provinces, states, countries] = await Promise.all([
    storedAt(db, 8, 6, 'ES'),
    storedAt(db, 6, 4, 'US'),
    storedAt(db, 6, 4, 'ES'),
    storedAt(db, 4, 2, 'US'),
    storedAt(db, 2, 2, null),
  ]);
  const some = [...new Set(counties.flatMap(({ within }) => within ?? []))].sort();
  const tables = [
    made(draw, 'municipalities of Spain with provinces', spain, null, inside, true),
    made(draw, 'municipalities of Spain', spain, null, nothing, true),
    made(draw, 'counties of the United States with states', counties, null, inside, true),
    made(draw, 'provinces of Spain', provinces, null, nothing),
    made(draw, 'states', states, null, nothing),
    ...draw.some(some, 12).map((state) => {
      const own = counties.filter(({ within }) => within === state);
      return made(draw, `counties of ${state}`, own, null, nothing, true);
    }),
    ...LANGUAGES.map((language) => made(draw, `countries in ${language}`, countries, language, nothing)),
  ];
  return tables.filter(({ rows }) => rows.length > 5).map((table) => withStrangers(table, draw, 0.02));
}

export interface Score {
  rows: number;
  right: number;
  wrong: number;
  /** Rows that mean one boundary and are ambiguous or not found. */
  open: number;
  matched: number;
}

/** Counts rows: right are those with their boundary, and those without one that have none. */
export function scored(rows: readonly MadeRow[], ids: readonly (string | null)[]): Score {
  const score: Score = { rows: 0, right: 0, wrong: 0, open: 0, matched: 0 };
  for (const [i, { expect }] of rows.entries()) {
    const id = ids[i] ?? null;
    score.rows++;
    if (id !== null) score.matched++;
    if (id === expect) score.right++;
    else if (id !== null) score.wrong++;
    else score.open++;
  }
  return score;
}
