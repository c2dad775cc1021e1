import { loadQuery } from '../../db/query.ts';
import type { Level, Plan, Step, Words } from '../../domain/areas/algebra.ts';
import { MOST_MEMBERS, refsOf } from '../../domain/areas/algebra.ts';
import { groupOf } from '../../domain/areas/groups.ts';
import { isOfLevel, knowsLevel, levelValues } from '../../domain/areas/levels.ts';
import { clip } from '../../domain/areas/misread.ts';
import {
  areNested,
  type Candidate,
  capitalIn,
  isIn,
  type Meaning,
  meaningOf,
  type NameServices,
  type Wishes,
} from '../../domain/areas/names.ts';
import { DataMoved, type Reading } from '../../domain/boundaries.ts';
import type { ResolvedBoundary } from '../../domain/boundary.ts';
import { foldName } from '../../domain/fold.ts';
import { problem } from '../../errors.ts';
import { FAR, NEAR } from '../../geometry/engine.ts';
import type { Context } from '../../op.ts';
import { geometryOf } from '../boundaries/document.ts';
import { areSiblings, boxesMeet, cutOf, distinct, halfOf, holds, membersOf, type Region, setOf } from './region.ts';

/** What was found for a step, as the answer tells it. */
export interface Found {
  /** Boundaries that the step comes to. */
  readonly members: number;
  /** The boundary of a place. */
  readonly place?: { readonly id: string; readonly name: string };
  /** What else the name may mean, and why this was taken. */
  readonly rivals?: readonly Candidate[];
  readonly because?: string;
  readonly notes?: readonly string[];
}

/** A part of a description that was not found, or that may mean several places. */
export interface Unmapped {
  readonly text: string;
  /** Of its first character, and behind its last; null where the plan was given. */
  readonly from: number | null;
  readonly to: number | null;
  readonly reason: string;
  readonly candidates: readonly Candidate[];
}

/** could_not_map with every part that is to blame. */
export function couldNotMap(places: readonly Unmapped[]) {
  const shown = places.slice(0, 10).map(({ reason }) => reason);
  const more = places.length > 10 ? ` (and ${places.length - 10} more)` : '';
  return problem('could_not_map', shown.join(' ') + more, { places: places.slice(0, 100) });
}

/** Boundaries of two sources border each other when they are no farther apart, in meters. */
const NEAR_METERS = 2_000;
/** A buffer is computed on a plane around the middle: exact to 0.1 % where nothing is farther from it, in km. */
const BUFFER_REACH = 500;
const METERS_A_DEGREE = 110_500;

/** An executed plan. */
export interface Executed {
  readonly region: Region;
  readonly found: readonly Found[];
}

/** Runs a plan, which faultOf() has found no fault in, on one state of the data. Throws could_not_map. */
export function execute(ctx: Context, reading: Reading, plan: Plan, wishes: Wishes): Promise<Executed> {
  return new Execution(ctx, reading, plan, wishes).run();
}

class Execution {
  private readonly regions: Region[] = [];
  private readonly found: Found[] = [];
  private meanings: (Meaning | undefined)[] = [];
  private readonly scopes = new Map<number, Scope>();
  private readonly services: NameServices;
  private readonly ctx: Context;
  private readonly reading: Reading;
  private readonly plan: Plan;
  private readonly wishes: Wishes;

  constructor(ctx: Context, reading: Reading, plan: Plan, wishes: Wishes) {
    this.ctx = ctx;
    this.reading = reading;
    this.plan = plan;
    this.wishes = wishes;
    this.services = { db: ctx.services.db, names: ctx.services.names, boundaries: reading };
  }

