import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProblemError } from '../../src/core/errors.ts';
import { invoke } from '../../src/core/invoke.ts';
import { LOCAL_OPERATOR } from '../../src/core/op.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { createArea } from '../../src/ops/areas/create_area.ts';
import type { Services } from '../../src/services.ts';
import { servicesOf } from '../setup/services.ts';
import { openSeededEnvironment, type ProofEnvironment } from './environment.ts';

const US = ' (United States of America)';

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
    ['US states', 'the states of United States of America'],
    ['the five largest US states by population', 'the 5 most populous of (the states of United States of America)'],
    [
      'the five largest states of the US by population',
      'the 5 most populous of (the states of United States of America)',
    ],
    ['US states on the Canadian border', '(the states of United States of America) that border Canada'],
    ['the US and the UK', 'United States of America and United Kingdom'],
    [
      'the states of the USA without AK and HI',
      `(the states of United States of America) without (Alaska${US} and Hawaii${US})`,
    ],
    ['Chaves County, NM and Lea County, NM', 'the county of Chaves (New Mexico) and the county of Lea (New Mexico)'],
    ['Washington, DC', `District of Columbia${US}`],
    ['counties within 20 km of Washington, DC', `the counties within 20 km of District of Columbia${US}`],
    // A code behind a name says where it lies: not the two of them in silence.
    ['Alaska, TX', 'could_not_map'],
    ['Spain, UK and France', 'Spain; United Kingdom and France'],
    ['AK, HI', `Alaska${US} and Hawaii${US}`],
    ['Knox County, IL', 'the county of Knox (Illinois)'],
    // Small letters are words where they are any (or, in, de), else codes; a code of several names none.
    ['us states', 'the states of United States of America'],
    ['or counties', 'could_not_map'],
    ['in counties', 'could_not_map'],
    ['me counties', 'the counties of Maine (United States of America)'],
    ['de provinces', 'could_not_map'],
    ['the de states', 'could_not_map'],
    ['it regions', 'could_not_map'],
    ['counties of us', 'the counties of United States of America'],
    ['the uk regions', 'could_not_map'],
    ['us counties', 'the counties of United States of America'],
    ['uk and france', 'United Kingdom and France'],
    ['counties of LA', `the counties of Louisiana${US}`],
    ['las provincias de Andalucía', 'the provinces of Andalucía (Spain)'],
    // Codes of a list are of one kind.
    ['TX; OK; AR; LA', `Texas${US}; Oklahoma${US}; Arkansas${US} and Louisiana${US}`],
    ['WA, OR and IN', `Washington${US}; Oregon${US} and Indiana${US}`],
    ['Texas, OK and AR', `Texas${US}; Oklahoma${US} and Arkansas${US}`],
    ['CA and Mexico', 'Canada and Mexico'],
    ['TX and FR', 'could_not_map'],
    ['DE, AT and CH', 'Germany; Austria and Switzerland'],
    // A place in another one, which is not stored.
    ['Cuba, New Mexico', 'could_not_map'],
    ['Nevada, Missouri', 'could_not_map'],
    ['Poland, Ohio; China, Maine', 'could_not_map'],
    ['Toledo, Ohio', 'could_not_map'],
    // A place has its own name before a country that another language calls so.
    ['within 20 km of Granada', 'everything within 20 km of Granada (Andalucía)'],
    ['Spain and Granada', 'Spain and Granada (Andalucía)'],
    ['Barbados y Granada', 'could_not_map'],
    // Names that are in doubt.
    ['Jersey, New York and Connecticut', 'could_not_map'],
    ['Virgin Islands', 'could_not_map'],
    ['Northern Ireland', 'could_not_map'],
    ['South Holland', 'could_not_map'],
  ])('%s', async (description, expected) => {
    expect(await reading(description)).toBe(expected);
  });
});
