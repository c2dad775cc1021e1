import type { Step } from '../../domain/areas/algebra.ts';
import type { Meaning } from '../../domain/areas/choice.ts';
import { candidateOf } from '../../domain/areas/names.ts';
import { LANGUAGES } from '../../domain/areas/vocabulary/vocabulary.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { foldName } from '../../domain/names/fold.ts';
import type { PlanRun } from './execution/plan_run.ts';
import { type Found, kindOf } from './found.ts';
import type { Names } from './in_context.ts';
import type { Scope } from './scopes.ts';

/** A place of a plan, its step, and what it is listed with or taken out of. */
export interface Listed {
  readonly step: Extract<Step, { op: 'place' }>;
  readonly i: number;
  readonly scope: Scope | undefined;
}

/** A place whose meaning is examined. */
export interface Examined extends Listed {
  readonly names: Names;
  readonly run: PlanRun;
  readonly meaning: Found;
  readonly found: ResolvedBoundary;
  readonly name: string;
  /** Whether its name has neither a level nor a container. */
  readonly isBare: boolean;
  /** What the others of its list mean. */
  readonly others: readonly ResolvedBoundary[];
}

/** A reason to doubt a meaning: the meaning or problem in its place. Null where it decides nothing; it may add a choice. */
export type Doubt = (place: Examined) => Promise<Meaning | null> | Meaning | null;

/** The problem that a name may mean another place, too. Null without one. */
export const ambiguous = (other: ResolvedBoundary | null, { found }: Pick<Examined, 'found'>): Meaning | null =>
  other && { problem: 'ambiguous', candidates: [other, found].map(({ boundary }) => candidateOf(boundary)) };

/** The problem that a place of another name or country is meant. */
export const isElsewhere = ({ found }: Examined): Meaning => ({
  problem: 'elsewhere',
  candidates: [candidateOf(found.boundary)],
});

/** The first of the others of a list, if all are of its kind. */
export function kindOfAll(others: readonly ResolvedBoundary[]): ResolvedBoundary | undefined {
  const [first] = others;
  return first !== undefined && others.every((other) => kindOf(other) === kindOf(first)) ? first : undefined;
}

/** Whether a country has a name in a language that is read. */
export const isReadAs = (name: string, { boundary: { country } }: Pick<ResolvedBoundary, 'boundary'>): boolean =>
  COUNTRIES.some((names) => foldName(names.of(country ?? '') ?? '') === foldName(name));

const COUNTRIES = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region' }));

/** Whether the caller says in which country, or near which point, places are. */
export function isNarrowed({ preferences: { country, near } }: PlanRun): boolean {
  return (country ?? []).length > 0 || near !== undefined;
}

/** What steps were found to mean, those that were. */
export const foundOf = (names: Names, steps: readonly number[]): readonly ResolvedBoundary[] =>
  steps.flatMap((k) => names.foundAt(k)?.found ?? []);