  async run(): Promise<Executed> {
    const { steps } = this.plan;
    this.findScopes();
    this.meanings = await Promise.all(steps.map((step) => this.mean(step)));
    this.refuseUnknown();
    for (const [i, step] of steps.entries()) {
      this.ctx.signal.throwIfAborted();
      const notes: string[] = [];
      const region = await this.step(step, i, notes);
      const members = membersOf(region);
      if (members.length === 0) throw this.fail(i, `${this.quote(i)} is empty: nothing fits it.`);
      if (members.length > MOST_MEMBERS) {
        throw this.fail(
          i,
          `${this.quote(i)} has ${members.length} boundaries; at most ${MOST_MEMBERS} are merged. Describe fewer.`,
        );
      }
      this.regions[i] = region;
      const meaning = this.meanings[i];
      const place = step.op === 'place' ? members[0] : null;
      this.found[i] = {
        members: members.length,
        ...(place ? { place: { id: place.id, name: place.name } } : {}),
        ...(meaning && 'found' in meaning && meaning.because !== null
          ? { rivals: meaning.rivals, because: meaning.because }
          : {}),
        ...(notes.length > 0 ? { notes } : {}),
      };
    }
    return { region: this.regions[steps.length - 1], found: this.found };
  }

  private words(i: number): Words | null {
    return this.plan.steps[i].words ?? null;
  }

  private quote(i: number): string {
    const words = this.words(i);
    return words === null ? `Step ${i} (${this.plan.steps[i].op})` : `"${clip(words.text)}"`;
  }

  private unmapped(i: number, reason: string, candidates: readonly Candidate[] = []): Unmapped {
    const words = this.words(i);
    const step = this.plan.steps[i];
    const text = words?.text ?? (step.op === 'place' ? (step.name ?? step.id ?? '') : step.op);
    return { text: clip(text), from: words?.from ?? null, to: words?.to ?? null, reason, candidates };
  }

  private fail(i: number, reason: string) {
    return couldNotMap([this.unmapped(i, reason)]);
  }

  /** What a place is taken out of, listed with or subdivided: it decides among candidates of comparable rank. */
  private findScopes(): void {
    const { steps } = this.plan;
    const placesIn = (i: number): number[] => {
      const step = steps[i];
      if (step.op === 'place') return [i];
      return step.op === 'union' ? step.of.flatMap((part) => (steps[part].op === 'place' ? [part] : [])) : [];
    };
    for (const [i, step] of steps.entries()) {
      if (step.op === 'union') {
        const places = placesIn(i);
        for (const place of places)
          this.scopes.set(place, { kind: 'list', others: places.filter((one) => one !== place) });
      } else if (step.op === 'children') {
        for (const place of placesIn(step.of)) this.scopes.set(place, { kind: 'level', level: step.level });
      } else if (step.op === 'containing') {
        for (const place of placesIn(step.of)) this.scopes.set(place, { kind: 'inside', level: step.level });
      } else if (step.op === 'intersection') {
        for (const place of placesIn(step.with)) this.scopes.set(place, { kind: 'base', of: step.of });
      }
    }
    for (const step of steps) {
      if (step.op !== 'difference') continue;
      for (const place of placesIn(step.minus)) this.scopes.set(place, { kind: 'base', of: step.of });
    }
  }

  private async mean(
    step: Step,
    scope: ((one: ResolvedBoundary) => boolean) | null = null,
  ): Promise<Meaning | undefined> {
    if (step.op === 'group') {
      const group = groupOf(step.name);
      return group ? undefined : { problem: 'not_found', candidates: [] };
    }
    if (step.op !== 'place') return undefined;
    if (step.id !== undefined) {
      const [found] = await this.reading.lookup([step.id]);
      if (found === null) return { problem: 'not_found', candidates: [] };
      return found.has_geometry ? { found, rivals: [], because: null } : { problem: 'no_geometry', candidates: [] };
    }
    return meaningOf(
      this.services,
      { name: step.name ?? '', within: step.within, level: step.level },
      this.wishes,
      scope,
    );
  }

  /** Throws could_not_map for every place that is not found, and for every ambiguous one that nothing else decides. */
  private refuseUnknown(): void {
    const places: Unmapped[] = [];
    for (const [i, meaning] of this.meanings.entries()) {
      if (meaning === undefined || 'found' in meaning) continue;
      if (meaning.problem === 'ambiguous' && this.scopes.has(i)) continue;
      places.push(this.explain(i, meaning));
    }
    if (places.length === 0) return;
    for (const [i, meaning] of this.meanings.entries()) {
      if (meaning && !('found' in meaning) && meaning.problem === 'ambiguous' && this.scopes.has(i))
        places.push(this.explain(i, meaning));
    }
    throw couldNotMap(places);
  }

