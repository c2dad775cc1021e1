import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../../src/common/elements.ts';
import type { Queryable } from '../../src/db/connect.ts';
import { leading } from '../setup/elements.ts';

/** A description and its expected result, written before and independently of the grammar. */
export interface Described {
  readonly class: string;
  readonly language: string;
  readonly description: string;
  /**
   * `!could_not_map`; or what to include, then after ` - ` what to exclude. `LI8:Vaduz,Schaan` are boundaries of a
   * country (`*`: any) and level, with some local names; `<` gives the container; `+` adds, ` \ ` removes members, ` & ` keeps common ones;
   * `lat<`, `lat>`, `lon<` and `lon>` choose by centroid; `touch`, `near`, `top`, `bottom`, `pop`, `area`, `more`, `less`, `name` and `side` select; `half` and `buffer` precede what is cut.
   */
  readonly expected: string;
}

const EU = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' ');

/** Reads the descriptions of a tab-separated file in this folder. */
export function readDescriptions(file: string): Described[] {
  const [, ...lines] = readFileSync(join(import.meta.dirname, file), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    const [name, language, description, expected] = leading(line.split('\t'), 4);
    return { class: name, language, description, expected };
  });
}

/** An expected result: canonical ids in order, and the cut operation, if any. */
export interface Wanted {
  readonly cut: string | null;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** The expected ids, computed with SQL and PostGIS only; null if an error is expected. */
export async function wantedOf(db: Queryable, expected: string): Promise<Wanted | null> {
  if (expected === '!could_not_map') return null;
  const [, cut = null, rest] = /^((?:half \w+|buffer \S+) )?(.*)$/.exec(expected) ?? [];
  const [taken, out] = defined(rest).split(' - ');
  return {
    cut: cut?.trim() ?? null,
    include: [...(await setOf(db, defined(taken)))].sort(),
    exclude: out === undefined ? [] : [...(await setOf(db, out))].sort(),
  };
}

async function setOf(db: Queryable, text: string): Promise<Set<string>> {
  const both = text.split(' & ');
  if (both.length > 1) {
    const [first = new Set<string>(), ...others] = await Promise.all(both.map((one) => setOf(db, one)));
    return new Set([...first].filter((id) => others.every((other) => other.has(id))));
  }
  const [whole, ...without] = text.split(' \\ ');
  const found = new Set<string>();
  for (const term of defined(whole).split('+')) for (const id of await answerOf(db, term.trim())) found.add(id);
  for (const one of without) for (const id of await setOf(db, one)) found.delete(id);
  if (found.size === 0) throw new Error(`nothing is ${text}`);
  return found;
}

const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** What terms are in a database: many descriptions have one in common, and nothing is written between them. */
const answers = new WeakMap<Queryable, Map<string, Promise<string[]>>>();

function answerOf(db: Queryable, term: string): Promise<string[]> {
  const known = answers.get(db) ?? new Map<string, Promise<string[]>>();
  answers.set(db, known);
  const answer = known.get(term) ?? termOf(db, term);
  known.set(term, answer);
  return answer;
}

/** Those of a set with more or less area or population than one boundary: "more area US4:Texas US4". */
async function comparedOf(db: Queryable, term: string): Promise<string[] | null> {
  const found = /^(more|less) (area|pop)(?:\*(\S+))? (.*)$/.exec(term);
  if (!found) return null;
  const [, is, by, times = '1', rest] = found;
  const [x, set] = split(defined(rest));
  const column = by === 'area' ? 'b.area_km2' : `coalesce(b.population, (${POPULATIONS}))`;
  return ids(
    await db.query(
      `select b.id from boundary b where b.id = any ($1) and b.id <> $2
         and ${column} ${is === 'more' ? '>' : '<'} $3::float8 * (select ${column} from boundary b where b.id = $2)`,
      [[...(await setOf(db, set))], defined([...(await setOf(db, x))][0]), Number(times)],
    ),
  );
}

/** Those of a set whose centroid is on a side of a parallel or a meridian: "lat>40 ES6". */
async function beyondLine(db: Queryable, term: string): Promise<string[] | null> {
  const found = /^(lat|lon)([<>])(\S+) (.*)$/.exec(term);
  if (!found) return null;
  const [, axis, sign, degrees, set] = found;
  return ids(
    await db.query(`select id from boundary where id = any ($1) and ${axis} ${sign} $2::float8 * 1e7`, [
      [...(await setOf(db, defined(set)))],
      Number(degrees),
    ]),
  );
}

async function termOf(db: Queryable, term: string): Promise<string[]> {
  const beyond = await beyondLine(db, term);
  if (beyond !== null) return beyond;
  const compared = await comparedOf(db, term);
  if (compared !== null) return compared;
  const parts = /^(top|bottom|pop|area|name|near|side|touch) (\S+|. \d\S*) (.*)$/.exec(term);
  const [, word, value, rest] = parts ? leading(parts, 4) : ['', '', '', ''];
  const of = async (text: string): Promise<string[]> => [...(await setOf(db, text))];
  if (word === 'top' || word === 'bottom') {
    const [by, set] = [rest.slice(0, rest.indexOf(' ')), rest.slice(rest.indexOf(' ') + 1)];
    const order = word === 'top' ? 'desc' : 'asc';
    const column = by === 'area' ? 'area_km2' : `coalesce(b.population, (${POPULATIONS}))`;
    return ids(
      await db.query(
        `select id from boundary b where id = any ($1) order by ${column} ${order} limit ${Number(value)}`,
        [await of(set)],
      ),
    );
  }
  if (word === 'pop' || word === 'area') {
    const [sign, number] = value.length > 1 ? value.split(' ') : [value, rest.split(' ')[0]];
    const set = value.length > 1 ? rest : rest.slice(rest.indexOf(' ') + 1);
    const column = word === 'area' ? 'area_km2' : `coalesce(b.population, (${POPULATIONS}))`;
    return ids(
      await db.query(`select id from boundary b where id = any ($1) and ${column} ${sign === '<' ? '<' : '>'} $2`, [
        await of(set),
        Number(number),
      ]),
    );
  }
  if (word === 'name')
    return ids(
      await db.query('select id from boundary where id = any ($1) and name ilike $2', [await of(rest), value]),
    );
  if (word === 'near') {
    const [x, set] = split(rest);
    return ids(
      await db.query(
        `select distinct s.boundary_id as id from boundary_shape s join boundary_shape x on x.boundary_id = any ($2),
         lateral (select st_clipbybox2d(s.geom, st_expand(x.geom::box2d, $4, $5))::geography as s,
                         st_clipbybox2d(x.geom, st_expand(s.geom::box2d, $4, $5))::geography as x offset 0) as near
         where s.boundary_id = any ($1) and s.geom && st_expand(x.geom, $4, $5) and ${within('$3')}`,
        [await of(set), await of(x), Number(value), Number(value) / 50_000 + 0.01, Number(value) / 100_000 + 0.01],
      ),
    );
  }
  if (word === 'side') {
    const [x, set] = split(rest);
    const sign =
      value === 'north'
        ? 'b.lat > x.lat'
        : value === 'south'
          ? 'b.lat < x.lat'
          : value === 'east'
            ? 'b.lon > x.lon'
            : 'b.lon < x.lon';
    const level = set.includes('<') ? set : `${set}<${x}`;
    return ids(
      await db.query(`select b.id from boundary b, boundary x where b.id = any ($1) and x.id = any ($2) and ${sign}`, [
        await of(level),
        await of(x),
      ]),
    );
  }
  if (word === 'touch') {
    // Names may contain blanks: the set starts at the last word that looks like one.
    const [x, set] = split(`${value} ${rest}`);
    // Seed boundaries fit each other: where one shares a line, those that share none are beyond water.
    const met = await db.query<{ id: string; shares: boolean; seed: boolean }>(
      `select s.boundary_id as id, bool_or(line.shares) as shares, bool_and(bs.seed and xs.seed) as seed
         from boundary_shape s join boundary b on b.id = s.boundary_id join source bs on bs.id = b.source
         join boundary_shape x on x.boundary_id = any ($2) join boundary xb on xb.id = x.boundary_id
         join source xs on xs.id = xb.source,
         lateral (select st_clipbybox2d(s.geom, st_expand(x.geom::box2d, 0.05))::geography as s,
                         st_clipbybox2d(x.geom, st_expand(s.geom::box2d, 0.05))::geography as x offset 0) as near,
         lateral (select coalesce(st_length(st_intersection(st_boundary(near.s::geometry), st_boundary(near.x::geometry))), 0) > 1e-6
                  as shares offset 0) as line
         where s.boundary_id = any ($1) and s.boundary_id <> all ($2)
           and s.geom && st_expand(x.geom, 0.1)
           and not exists (select from boundary_parent p where p.child = b.id and p.parent = xb.id)
           and not exists (select from boundary_parent p where p.child = xb.id and p.parent = b.id)
           and (line.shares or b.source <> xb.source and ${within('2000')})
         group by 1`,
      [await of(set), await of(x)],
    );
    const fits = met.some(({ shares, seed }) => shares && seed);
    return ids(met.filter(({ shares, seed }) => shares || !(fits && seed)));
  }
  if (term === 'eu') return (await Promise.all(EU.map((code) => of(`${code}2`)))).flat();
  const match = /^([A-Z]{2}|\*)(\d+)(?::([^<]*))?(?:<(.*))?$/.exec(term);
  if (!match) throw new Error(`not understood: ${term}`);
  const [, country, level, names, inside] = match;
  const parents = inside === undefined ? null : await of(inside);
  return ids(
    await db.query(
      `select b.id from boundary b
       where b.has_geometry and b.type = 'administrative' and b.admin_level = $2 and ($1 = '*' or b.country = $1)
         and ($2 <> 2 or b.kind = 'country')
         and b.name not like 'Condominium %'
         and ($3::text[] is null or b.name = any ($3::text[]))
         and ($4::text[] is null or exists (select from boundary_parent p where p.child = b.id and p.parent = any ($4::text[])))`,
      [country, Number(level), names?.split(',') ?? null, parents],
    ),
  );
}

/**
 * Whether near.s and near.x are at most so many meters apart: by the trees of PostGIS, which are a hundred times as fast
 * as its comparison of each edge with each, and by that where the trees, which look for the nearest edges on the sphere,
 * may err.
 */
const within = (meters: string): string =>
  `not st_isempty(near.s::geometry) and not st_isempty(near.x::geometry)
   and case when _st_distancetree(near.s, near.x, 0, true) < 0.99 * ${meters}::float8 then true
            when _st_distancetree(near.s, near.x, 0, true) > 1.01 * ${meters}::float8 then false
            else st_dwithin(near.s, near.x, ${meters}::float8) end`;

/** Splits "X set", where the set starts at the last blank-separated word that looks like one. */
function split(text: string): [string, string] {
  const match = /^(.*) ((?:[A-Z]{2}|\*)\d+.*|eu)$/.exec(text);
  if (!match) throw new Error(`two sets are expected: ${text}`);
  return [defined(match[1]), defined(match[2])];
}

/** Population by the committed table, which the test loads into a temporary table. */
const POPULATIONS = 'select p.people from area_people p where p.id = b.id';
