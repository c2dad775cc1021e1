import { Turns } from '../../../common/turns.ts';
import { loadQuery } from '../../../db/query.ts';
import { openArcs } from '../../../domain/areas/coast.ts';
import { said } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import type { PlanRun } from '../execution/plan_run.ts';
import { borderOf, type Land, type LevelSides, type Shoreline, type Side, sideOf } from './land.ts';
import { keptRings } from './rows.ts';
import { sidesBeside } from './sides_beside.ts';
import { sidesByEdges } from './sides_by_edges.ts';

/** Limit of the boundaries of one level of a country that are compared. */
const MOST_OF_LEVEL = 60_000;
/** Levels of countries whose sides are kept. */
const MOST_LEVELS = 8;

/** Determines the sides of boundaries of one level of a country, and adds them to `sides`. */
export async function sidesIn(
  run: PlanRun,
  country: string,
  level: number,
  members: readonly ResolvedBoundary[],
  line: Shoreline,
  sides: Map<string, Side>,
  i: number,
): Promise<void> {
  const key = `${country} ${level}`;
  const known = line.levels.get(key) ?? (await sidesOfLevel(run, country, level, line, i));
  line.levels.delete(key);
  line.levels.set(key, known);
  for (const oldest of line.levels.keys()) {
    if (line.levels.size <= MOST_LEVELS) break;
    line.levels.delete(oldest);
  }
  for (const { id } of members) sides.set(id, known === 'landlocked' ? known : (known.get(id) ?? 'unknown'));
}

/** The sides of all boundaries of one level of a country; `landlocked` when all of them are. */
async function sidesOfLevel(
  run: PlanRun,
  country: string,
  level: number,
  line: Shoreline,
  i: number,
): Promise<LevelSides> {
  if (![...borderOf(country, line)].some((arc) => line.sea.has(arc) || line.doubtful.has(arc))) return 'landlocked';
  const rows = await run.ctx.services.db.query(loadQuery('area_level_arcs'), [country, level, MOST_OF_LEVEL + 1], {
    signal: run.ctx.signal,
  });
  if (rows.length > MOST_OF_LEVEL)
    throw run.fail(i, said`${run.quote(i)} compares too many boundaries. Describe fewer.`);
  const turns = new Turns(run.ctx.signal);
  const replaced = await keptRings(
    run,
    rows.filter(({ seed }) => !seed).map(({ id }) => id),
  );
  // Boundaries of the seed data and what took their place fit each other; those of another source only each other.
  const groupOf = ({ id, source, seed }: Land) => (seed || replaced.has(id) ? '' : source);
  const land = line.drawn.find(({ id }) => id === country);
  const own = land && groupOf(land);
  const fitting = rows.filter((row) => groupOf(row) === own);
  const known = await sidesByArcs(run, country, fitting, line, turns);
  const others = rows.filter((row) => groupOf(row) !== own);
  for (const source of new Set(others.map(groupOf))) {
    const group = others.filter((row) => groupOf(row) === source);
    const sides = await sidesBeside(run, group, line, fitting.length > 0 ? null : country, turns);
    for (const [id, side] of sides) known.set(id, side);
  }
  return known;
}

/** The sides of boundaries of one level of a country that fit its land, by the arcs which they share. */
async function sidesByArcs(
  run: PlanRun,
  country: string,
  rows: readonly Land[],
  line: Shoreline,
  turns: Turns,
): Promise<Map<string, Side>> {
  const outline = line.lands.get(country) ?? new Set<number>();
  const open = await openArcs(
    rows.map(({ arcs }) => arcs),
    turns,
  );
  const part = { outline, open: new Set(open.map(Math.abs)) };
  const known = new Map<string, Side>();
  for (const { id, arcs } of rows) {
    known.set(id, sideOf(new Set(arcs.map(Math.abs)), line, part));
    if (turns.spend(1 + arcs.length)) await turns.next();
  }
  const unknown = rows.filter(({ id }) => known.get(id) === 'unknown');
  if (unknown.length > 0) {
    const sides = await sidesByEdges(run, country, rows, line, turns);
    for (const { id } of unknown) known.set(id, sides?.get(id) ?? 'unknown');
  }
  return known;
}