  private explain(i: number, meaning: Exclude<Meaning, { found: unknown }>): Unmapped {
    const at = this.words(i) ? ` (character ${(this.words(i)?.from ?? 0) + 1})` : '';
    const text = this.quoteName(i);
    const { candidates } = meaning;
    const like = candidates
      .slice(0, 3)
      .map(({ name, parents }) => [name, parents.at(-1)?.name].filter(Boolean).join(' in '))
      .join(', ');
    const reason = {
      not_found: `${text}${at} is not found${like ? `; did you mean ${like}?` : '.'}`,
      ambiguous: `${text}${at} may mean several places: ${like}${candidates.length > 3 ? ' and others' : ''}. Say which, as in "Paris, Texas", or give country or near.`,
      no_geometry: `${text}${at} has no polygon here.`,
    }[meaning.problem];
    return this.unmapped(i, reason, candidates);
  }

  private quoteName(i: number): string {
    const step = this.plan.steps[i];
    if (step.words) return `"${clip(step.words.text)}"`;
    if (step.op === 'place' || step.op === 'group')
      return `"${clip(('name' in step ? step.name : undefined) ?? ('id' in step ? step.id : undefined) ?? '')}"`;
    return this.quote(i);
  }

  private async step(step: Step, i: number, notes: string[]): Promise<Region> {
    const region = (part: number): Region => this.regions[part];
    switch (step.op) {
      case 'place':
        return setOf([await this.place(step, i)]);
      case 'group':
        return this.group(step.name, i, notes);
      case 'capital':
        return this.capital(region(step.of), i);
      case 'union':
        return this.union(step.of.map(region));
      case 'difference':
        return this.difference(region(step.of), step.minus, i, notes);
      case 'intersection':
        return this.intersection(region(step.of), region(step.with), i);
      case 'children':
        return setOf(await this.children(step.of, step.level, i));
      case 'containing':
        return this.containing(region(step.of), step.level, i);
      case 'neighbors':
        return setOf(
          await this.touching(region(step.of), i, { level: step.level ?? this.levelOf(region(step.of), i) }, notes),
        );
      case 'touching':
        return setOf(await this.touching(region(step.border), i, { of: this.setIn(step.of, i) }, notes));
      case 'around':
        return setOf(await this.within(region(step.from), step.km, i, { level: step.level }));
      case 'within':
        return setOf(await this.within(region(step.from), step.km, i, { of: this.setIn(step.of, i) }));
      case 'buffer':
        return this.buffer(region(step.of), step.km, i, notes);
      case 'side':
        return setOf(await this.side(step, i, notes));
      case 'clip': {
        const of = region(step.of);
        const boxes = halfOf(membersOf(of), step.direction);
        if (boxes === null) throw this.fail(i, `${this.quote(i)} has no extent.`);
        notes.push('cut at the middle of the bounding box');
        return { op: 'clip', of, boxes };
      }
      case 'rank':
        return setOf(this.rank(this.setIn(step.of, i), step, i));
      case 'measured':
        return setOf(
          this.measured(this.setIn(step.of, i), step.by, i).flatMap(([one, value]) =>
            (step.is === 'more' ? value > step.than : value < step.than) ? [one] : [],
          ),
        );
      case 'named': {
        const text = foldName(step.text);
        if (text === '') throw this.fail(i, `${this.quote(i)} has no letters to compare names with.`);
        const fits = {
          starts: (name: string) => name.startsWith(text),
          ends: (name: string) => name.endsWith(text),
          contains: (name: string) => name.includes(text),
          is: (name: string) => name === text,
        }[step.how];
        return setOf(this.setIn(step.of, i).filter(({ name }) => fits(foldName(name))));
      }
    }
  }

  /** The boundaries of a step that has to be whole boundaries. */
  private setIn(part: number, i: number): readonly ResolvedBoundary[] {
    const region = this.regions[part];
    if (region.op === 'set') return region.members;
    throw this.fail(i, `${this.quote(i)} chooses among boundaries, and ${this.quote(part)} is cut out of them.`);
  }

