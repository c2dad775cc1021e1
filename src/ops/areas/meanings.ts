import { only } from '../../common/elements.ts';
import { readSetId } from '../../common/set_ids.ts';
import type { Step } from '../../domain/areas/algebra.ts';
import type { Meaning } from '../../domain/areas/choice.ts';
import { isOfLevel } from '../../domain/areas/levels.ts';
import { meaningOf } from '../../domain/areas/meaning.ts';
import { type Candidate, candidateOf } from '../../domain/areas/names.ts';
import { isArticle } from '../../domain/areas/no_names.ts';
import { firstOf, joined, said, term } from '../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { foldName } from '../../domain/names/fold.ts';
import { groupOf } from '../../domain/names/groups.ts';
import { cityAbroad, orInTheirCountry } from './abroad.ts';
import { homeElsewhere } from './city_doubts.ts';
import { homeOfCity } from './city_homes.ts';
import { codeInContext, mayDecide, meaningsOfCodes } from './codes.ts';
import { doubt } from './doubts.ts';
import { couldNotMap, type Unmapped } from './execution/findings.ts';
import type { PlanRun } from './execution/plan_run.ts';
import { certain, type Found, isSmall, kindOf, placed, placedAs } from './found.ts';
import {
  besideBorder,
  divided,
  likeNext,
  type Names,
  ofLevel,
  ofOneKind,
  oneOfBase,
  partOfBase,
  peer,
  scopeOf,
} from './in_context.ts';
import {
  divisionOfList,
  inCountryOfList,
  inOneDivision,
  inTheirCountry,
  isNameAlone,
  municipalityOfList,
} from './in_list.ts';
import { ofMixedLevel } from './mixed_levels.ts';
import { orOfEach } from './of_each_name.ts';
import { listedWith, type Scope, scopesOf } from './scopes.ts';

/** What the places and groups of a plan mean. The words around an ambiguous name decide. */
export class Meanings implements Names {
  private meanings: (Meaning | undefined)[] = [];
  private readonly scopes: Map<number, Scope>;
  readonly run: PlanRun;

  constructor(run: PlanRun) {
    this.run = run;
    this.scopes = scopesOf(run.plan);
  }

  /**
   * Looks up what every step names, before any is executed.
   * @throws could_not_map with all names that are not found, or with the readings of codes if no single one fits
   */
  async read(): Promise<void> {
    const asked = new Map<string, Promise<Meaning | undefined>>();
    this.meanings = await Promise.all(
      this.run.plan.steps.map((step) => {
        const key = JSON.stringify({ ...step, words: undefined });
        const meaning = asked.get(key) ?? this.mean(step);
        asked.set(key, meaning);
        return meaning;
      }),
    );
    for (const [i, meaning] of await meaningsOfCodes(this.run, (i) => this.foundAt(i))) {
      this.meanings[i] = meaning;
      this.scopes.delete(i);
    }
    await this.suggestHomes();
    this.refuseUnknown();
  }

  /** Puts the county that a city is in before the other candidates of its name: "the counties around Phoenix". */
  private async suggestHomes(): Promise<void> {
    for (const [i, meaning] of this.meanings.entries()) {
      const [scope, step] = [this.scopes.get(i), this.run.stepAt(i)];
      if (!meaning || 'found' in meaning || scope?.kind !== 'peer' || step.op !== 'place' || step.within !== undefined)
        continue;
      const home = await homeOfCity(this.run, step.name ?? '', scope.level);
      if (home === null || meaning.candidates[0]?.id === home.id) continue;
      const others = meaning.candidates.filter(({ id }) => id !== home.id);
      this.meanings[i] = { ...meaning, candidates: [candidateOf(home.boundary), ...others] };
    }
  }

  /** What the name of a step was found to mean; null for steps that name nothing. */
  foundAt(i: number): Found | null {
    const meaning = this.meanings[i];
    return meaning && 'found' in meaning ? meaning : null;
  }

