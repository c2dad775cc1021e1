import { describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import type { Queryable } from '../../src/db/connect.ts';
import { loadQuery, type StatementName } from '../../src/db/query.ts';
import { writtenStatements } from '../setup/describe_statements.ts';

/** What is stored and looked up with; none of these reaches GEOS, but ST_Covers, which gets a valid piece and a point. */
const ALLOWED = new Set([
  'st_geomfromwkb',
  'st_geomfromewkb',
  'st_asbinary',
  'st_asewkb',
  'st_makeenvelope',
  'st_makepoint',
  'st_point',
  'st_setsrid',
  'st_covers',
  'st_area',
  'st_dump',
  'st_extent',
  'st_envelope',
  'st_expand',
  'st_x',
  'st_y',
  'st_xmin',
  'st_xmax',
  'st_ymin',
  'st_ymax',
  'st_npoints',
  'st_srid',
]);

/** The functions of PostGIS that a statement calls and that are not allowed where there is no native database. */
function forbidden(sql: string): string[] {
  const code = sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
  const called = code.matchAll(/\b((?:_?st_|postgis_|topology\.|geography\b|lwgeom_)[a-z0-9_]*)\s*\(/gi);
  return [...called].map((match) => defined(match[1]).toLowerCase()).filter((name) => !ALLOWED.has(name));
}

describe('sql/queries', () => {
  const all = writtenStatements();

  it('has queries', () => {
    expect(all.length).toBeGreaterThan(200);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it.each(all)('$name says what it takes and gives, and is one statement', ({ name, header, sql }) => {
    const parts = header
      .replace(/\n-- {3}/g, ' ')
      .trim()
      .split('\n');
    expect(parts.map((part) => /^-- ([a-z ]+): ./.exec(part)?.[1])).toEqual(
      ['params', 'returns', 'not null', 'types', 'prepared'].filter(
        (key) => key === 'params' || key === 'returns' || parts.some((part) => part.startsWith(`-- ${key}: `)),
      ),
    );
    expect(Math.max(...header.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    const code = sql.replace(/--[^\n]*|'(?:[^']|'')*'/g, ' ').trim();
    expect(code).not.toContain(';');
    // It is found in the file of its module.
    expect(loadQuery(name as StatementName)).toBe(sql);
  });

  it.each(all.filter(({ name }) => !name.startsWith('native/')))(
    '$name calls nothing that can make GEOS throw',
    ({ sql }) => {
      expect(forbidden(sql)).toEqual([]);
    },
  );

  it('the rule sees what it must see', () => {
    expect(forbidden('select ST_Union(shape), st_setsrid(ST_Point(1, 2), 4326) from t')).toEqual(['st_union']);
    expect(forbidden('select "public".ST_IsValid (g), _ST_Intersects(a, b) from t -- st_area(x)')).toEqual([
      'st_isvalid',
      '_st_intersects',
    ]);
  });

  it('refuses names that lead elsewhere', () => {
    expect(() => loadQuery('../migrations/000001_boundaries' as StatementName)).toThrow('not a name of a query');
    expect(() => loadQuery('not_there' as StatementName)).toThrow();
  });
});

/** Never called: what the type check lets pass, and what it refuses. */
export async function checkedByTypes(db: Queryable): Promise<unknown> {
  const account = only(await db.query(loadQuery('accounts_by_email'), ['a@example.com']));
  const name: string | null = account.name;
  await db.query<{ id: string }>(loadQuery('accounts_by_email'), ['a@example.com']);
  // @ts-expect-error: it has no such column.
  await db.query<{ id: string; plan: string }>(loadQuery('accounts_by_email'), ['a@example.com']);
  // @ts-expect-error: a column of another type.
  await db.query<{ id: number }>(loadQuery('accounts_by_email'), ['a@example.com']);
  // @ts-expect-error: no value for its parameter.
  await db.query(loadQuery('accounts_by_email'));
  // @ts-expect-error: a value too many.
  await db.query(loadQuery('accounts_by_email'), ['a@example.com', 'b@example.com']);
  // @ts-expect-error: a value of another type.
  await db.query(loadQuery('accounts_by_email'), [7]);
  // @ts-expect-error: no such statement.
  loadQuery('accounts_by_male');
  return [name, await db.query<{ one: number }>('select 1 as one')];
}