  private async place(step: Step, i: number): Promise<ResolvedBoundary> {
    let meaning = this.meanings[i];
    const scope = this.scopes.get(i);
    const ambiguous = meaning !== undefined && !('found' in meaning);
    if (scope && (ambiguous || scope.kind === 'base')) {
      const decides = this.scopeOf(scope);
      // An id needs no scope.
      if (decides && step.op === 'place' && step.id === undefined) meaning = await this.mean(step, decides);
    }
    this.meanings[i] = meaning;
    if (meaning && 'found' in meaning) return meaning.found;
    if (!meaning) throw this.fail(i, `${this.quote(i)} is not found.`);
    // All that are left undecided are named at once.
    const open = this.meanings.flatMap((one, k) => (one && !('found' in one) ? [this.explain(k, one)] : []));
    throw couldNotMap(open);
  }

  private scopeOf(scope: Scope): ((one: ResolvedBoundary) => boolean) | null {
    if (scope.kind === 'level') {
      return ({ boundary }) => knowsLevel(boundary.country, scope.level);
    }
    if (scope.kind === 'inside') {
      return ({ boundary }) =>
        boundary.parents.some((parent) =>
          isOfLevel({ admin_level: parent.admin_level, kind: parent.kind, country: boundary.country }, scope.level),
        );
    }
    if (scope.kind === 'list') {
      const others = scope.others.flatMap((k) => {
        const meaning = this.meanings[k];
        return meaning && 'found' in meaning ? [meaning.found] : [];
      });
      if (others.length === 0) return null;
      return ({ boundary, admin_level }) =>
        others.every(
          (other) =>
            other.admin_level === admin_level &&
            other.boundary.kind === boundary.kind &&
            (boundary.kind === 'country' || other.boundary.country === boundary.country),
        );
    }
    // The steps that a base is made of come before the place that is taken out of it only in plans of ours.
    const base = this.regions[scope.of];
    if (!base) return null;
    const members = membersOf(base);
    return (one) => members.some((member) => member.id === one.id || isIn(one, member));
  }

  private async group(name: string, i: number, notes: string[]): Promise<Region> {
    const group = groupOf(name);
    if (group === null) throw this.fail(i, `${this.quoteName(i)} is not a group that is known.`);
    const found = await this.reading.lookup(group.members.map((code) => `iso:${code}`));
    const members = found.filter((one): one is ResolvedBoundary => one?.has_geometry === true);
    if (members.length < group.members.length) throw this.fail(i, `${this.quoteName(i)} is not stored whole here.`);
    notes.push(`${group.name}: ${group.members.join(', ')} (${group.source})`);
    return setOf(members);
  }

  private async capital(of: Region, i: number): Promise<Region> {
    const members = membersOf(of);
    const found = members.length === 1 && of.op === 'set' ? await capitalIn(this.services, members[0]) : null;
    if (found === null)
      throw this.fail(
        i,
        `The capital that ${this.quote(i)} asks for is not known, or its boundary is not stored. Name it.`,
      );
    return setOf([found]);
  }

  private union(parts: readonly Region[]): Region {
    if (parts.every((part) => part.op === 'set')) return setOf(parts.flatMap(membersOf));
    return { op: 'union', of: parts };
  }

  private async difference(of: Region, minusStep: number, i: number, notes: string[]): Promise<Region> {
    const minus = this.regions[minusStep];
    const [wholes, cuts] = [membersOf(of), membersOf(minus)];
    const removed = new Set<string>();
    const inside: ResolvedBoundary[] = [];
    for (const cut of cuts) {
      const related = wholes.filter((whole) => areNested(whole, cut));
      for (const whole of related) if (whole.id === cut.id || isIn(whole, cut)) removed.add(whole.id);
      const within = related.some((whole) => isIn(cut, whole));
      if (within) inside.push(cut);
      if (related.length > 0) continue;
      const doubtful = wholes.filter((whole) => boxesMeet(whole, cut) && !areSiblings(whole, cut));
      if (doubtful.length > 0 && (await this.overlap(doubtful, cut))) {
        inside.push(cut);
        notes.push(`${cut.name} lies in it in part`);
        continue;
      }
      throw this.fail(
        minusStep,
        `${this.quote(minusStep)} takes out ${cut.name} (${cut.id}), which is not part of ${this.quoteBase(i)}.`,
      );
    }
    if (of.op !== 'set' || minus.op !== 'set') {
      if (of.op === 'set' && removed.size === wholes.length && minus.op === 'set') throw this.nothing(i);
      return { op: 'difference', of, minus };
    }
    const left = wholes.filter(({ id }) => !removed.has(id));
    if (left.length === 0) throw this.nothing(i);
    const open = inside.filter((cut) => left.some((whole) => !areSiblings(whole, cut)));
    return open.length === 0
      ? setOf(left)
      : {
          op: 'difference',
          of: setOf(left),
          minus: setOf(cuts.filter(({ id }) => !removed.has(id) || open.some((one) => one.id === id))),
        };
  }