  /** What a step names, with the places that a name prefers; undefined for steps that name nothing. */
  async mean(step: Step, scope: ((one: ResolvedBoundary) => boolean) | null = null): Promise<Meaning | undefined> {
    if (step.op === 'group') {
      const group = groupOf(step.name);
      return group ? undefined : { problem: 'not_found', candidates: [] };
    }
    if (step.op !== 'place') return undefined;
    if (step.id !== undefined) {
      const found = only(await this.run.reading.lookup([step.id]));
      if (found === null) return { problem: 'not_found', candidates: [] };
      return found.has_geometry ? certain(found) : { problem: 'no_geometry', candidates: [] };
    }
    const asked = { name: step.name ?? '', within: step.within, within_level: step.within_level, level: step.level };
    const { services, preferences } = this.run;
    if (!step.own) return (await this.wholeName(step, scope)) ?? meaningOf(services, asked, preferences, scope);
    const isOwn = ({ id }: { readonly id: string }): boolean => readSetId(id) !== null;
    const meaning = await meaningOf(services, asked, preferences, isOwn);
    if ('found' in meaning && isOwn(meaning.found))
      return { ...meaning, guessed: meaning.guessed.filter(isOwn), foreign: [] };
    const candidates = 'found' in meaning ? [] : meaning.candidates.filter(isOwn);
    return { problem: candidates.length > 0 ? 'ambiguous' : 'not_found', candidates };
  }

  /**
   * The place whose name has a word for a level in it that is not its own: "District of Columbia", a state.
   * Undefined if the name behind the level has a place of that level, or if the whole is not the name of one.
   */
  private async wholeName(
    { name, level, within, words }: Extract<Step, { op: 'place' }>,
    scope: ((one: ResolvedBoundary) => boolean) | null,
  ): Promise<Meaning | undefined> {
    if (level === undefined || within !== undefined || words === undefined || !words.text.endsWith(name ?? '')) return;
    const { services, preferences } = this.run;
    const leveled = await meaningOf(services, { name: name ?? '', within, level }, preferences, scope);
    if ('found' in leveled || leveled.problem !== 'not_found') return leveled;
    const [first = '', ...more] = words.text.split(' ');
    const wholes = isArticle(foldName(first)) ? [words.text, more.join(' ')] : [words.text];
    // "Provinz Kenia" has no level in its name, nor has one of "provinces: coastal Kenya".
    for (const whole of wholes.filter((text) => text.length > (name ?? '').length)) {
      const meaning = await meaningOf(services, { name: whole, within, level: undefined }, preferences, scope);
      if ('found' in meaning && !meaning.misspelled && meaning.found.name !== name) return meaning;
    }
    return leveled;
  }

  /** Says which place a name was taken for, if others are of nearly the same importance. */
  sayGuess(i: number, { found, guessed, rivals, misspelled }: Found): void {
    if (misspelled)
      this.run.choices.push(said`${this.run.quoteName(i)} is read as ${placed(found)}, which is one letter away`);
    const isElse = ({ parents }: Candidate): boolean =>
      this.isMixed(i) || (isSmall(found) && !parents.some(({ id }) => id === found.id));
    const open = isNameAlone(this.run.stepAt(i)) ? rivals.filter(isElse) : [];
    const others = guessed.length > 0 ? guessed.map(placed) : open.map(placedAs);
    if (others.length === 0 || misspelled) return;
    this.run.choices.push(
      said`${this.run.quoteName(i)} is read as ${placed(found)}; also so called: ${firstOf(others, 3)}`,
    );
  }

  /** Whether a name is listed with places of other kinds, so that another place of its name may be meant. */
  private isMixed(i: number): boolean {
    const scope = this.scopes.get(i);
    const beside = scope?.kind === 'list' || scope?.kind === 'level' ? scope.others : [];
    return new Set([i, ...beside].flatMap((k) => this.foundAt(k)?.found ?? []).map(kindOf)).size > 1;
  }

