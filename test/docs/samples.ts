import { seedCountries } from '../../src/sources/seed/countries.ts';
import { seedSpain } from '../../src/sources/seed/spain.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { Sample } from '../../src/transports/docs/samples.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';

/**
 * Starts a test server with the countries of the world and Spain without most municipalities, to record samples from.
 */
export async function openSeeded(): Promise<BoundaryTestServer> {
  const server = await openBoundaryTestServer();
  for (const { source, boundaries } of [...seedCountries(), await seedSpain()]) {
    const deps = { db: server.services.db, engine: server.engine };
    const kept = boundaries.filter(({ adminLevel, codes, sourceId }) => {
      return (adminLevel ?? 0) <= 6 || [sourceId, ...codes].some((code) => /^(34\d{4})?41\d{3}$/.test(code));
    });
    await storeBoundaries(deps, { source: { ...source, seed: true }, file: source.id, boundaries: kept });
  }
  return server;
}

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
