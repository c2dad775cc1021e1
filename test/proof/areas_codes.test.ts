import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProblemError } from '../../src/core/errors.ts';
import { invoke } from '../../src/core/invoke.ts';
import { LOCAL_OPERATOR } from '../../src/core/op.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { createArea } from '../../src/ops/areas/create_area.ts';
import type { Services } from '../../src/services.ts';
import { servicesOf } from '../setup/services.ts';
import { openSeededEnvironment, type ProofEnvironment } from './environment.ts';

/** In the seed data alone: among France's communes there is one that is called Us. */
describe('codes in capitals in descriptions', () => {
  let server: ProofEnvironment;
  let services: Services;
  beforeAll(async () => {
    server = await openSeededEnvironment();
    const { test, engine } = server;
    services = servicesOf({ db: test.db, boundaries: createBoundaries(test.db), engine, upstream: null });
  });
  afterAll(() => server?.close());

  async function reading(description: string): Promise<string> {
    const context = {
      caller: LOCAL_OPERATOR,
      address: null,
      requestId: 'test',
      signal: new AbortController().signal,
      deadline: Date.now() + 120_000,
      transport: 'rpc' as const,
      services,
      baseUrl: 'https://maps.example',
      headers: {},
    };
    try {
      const { body } = await invoke(createArea, { description, dry_run: true }, context);
      return (body as { plan: { reading: string } }).plan.reading;
    } catch (error) {
      if (error instanceof ProblemError) return error.code;
      throw error;
    }
  }

  it.each([
    ['US states', 'the states of US'],
    ['the five largest US states by population', 'the 5 most populous of (the states of US)'],
    ['the five largest states of the US by population', 'the 5 most populous of (the states of US)'],
    ['US states on the Canadian border', '(the states of US) that border iso:CA'],
    ['the US and the UK', 'US and UK'],
    ['the states of the USA without AK and HI', '(the states of USA) without (AK and HI)'],
    ['Chaves County, NM and Lea County, NM', 'the county of Chaves (NM) and the county of Lea (NM)'],
    ['Washington, DC', 'Washington, DC'],
    ['counties within 20 km of Washington, DC', 'the counties within 20 km of Washington, DC'],
    // A code behind a name says where it lies: not the two of them in silence.
    ['Alaska, TX', 'could_not_map'],
    ['Spain, UK and France', 'Spain; UK and France'],
    ['AK, HI', 'AK and HI'],
    ['Knox County, IL', 'the county of Knox (IL)'],
    // Small letters are words, and a code of several names none.
    ['us states', 'could_not_map'],
    ['counties of LA', 'could_not_map'],
    ['las provincias de Andalucía', 'the provinces of Andalucía'],
  ])('%s', async (description, expected) => {
    expect(await reading(description)).toBe(expected);
  });
});