  private nothing(i: number) {
    return this.fail(i, `${this.quote(i)} leaves nothing.`);
  }

  private quoteBase(i: number): string {
    const [base] = refsOf(this.plan.steps[i]);
    return this.quote(base);
  }

  /** Whether a boundary has an area in common with one of others. */
  private async overlap(others: readonly ResolvedBoundary[], one: ResolvedBoundary): Promise<boolean> {
    const some = others.slice(0, 50);
    const all = [one, ...some].map(geometryOf);
    const pairs = await this.ctx.services.engine.crosswalk(
      all,
      { a: [0], b: some.map((_, k) => k + 1), maxPairs: 100 },
      this.ctx.signal,
    );
    return [...pairs.areaKm2].some((area, k) => area > 1e-3 * Math.min(pairs.wholeA[0], pairs.wholeB[pairs.b[k]]));
  }

  private async intersection(of: Region, other: Region, i: number): Promise<Region> {
    if (of.op === 'set' && other.op === 'set') {
      const common: ResolvedBoundary[] = [];
      let decided = true;
      for (const a of of.members) {
        for (const b of other.members) {
          if (a.id === b.id || isIn(a, b)) common.push(a);
          else if (isIn(b, a)) common.push(b);
          else if (boxesMeet(a, b) && !areSiblings(a, b)) {
            if (await this.overlap([a], b)) decided = false;
          }
        }
      }
      if (decided && common.length === 0)
        throw this.fail(i, `${this.quote(i)} is empty: the two have no area in common.`);
      if (decided) return setOf(common);
    }
    return { op: 'intersection', of, with: other };
  }

  private async resolve(ids: readonly string[]): Promise<ResolvedBoundary[]> {
    const found: ResolvedBoundary[] = [];
    for (let from = 0; from < ids.length; from += 1_000)
      found.push(...(await this.reading.byIds(ids.slice(from, from + 1_000))));
    if (found.length !== ids.length) throw new DataMoved();
    return found.sort(byName);
  }

  private ofRevision<T extends { readonly revision: number }>(rows: readonly T[]): readonly T[] {
    if (rows.some(({ revision }) => Number(revision) !== this.reading.revision)) throw new DataMoved();
    return rows;
  }

  private async children(part: number, level: Level, i: number): Promise<ResolvedBoundary[]> {
    const region = this.regions[part];
    const parents = membersOf(region);
    // "the countries of Benelux" are its members.
    const own = parents.filter(({ boundary }) => isOfLevel(boundary, level));
    const others = parents.filter(({ boundary }) => !isOfLevel(boundary, level));
    const ids = others.map(({ id }) => id);
    type Row = { readonly revision: number; readonly parent: string | null; readonly id: string | null };
    const rows =
      ids.length === 0
        ? []
        : this.ofRevision(
            await this.ctx.services.db.query<Row>(
              loadQuery('area_children'),
              [ids, ...levelValues(level), MOST_MEMBERS + 1],
              { signal: this.ctx.signal },
            ),
          );
    if (rows.length > MOST_MEMBERS)
      throw this.fail(i, `${this.quote(i)} has more than ${MOST_MEMBERS} boundaries. Describe fewer.`);
    const found = await this.resolve([...new Set(rows.flatMap(({ id }) => id ?? []))]);
    const fits = found.filter((one) => isOfLevel(one.boundary, level));
    if (own.length > 0 && this.plan.steps[part].op !== 'group' && others.length === 0 && parents.length === 1) {
      throw this.fail(i, `${this.quote(i)} asks for ${levelText(level)} in ${parents[0].name}, which is one itself.`);
    }
    const withRows = new Set(rows.filter(({ id }) => fits.some((one) => one.id === id)).map(({ parent }) => parent));
    const childless = others.filter(({ id }) => !withRows.has(id));
    if (childless.length > 0) {
      const names = childless
        .slice(0, 3)
        .map(({ name }) => name)
        .join(', ');
      throw this.fail(i, `${this.quote(i)} asks for ${levelText(level)} in ${names}, where there are none.`);
    }
    const all = distinct([...own, ...fits]);
    if (region.op === 'set') return all;
    const held = all.map((one) => holds(region, one));
    if (held.includes(null))
      throw this.fail(
        i,
        `${this.quote(i)} asks for boundaries in a distance; say "${levelText(level)} within … km of …".`,
      );
    return all.filter((_, k) => held[k]);
  }

