import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Queryable } from '../../src/db/connect.ts';
import { loadQuery, type StatementName } from '../../src/db/query.ts';
import { packageRoot } from '../../src/db/root.ts';

const folder = join(packageRoot(), 'sql', 'queries');

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

function names(directory: string): StatementName[] {
  const files = readdirSync(join(folder, directory), { withFileTypes: true });
  return files
    .filter((file) => file.isFile() && file.name.endsWith('.sql'))
    .map((file) => (directory + file.name.slice(0, -'.sql'.length)) as StatementName);
}

/** The functions of PostGIS that a statement calls and that are not allowed where there is no native database. */
function forbidden(sql: string): string[] {
  const code = sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
  const called = code.matchAll(/\b((?:_?st_|postgis_|topology\.|geography\b|lwgeom_)[a-z0-9_]*)\s*\(/gi);
  return [...called].map((match) => match[1].toLowerCase()).filter((name) => !ALLOWED.has(name));
}

describe('sql/queries', () => {
  const portable = names('');
  const all = [...portable, ...(readdirSync(folder).includes('native') ? names('native/') : [])];

  it('has queries', () => {
    expect(all.length).toBeGreaterThan(0);
  });

  it.each(all)('%s says what it takes and gives, and is one statement', (name) => {
    const sql = loadQuery(name);
    expect(sql.split('\n')[0]).toMatch(/^-- params: .+; returns: .+/);
    const code = sql.replace(/--[^\n]*|'(?:[^']|'')*'/g, ' ').trim();
    expect(code.replace(/;$/, '')).not.toContain(';');
  });

  it.each(portable)('%s calls nothing that can make GEOS throw', (name) => {
    expect(forbidden(loadQuery(name))).toEqual([]);
  });

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
  const [account] = await db.query(loadQuery('accounts_by_email'), ['a@example.com']);
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
