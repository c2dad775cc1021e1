/**
 * Which area sets a call reads: those of its ids, its field set or its scope, as far as the caller may read them at this
 * moment. A call that names none runs on the services of official boundaries, which know nothing of sets.
 */
import { createHash } from 'node:crypto';
import { splitDated, today } from '../common/dates.ts';
import { mayNameSets, readSetName, setIdsIn } from '../common/set_ids.ts';
import type { AreaSet } from '../domain/sets/area_set.ts';
import { contextWithSets } from './dated.ts';
import { invalidInput, problem } from './errors.ts';
import type { Context } from './op.ts';
import type { ReadSets } from './read_sets.ts';

/** Fields that hold ids, selections or texts with ids. */
const FIELDS = [
  ...['id', 'ids', 'include', 'exclude', 'children_of', 'within', 'a', 'b', 'groups', 'set'],
  ...['around', 'csv', 'description', 'plan', 'members', 'rows'],
  ...['boundary_id', 'union', 'collection', 'area'],
] as const;
/** Fields whose texts may say `set:` without meaning a set; other words there are left to the operation. */
const TEXTS: readonly string[] = ['csv', 'description', 'plan', 'rows', 'area'];
/** Limit of the sets that one call names. */
const MOST_NAMED = 100;

/**
 * The context in which a call runs: with the sets that it names, or with all that the caller may read.
 * @throws not_found for a set that the caller may not read, unauthorized for a scope without an account, too_large,
 * invalid_input with an earlier state of the data
 */
export async function withSets<I extends Readonly<Record<string, unknown>>>(ctx: Context, input: I): Promise<Context> {
  const scope = (input.scope ?? 'official') as 'official' | 'own' | 'all';
  const named = new Set<string>();
  const free = new Set<string>();
  for (const field of FIELDS) {
    const value = input[field];
    if (value !== undefined) namesIn(value, field === 'set', TEXTS.includes(field) ? free : named);
  }
  if (scope === 'official' && named.size + free.size === 0) return ctx;
  if (ctx.services.pin) {
    const message = 'area sets are not kept as they were stored: leave it out, or name no set and no scope';
    throw invalidInput([{ path: 'recorded_before', code: 'conflict', message }]);
  }
  const { account, org, role } = ctx.caller;
  // Texts may have such words without meaning a set, which only those who may read one can tell.
  const asked = named.size + (account === null ? 0 : free.size);
  if (asked > MOST_NAMED) {
    throw problem('too_large', `The call names ${asked} area sets, at most ${MOST_NAMED} are read.`);
  }
  if (account === null || org === null || role === null) {
    if (scope !== 'official') throw problem('unauthorized', `The scope ${scope} reads area sets: send an API key.`);
    if (named.size > 0) throw unknownSets(named);
    return ctx;
  }
  const by = { account: account.id, org: org.id, role };
  const names = scope === 'official' ? [...named, ...free] : undefined;
  const found = await ctx.services.areaSets.readable(by, names);
  for (const { name } of found) named.delete(name);
  if (named.size > 0) throw unknownSets(named);
  if (found.length === 0 && scope !== 'own') return ctx;
  return contextWithSets(ctx, readSets(found, scope));
}

/** Whether an input names area sets, which a call without an account cannot read. */
export function namesSets(input: Readonly<Record<string, unknown>>): boolean {
  const found = new Set<string>();
  for (const field of FIELDS) {
    if (input[field] !== undefined) namesIn(input[field], field === 'set', found);
  }
  return found.size > 0;
}

/** The sets that a call reads in a scope: of `official`, those that it names. */
function readSets(sets: readonly AreaSet[], scope: 'official' | 'own' | 'all'): ReadSets {
  const official = scope !== 'own';
  const inForce = (date = today()) =>
    sets.flatMap(({ versions }) => versions.findLast(({ valid_from }) => valid_from <= date) ?? []);
  const versionsOn = (date?: string) =>
    inForce(date)
      .map(({ id }) => id)
      .sort((a, b) => a - b);
  const areasOn = (date: string) => inForce(date).reduce((sum, { areas }) => sum + areas, 0);
  const changed = sets.map(({ id, updated_at }) => `${id} ${updated_at}`).sort();
  const state = createHash('sha256').update(JSON.stringify([official, changed, versionsOn()]));
  const about = { official, searched: scope !== 'official', state: state.digest('base64url') };
  return { ...about, ids: sets.map(({ id }) => id), names: sets.map(({ name }) => name), versionsOn, areasOn };
}

/** The same answer whether a set is of others or does not exist. */
const unknownSets = (names: ReadonlySet<string>) =>
  problem('not_found', `No area set ${[...names].slice(0, 10).join(', ')} that you may read.`);

/** Adds the names of sets in the texts of a value, and those that objects have as their member set. */
function namesIn(value: unknown, isName: boolean, found: Set<string>): void {
  if (typeof value === 'string') {
    if (!isName && !mayNameSets(value)) return;
    const whole = isName ? value.toLowerCase() : readSetName(splitDated(value).id);
    if (whole !== null) found.add(whole);
    else for (const name of setIdsIn(value)) found.add(name);
  } else if (Array.isArray(value)) {
    for (const one of value) namesIn(one, false, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) namesIn(one, key === 'set' && typeof one === 'string', found);
  }
}