  private async containing(of: Region, level: Level, i: number): Promise<Region> {
    const parents = new Set<string>();
    for (const member of membersOf(of)) {
      const fits = member.boundary.parents.filter((parent) =>
        isOfLevel({ admin_level: parent.admin_level, kind: parent.kind, country: member.boundary.country }, level),
      );
      if (fits.length !== 1) {
        const reason = fits.length === 0 ? 'none contains' : `${fits.length} contain`;
        throw this.fail(i, `${this.quote(i)} asks for the ${level} that contains ${member.name}: ${reason} it.`);
      }
      parents.add(fits[0].id);
    }
    const found = await this.resolve([...parents]);
    if (found.some(({ has_geometry }) => !has_geometry)) throw this.fail(i, `${this.quote(i)} has no polygon here.`);
    return setOf(found);
  }

  private levelOf(region: Region, i: number): Level {
    const levels = new Set(membersOf(region).map(({ admin_level }) => admin_level));
    const [level] = levels;
    if (levels.size !== 1 || level === null || level === undefined) {
      throw this.fail(i, `${this.quote(i)} does not say neighbors of which level.`);
    }
    return level;
  }

  /** Degrees by which the boxes of what is so near may be apart: of longitude and of latitude. */
  private reach(members: readonly ResolvedBoundary[], meters: number): [number, number] {
    const dy = meters / METERS_A_DEGREE;
    const highest =
      Math.max(...members.map(({ north, south }) => Math.max(Math.abs(north ?? 0), Math.abs(south ?? 0)))) / 1e7 + dy;
    const dx = highest >= 89 ? 360 : dy / Math.cos((highest * Math.PI) / 180);
    return [Math.min(360, dx), dy];
  }

  /** Boundaries whose boxes are as near to some as so many meters, and how near they are themselves. */
  private async near(
    members: readonly ResolvedBoundary[],
    which: { readonly level?: Level; readonly of?: readonly ResolvedBoundary[] },
    { meters, apart }: { readonly meters: number; readonly apart: boolean },
    i: number,
  ): Promise<Map<string, { readonly one: ResolvedBoundary; nearness: number }>> {
    type Row = {
      readonly revision: number;
      readonly id: string | null;
      readonly own: string | null;
      readonly same_source: boolean | null;
    };
    const values = [
      members.map(({ id }) => id),
      which.of ? which.of.map(({ id }) => id) : null,
      ...levelValues(which.level ?? null),
      ...this.reach(members, meters),
      apart,
      MOST_PAIRS + 1,
    ] as const;
    const rows = this.ofRevision(
      await this.ctx.services.db.query<Row>(loadQuery('area_near'), values, { signal: this.ctx.signal }),
    );
    if (rows.length > MOST_PAIRS) throw this.fail(i, `${this.quote(i)} compares too many boundaries. Describe fewer.`);
    const known = new Map(members.map((one) => [one.id, one]));
    for (const one of await this.resolve([
      ...new Set(rows.flatMap(({ id }) => (id === null || known.has(id) ? [] : [id]))),
    ]))
      known.set(one.id, one);
    const all = [...known.values()];
    const place = new Map(all.map(({ id }, k) => [id, k]));
    const pairs: [number, number, number | null][] = [];
    for (const { id, own, same_source } of rows) {
      if (id === null || own === null || id === own) continue;
      const one = known.get(id) as ResolvedBoundary;
      if (which.level !== undefined && !isOfLevel(one.boundary, which.level)) continue;
      // Boundaries of one source fit each other: what borders shares an arc.
      const far = apart && same_source === true ? null : meters;
      pairs.push([place.get(id) as number, place.get(own) as number, far]);
    }
    const nearness = await this.ctx.services.engine.near(all.map(geometryOf), pairs, this.ctx.signal);
    const found = new Map<string, { readonly one: ResolvedBoundary; nearness: number }>();
    for (const [k, [a]] of pairs.entries()) {
      if (nearness[k] === FAR) continue;
      const one = all[a];
      const before = found.get(one.id);
      if (before) before.nearness = Math.max(before.nearness, nearness[k]);
      else found.set(one.id, { one, nearness: nearness[k] });
    }
    return found;
  }

