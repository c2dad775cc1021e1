import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { areaGroups, groupNames, isTerritory, saysCountries } from '../../src/domain/names/groups.ts';
import { Draw, type Stored, storedOf } from '../search/made.ts';
import { leading } from '../setup/elements.ts';
import { idsOf, openPlanning, type PlanAnswer, type Planning } from './planned.ts';

/** Descriptions of one class. */
const COUNT = 20;

describe('descriptions made by rule from the stored names', { timeout: 600_000 }, () => {
  const draw = new Draw();
  let planning: Planning;
  let states: Stored[];
  let provinces: Stored[];
  let communities: Stored[];
  let counties: Stored[];
  let countries: Stored[];

  beforeAll(async () => {
    planning = await openPlanning();
    const { test } = planning.server;
    states = await storedOf(test.db, 'US', 4);
    provinces = await storedOf(test.db, 'ES', 6);
    communities = await storedOf(test.db, 'ES', 4);
    counties = await storedOf(test.db, 'US', 6);
    countries = await test.db.query<Stored>(
      "select id, name, country, kind, iso, admin_level from boundary where kind = 'country' and has_geometry and country = iso order by id",
    );
  }, 600_000);
  afterAll(() => planning?.close());

  const plan = (asked: string | readonly object[]): Promise<PlanAnswer | null> => planning.plan(asked);
  /** Why a description is refused. */
  const refusal = async (description: string): Promise<string> => (await planning.refused(description)).message;
  const message = (description: string): string => `${description} (MADE_SEED=${draw.seed})`;

  /** Expects that a description gives these boundaries, and the steps of its plan the same ones. */
  async function expectArea(description: string, include: readonly Stored[], exclude: readonly Stored[] = []) {
    const found = await plan(description);
    expect(found && [idsOf(found.include), idsOf(found.exclude)], message(description)).toEqual([
      idsOf(include),
      idsOf(exclude),
    ]);
    if (found === null) return;
    const steps = found.steps.map((step) => ({ ...step, found: undefined }));
    const again = await plan(JSON.parse(JSON.stringify(steps)));
    expect(again && [idsOf(again.include), idsOf(again.exclude)], message(description)).toEqual([
      idsOf(include),
      idsOf(exclude),
    ]);
  }

  const code = ({ iso }: Stored): string => (iso ?? '').slice(-2);

  /** Names as people list them. */
  function listed(names: readonly string[]): string {
    const last = names.slice(0, -1).join(', ');
    const coded = names.every((name) => /^[A-Z]{2}$/.test(name)) ? [names.join('/')] : [];
    return draw.one([`${last} and ${names.at(-1)}`, names.join('; '), `${last}, and ${names.at(-1)}`, ...coded]);
  }

  it('codes of states are read together, though some are codes of countries', async () => {
    const shared = states.filter((state) => countries.some(({ iso }) => iso === code(state)));
    expect(shared.length).toBeGreaterThan(20);
    for (let i = 0; i < COUNT; i++) {
      const first = draw.one(shared);
      const others = states.filter((one) => one !== first);
      const some = [first, ...draw.some(others, 1 + draw.below(4))];
      const description = listed(some.map(code));
      // Two autonomous communities of Spain have the codes AR and NC, too.
      const inSpain = some.every((one) => communities.some(({ iso }) => iso?.slice(3) === code(one)));
      if (inSpain) expect(await plan(description), message(description)).toBeNull();
      else await expectArea(description, some);
    }
  });

  it('codes of states beside names of states are states, and codes of no common country are refused', async () => {
    const shared = states.filter((state) => countries.some(({ iso }) => iso === code(state)));
    const onlyCountries = countries.filter(({ iso }) => !states.some((state) => code(state) === iso));
    const onlyStates = states.filter((state) => !countries.some(({ iso }) => iso === code(state)));
    for (let i = 0; i < COUNT; i++) {
      const one = draw.one(shared);
      const [other] = leading(
        draw.some(
          states.filter((state) => state !== one && !/Washington|Georgia|New York| of /.test(state.name)),
          1,
        ),
        1,
      );
      await expectArea(`${other.name} and ${code(one)}`, [other, one]);
      const codes = [code(draw.one(onlyStates)), draw.one(onlyCountries).iso ?? ''];
      const mixed = listed(codes);
      // OR and SO are Ourense and Soria, of Spain.
      const common = await planning.server.test.db.query(
        `select from boundary where split_part(iso, '-', 2) = any ($1)
         group by split_part(iso, '-', 1), admin_level having count(distinct iso) = 2`,
        [codes],
      );
      expect((await plan(mixed)) === null, message(mixed)).toBe(common.length === 0);
    }
  });

  it('a town that is called as a country or a state is not the country and its state', async () => {
    const english = new Intl.DisplayNames('en', { type: 'region' });
    for (let i = 0; i < COUNT; i++) {
      const state = draw.one(states);
      const town = draw.one([english.of(draw.one(countries).iso ?? '') ?? '', draw.one(states).name]);
      if (town === state.name) continue;
      const description = `${town}, ${state.name}`;
      const found = await plan(description);
      // A county of that name is in the state.
      if (found === null) continue;
      const stored = only(
        await planning.server.test.db.query<{ readonly count: number }>(
          'select count(*)::integer as count from boundary_parent where child = $1 and parent = $2',
          [defined(found.include[0]).id, state.id],
        ),
      );
      expect([found.include.length, stored.count], message(description)).toEqual([1, 1]);
    }
  });

  const inState = (state: Stored): Stored[] => counties.filter(({ within }) => within === state.name);
  /** Counties with names of letters alone, which no other county of the state has. */
  const plain = (list: readonly Stored[]): Stored[] =>
    list.filter(
      ({ name }) => /^[A-Z][a-z]{4,}$/.test(name) && list.filter((other) => other.name.startsWith(name)).length === 1,
    );

  it('a level and a state behind a list are those of all its names', async () => {
    for (let i = 0; i < COUNT / 2; i++) {
      const state = draw.one(states.filter((one) => plain(inState(one)).length > 3 && !/ of /.test(one.name)));
      const some = draw.some(plain(inState(state)), 2 + draw.below(2));
      const names = `${some
        .slice(0, -1)
        .map(({ name }) => name)
        .join(', ')} and ${some.at(-1)?.name} counties`;
      await expectArea(draw.one([`${names} in ${state.name}`, `${names}, ${state.name}`]), some);
    }
  });

  it('a number of boundaries is checked', async () => {
    for (const state of draw.some(
      states.filter((one) => inState(one).length > 1 && !/ of /.test(one.name)),
      COUNT / 4,
    )) {
      const all = inState(state);
      await expectArea(
        draw.one([`all ${all.length} counties of ${state.name}`, `the ${all.length} counties of ${state.name}`]),
        all,
      );
      const wrong = `the ${all.length + 1 + draw.below(5)} counties of ${state.name}`;
      expect(await plan(wrong), message(wrong)).toBeNull();
    }
  });

  it('lists in lines, with bullets or numbers, and with "include" and "exclude" are lists', async () => {
    for (let i = 0; i < COUNT / 4; i++) {
      const some = draw.some(
        provinces.filter(
          ({ name }) => /^[A-Z][a-z]+$/.test(name) && !communities.some((one) => one.name.includes(name)),
        ),
        3,
      );
      const names = some.map(({ name }) => name);
      const bullet = draw.one(['- ', '* ', '• ']);
      await expectArea(names.map((name) => `${bullet}${name}`).join('\n'), some);
      await expectArea(names.map((name, k) => `${k + 1}. ${name}`).join(draw.one(['\n', ' '])), some);
      await expectArea(names.join('\n'), some);
    }
    const without = async (description: string) => {
      const found = await plan(description);
      return found && [found.include.map(({ name }) => name), found.exclude.map(({ name }) => name)];
    };
    expect(await without('include: Spain, Portugal; exclude: Madrid')).toEqual([['Spain', 'Portugal'], ['Madrid']]);
    expect(await without('incluir: España; excluir: Andalucía')).toEqual([['Spain'], ['Andalucía']]);
    // What lies outside is excluded, too, and said.
    expect(await without('Andalucía sin Sevilla ni Madrid')).toEqual([['Andalucía'], ['Sevilla', 'Madrid']]);
    expect((await plan('Andalucía sin Sevilla ni Madrid'))?.choices[0]).toContain('Madrid');
    expect(await without('Andalucía sin Madrid')).toBeNull();
  });

  it('states that meet a country only in a lake do not border it, and the plan names those that are near', async () => {
    const found = await plan('US states that border Canada');
    const names = found?.include.map(({ name }) => name) ?? [];
    expect(names).toContain('New York');
    expect(names.filter((name) => name === 'Ohio' || name === 'Pennsylvania')).toEqual([]);
    expect(found?.choices.join()).toContain('Ohio');
  });

  it('adjectives of states and communities are those places', async () => {
    const adjectives: [string, string][] = [
      ...[
        ['Texan counties', 'US-TX'],
        ['Ohioan counties', 'US-OH'],
        ['North Carolinian counties', 'US-NC'],
        ['condados californianos', 'US-CA'],
        ['Louisianan parishes', 'US-LA'],
        ['parishes of Louisiana', 'US-LA'],
      ].map(([text, iso]): [string, string] => [defined(text), defined(iso)]),
      ...[
        ['provincias andaluzas', 'ES-AN'],
        ['Galician provinces', 'ES-GA'],
        ['provincias aragonesas', 'ES-AR'],
        ['katalanische Provinzen', 'ES-CT'],
        ['les provinces basques', 'ES-PV'],
      ].map(([text, iso]): [string, string] => [defined(text), defined(iso)]),
    ];
    for (const [description, iso] of adjectives) {
      const of = [...states, ...communities].find((one) => one.iso === iso);
      const list = (iso.startsWith('US') ? counties : provinces).filter(({ within }) => within === of?.name);
      expect(list.length, description).toBeGreaterThan(2);
      await expectArea(description, list);
    }
    expect(await plan('parishes of Texas')).toBeNull();
  });

  it('an ordinal is one of a rank, in four languages', async () => {
    const state = draw.one(states.filter((one) => inState(one).length > 12 && !/ of /.test(one.name)));
    const rows = await planning.server.test.db.query<Stored & { readonly area_km2: number }>(
      'select id, name, area_km2 from boundary where id = any ($1) order by area_km2 desc',
      [inState(state).map(({ id }) => id)],
    );
    const words = ['second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
    for (const [i, word] of words.entries()) {
      await expectArea(`the ${word} largest county of ${state.name}`, [defined(rows[i + 1])]);
      await expectArea(`the ${word} smallest county of ${state.name}`, [defined(rows.at(-2 - i))]);
      await expectArea(`the ${i + 4}th largest county of ${state.name}`, [defined(rows[i + 3])]);
    }
    const second = await plan('the second largest province of Spain');
    for (const other of [
      'la segunda provincia más grande de España',
      'die zweitgrößte Provinz Spaniens',
      "la deuxième plus grande province d'Espagne",
    ])
      expect((await plan(other))?.include, other).toEqual(second?.include);
  });

  it('the large city of a name says which of its counties is meant among neighbors', async () => {
    const found = await plan('the counties around Dallas');
    const direct = await plan('the counties that border Dallas County, Texas');
    expect(found && idsOf(found.include)).toEqual(direct && idsOf(direct.include));
    expect(found?.choices[0]).toContain('Dallas in Texas');
    // Franklin has no large city.
    expect(await plan('the counties around Franklin')).toBeNull();
  });

  it('the countries of a continent are those without its territories, and former states are their successors', async () => {
    for (const name of ['Africa', 'Europe', 'South America']) {
      const found = await plan(`countries of ${name}`);
      const all = await plan(name);
      expect(all?.include.length, name).toBeGreaterThanOrEqual(found?.include.length ?? 0);
      expect(found?.include.length, name).toBeGreaterThan(10);
    }
    const former = await plan('the former Yugoslavia');
    expect(former?.include.length).toBe(7);
    expect(JSON.stringify(former?.steps)).toContain('successors');
    expect((await plan('EU in 2019'))?.include.length).toBe(28);
    expect((await plan('EU in 2021'))?.include.length).toBe(27);
    // Iberia is a parish, Schengen a town.
    expect((await plan('Iberia Parish, Louisiana'))?.include.map(({ name }) => name)).toEqual(['Iberia']);
  });

  it('a request around a description is left out', async () => {
    const requests = [
      'Please show me a map of _',
      'I want an outline of _',
      '_ combined',
      'the union of _',
      'draw _ please',
    ];
    for (const request of requests) {
      const [one, other] = leading(draw.some(plain(provinces), 2), 2);
      const bare = await plan(`${one.name} and ${other.name}`);
      const found = await plan(request.replace('_', `${one.name} and ${other.name}`));
      expect(found?.include, request).toEqual(bare?.include);
    }
    expect((await plan('quiero un mapa de las provincias de Andalucía'))?.include.length).toBe(8);
    expect((await plan('Zeige mir eine Karte der Provinzen Andalusiens'))?.include.length).toBe(8);
    expect((await plan("montre-moi une carte des provinces d'Andalousie"))?.include.length).toBe(8);
  });

  it('a description in another language says which are understood', async () => {
    for (const description of [
      'tutte le province della Spagna',
      'todas as províncias da Andaluzia',
      'все провинции Испании',
      'Texas och Oklahoma',
    ])
      expect(await refusal(description), description).toContain('English, Spanish, German and French');
    for (const description of ['the zorgly lands', 'Zorgly and Texas', 'la provincia de Zorgly', 'Zorgly'])
      expect(await refusal(description), description).not.toContain('English, Spanish');
  });

  it('every group of stored places is found, and its name and other names mean its members', async () => {
    const { db } = planning.server.test;
    const rows = await db.query<{ readonly id: string; readonly iso: string }>(
      'select id, iso from boundary where has_geometry and iso is not null',
    );
    const stored = new Set(rows.map(({ iso }) => iso));
    for (const { name, members } of areaGroups()) {
      // The divisions of most countries are not part of the seed data.
      const missing = members.filter((code) => !stored.has(code));
      if (missing.length > 0) {
        expect(
          missing.every((code) => code.includes('-')),
          name,
        ).toBe(true);
        expect(await refusal(name), name).toContain(missing[0]);
        continue;
      }
      const found = await plan(name);
      expect(found?.include.length, name).toBe(members.length);
      const codeOf = new Map(rows.map(({ id, iso }) => [id, iso]));
      // "African states" are those of Africa without its territories; "United States territories" are nothing else.
      const isMixed = !members.every(isTerritory);
      const isSaid = (other: string, id: string): boolean =>
        !isMixed || !saysCountries(other) || !isTerritory(defined(codeOf.get(id)));
      for (const other of draw.some(groupNames(name), 4)) {
        const again = await plan(other);
        const wanted = idsOf(found?.include ?? []).filter((id) => isSaid(other, id));
        expect(again && idsOf(again.include), other).toEqual(wanted);
      }
    }
  });

  it('a bare name in the place of one of a level is of that level', async () => {
    expect((await plan('provinces that border Madrid'))?.include.map(({ name }) => name)).toContain('Toledo');
    expect((await plan('municipios de Madrid'))?.include.length).toBe(179);
  });

  it('ranges and letters select', async () => {
    const some = await plan('counties of Texas between 500 and 1,000 km2');
    const rows = await planning.server.test.db.query<{ readonly id: string }>(
      "select b.id from boundary b join boundary_parent p on p.child = b.id join boundary t on t.id = p.parent and t.iso = 'US-TX' where b.admin_level = 6 and b.area_km2 > 500 and b.area_km2 < 1000",
    );
    expect(some && idsOf(some.include)).toEqual(idsOf(rows));
    const named = await plan('counties of Texas beginning with the letter M');
    expect(named?.include.every(({ name }) => name.startsWith('M'))).toBe(true);
  });

  it('the reading names the place that was chosen and what contains it', async () => {
    const named = provinces.filter(({ name }) => /^\p{L}+$/u.test(name));
    for (const one of draw.some(named, COUNT / 2)) {
      const found = await plan(`the province of ${one.name}`);
      expect(found?.reading, message(one.name)).toContain(one.name);
      if (one.within !== null && one.within !== one.name) expect(found?.reading).toContain(one.within);
    }
  });

  it('a guess between places of nearly the same importance is said at once', async () => {
    const found = await plan('within 20 km of Granada');
    expect(found?.choices).toEqual([
      '"Granada" is read as Granada in Andalucía; also so called: Grenada',
      '"Granada" is the place that contains the municipality of that name; for that, write "the municipality of Granada"',
    ]);
  });
});
