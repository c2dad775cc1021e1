import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { Draw, type Stored, storedOf } from '../search/made.ts';
import { leading } from '../setup/elements.ts';
import { wantedOf } from './expected.ts';
import { idsOf, openPlanning, type PlanAnswer, type Planning } from './planned.ts';

/** Descriptions of one class. */
const COUNT = 12;

describe('descriptions as people type them, made by rule from the stored names', { timeout: 600_000 }, () => {
  // Every description has to be right, so that no day may bring new ones.
  const draw = new Draw(20_783);
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

  it('states and communities by their names in German, French and Spanish', async () => {
    const all = [...states, ...(await storedOf(planning.server.test.db, 'ES', 4))];
    for (const [iso, names] of Object.entries({
      'US-NM': 'Neumexiko, Nouveau-Mexique, Nuevo México',
      'US-VA': 'Virginien, Virginie',
      'US-ND': 'Nord-Dakota, Norddakota, Dakota du Nord',
      'US-SC': 'Süd-Carolina, Südkarolina, Carolina del Sur',
      'US-NH': 'Nueva Hampshire, Nuevo Hampshire',
      'US-TX': 'Tejas',
      'ES-CL': 'Kastilien-León, Kastilien und León, Castille-et-León',
    }))
      for (const name of names.split(', '))
        await expectArea(
          name,
          all.filter((one) => one.iso === iso),
        );
  });

  it('the District of Columbia is counted among the states, which is said, but not among the 50', async () => {
    expect((await plan('US states'))?.choices.join()).toContain('District of Columbia');
    const fifty = states.filter(({ iso }) => iso !== 'US-DC');
    await expectArea('the 50 US states', fifty);
    await expectArea('all 51 states of the United States', states);
    expect(await plan('the 52 US states')).toBeNull();
    // It is not a state to choose: "the smallest", "that begin with D".
    const coded = (...codes: string[]) => states.filter(({ iso }) => codes.includes(iso ?? ''));
    await expectArea('the three smallest US states', coded('US-RI', 'US-DE', 'US-CT'));
    await expectArea('le plus petit État des États-Unis', coded('US-RI'));
    await expectArea('US states that begin with D', coded('US-DE'));
    await expectArea('US-Bundesstaaten unter 5.000 km2', coded('US-RI'));
    expect((await plan('the smallest US state'))?.choices).toEqual([
      'District of Columbia is left out: it is not a state',
    ]);
  });

  it('a name with a word for a level that is not its own, or with commas, is one place', async () => {
    const dc = defined(states.filter(({ iso }) => iso === 'US-DC')[0]);
    await expectArea('District of Columbia', [dc]);
    const [ohio, utah] = leading(
      ['US-OH', 'US-UT'].map((code) => states.find(({ iso }) => iso === code) as Stored),
      2,
    );
    await expectArea('the District of Columbia, Ohio and Utah', [dc, ohio, utah]);
    for (const name of ['Bonaire, Sint Eustatius and Saba', 'Saint Helena, Ascension and Tristan da Cunha'])
      expect((await plan(name))?.include, name).toHaveLength(1);
    const commas = (await storedOf(planning.server.test.db, 'ES', 8)).filter(({ name }) => name.includes(', '));
    expect(commas.length).toBeGreaterThan(0);
    for (const one of commas) await expectArea(one.name, [one]);
  });

  it('codes of divisions are places wherever a name is one', async () => {
    const short = provinces.filter(({ iso }) => iso && /-.$/.test(iso));
    expect(short.length).toBeGreaterThan(10);
    const beside = draw.some(
      states.filter(({ iso }) => iso),
      short.length,
    );
    for (const [k, one] of short.entries()) {
      const other = beside[k] as Stored;
      await expectArea(`${one.iso} and ${other.iso}`, [one, other]);
      await expectArea(`${one.iso}, ${other.iso}`, [one, other]);
      await expectArea(`${other.name} und ${one.iso}`, [one, other]);
      await expectArea(one.iso as string, [one]);
    }
    const andalusia = (await storedOf(planning.server.test.db, 'ES', 4)).filter(({ iso }) => iso === 'ES-AN');
    const jaen = provinces.filter(({ iso }) => iso === 'ES-J');
    for (const description of ['ES-AN without ES-J', 'ES-AN sin ES-J', 'Andalusien ohne ES-J'])
      await expectArea(description, andalusia, jaen);
  });

  it.each([
    'US states west of the Mississippi',
    'Illinois south of the Ohio',
    'within 10 km of the Colorado',
    'Kentucky and the Tennessee',
    'Pennsylvania und der Ohio',
    'die Bundesstaaten der USA westlich des Missouri',
    'the countries that border the Niger',
  ])('a river with the name of a state or country is not that: %s', async (description) => {
    expect((await planning.refused(description)).message).toContain('is a river');
  });

  it('a state with the name of a river is read without an article, or where its language writes one', async () => {
    const ohio = defined(states.find(({ iso }) => iso === 'US-OH'));
    const delaware = defined(states.find(({ iso }) => iso === 'US-DE'));
    await expectArea('the Delaware counties and Ohio', [...inState(delaware), ohio]);
    await expectArea("l'Ohio et le Delaware", [ohio, delaware]);
    expect((await plan("l'Ohio et le Delaware"))?.choices.join()).toContain('not as the river');
    expect((await plan('the state of Delaware'))?.choices.join()).not.toContain('river');
  });

  it('requests in more words, and "only" around a place, are left out', async () => {
    const utah = defined(states.find(({ iso }) => iso === 'US-UT'));
    for (const words of ['just X', 'X only', 'only X', 'nur X', 'X solamente', 'Donnez-moi X', 'Ich möchte X haben'])
      await expectArea(words.replace('X', 'Utah'), [utah]);
    expect(await plan('Utah, but only Salt Lake County')).toBeNull();
    const basque = defined((await storedOf(planning.server.test.db, 'ES', 4)).find(({ iso }) => iso === 'ES-PV'));
    for (const words of ['le Pays basque', 'Utah et le Pays basque'])
      await expectArea(words, words.startsWith('Utah') ? [utah, basque] : [basque]);
  });

  it('"both" asks for two places, and names of a pair are groups', async () => {
    for (const one of draw.some(states, COUNT)) {
      expect(await plan(`both ${one.name}`), message(one.name)).toBeNull();
      expect(await plan(`both ${one.name}s`), message(`${one.name}s`)).toBeNull();
    }
    const [first, second] = ['US-VA', 'US-WV'].map((code) => states.find(({ iso }) => iso === code));
    for (const description of ['the Virginias', 'the two Virginias', 'die beiden Virginias', 'las dos Virginias'])
      await expectArea(description, [first, second] as Stored[]);
    await expectArea("Virginia's counties", inState(first as Stored));
  });

  it('the number of a rank is read in words, and names behind a colon in the place before it', async () => {
    const texas = states.find(({ name }) => name === 'Texas') as Stored;
    for (const [words, number] of [
      ['the twenty-one largest counties of Texas', 21],
      ['the eighty largest counties of Texas', 80],
      ['die fünfundzwanzig größten Countys von Texas', 25],
      ['los treinta y un condados más grandes de Texas', 31],
      ['las veintidós provincias más grandes de España', 22],
      ['les quatre-vingt-dix-sept plus grands comtés du Texas', 97],
      ['les soixante et onze plus grands comtés du Texas', 71],
    ] as const)
      expect((await plan(words))?.include, words).toHaveLength(number);
    const some = draw.some(inState(texas), 3);
    await expectArea(`counties of Texas: ${some.map(({ name }) => name).join(', ')}`, some);
    expect(await plan('counties of Ohio: Lake, Geauga and Porter')).toBeNull();
  });

  it('a place with its state or country behind it, without a comma, is one of a list', async () => {
    const stateOf = ({ within }: Stored) => states.find(({ name }) => name === within) as Stored;
    const fits = counties.filter((one) => one.kind === 'county' && /^[A-Z][a-z]{3,}$/.test(one.name) && stateOf(one));
    const once = fits.filter((one) => {
      const same = counties.filter(({ name, within }) => name === one.name && within === one.within);
      return same.length === 1 && !states.some(({ name }) => name === one.name);
    });
    for (let i = 0; i < COUNT; i++) {
      const some = draw.some(once, 3);
      const code = (one: Stored) => stateOf(one).iso?.slice(3) ?? '';
      const written = draw.one([
        (one: Stored) => `${one.name} County ${code(one)}`,
        (one: Stored) => `${one.name} County ${one.within}`,
        (one: Stored) => `${one.name} ${code(one)}`,
        (one: Stored) => `${one.name} ${one.within}`,
      ]);
      const [a, b, c] = some.map(written);
      await expectArea(draw.one([`${a} and ${b}`, `${a}, ${b}`, `${a} + ${b}`]), some.slice(0, 2));
      await expectArea(draw.one([`${a}; ${b}; ${c}`, `${a}, ${b} and ${c}`]), some);
    }
    const provinces = await storedOf(planning.server.test.db, 'ES', 6);
    await expectArea(
      'Toledo España y Soria España',
      provinces.filter(({ name }) => ['Toledo', 'Soria'].includes(name)),
    );
    for (const description of ['Spain Portugal', 'Texas Oklahoma', 'Toledo Ohio', 'Paris France'])
      expect(await plan(description), description).toBeNull();
    expect((await planning.refused('Paris France')).extra.left_out).toEqual(['Paris']);
  });

  it('a half is cut in the middle of the main part where far parts would make one much larger, and says so', async () => {
    for (const [description, cut] of [
      ['the northern half of Spain', '39.9° north'],
      ['mitad sur de España', '39.9° north'],
      ['the eastern half of the United States', '95.9° west'],
      ['la moitié ouest de la France', '1.7° east'],
    ] as const)
      expect((await plan(description))?.choices.join(), description).toContain(cut);
    for (const description of ['the western half of Kansas', 'the northern half of Andalucía'])
      expect((await plan(description))?.choices, description).toEqual([]);
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
      expect(namesOf(await plan(defined(continent))), continent).toContain(territory);
    }
  });

  it('adjectives with "and" between them are places of one level, never typos in other names', async () => {
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
      const words = (k: number): string[] => some.map(([, list]) => defined(list[k]));
      await expectArea(`provincias ${words(0).join(' y ')}`, wanted);
      await expectArea(`${words(1).join(' and ')} provinces`, wanted);
      if (!words(2).includes('')) await expectArea(`${words(2).join(' und ')} Provinzen`, wanted);
    }
  });

  it('a town with the end of the name of a division of the first level is in doubt', async () => {
    expect(await plan('Carolina')).toBeNull();
    expect(namesOf(await plan('Carolina, Puerto Rico'))).toEqual(['Carolina']);
  });

  /** Counties with names of letters alone that no other county of the state has, of a state with a name of its own. */
  const alone = (list: readonly Stored[]): Stored[] =>
    list.filter(
      ({ name, within }) =>
        /^[A-Z][a-z]{3,}$/.test(name) &&
        list.filter((other) => other.name.startsWith(name)).length === 1 &&
        !states.some((state) => state.name === name) &&
        within !== 'District of Columbia',
    );
  /** Names that alone are refused, as they mean several places. */
  const AMBIGUOUS = ['Georgia', 'Washington'];
  const someState = (): Stored =>
    draw.one(states.filter((state) => !AMBIGUOUS.includes(state.name) && alone(inState(state)).length > 3));

  it('the container behind a list, in any form, is that of all its names', async () => {
    for (let i = 0; i < COUNT; i++) {
      const state = someState();
      const some = draw.some(alone(inState(state)), 3);
      const [a, b, c] = some.map(({ name }) => name);
      const code = (state.iso ?? '').slice(3);
      for (const description of [
        `${a}, ${b} and ${c} counties (${state.name})`,
        `${a}, ${b} and ${c} counties ${code}`,
        `counties: ${a}, ${b}, ${c}; state: ${state.name}`,
        `State: ${code}\nCounties: ${a}, ${b} and ${c}`,
        `the ${a}, ${b} and ${c} counties of ${state.name}`,
        `${a} Co., ${b} Co. and ${c} Co., ${state.name}`,
        `the counties of ${a}, ${b} and ${c} in ${state.name}`,
        `the counties of ${a}, ${b} and ${c}, ${state.name}`,
        `Counties:\n- ${a} County, ${state.name}\n- ${b} County, ${state.name}\n- ${c} County, ${state.name}`,
      ])
        await expectArea(description, some);
      // The word for the level is in the singular: a name that is nowhere else may be in another state.
      const found = await plan(`${a}, ${b} and ${c} County, ${state.name}`);
      if (found) expect(idsOf(found.include), message(`${a}, ${b} and ${c}`)).toEqual(idsOf(some));
      await expectArea(`${state.name} excluding ${a}, ${b} and ${c} counties`, [state], some);
      await expectArea(`${state.name} (without ${a} County)`, [state], [defined(some[0])]);
    }
    expect(await plan('Ada and Lane County, Oregon')).toBeNull();
    // A Columbia lies in a county of Putnam, which no county does.
    const three = counties.filter(
      ({ name, within }) => within === 'New York' && ['Columbia', 'Putnam', 'Jefferson'].includes(name),
    );
    await expectArea('Columbia County, Putnam County and Jefferson County, New York', three);
  });

  it('a code that is also a word ends a list of counties', async () => {
    for (const iso of ['US-OR', 'US-IN', 'US-DE'])
      for (let i = 0; i < COUNT / 4; i++) {
        const state = states.find((one) => one.iso === iso) as Stored;
        const some = draw.some(alone(inState(state)), 2);
        if (some.length < 2) continue;
        const [a, b] = some.map(({ name }) => name);
        await expectArea(`${a} and ${b} counties ${iso.slice(3)}`, some);
      }
  });

  it('a name with a typo is one of the names of its list', async () => {
    for (let i = 0; i < COUNT / 2; i++) {
      const [known, other] = draw.some(
        states.filter(({ name }) => name.length > 7 && !name.includes(' ') && !AMBIGUOUS.includes(name)),
        2,
      ) as [Stored, Stored];
      const typo = `${other.name.slice(0, -2)}${other.name.slice(-1)}`;
      await expectArea(`counties of ${known.name} and ${typo}`, [...inState(known), ...inState(other)]);
      const state = someState();
      const long = alone(inState(state)).filter(({ name }) => name.length > 6);
      const [first, second] = draw.some(long, 2);
      if (!first || !second) continue;
      const misspelled = `${second.name.slice(0, 3)}${second.name.slice(4)}`;
      await expectArea(`${first.name} and ${misspelled} counties in ${state.name}`, [first, second]);
    }
  });

  it('a typo in the name of a county alone is refused, with the county as a rewording', async () => {
    const withTypo = (name: string): string => `${name.slice(0, -2)}${name.slice(-1)}`;
    // "Switzerlad" is a typo in the name of a country, too, and "Isabela" is in Puerto Rico.
    const others = await planning.server.test.db.query<{ name: string }>(
      "select name from boundary where kind = 'country' or country not in ('US')",
    );
    const taken = new Set(others.flatMap(({ name }) => [name, withTypo(name)]));
    const fits = alone(counties).filter(
      ({ name }) => name.length > 7 && !taken.has(name) && !taken.has(withTypo(name)),
    );
    for (const { name } of draw.some(fits, COUNT))
      expect((await planning.refused(withTypo(name))).message, message(name)).toMatch(/is not found|can mean several/);
    for (const elsewhere of ['Atlantis', 'Prussia', 'Bretagne']) {
      const { message: detail, extra } = await planning.refused(elsewhere);
      expect([detail, extra.rewording]).toEqual([expect.not.stringContaining('did you mean'), null]);
    }
  });

  it('the countries of the world are all but territories and Antarctica', async () => {
    const found = await plan('countries of the world');
    expect(found?.include.length).toBeGreaterThan(190);
    expect(namesOf(found)).not.toContain('Antarctica');
    for (const description of ['the 3 largest countries of the world', 'die 3 größten Länder der Welt'])
      expect(namesOf(await plan(description)).sort()).toEqual(['Canada', "People's Republic of China", 'Russia']);
    expect(idsOf((await plan('die Länder Afrikas'))?.include ?? [])).toEqual(
      idsOf((await plan('the countries of Africa'))?.include ?? []),
    );
  });

  it('headings, letters and words for "both" open lists', async () => {
    const plain = provinces.filter(({ name, within }) => /^[A-Z][a-z]+$/.test(name) && !within?.includes(name));
    const many = states.filter(({ name }) => /^[A-Z][a-z]+$/.test(name) && !AMBIGUOUS.includes(name));
    for (let i = 0; i < COUNT / 2; i++) {
      const some = draw.some(plain, 2);
      const [a, b] = some.map(({ name }) => name);
      await expectArea(`tanto ${a} como ${b}`, some);
      await expectArea(`sowohl ${a} als auch ${b}`, some);
      await expectArea(`a) ${a} b) ${b}`, some);
      await expectArea(`${a} y ${b} (provincias)`, some);
      const listed = draw.some(many, 3);
      const [first, second, third] = listed.map(({ name }) => name);
      await expectArea(`States:\n- ${first}\n- ${second}\n- ${third}`, listed);
      const county = draw.one(alone(inState(defined(listed[0]))));
      const rest = `exclude: ${county.name} County, ${first}`;
      await expectArea(`include: ${first}, ${second}; ${rest}`, listed.slice(0, 2), [county]);
      await expectArea(`include: ${first}, ${second}\n${rest}`, listed.slice(0, 2), [county]);
    }
  });

  it('the number behind a possessive is checked, and a place in front of a German participle is read', async () => {
    for (const state of draw.some(
      states.filter((one) => inState(one).length > 2),
      COUNT / 2,
    )) {
      const all = inState(state);
      await expectArea(`${state.name}'s ${all.length} counties`, all);
      expect(await plan(`${state.name}'s ${all.length + 1} counties`), message(state.name)).toBeNull();
    }
    for (const one of ['Burgos', 'Soria', 'Huesca', 'Cuenca'])
      expect((await plan(`die an ${one} grenzenden Provinzen`))?.include).toEqual(
        (await plan(`the provinces that border the province of ${one}`))?.include,
      );
    expect(namesOf(await plan('the provinces of Spain without Madrid or its neighboring provinces')).length).toBe(44);
  });

  it('questions are the area that they ask for', async () => {
    const countries = ['Paraguay', 'Chad', 'Laos', 'Austria', 'Mongolia', 'Zambia', 'Bolivia'];
    for (const name of draw.some(countries, 3)) {
      const wanted = await plan(`the countries that border ${name}`);
      for (const question of [
        `what borders ${name}`,
        `What borders ${name}?`,
        `which countries border ${name}?`,
        `what countries does ${name} border`,
        `which countries share a border with ${name}?`,
        `¿Qué países limitan con ${name}?`,
        `welche Länder grenzen an ${name}?`,
        `was grenzt an ${name}`,
        `quels pays bordent ${name} ?`,
      ])
        expect((await plan(question))?.include, question).toEqual(wanted?.include);
    }
    for (const question of [
      'which provinces are in Galicia?',
      'welche Provinzen liegen in Galicia?',
      '¿qué provincias hay en Galicia?',
    ])
      expect((await plan(question))?.include, question).toEqual((await plan('the provinces of Galicia'))?.include);
  });

  it('what borders both of two places borders each', async () => {
    const bordering = async (name: string) =>
      idsOf((await plan(`the provinces that border the province of ${name}`))?.include ?? []);
    const plain = provinces.filter(({ name, within }) => /^[A-Z][a-z]+$/.test(name) && !within?.includes(name));
    let some = 0;
    for (let i = 0; i < COUNT; i++) {
      const [a, b] = draw.some(plain, 2).map(({ name }) => name) as [string, string];
      const near = new Set(await bordering(b));
      const wanted = (await bordering(a)).filter((id) => near.has(id)).sort();
      some += wanted.length;
      for (const description of [
        `the provinces that border both ${a} and ${b}`,
        `provinces of Spain bordering both ${a} and ${b}`,
        `provinces that share a border with both ${b} and ${a}`,
        `las provincias que limitan tanto con ${a} como con ${b}`,
        `les provinces qui touchent à la fois ${a} et ${b}`,
        `die Provinzen, die sowohl an ${a} als auch an ${b} grenzen`,
      ]) {
        const found = await plan(description);
        if (wanted.length > 0 || found)
          expect(idsOf(found?.include ?? []).sort(), message(description)).toEqual(wanted);
      }
      const either = new Set([...near, ...(await bordering(a))]);
      const found = await plan(`the provinces that border either ${a} or ${b}`);
      for (const { id } of found?.include ?? []) expect(either, message(`${a} or ${b}`)).toContain(id);
    }
    expect(some, message('neighbors of both')).toBeGreaterThan(0);
    expect(namesOf(await plan('countries that border both France and Italy'))).toEqual(['Switzerland']);
    expect(await plan('countries that border France and Italy')).toBeNull();
  });

  it('a rank or a filter that says of no place is of the only country with that level, which is said', async () => {
    const { db } = planning.server.test;
    for (const [description, expected] of [
      ['the third largest state', 'top 3 area US4 \\ top 2 area US4'],
      ['states beginning with the letter W', 'name W% US4'],
      ['las dos provincias más grandes', 'top 2 area ES6'],
      ['die drei kleinsten Bundesstaaten', 'bottom 3 area US4:Rhode Island,Delaware,Connecticut'],
      ['the largest state and Mexico', 'top 1 area US4+MX2'],
    ] as const) {
      const found = await planning.plan(description);
      expect(idsOf(found?.include ?? []), message(description)).toEqual((await wantedOf(db, expected))?.include);
      expect(found?.choices.join(), message(description)).toContain('the only country with boundaries of that level');
    }
  });

  it('a rank or a filter that may be of another country is reported as such', async () => {
    for (const description of [
      'the largest county, Ireland',
      'Brazil: the largest state',
      'largest province / Canada',
      'landlocked states',
      'Bundesländer, deren Name mit B beginnt',
      'der größte Landkreis',
      'la plus grande commune',
      'the largest region',
      'the largest canton',
      'states that do not touch Utah',
    ]) {
      const { message: detail } = await planning.refused(description);
      expect([description, detail]).toEqual([description, expect.stringContaining('does not say of which country')]);
    }
  });

  it('islands, regions of former times and parts of a county are not the division around them', async () => {
    for (const description of [
      'La Gomera',
      'La Graciosa',
      'El Hierro',
      'Castilla la Nueva',
      'Vieille-Castille',
      'Harlem',
      'Key West',
    ])
      expect((await planning.plan(description))?.include, message(description)).toBeUndefined();
  });

  it('letters and ranges select in all their forms', async () => {
    const { db } = planning.server.test;
    for (let i = 0; i < COUNT / 2; i++) {
      const letter = draw.one([...'ABCLMNOPSTVW']);
      const named = states.filter(({ name }) => name.startsWith(letter));
      if (named.length === 0) continue;
      for (const description of [
        `US states whose names begin with the letter ${letter}`,
        `US states that start with "${letter}"`,
        `Bundesstaaten der USA, die mit ${letter} anfangen`,
        `les États des États-Unis commençant par la lettre ${letter}`,
        `estados de Estados Unidos cuyos nombres empiezan por ${letter}`,
      ])
        await expectArea(description, named);
    }
    const ending = states.filter(({ name, iso }) => name.endsWith('a') && iso !== 'US-DC');
    await expectArea('US states whose names end in "a"', ending);
    await expectArea('Bundesstaaten der USA, deren Name auf a endet', ending);
    const rows = await db.query<Stored & { readonly area_km2: number }>(
      'select id, name, area_km2 from boundary where id = any ($1)',
      [provinces.map(({ id }) => id)],
    );
    for (const low of [3_000, 5_000, 8_000]) {
      const high = low + 4_000;
      const wanted = rows.filter((one) => one.area_km2 > low && one.area_km2 < high);
      for (const description of [
        `provinces of Spain between ${low} and ${high} km2`,
        `provinces of Spain between ${low} km2 and ${high} km²`,
        `provinces of Spain with ${low} to ${high} km²`,
        `provinces of Spain of ${low}-${high} km2`,
        `provincias de España de ${low} a ${high} km2`,
        `Provinzen Spaniens von ${low} bis ${high} km2`,
      ])
        await expectArea(description, wanted);
    }
  });

  it('a typo in a name or in the word for a level is read, said, and never another place', async () => {
    let right = 0;
    const long = alone(counties).filter(({ name }) => name.length >= 6);
    for (const one of draw.some(long, COUNT * 2)) {
      const description = `${draw.typo(one.name)} County, ${one.within}`;
      const found = await plan(description);
      // Two names can be one letter away; what is read is the county that was meant.
      if (found === null) continue;
      expect(idsOf(found.include), message(description)).toEqual([one.id]);
      expect(found.choices.join(), message(description)).toContain('one letter away');
      right++;
    }
    expect(right, message('typos')).toBeGreaterThanOrEqual(COUNT * 2 * 0.75);
    for (const state of draw.some(
      states.filter(({ name }) => /^[A-Z][a-z]{6,}$/.test(name)),
      COUNT / 2,
    )) {
      const word = draw.one(['countys', 'cuonties', 'countes', 'couties']);
      await expectArea(`the ${word} of ${state.name}`, inState(state));
      expect((await plan(`the ${word} of ${state.name}`))?.choices.join()).toContain(word);
    }
    for (const [description, name] of [
      ['provincas de Galicia', 'Galicia'],
      ['die Provnzen Aragons', 'Aragón'],
      ['les provnces de Galicia', 'Galicia'],
    ])
      await expectArea(
        defined(description),
        provinces.filter(({ within }) => within === name),
      );
    // One letter away from two countries' divisions and a county.
    expect(await plan('Georgi')).toBeNull();
    expect(namesOf(await plan('Indianna'))).toEqual(['Indiana']);
    expect(await plan('the cantns of Texas')).toBeNull();
  });

  it('names in use of cities are their counties, also with a level and a state', async () => {
    const named = (list: readonly string[], state: string): Stored[] =>
      counties.filter(({ name, within }) => within === state && list.includes(name));
    const angeles = named(['Los Angeles'], 'California');
    for (const description of ['LA County', 'LA County, California', 'LA County, CA'])
      await expectArea(description, angeles);
    await expectArea('LA County and Orange County, California', [...angeles, ...named(['Orange'], 'California')]);
    const five = named(['New York', 'Kings', 'Queens', 'Bronx', 'Richmond'], 'New York');
    for (const description of ['NYC', 'New York City']) await expectArea(description, five);
    await expectArea(
      'NYC without Brooklyn',
      five.filter(({ name }) => name !== 'Kings'),
    );
    expect((await plan('Manhattan'))?.reading).toBe('New York (New York)');
    expect(namesOf(await plan('New York'))).toEqual(['New York']);
    expect(await plan('LA County, Texas')).toBeNull();
    for (const description of ['the five boroughs of New York', 'boroughs of NYC', 'all boroughs of New York City'])
      await expectArea(description, five);
    expect((await planning.refused('the six boroughs of New York')).message).toContain('there are 5');
  });

  it('an error says which names were understood, and gives a rewording that has an area', async () => {
    for (let i = 0; i < COUNT / 2; i++) {
      const state = someState();
      const county = draw.one(alone(inState(state)));
      const twice = counties.filter(({ name }) => counties.filter((one) => one.name === name).length > 4);
      const { name } = draw.one(twice.filter((one) => /^[A-Z][a-z]+$/.test(one.name)));
      for (const [description, understood] of [
        [`rich counties of ${state.name}`, state.name],
        [`counties of ${state.name} with lakes`, state.name],
        [`${county.name} County, ${state.name} in winter`, state.name],
        [`${name} County`, null],
        [`the counties that border ${name} County`, null],
      ] as const) {
        const { extra, message: detail } = await planning.refused(description);
        const { rewording } = extra;
        expect(rewording, message(description)).toEqual(expect.any(String));
        expect(detail, message(description)).toContain(`Try: ${rewording}`);
        expect(await plan(rewording as string), message(`${description} -> ${rewording}`)).not.toBeNull();
        if (description.startsWith('rich')) {
          expect([rewording, extra.left_out]).toEqual([description.slice('rich '.length), ['rich']]);
          expect(detail).toContain(`Try: ${rewording} (without "rich")`);
        }
        if (understood !== null)
          expect(extra.understood, message(description)).toContainEqual(expect.objectContaining({ text: understood }));
      }
    }
    const { extra } = await planning.refused('the zorgly lands');
    expect([extra.understood, extra.rewording]).toEqual([[], null]);
    // A part without one of the names is another area.
    for (const description of [
      'the counties of Ohio that border Lake Erie',
      'Texas, zorgly of Ohio',
      'Spain near Italy',
    ])
      expect((await planning.refused(description)).extra.rewording, description).toBeNull();
  });

  it.each([
    ['Utah, Nevada and Zorgland', 'Utah and Nevada', '(without "and Zorgland")'],
    ['Zorgland, Utah and Nevada', 'Utah and Nevada', '(without "Zorgland,")'],
    ['alle Provinzen von Aragonien und Zorgien', 'alle Provinzen von Aragonien', '(without "und Zorgien")'],
    ['counties of Ohio: Lake, Portr and Geauga', 'counties of Ohio: Lake, Portage (Ohio) and Geauga', ''],
    ['counties of Ohio: Lake, Zorgly and Geauga', null, ''],
    ['coastal states whose name starts with New', 'coastal states in the United States whose name starts with New', ''],
    ['Bundesländer, deren Name mit New beginnt', 'Bundesländer in den USA, deren Name mit New beginnt', ''],
    ['états qui commencent par New', 'états aux États-Unis qui commencent par New', ''],
    ['regiones que empiezan por C', 'regiones en España que empiezan por C', ''],
    ['regions that end in -a', 'regions in Spain that end in -a', ''],
    ['outline with Nevada', null, ''],
    ['la costa de Huelva', null, ''],
    ['Spain zorgly without Andalusia', null, ''],
    ['Grenze mit Portugal', null, ''],
    ['la frontera con Portugal', null, ''],
    ["Spain's coastline", null, ''],
    ['la zona zorglia a menos de 30 km de Zaragoza', null, ''],
    ['all of New England zorgly without Maine', null, ''],
    ['counties of Ohio, die an den Eriesee grenzen', null, ''],
    ['the counties around Phoenix', 'the counties around Maricopa (Arizona)', ''],
    ['counties around Houston', 'counties around Harris (Texas)', ''],
  ])(
    'a rewording keeps all names and choices, and says which words it leaves out: %s',
    async (text, rewording, left) => {
      const { extra, message: detail } = await planning.refused(text);
      expect(extra.rewording).toBe(rewording);
      if (rewording === null) expect(detail).not.toContain('Try:');
      else {
        expect(detail).toContain(`Try: ${rewording}${left === '' ? '' : ' '}${left}`);
        expect(await plan(rewording)).not.toBeNull();
      }
    },
  );

  it.each([
    'the coast of Huelva',
    'Bay of Biscay',
    'Nevada y la costa',
    'Bayerns Küste',
    'le golfe du Texas',
    'Ostsee',
  ])('an error for a part of the sea says that none is stored: %s', async (description) => {
    expect((await planning.refused(description)).message).toContain('Seas and parts of a coast are not stored');
  });

  it.each([
    ...['Provinz Kenia', 'state Deutschland', 'prov. AUS', 'provincia Alemania', 'Countries: Togo, coastal Ghana'],
    ...[
      'Länder: Chile, province Bolivien',
      'Pays : Togo, rural Ghana',
      'provinces USA + CAN',
      'States: Ohio, big Utah',
    ],
  ])('a place of another level, or with a word more, is not found: %s', async (description) => {
    expect(await plan(description)).toBeNull();
  });

  it('the largest of a group is one, and "the largest" of several does not say how many', async () => {
    for (const description of [
      ...[
        'the largest EU countries',
        'smallest NATO members',
        'die größten EU-Länder',
        'the smallest New England states',
      ],
      ...[
        'les plus grands pays du Maghreb',
        'los países más grandes de África',
        'les plus grands États des États-Unis',
      ],
    ])
      expect(await plan(description), description).toBeNull();
    for (const description of ['the largest EU country', 'das größte EU-Land', "le plus grand pays de l'UE"])
      expect(namesOf(await plan(description)), description).toEqual(['France']);
    for (const description of ['the largest South American country', "le plus grand pays d'Amérique du Sud"])
      expect(namesOf(await plan(description)), description).toEqual(['Brazil']);
    expect(namesOf(await plan('the two largest South American countries')).toSorted()).toEqual(['Argentina', 'Brazil']);
    expect(namesOf(await plan('the second largest South American country'))).toEqual(['Argentina']);
  });

  it('a country in front of a comma and a state is said not to be a town in it', async () => {
    const found = await plan('Norway, Michigan and Ohio');
    expect(namesOf(found)).toEqual(['Norway', 'Michigan', 'Ohio']);
    expect(found?.choices.join()).toContain('write "Norway in Michigan"');
    expect((await plan('Michigan and Norway'))?.choices).toEqual([]);
    expect(namesOf(await plan('Gulf Cooperation Council states'))).toEqual(namesOf(await plan('GCC')));
  });

  it('a county is in the state behind it, though a state has its name', async () => {
    for (const state of states) {
      const named = counties.filter((one) => one.name === state.name && one.within !== state.name);
      for (const one of draw.some(named, 1)) await expectArea(`${one.name} County, ${one.within}`, [one]);
    }
  });
});
