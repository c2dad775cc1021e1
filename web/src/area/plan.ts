import { href, now } from '../route.ts';

/** Characters of a description. */
export const MOST_CHARACTERS = 2_000;
/** Characters of a plan in an address: servers and browsers take at least 8,000 in all. */
const MOST_PLAN = 5_000;

export interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Candidate extends Named {
  readonly parents: readonly Named[];
}

/** A part of a description, by its characters. */
export interface Words {
  readonly text: string;
  readonly from: number | null;
  readonly to: number | null;
}

/** A step as a request has it; what else it has depends on its op. */
export interface GivenStep {
  readonly op: string;
  readonly name?: string;
  readonly id?: string;
  readonly words?: Words;
  readonly [member: string]: unknown;
}

/** A step as an answer has it. */
export interface Step extends GivenStep {
  readonly found: {
    readonly members: number;
    readonly place?: Named;
    readonly rivals?: readonly Candidate[];
    readonly because?: string;
    readonly notes?: readonly string[];
  };
}

export interface Plan {
  readonly reading: string;
  readonly planner: 'embedded' | 'model' | 'given';
  readonly choices: readonly string[];
  readonly steps: readonly Step[];
  readonly include: readonly Named[];
  readonly exclude: readonly Named[];
  readonly exact: boolean;
}

/** What is asked for: words, or the steps that they were corrected to. */
export interface Asked {
  readonly words: string;
  readonly steps: readonly GivenStep[] | null;
}

/** What create_area and save_file take for it. */
export const inputOf = ({ words, steps }: Asked): object => (steps ? { plan: { steps } } : { description: words });

/** The steps of a plan as a request has them: a name is looked up again unless its place was chosen. */
export function stepsOf({ words, steps }: Asked, plan: Plan): GivenStep[] {
  if (steps) return [...steps];
  return plan.steps.map(({ found: _, id, ...step }) => ({
    ...step,
    ...(step.name === undefined && id ? { id } : {}),
    // A short description of the whole is in `words` of the address already.
    words: step.words?.text === words ? undefined : step.words,
  }));
}

/** Steps with one place chosen among those of its name. */
export function withPlace(steps: readonly GivenStep[], at: number, { id, name }: Named): GivenStep[] {
  return steps.map((step, i) => (i === at ? { op: 'place', id, name, words: step.words } : step));
}

/** Steps whose result has a boundary more, or is without it. */
export function withMember(steps: readonly GivenStep[], { id, name }: Named, side: 'include' | 'exclude'): GivenStep[] {
  const result = steps.length - 1;
  const last =
    side === 'include'
      ? { op: 'union', of: [result, result + 1] }
      : { op: 'difference', of: result, minus: result + 1 };
  return [...steps, { op: 'place', id, name }, last];
}

/** The address of a description; `steps`: of what it was corrected to. */
export function addressOf(words: string, steps?: readonly GivenStep[], map?: string): string {
  return href('/area', { words, plan: steps && written(steps), map });
}

/** Goes to the address of a description as the map is now. */
export const addressHere = (words: string, steps?: readonly GivenStep[]): string =>
  addressOf(words, steps, now().query.get('map') ?? undefined);

function written(steps: readonly GivenStep[]): string {
  const whole = JSON.stringify(steps);
  // Without the words: they only say what a step was made of.
  return whole.length <= MOST_PLAN ? whole : JSON.stringify(steps.map(({ words: _, ...step }) => step));
}

/** Whether steps are too long for an address. */
export const isTooLong = (steps: readonly GivenStep[]): boolean => written(steps).length > MOST_PLAN;

const isStep = (value: unknown): value is GivenStep =>
  typeof value === 'object' && value !== null && 'op' in value && typeof value.op === 'string';

/** What an address asks for; steps that cannot be read are left out. The service checks the rest. */
export function readAsked(query: URLSearchParams): Asked {
  const words = (query.get('words') ?? '').trim().slice(0, MOST_CHARACTERS);
  try {
    const steps: unknown = JSON.parse(query.get('plan') ?? 'null');
    if (Array.isArray(steps) && steps.length > 0 && steps.every(isStep)) return { words, steps };
  } catch {
    // The words alone are asked for.
  }
  return { words, steps: null };
}

/** A description with an id in place of some of its words. */
export function corrected(words: string, { from, to }: Words, id: string): string {
  return from === null || to === null ? words : `${words.slice(0, from)}${id}${words.slice(to)}`;
}