  /** Refuses places that are not found, and ambiguous ones that have no scope to decide. @throws could_not_map */
  private refuseUnknown(): void {
    const places: Unmapped[] = [];
    for (const [i, meaning] of this.meanings.entries()) {
      if (meaning === undefined || 'found' in meaning) continue;
      const step = this.run.stepAt(i);
      const scope = this.scopes.get(i);
      const isCode = step.op === 'place' && mayDecide(step.name ?? '', scope);
      if ((meaning.problem === 'ambiguous' && scope) || isCode) continue;
      places.push(this.explain(i, meaning));
    }
    if (places.length === 0) return;
    for (const [i, meaning] of this.meanings.entries()) {
      if (meaning && !('found' in meaning) && meaning.problem === 'ambiguous' && this.scopes.has(i))
        places.push(this.explain(i, meaning));
    }
    throw couldNotMap(places, this.run.language);
  }

  private explain(i: number, meaning: Exclude<Meaning, { found: unknown }>): Unmapped {
    const words = this.run.words(i);
    const name = this.run.quoteName(i);
    const text = words === null ? name : said`${name} (character ${words.from + 1})`;
    const { candidates } = meaning;
    const like = candidates.map(placedAs);
    const container = this.containerOf(i);
    const reason = {
      not_found:
        like.length === 0
          ? said`${text} is not found.`
          : said`${text} is not found; did you mean ${joined(like.slice(0, 3))}?`,
      ambiguous: said`${text} can mean several places: ${firstOf(like, 3, 'others')}. Say which, as in "Paris, Texas", or give country or near.`,
      elsewhere: said`${text} may mean a place that is not stored, or ${joined(like)}.`,
      no_container: said`${text}: no ${term(container.level)} called "${container.name}" contains it; did you mean ${joined(like.slice(0, 3))}?`,
      no_geometry: said`${text} has no polygon in the stored data.`,
    }[meaning.problem];
    return this.run.unmapped(i, reason, candidates);
  }

  /**
   * Both meanings of a name among boundaries of a level, if the large city of that name is in another one of the country:
   * "counties near Reno" are near the city in Nevada, or near the county in Kansas. Null if it is clear.
   */
  private async elsewhere(step: Step, scope: Scope | undefined, { found }: Found): Promise<Meaning | null> {
    if (scope?.kind !== 'peer' || step.op !== 'place' || step.level !== undefined || step.within !== undefined)
      return null;
    const home = isOfLevel(found.boundary, scope.level)
      ? await homeOfCity(this.run, step.name ?? '', scope.level)
      : null;
    if (home === null || home.id === found.id || home.boundary.country !== found.boundary.country) return null;
    return { problem: 'ambiguous', candidates: [home, found].map(({ boundary }) => candidateOf(boundary)) };
  }

  /** Whether a country or a division of the first level has the name of a step: "Washington, plus Lee County in Iowa". */
  private mayBeDivision(i: number): boolean {
    const meaning = this.meanings[i];
    const candidates = meaning && !('found' in meaning) ? meaning.candidates : [];
    return candidates.some(({ kind }) => kind === 'country' || kind === 'state');
  }

  /** What the words in front of a place say that contains it: its level and its name. */
  private containerOf(i: number): { readonly level: string; readonly name: string } {
    const step = this.run.stepAt(i);
    if (step.op !== 'place') return { level: '', name: '' };
    return { level: String(step.within_level ?? ''), name: step.within ?? '' };
  }

  /** Records what a step means, or the municipality or the division that the list around it asks for. */
  private async settle(step: Step, scope: Scope | undefined, i: number, found: Found): Promise<ResolvedBoundary> {
    this.meanings[i] = found;
    const other = (await municipalityOfList(this, step, scope, i)) ?? (await divisionOfList(this, step, scope, i));
    this.meanings[i] = other ?? found;
    return (other ?? found).found;
  }

