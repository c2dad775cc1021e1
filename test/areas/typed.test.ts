import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Draw, type Stored, storedOf } from '../search/made.ts';
import { idsOf, openPlanning, type PlanAnswer, type Planning } from './planned.ts';

/** Descriptions of one class. */
const COUNT = 12;

describe('descriptions as people type them, made by rule from the stored names', { timeout: 600_000 }, () => {
  const draw = new Draw();
  let planning: Planning;
  let states: Stored[];
  let provinces: Stored[];
  let counties: Stored[];

  beforeAll(async () => {
    planning = await openPlanning();
    const { db } = planning.server.test;
    states = await storedOf(db, 'US', 4);
    provinces = await storedOf(db, 'ES', 6);
    counties = await storedOf(db, 'US', 6);
  }, 600_000);
  afterAll(() => planning?.close());

  const plan = (asked: string | readonly object[]): Promise<PlanAnswer | null> => planning.plan(asked);
  const message = (description: string): string => `${description} (MADE_SEED=${draw.seed})`;
  const inState = (state: Stored): Stored[] => counties.filter(({ within }) => within === state.name);
  const namesOf = (found: PlanAnswer | null): string[] => found?.include.map(({ name }) => name) ?? [];

  /** Expects that a description gives these boundaries, without what it leaves out. */
  async function expectArea(description: string, include: readonly Stored[], exclude: readonly Stored[] = []) {
    const found = await plan(description);
    expect(found && [idsOf(found.include), idsOf(found.exclude)], message(description)).toEqual([
      idsOf(include),
      idsOf(exclude),
    ]);
  }

  it('a word for a level of other countries is refused, and Alaska has boroughs', async () => {
    const words = ['oblasts', 'voivodeships', 'prefectures', 'ken', 'boroughs', 'cantons', 'parishes'];
    for (const word of words) {
      const of = draw.one(['Spain', 'France', 'Ohio', 'Galicia']);
      expect(await plan(`${word} of ${of}`), message(`${word} of ${of}`)).toBeNull();
    }
    const alaska = inState(states.find(({ iso }) => iso === 'US-AK') as Stored);
    for (const description of ['boroughs of Alaska', 'the boroughs and census areas of Alaska'])
      await expectArea(description, alaska);
    expect((await plan('boroughs of Alaska'))?.choices.join()).toContain('census areas');
  });

  it('the District of Columbia is counted among the states, which is said, but not among the 50', async () => {
    expect((await plan('US states'))?.choices.join()).toContain('District of Columbia');
    const fifty = states.filter(({ iso }) => iso !== 'US-DC');
    await expectArea('the 50 US states', fifty);
    await expectArea('all 51 states of the United States', states);
    expect(await plan('the 52 US states')).toBeNull();
  });

  it('territories are not countries of a continent', async () => {
    for (const [continent, territory] of [
      ['Africa', 'Saint Helena, Ascension and Tristan da Cunha'],
      ['Europe', 'Gibraltar'],
      ['Oceania', 'Pitcairn Islands'],
    ]) {
      const found = await plan(`countries of ${continent}`);
      expect(found?.include.length, continent).toBeGreaterThan(10);
      expect(namesOf(found), continent).not.toContain(territory);
      expect(namesOf(await plan(continent)), continent).toContain(territory);
    }
  });

  it('adjectives with "and" between them are places of one level, never slips in other names', async () => {
    const adjectives = {
      'ES-GA': ['gallegas', 'Galician', 'galicische'],
      'ES-AS': ['asturianas', 'Asturian', 'asturische'],
      'ES-AR': ['aragonesas', 'Aragonese', 'aragonesische'],
      'ES-CT': ['catalanas', 'Catalan', 'katalanische'],
      'ES-CL': ['castellanoleonesas', 'Castilian-Leonese', ''],
    };
    const communities = await storedOf(planning.server.test.db, 'ES', 4);
    for (let i = 0; i < COUNT; i++) {
      const some = draw.some(Object.entries(adjectives), 2);
      const wanted = provinces.filter(({ within }) =>
        some.some(([iso]) => communities.find((one) => one.iso === iso)?.name === within),
      );
      const words = (k: number): string[] => some.map(([, list]) => list[k]);
      await expectArea(`provincias ${words(0).join(' y ')}`, wanted);
      await expectArea(`${words(1).join(' and ')} provinces`, wanted);
      if (!words(2).includes('')) await expectArea(`${words(2).join(' und ')} Provinzen`, wanted);
    }
  });

  it('a town with the end of the name of a division of the first level is in doubt', async () => {
    expect(await plan('Carolina')).toBeNull();
    expect(namesOf(await plan('Carolina, Puerto Rico'))).toEqual(['Carolina']);
  });

  it('a county is in the state behind it, though a state has its name', async () => {
    for (const state of states) {
      const named = counties.filter((one) => one.name === state.name && one.within !== state.name);
      for (const one of draw.some(named, 1)) await expectArea(`${one.name} County, ${one.within}`, [one]);
    }
  });
});
