import type { Sample } from '../../src/transports/docs/samples.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { countriesAndSpain } from '../setup/countries.ts';

/**
 * Starts a test server with the countries of the world and Spain without most municipalities, to record samples from.
 */
export const openSeeded = (): Promise<BoundaryTestServer> =>
  openBoundaryTestServer({}, {}, undefined, countriesAndSpain);

const ITEMS = 2;
const VERTICES = 4;
const CHARACTERS = 300;

/** Responses for the documentation: lists and texts shortened, secrets replaced, sorted by operation. */
export function sampled(answers: Readonly<Record<string, Sample>>): Record<string, Sample> {
  const names = Object.keys(answers).sort();
  return Object.fromEntries(names.map((name) => [name, shortened(answers[name]) as Sample]));
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    const text = value.replace(/bnd_live_\w+/g, (key) => `bnd_live_${'x'.repeat(key.length - 9)}`);
    return text.length > CHARACTERS ? `${text.slice(0, CHARACTERS)}…` : text;
  }
  if (Array.isArray(value)) {
    const isRing = Array.isArray(value[0]) && typeof value[0][0] === 'number';
    // Keep a ring closed.
    if (isRing && value.length > VERTICES) return [...value.slice(0, VERTICES - 1), value.at(-1)];
    const isNumbers = value.length <= VERTICES && typeof value[0] === 'number';
    return (isNumbers ? value : value.slice(0, ITEMS)).map(shortened);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
}