  private async touching(
    border: Region,
    i: number,
    which: { readonly level?: Level; readonly of?: readonly ResolvedBoundary[] },
    notes: string[],
  ): Promise<ResolvedBoundary[]> {
    if (border.op !== 'set')
      throw this.fail(i, `${this.quote(i)} asks what borders an area that is cut; name boundaries.`);
    const met = [...(await this.near(border.members, which, { meters: NEAR_METERS, apart: true }, i)).values()];
    const near = met.filter(({ nearness }) => nearness === NEAR);
    if (near.length > 0) {
      const names = near
        .slice(0, 3)
        .map(({ one }) => one.name)
        .join(', ');
      notes.push(
        `${names}${near.length > 3 ? ` and ${near.length - 3} more` : ''}: within 2 km, of another source, so that they share no line`,
      );
    }
    notes.push('what meets it in single points only is not counted; lakes count only where polygons meet');
    return met.map(({ one }) => one).sort(byName);
  }

  private async within(
    from: Region,
    km: number,
    i: number,
    which: { readonly level?: Level; readonly of?: readonly ResolvedBoundary[] },
  ): Promise<ResolvedBoundary[]> {
    if (from.op !== 'set')
      throw this.fail(i, `${this.quote(i)} asks for a distance to an area that is cut; name boundaries.`);
    const { members } = from;
    const [dx] = this.reach(members, km * 1000);
    const crossing = members.find(
      ({ west, east }) => (west ?? 0) / 1e7 - dx < -180 || (east ?? 0) / 1e7 + dx > 180 || (east ?? 0) < (west ?? 0),
    );
    if (crossing)
      throw this.fail(
        i,
        `${this.quote(i)} reaches across the antimeridian from ${crossing.name}, which distances do not.`,
      );
    const met = await this.near(members, which, { meters: km * 1000, apart: false }, i);
    const own = members.filter((one) =>
      which.of
        ? which.of.some(({ id }) => id === one.id)
        : which.level !== undefined && isOfLevel(one.boundary, which.level),
    );
    return distinct([...own, ...[...met.values()].map(({ one }) => one)]).sort(byName);
  }

  private buffer(of: Region, km: number, i: number, notes: string[]): Region {
    const boxes = membersOf(of);
    const degrees = (list: readonly number[]) => Math.max(...list) - Math.min(...list);
    const south = boxes.map((one) => (one.south ?? 0) / 1e7);
    const north = boxes.map((one) => (one.north ?? 0) / 1e7);
    const west = boxes.map((one) => (one.west ?? 0) / 1e7);
    const east = boxes.map((one) =>
      (one.east ?? 0) < (one.west ?? 0) ? Number.POSITIVE_INFINITY : (one.east ?? 0) / 1e7,
    );
    const high = degrees([...south, ...north]) * 111;
    const wide =
      degrees([...west, ...east]) * 111 * Math.cos((Math.min(...[...south, ...north].map(Math.abs)) * Math.PI) / 180);
    const polar = Math.max(...[...south, ...north].map(Math.abs)) > 80;
    if (polar || !(Math.hypot(high, wide) / 2 + km <= BUFFER_REACH)) {
      throw this.fail(
        i,
        `${this.quote(i)} is too large for a distance around it: at most ${BUFFER_REACH} km from its middle. Ask for boundaries within the distance.`,
      );
    }
    notes.push('every point within the distance, to 0.1 %');
    return { op: 'buffer', of, km };
  }

