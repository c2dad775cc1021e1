/** A fault: a text of a source file is replaced, and some test of `tests` must then fail. */
export interface Fault {
  /** Says what would be wrong. */
  readonly name: string;
  readonly area: 'kernels' | 'access' | 'billing' | 'search' | 'import' | 'jobs' | 'sets' | 'history';
  /** The file, relative to the repository. */
  readonly file: string;
  /** What the file has once, and what takes its place. */
  readonly text: string;
  readonly instead: string;
  /** Test files, relative to `test`. */
  readonly tests: readonly string[];
}

const fault =
  (area: Fault['area'], tests: readonly string[]) =>
  (name: string, file: string, text: string, instead: string): Fault => ({ name, area, file, text, instead, tests });

const rings = fault('kernels', ['kernels/rings.test.ts']);
const merge = fault('kernels', ['kernels/merge.test.ts']);
const locate = fault('kernels', ['kernels/locate.test.ts']);
const levels = fault('kernels', ['kernels/levels.test.ts']);
const area = fault('kernels', ['kernels/area.test.ts']);
const simplify = fault('kernels', ['kernels/simplify.test.ts']);
const access = fault('access', ['rules/access.test.ts']);
const sharing = fault('access', ['library/sharing.test.ts']);
const pools = fault('billing', ['billing/pools.test.ts']);
const payments = fault('billing', ['billing/payments.test.ts']);
const typos = fault('search', ['domain/typos.test.ts']);
const ranking = fault('search', ['domain/search_ranking.test.ts']);
const kinds = fault('import', ['sources/kinds.test.ts']);
const tags = fault('import', ['sources/osm_tags.test.ts']);
const coverage = fault('import', ['sources/coverage.test.ts']);
const states = fault('jobs', ['jobs/states.test.ts']);
const jobs = fault('jobs', ['jobs/jobs.test.ts']);
const sets = fault('sets', ['sets/tiles_and_ogc.test.ts', 'sets/tables.test.ts']);
const history = fault('history', ['history/as_of.test.ts']);

