import { currentRoute, href } from '../route.ts';

/** Longest description, in characters. */
export const MOST_CHARACTERS = 2_000;
/** Longest plan in an address, in characters: servers and browsers accept at least 8,000 in all. */
const MOST_PLAN = 5_000;

export interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Candidate extends Named {
  readonly kind: string;
  readonly parents: readonly Named[];
}

/** A part of a description, by character offsets. */
export interface TextSpan {
  readonly text: string;
  readonly from: number | null;
  readonly to: number | null;
}

/** A step of a plan in a request; other members depend on its op. */
export interface RequestStep {
  readonly op: string;
  readonly name?: string;
  readonly id?: string;
  readonly words?: TextSpan;
  readonly [member: string]: unknown;
}

/** A step of a plan in a response. */
export interface Step extends RequestStep {
  readonly found: {
    readonly members: number;
    readonly place?: Named;
    readonly rivals?: readonly Candidate[];
    readonly because?: string;
    readonly notes?: readonly string[];
  };
}

export interface AreaPlan {
  readonly reading: string;
  readonly planner: 'embedded' | 'model' | 'given';
  readonly choices: readonly string[];
  readonly steps: readonly Step[];
  readonly include: readonly Named[];
  readonly exclude: readonly Named[];
  readonly exact: boolean;
}

/** A request: words, or the steps that they were corrected to. */
export interface AreaRequest {
  readonly words: string;
  readonly steps: readonly RequestStep[] | null;
}

/** The input of create_area and save_file. */
export const inputOf = ({ words, steps }: AreaRequest): object =>
  steps ? { plan: { steps } } : { description: words };

/** The steps of a plan for a request: a name is looked up again unless its place was chosen. */
export function stepsOf({ words, steps }: AreaRequest, plan: AreaPlan): RequestStep[] {
  if (steps) return [...steps];
  return plan.steps.map(({ found: _, id, ...step }) => ({
    ...step,
    ...(step.name === undefined && id ? { id } : {}),
    // Words that equal the whole description are already in `words` of the address.
    words: step.words?.text === words ? undefined : step.words,
  }));
}

/** The steps with one place chosen for a name. */
export function withPlace(steps: readonly RequestStep[], at: number, { id, name }: Named): RequestStep[] {
  return steps.map((step, i) => (i === at ? { op: 'place', id, name, words: step.words } : step));
}

/** The steps with a boundary added to their result, or cut out of it. */
export function withMember(
  steps: readonly RequestStep[],
  { id, name }: Named,
  side: 'include' | 'exclude',
): RequestStep[] {
  const result = steps.length - 1;
  const last =
    side === 'include'
      ? { op: 'union', of: [result, result + 1] }
      : { op: 'difference', of: result, minus: result + 1 };
  return [...steps, { op: 'place', id, name }, last];
}

/** The address of a description; `steps` are its corrected steps, if any. */
export function addressOf(words: string, steps?: readonly RequestStep[], map?: string): string {
  return href('/area', { words, plan: steps && serializeSteps(steps), map });
}

/** The address of a description at the current map view. */
export const addressHere = (words: string, steps?: readonly RequestStep[]): string =>
  addressOf(words, steps, currentRoute().query.get('map') ?? undefined);

function serializeSteps(steps: readonly RequestStep[]): string {
  const whole = JSON.stringify(steps);
  // Drop the words if needed: they only record where a step came from.
  return whole.length <= MOST_PLAN ? whole : JSON.stringify(steps.map(({ words: _, ...step }) => step));
}

/** Whether the steps are too long for an address. */
export const isTooLong = (steps: readonly RequestStep[]): boolean => serializeSteps(steps).length > MOST_PLAN;

const isStep = (value: unknown): value is RequestStep =>
  typeof value === 'object' && value !== null && 'op' in value && typeof value.op === 'string';

/** The request in an address. Ignores steps that cannot be parsed; the service validates the rest. */
export function parseRequest(query: URLSearchParams): AreaRequest {
  const words = (query.get('words') ?? '').trim().slice(0, MOST_CHARACTERS);
  try {
    const steps: unknown = JSON.parse(query.get('plan') ?? 'null');
    if (Array.isArray(steps) && steps.length > 0 && steps.every(isStep)) return { words, steps };
  } catch {
    // Not JSON: use the words alone.
  }
  return { words, steps: null };
}

/** The description with some of its words replaced by an id. */
export function replaceSpan(words: string, { from, to }: TextSpan, id: string): string {
  return from === null || to === null ? words : `${words.slice(0, from)}${id}${words.slice(to)}`;
}