  private async side(step: Extract<Step, { op: 'side' }>, i: number, notes: string[]): Promise<ResolvedBoundary[]> {
    const region = this.regions[step.of];
    const members = membersOf(region);
    const [whole] = members;
    const centroid = whole?.boundary.centroid ?? null;
    if (region.op !== 'set' || members.length !== 1 || centroid === null) {
      throw this.fail(i, `${this.quote(i)} needs one boundary, whose centroid divides it.`);
    }
    const level = step.level ?? (await this.nextLevel(whole, i));
    const children = await this.children(step.of, level, i);
    notes.push(
      `${levelText(level)} whose centroid lies ${step.direction} of ${centroid.lat}, ${centroid.lon}, that of ${whole.name}`,
    );
    const dx = (lon: number) => ((lon - centroid.lon + 540) % 360) - 180;
    return children.filter(({ boundary }) => {
      const at = boundary.centroid;
      if (at === null) throw this.fail(i, `${boundary.name} has no centroid.`);
      if (step.direction.startsWith('north') && !(at.lat > centroid.lat)) return false;
      if (step.direction.startsWith('south') && !(at.lat < centroid.lat)) return false;
      if (step.direction.endsWith('east') && !(dx(at.lon) > 0)) return false;
      return !step.direction.endsWith('west') || dx(at.lon) < 0;
    });
  }

  /** The next admin level below a boundary that has polygons. */
  private async nextLevel(whole: ResolvedBoundary, i: number): Promise<number> {
    for (let level = (whole.admin_level ?? 12) + 1; level <= 11; level++) {
      type Row = { readonly id: string | null };
      const rows = await this.ctx.services.db.query<Row>(
        loadQuery('area_children'),
        [[whole.id], ...levelValues(level), 1],
        { signal: this.ctx.signal },
      );
      if (rows[0]?.id) return level;
    }
    throw this.fail(i, `${this.quote(i)}: ${whole.name} has no subdivisions here.`);
  }

  private measured(
    of: readonly ResolvedBoundary[],
    by: 'area' | 'population',
    i: number,
  ): (readonly [ResolvedBoundary, number])[] {
    const unknown: string[] = [];
    const values = of.map((one) => {
      const value = by === 'area' ? one.area_km2 : one.boundary.population;
      if (value === null) unknown.push(one.name);
      return [one, value ?? 0] as const;
    });
    if (unknown.length > 0) {
      const names = unknown.slice(0, 3).join(', ');
      throw this.fail(
        i,
        `${this.quote(i)} needs the ${by} of each, which is not known for ${unknown.length} of ${of.length}: ${names}${unknown.length > 3 ? ' and others' : ''}.`,
      );
    }
    return values;
  }

  private rank(of: readonly ResolvedBoundary[], step: Extract<Step, { op: 'rank' }>, i: number): ResolvedBoundary[] {
    if (of.length < step.count) throw this.fail(i, `${this.quote(i)} asks for ${step.count} of ${of.length}.`);
    const sign = step.order === 'most' ? -1 : 1;
    const values = this.measured(of, step.by, i).toSorted((a, b) => sign * (a[1] - b[1]));
    const last = values[step.count - 1];
    const next = values[step.count];
    if (next && next[1] === last[1])
      throw this.fail(i, `${this.quote(i)}: ${last[0].name} and ${next[0].name} are equal.`);
    return values.slice(0, step.count).map(([one]) => one);
  }
}

/** Pairs of boundaries that one step compares. */
const MOST_PAIRS = 20_000;

const byName = (a: ResolvedBoundary, b: ResolvedBoundary): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1;

type Scope =
  | { readonly kind: 'list'; readonly others: readonly number[] }
  | { readonly kind: 'level'; readonly level: Level }
  | { readonly kind: 'inside'; readonly level: Level }
  | { readonly kind: 'base'; readonly of: number };

const levelText = (level: Level): string =>
  typeof level === 'number' ? `boundaries of admin level ${level}` : `the level "${level}"`;

/** The boundaries that a region names: what is merged, and what is cut out of it. */
export function sidesOf(region: Region): {
  readonly include: readonly ResolvedBoundary[];
  readonly exclude: readonly ResolvedBoundary[];
} {
  return { include: membersOf(region), exclude: cutOf(region) };
}