  /** The boundary of a place step, by the results of the steps before it. @throws could_not_map */
  async place(step: Step, i: number): Promise<ResolvedBoundary> {
    let meaning = this.meanings[i];
    // Of "our" areas neither other places nor their levels decide.
    if (step.op === 'place' && step.own && meaning && 'found' in meaning) return meaning.found;
    const scope = this.scopes.get(i);
    const ambiguous = meaning !== undefined && !('found' in meaning);
    // "all cantons except Wiltz and Vianden" are cantons, and not the municipalities of these names.
    const member = scope === undefined ? null : await oneOfBase(this, step, scope);
    const like =
      (await codeInContext(this.run, step, scope)) ??
      (await ofMixedLevel(this, step, scope, i)) ??
      (await ofOneKind(this, step, scope, meaning)) ??
      (await partOfBase(this, step, scope, meaning)) ??
      (member === null ? await municipalityOfList(this, step, scope, i) : null) ??
      (ambiguous ? null : await inOneDivision(this, step, scope, i)) ??
      (await inTheirCountry(this, step, scope, i));
    if (like) {
      this.meanings[i] = like;
      return like.found;
    }
    if (scope && (ambiguous || scope.kind === 'base' || scope.kind === 'peer' || scope.kind === 'level')) {
      const isClear = ambiguous && !(scope.kind === 'list' && this.mayBeDivision(i));
      const one =
        (ambiguous ? await ofLevel(this, step, scope) : null) ??
        (isClear ? await likeNext(this, step, scope, i) : null) ??
        (isClear ? await inOneDivision(this, step, scope, i) : null) ??
        member ??
        (await peer(this, step, scope, meaning, i)) ??
        (await divided(this, step, scope, meaning));
      const home = one && scope.kind !== 'level' ? await this.cityMeant(step, scope, one.found, i) : null;
      if (one && home) {
        const candidates = [home, one.found].map(({ boundary }) => candidateOf(boundary));
        this.meanings[i] = { problem: 'ambiguous', candidates };
        throw couldNotMap(this.open(), this.run.language);
      }
      if (one && one === member) {
        this.meanings[i] = one;
        return one.found;
      }
      if (one) return this.settle(step, scope, i, one);
      const decides = ambiguous || scope.kind !== 'level' ? scopeOf(this, scope) : null;
      // An id needs no scope.
      if (decides && step.op === 'place' && step.id === undefined)
        meaning = (await besideBorder(this, step, scope)) ?? (await this.mean(step, decides));
      if (scope.kind === 'list' && meaning && !('found' in meaning) && meaning.problem === 'ambiguous')
        meaning = await this.mean(step, await inCountryOfList(this, scope.others));
    }
    if (meaning && 'found' in meaning && step.op === 'place' && step.id === undefined)
      meaning =
        (await this.elsewhere(step, scope, meaning)) ??
        (await orOfEach(this, step, scope, i, meaning.found)) ??
        (await orInTheirCountry(this, step, scope, i, meaning.found)) ??
        (await cityAbroad(this, step, scope, i, meaning)) ??
        (await doubt(this, { step, i, scope }, meaning));
    if (meaning && 'found' in meaning) return this.settle(step, scope, i, meaning);
    this.meanings[i] = meaning;
    if (!meaning) throw this.run.fail(i, said`${this.run.quote(i)} is not found.`);
    // Report all that are undecided at once.
    throw couldNotMap(this.open(), this.run.language);
  }

  /** All places that are undecided. */
  private open(): Unmapped[] {
    return this.meanings.flatMap((one, k) => (one && !('found' in one) ? [this.explain(k, one)] : []));
  }

  /** The county of a large city, where the words around it decided for another county of its name. */
  private async cityMeant(step: Step, scope: Scope, found: ResolvedBoundary, i: number) {
    if (step.op !== 'place') return null;
    const others = listedWith(scope).flatMap((k) => this.foundAt(k)?.found ?? []);
    return homeElsewhere(this.run, { step, i, scope }, found, others);
  }
}
