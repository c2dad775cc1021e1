import type { Role } from '../src/core/roles.ts';
import type { Database } from '../src/db/connect.ts';
import type { Reader } from '../src/domain/library/file_entry.ts';

/** The size of a library. */
export interface Filling {
  readonly files: number;
  readonly teams: number;
  readonly people: number;
}

export const FULL: Filling = { files: 100_000, teams: 50, people: 200 };

const ORG = 'org_library';
const MONTHS = 24;

/**
 * Creates an organization with files from two years. Seven of ten are visible to all; each of the others is shared with
 * two teams and one person. Person k is in teams k, k + 1 and k + 2 (modulo the number of teams), person 0 in all.
 */
export async function fillLibrary(db: Database, { files, teams, people }: Filling): Promise<void> {
  const run = (sql: string, ...values: unknown[]) => db.query(sql, values, { timeoutMs: 600_000 });
  await run("insert into org (id, slug, name, plan) values ($1, 'library', 'Library', 'self_hosted')", ORG);
  await run(
    `insert into account (id, email) select 'usr_' || i, 'reader' || i || '@example.org'
     from generate_series(0, $1::integer - 1) i`,
    people,
  );
  await run(
    `insert into membership (org, account, role) select $1, 'usr_' || i, 'member' from generate_series(0, $2::integer - 1) i`,
    ORG,
    people,
  );
  await run(
    `insert into team (id, org, slug, name) select 'team_' || i, $1, 'team-' || i, 'Team ' || i
     from generate_series(0, $2::integer - 1) i`,
    ORG,
    teams,
  );
  await run(
    `insert into team_member (team, org, account)
     select distinct 'team_' || t, $1, 'usr_' || i
     from generate_series(0, $2::integer - 1) i, generate_series(0, $3::integer - 1) t
     where i = 0 or t in (i % $3, (i + 1) % $3, (i + 2) % $3)`,
    ORG,
    people,
    teams,
  );
  await run(
    `insert into file_blob (sha256, format, bytes)
     select encode(sha256(i::text::bytea), 'hex'), 'kml', i from generate_series(1, $1::integer) i`,
    files,
  );
  await run(
    `insert into file (id, org, creator, name, boundary, version, format, detail, visibility, sha256, created_at)
     select 'file_' || lpad(i::text, 26, '0'), $1, 'usr_' || i % $3, 'File ' || i, 'r' || i, 1, 'kml', 'medium',
            case when i % 10 < 7 then 'org' else 'restricted' end, encode(sha256(i::text::bytea), 'hex'),
            now() - ($2::integer - i) * (interval '1 month' * ${MONTHS} / $2::integer)
     from generate_series(1, $2::integer) i`,
    ORG,
    files,
    people,
  );
  await run(
    `insert into file_share (id, file, org, visibility, file_created_at, team, account, access)
     select 'shr_' || f.id || '_' || s, f.id, $1, f.visibility, f.created_at,
            case when s < 2 then 'team_' || (f.number + s * 7) % $2 end,
            case when s = 2 then 'usr_' || f.number % $3 end,
            (array['read', 'write', 'admin'])[1 + f.number % 3]
     from (select f.*, row_number() over () as number from file f where visibility = 'restricted') f,
          generate_series(0, 2) s`,
    ORG,
    teams,
    people,
  );
  await run('vacuum analyze');
}

/** Person k of the organization. */
export const reader = (k: number, role: Role): Reader => ({ org: ORG, account: `usr_${k}`, role });