/** Faults of the kinds that were once made, or that would be wrong without a sign. */
export const FAULTS: readonly Fault[] = [
  rings(
    'the interior is on the wrong side',
    'workers/arcs/rings.ts',
    'return odd === countedIsLeft ? 1 : -1;',
    'return odd === countedIsLeft ? -1 : 1;',
  ),
  rings(
    'an arc that is used twice stays in a ring',
    'workers/arcs/rings.ts',
    'if ((run - k) & 1) sorted[kept++]',
    'if (run - k) sorted[kept++]',
  ),
  merge(
    'an arc between two excluded boundaries stays',
    'workers/arcs/classify.ts',
    'if (excludeLeft && excludeRight) return OUT;',
    'if (excludeLeft && excludeRight && includeLeft) return OUT;',
  ),
  merge(
    'an arc inside another included boundary stays',
    'workers/arcs/classify.ts',
    'if (covers) covered = true;',
    'if (covers) covered = (sides[b] & 2) !== 0;',
  ),
  locate(
    'a ray through a vertex is counted twice',
    'workers/arcs/locate.ts',
    'const aboveNow = qy > y;',
    'const aboveNow = qy >= y;',
  ),
  levels(
    'boundaries in the south are measured by the far parallel',
    'workers/arcs/levels.ts',
    'north < 0 ? -north : 0',
    'north < 0 ? -south : 0',
  ),
  levels(
    'coordinates keep a digit too few',
    'workers/arcs/levels.ts',
    '<= toleranceMeters(level) / 50',
    '<= toleranceMeters(level) / 5',
  ),
  area(
    'an edge of half a turn goes the other way round',
    'workers/arcs/area.ts',
    'if (d > TURN / 2) d -= TURN;',
    'if (d >= TURN / 2) d -= TURN;',
  ),
  area(
    'a hole around a pole adds half the globe',
    'workers/arcs/area.ts',
    'ring === shell ? HALF_ELLIPSOID : -HALF_ELLIPSOID',
    'HALF_ELLIPSOID',
  ),
  simplify(
    'a ring is simplified to two vertices',
    'workers/arcs/interior_removal.ts',
    'let keeps = from === to ? 2 : 0;',
    'let keeps = from === to ? 1 : 0;',
  ),
  access('a key acts as an owner', 'src/core/access.ts', "return weaker(role, 'admin');", 'return role;'),
  access(
    'a token with a weaker scope is enough',
    'src/core/access.ts',
    'SCOPES.indexOf(credential.scope) < SCOPES.indexOf(wanted)',
    'SCOPES.indexOf(credential.scope) > SCOPES.indexOf(wanted)',
  ),
  access(
    'an application makes keys that outlive its grant',
    'src/core/access.ts',
    'if (rule.client === false) throw',
    "if (rule.client === undefined && who === 'owner') throw",
  ),
  access(
    'an admin makes owners',
    'src/core/roles.ts',
    "admin: ['admin', 'member', 'viewer'],",
    "admin: ['owner', 'admin', 'member', 'viewer'],",
  ),
  sharing(
    'a viewer writes a file that was shared with them to write',
    'src/core/access.ts',
    "return best !== null && role === 'viewer' ? 'read' : best;",
    'return best;',
  ),
  pools(
    'a call is granted that takes more than what is left',
    'sql/queries/billing.sql',
    'w.taken + a.units <= b.units as yes',
    'w.taken <= b.units as yes',
  ),
  pools(
    'settled units stay reserved',
    'sql/queries/billing.sql',
    'set used = m.used + s.units, reserved = m.reserved - s.units',
    'set used = m.used + s.units',
  ),
  pools(
    'units of a dead process are not given back to its pool',
    'sql/queries/billing.sql',
    'where pool = (select pool from org_budget where org = $1) and expires_at < now()',
    'where org = $1 and expires_at < now()',
  ),
  payments(
    'an older event of a subscription counts',
    'sql/queries/billing.sql',
    ' and s.changed_at <= excluded.changed_at',
    '',
  ),
  payments(
    'a payment that is being retried ends the plan',
    'src/domain/billing/paid_plans.ts',
    "if (first.state === 'late') return { changed: false, unwanted };",
    '',
  ),
  typos(
    'two typos are allowed in short words',
    'src/domain/search/typos.ts',
    'const TWO_TYPOS_FROM = 8;',
    'const TWO_TYPOS_FROM = 6;',
  ),
  typos(
    'swapped letters are two typos',
    'src/domain/search/typos.ts',
    'if (i > 1 && j > 1 && before === other',
    'if (i > 1 && j > 2 && before === letter',
  ),
  ranking(
    'postcode areas come first',
    'src/domain/search/ranking.ts',
    '(postcode && !wantsCode ? POSTCODES_LAST : 0)',
    '(postcode && wantsCode ? POSTCODES_LAST : 0)',
  ),
  ranking(
    'results are in another order each time',
    'src/domain/search/ranking.ts',
    ' || compareIds(a.candidate.id, b.candidate.id)',
    ' || compareIds(b.candidate.id, a.candidate.id)',
  ),
  ranking(
    'two places of one name, far apart, are one result',
    'src/domain/search/ranking.ts',
    'const SAME_BOX = 0.8;',
    'const SAME_BOX = 0;',
  ),
  kinds(
    'a territory with a code of its own is not a country',
    'src/sources/kinds.ts',
    'level >= 2 && level <= 6',
    'level >= 2 && level <= 2',
  ),
  tags(
    'the population of its capital is that of a region',
    'src/sources/osm/tags.ts',
    'center !== null && sameThing(tags, center) ? center : null',
    'center',
  ),
  coverage(
    'a missing count of people is a negative one',
    'src/sources/coverage/properties.ts',
    'Number.isFinite(count) && count >= 0 &&',
    'Number.isFinite(count) &&',
  ),
  coverage(
    'a level beyond 12 is taken',
    'src/sources/coverage/properties.ts',
    'level >= 1 && level <= 12 ? level : null',
    'level >= 1 ? level : null',
  ),
  states(
    'a job is charged for more than was reserved',
    'src/domain/jobs/states.ts',
    'return Math.max(0, Math.min(reserved, made));',
    'return Math.max(0, made);',
  ),
  states(
    'a job that fails again and again is retried for ever',
    'src/domain/jobs/states.ts',
    "return attempts >= MOST_ATTEMPTS ? 'fail' : 'retry';",
    "return 'retry';",
  ),
  jobs(
    'a process ends a job that another has claimed since',
    'sql/queries/job.sql',
    "ended_at = clock_timestamp(), lease_until = null\nwhere id = $1 and token = $2 and state = 'running'",
    "ended_at = clock_timestamp(), lease_until = null\nwhere id = $1 and $2::integer is not null and state = 'running'",
  ),
  jobs(
    'parts of an older state of the data stay in a file',
    'src/domain/jobs/jobs.ts',
    'Number(before.revision) === revision && before.sets === sets',
    'Number(before.revision) <= revision && before.sets === sets',
  ),
  jobs(
    'a job that was canceled is charged',
    'src/domain/jobs/jobs.ts',
    "if (reservation) await billing.settlePartIn(tx, reservation, 0);\n          const ended = { state: 'canceled'",
    "if (reservation) await billing.settleIn(tx, reservation);\n          const ended = { state: 'canceled'",
  ),
  sets(
    'a set that is not shared is read by its name',
    'src/domain/sets/sets.ts',
    'if (access === null) return [];',
    'if (access === null && names === undefined) return [];',
  ),
  sets(
    'a set that may not be read is left out without an error',
    'src/core/with_sets.ts',
    'for (const { name } of found) named.delete(name);',
    'named.clear();',
  ),
  history(
    'a read as of a date is one of today',
    'src/core/dated.ts',
    "if (date !== null) await tx.query(loadQuery('edition_as_of'), [date]);",
    "if (date !== null && pin !== null) await tx.query(loadQuery('edition_as_of'), [date]);",
  ),
];
