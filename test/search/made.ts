import { readFileSync } from 'node:fs';
import { defined } from '../../src/common/elements.ts';
import type { Queryable } from '../../src/db/connect.ts';
import { foldName } from '../../src/domain/names/fold.ts';
import { random } from '../kernels/topology.ts';
import { leading } from '../setup/elements.ts';

/** A boundary of the data that queries are made of. */
export interface Stored {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  readonly kind: string;
  readonly iso: string | null;
  readonly admin_level: number;
  /** The division of the first level that it is in. */
  readonly within: string | null;
  readonly within_iso: string | null;
}

/** A query, and the boundaries of which one has to come first; none: nothing has to be found. */
export interface MadeQuery {
  readonly q: string;
  readonly expect: readonly string[];
}

/** A draw that is the same for a whole day, or for ever if it has a seed, so that a failure can be repeated. */
export class Draw {
  readonly seed: number;
  private readonly next: () => number;

  /** `MADE_SEED` in the environment decides in any case. */
  constructor(seed = Math.floor(Date.now() / 86_400_000)) {
    this.seed = Number(process.env.MADE_SEED ?? seed);
    this.next = random(this.seed);
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  one<T>(list: readonly T[]): T {
    return defined(list[this.below(list.length)]);
  }

  some<T>(list: readonly T[], count: number): T[] {
    const left = [...list];
    const taken: T[] = [];
    while (taken.length < count && left.length > 0) taken.push(...left.splice(this.below(left.length), 1));
    return taken;
  }

  /** A name with one typo in its longest word: a letter lost, doubled, replaced, or two swapped; never the first one. */
  typo(name: string): string {
    const word = defined(name.split(' ').sort((a, b) => b.length - a.length)[0]);
    const letters = [...word];
    const at = 1 + this.below(letters.length - 2);
    const [before, here, after, rest] = [
      letters.slice(0, at),
      defined(letters[at]),
      defined(letters[at + 1]),
      letters.slice(at + 2),
    ];
    const other = this.one([...'abcdefghijklmnopqrstuvwxyz'].filter((letter) => letter !== here.toLowerCase()));
    const made = [
      [...before, after, ...rest],
      [...before, here, here, after, ...rest],
      [...before, other, after, ...rest],
      [...before, after, here, ...rest],
    ].map((list) => list.join(''));
    return name.replace(word, this.one(made.filter((text) => foldName(text) !== foldName(word))));
  }
}

/** The boundaries of a country and level, with their division, by id. */
export async function storedOf(db: Queryable, country: string, level: number): Promise<Stored[]> {
  return db.query<Stored>(
    `select b.id, b.name, b.country, b.kind, b.iso, b.admin_level, d.name as within, d.iso as within_iso
     from boundary b
     left join lateral (select p.name, p.iso from boundary_parent bp join boundary p on p.id = bp.parent
                        where bp.child = b.id and p.admin_level = 4 limit 1) d on true
     where b.country = $1 and b.admin_level = $2 and b.type = 'administrative' and b.has_geometry order by b.id`,
    [country, level],
  );
}

/** Letters from which a name with a typo is not another common name. */
const LONG = 6;
const plain = ({ name }: Stored): boolean => /^[A-Za-z]+$/.test(name) && name.length >= LONG;
/** "Ioa" is too short to be Iowa. */
const isLongState = ({ within }: Stored): boolean => (within ?? '').length >= LONG;
const letters = ({ within_iso }: Stored): string => (within_iso ?? '').slice(3);

/** Counties of the United States as people write them, with a typo in the name, the word or the state; the name is one in its state. */
export function countiesWithTypos(counties: readonly Stored[], draw: Draw, count: number): Record<string, MadeQuery[]> {
  const inState = (one: Stored): string => `${one.name.replace(/ City$/, '')} ${one.within}`;
  const all = counties.map(inState);
  const alone = counties.filter(
    (one) => one.kind === 'county' && plain(one) && all.filter((other) => other === inState(one)).length === 1,
  );
  const some = draw.some(alone, count);
  const word = () => draw.one(['County', 'Co.', 'co', 'Cty', 'Cnty', 'Couty', 'Conty', 'Countty', 'Cuonty']);
  const made = (q: (county: Stored) => string, fits: (county: Stored) => boolean = () => true): MadeQuery[] =>
    some.filter(fits).map((one) => ({ q: q(one), expect: [one.id] }));
  return {
    'a typo in the name, with the code of the state': made((one) => `${draw.typo(one.name)} County, ${letters(one)}`),
    'a typo in the name, with the state': made((one) => `${draw.typo(one.name)} County, ${one.within}`),
    'the word for a county as people write it': made((one) => `${one.name} ${word()}, ${one.within}`),
    'the code of the state and the country': made(
      (one) => `${one.name} County ${letters(one)} ${draw.one(['USA', 'United States'])}`,
    ),
    'the same, with the code of the state': made((one) => `${one.name} ${word()} ${letters(one)}`),
    'a typo in the state': made((one) => `${one.name} County, ${draw.typo(one.within ?? '')}`, isLongState),
    'a typo in the state and in the name': made(
      (one) => `${draw.typo(one.name)} County, ${draw.typo(one.within ?? '')}`,
      isLongState,
    ),
  };
}

/**
 * Names of countries in a language that is not English, which are the local names of places in other countries: those
 * places have to come first.
 */
export async function localNames(db: Queryable): Promise<MadeQuery[]> {
  // Villages come after countries.
  const all = await db.query<Stored>(
    `select id, name, country, kind, iso, admin_level from boundary b
     where type = 'administrative' and has_geometry
       and exists (select from boundary_name n where n.boundary_id = b.id and n.weight >= 4)`,
  );
  const byName = new Map<string, Stored[]>();
  for (const one of all) byName.set(foldName(one.name), [...(byName.get(foldName(one.name)) ?? []), one]);
  const queries = new Map<string, MadeQuery>();
  const english = new Intl.DisplayNames('en', { type: 'region' });
  for (const { country, name } of all.filter(({ kind }) => kind === 'country')) {
    for (const language of ['es', 'fr', 'de', 'it', 'pt', 'nl', 'pl', 'sv', 'tr']) {
      const q = new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? '';
      const main = new Intl.DisplayNames(new Intl.Locale(`und-${country}`).maximize().language, { type: 'region' });
      if ([name, english.of(country) ?? '', main.of(country) ?? ''].map(foldName).includes(foldName(q))) continue;
      const local = (byName.get(foldName(q)) ?? []).filter((one) => one.country !== country);
      if (local.length > 0) queries.set(q, { q, expect: local.map(({ id }) => id) });
    }
  }
  return [...queries.values()];
}

/** Words for a kind as people of other languages write them, on either side of a name. */
const KIND_WORDS: readonly (readonly [country: string, level: number, texts: readonly string[]])[] = [
  ['ES', 6, ['_ provincia', 'provincia de _', 'provincia _', '_ province', 'province de _', '_ Provinz', 'Provinz _']],
  ['ES', 8, ['_ municipio', 'municipio de _', '_ Gemeinde', '_ commune', 'commune de _', 'comune di _', '_ comune']],
  ['US', 4, ['_ estado', 'estado de _', '_ Bundesstaat', 'Bundesstaat _', '_ état', 'état de _', 'stato _', '_ stato']],
  ['US', 6, ['_ condado', 'condado de _', 'comté de _', '_ comté', '_ contea', 'contea di _', 'graafschap _']],
];

/** Names of boundaries with the word for their kind before or behind them, in any language: one of that kind is meant. */
export async function withKindWords(db: Queryable, draw: Draw, count: number): Promise<MadeQuery[]> {
  const made: MadeQuery[] = [];
  for (const [country, level, texts] of KIND_WORDS) {
    const all = await storedOf(db, country, level);
    const fits = all.filter(({ name, kind }) => /^[A-Z][a-z]{3,}(?: [A-Z][a-z]+)?$/.test(name) && kind !== 'city');
    for (const { name } of draw.some(fits, count)) {
      const expect = all.filter((other) => other.name === name).map(({ id }) => id);
      made.push({ q: draw.one(texts).replace('_', name), expect });
    }
  }
  return made;
}

/** What people write around a name that they want a map or a file of: `_` is the name. */
const AROUND: readonly string[] = [
  ...['map of _', '_ map', 'Map of the _', 'a map of _', 'maps of _', '_ boundary', '_ boundaries', 'boundary of _'],
  ...['borders of _', 'border of _', '_ border', 'outline of _', '_ outline', '_ polygon', 'polygon of _', '_ limits'],
  ...[
    '_ shapefile',
    'shapefile of _',
    '_ geojson',
    '_ GeoJSON',
    'geojson for _',
    '_ kml',
    '_ outline map',
    '_ border map',
  ],
  ...['where is _', 'Where is _?', 'where is _ ?', 'show me _', 'shape of _', '_ boundary shapefile', '_ svg'],
  ...['road map of _', 'blank vector map of _', '_ road map', '_ political map', '_ boundary lines', '_ on the map'],
  ...[
    'where can I find _',
    'simple outline of _',
    'map showing _',
    'mapa mudo de _',
    'mapa político de _',
    'plano de _',
  ],
  ...[
    'carte muette de _',
    'fond de carte _',
    '_ located',
    'where is _ located',
    'limites communales de _',
    'stumme Karte von _',
    'mappa muta di _',
  ],
  ...['mapa de _', 'mapa _', 'límites de _', 'fronteras de _', 'contorno de _', 'dónde está _', '¿Dónde está _?'],
  ...['carte de _', 'carte _', 'frontières de _', 'limites de _', 'contour de _', 'où est _', 'où se trouve _ ?'],
  ...['Karte von _', '_ Karte', 'Grenzen von _', 'Grenze von _', 'Umriss von _', 'wo ist _', 'Wo liegt _?'],
  ...[
    'mappa di _',
    'confini di _',
    'kaart van _',
    'grenzen van _',
    'mapa do _',
    'onde fica _',
    '#_',
    "_'s border",
    "_'s",
  ],
];

/** Names of boundaries with the words that people write around them. */
export function withNoise(all: readonly Stored[], draw: Draw, count: number): MadeQuery[] {
  const fits = all.filter(({ name }) => /^[A-Z][a-z]{4,}(?: [A-Z][a-z]+)?$/.test(name));
  return draw.some(fits, count).map(({ name }) => ({
    q: draw.one(AROUND).replace('_', name),
    expect: all.filter((other) => other.name === name).map(({ id }) => id),
  }));
}

/** The same behind a name with its state: one boundary has it. */
export function countiesWithNoise(counties: readonly Stored[], draw: Draw, count: number): MadeQuery[] {
  const alone = counties.filter(
    (one) =>
      plain(one) && counties.filter((other) => other.name === one.name && other.within === one.within).length === 1,
  );
  const written = AROUND.filter((text) => !text.startsWith('#') && !text.includes("'"));
  return draw.some(alone, count).map((one) => ({
    q: draw.one(written).replace('_', `${one.name} County, ${draw.one([one.within ?? '', letters(one)])}`),
    expect: [one.id],
  }));
}

const flagOf = (country: string): string =>
  String.fromCodePoint(...[...country].map((letter) => letter.charCodeAt(0) - 65 + 0x1f1e6));

/** Names with the flag of their country in front or behind. */
export function withFlags(all: readonly Stored[], draw: Draw, count: number): MadeQuery[] {
  return draw
    .some(
      all.filter(({ name }) => /^[A-Z][a-z]{3,}$/.test(name)),
      count,
    )
    .map(({ name, country }) => ({
      q: draw.one([`${flagOf(country)} ${name}`, `${name} ${flagOf(country)}`, `${name}${flagOf(country)}`]),
      expect: all.filter((other) => other.name === name && other.country === country).map(({ id }) => id),
    }));
}

/** Countries by their flag, also with words for a map or a border. */
export function byFlag(all: readonly Stored[], draw: Draw, count: number): MadeQuery[] {
  return draw.some(all, count).map(({ id, country }) => ({
    q: draw
      .one(['_', 'map _', '_ border', 'mapa de _', '_ geojson', 'outline of _', 'Karte _'])
      .replace('_', flagOf(country)),
    expect: [id],
  }));
}

/** Counties and municipalities by their official codes. */
export async function byCode(db: Queryable, draw: Draw, count: number): Promise<MadeQuery[]> {
  const all = await db.query<{ readonly id: string; readonly country: string; readonly code: string }>(
    `select id, country, codes[1] as code from boundary
     where (country = 'US' and admin_level = 6 or country = 'ES' and admin_level = 8) and codes[1] ~ '^[0-9]{5}$' order by id`,
  );
  const words = {
    US: ['FIPS _', 'fips code _', 'US_', 'US-_', 'FIPS: _'],
    ES: ['INE _', 'ES_', 'ES-_', 'código INE _'],
  };
  return draw.some(all, count).map(({ id, country, code }) => ({
    q: draw.one(words[country as 'US' | 'ES']).replace('_', code),
    expect: [id],
  }));
}

interface CityRow {
  readonly name: string;
  readonly people: number;
  readonly lat: number;
  readonly lon: number;
}

/** Cities of GeoNames: folded name, thousands of people, degrees to a tenth. */
export function citiesOf(country: string): CityRow[] {
  const { cities } = JSON.parse(readFileSync('data/cities.json', 'utf8')) as { cities: Record<string, string> };
  return defined(cities[country])
    .split(';')
    .map((row) => {
      const [name, people, lat, lon] = leading(row.split(','), 4);
      return { name, people: Number(people), lat: Number(lat) / 10, lon: Number(lon) / 10 };
    });
}

/** Names of several counties, in one of which the largest city of that name is: that county has to come first. */
export async function countiesOfCities(db: Queryable): Promise<MadeQuery[]> {
  const counties = await db.query<{
    id: string;
    name: string;
    west: number;
    south: number;
    east: number;
    north: number;
  }>(
    `select id, name, west / 1e7 as west, south / 1e7 as south, east / 1e7 as east, north / 1e7 as north
     from boundary where country = 'US' and admin_level = 6 and has_geometry`,
  );
  const states = await db.query<{ name: string }>("select name from boundary where country = 'US' and admin_level = 4");
  const queries: MadeQuery[] = [];
  for (const name of new Set(counties.map((one) => one.name))) {
    const [first] = citiesOf('US')
      .filter((city) => city.name === foldName(name) && city.people >= 60)
      .sort((a, b) => b.people - a.people);
    if (first === undefined || states.some((state) => state.name === name)) continue;
    const named = counties.filter((one) => one.name === name);
    const around = named.filter(
      ({ west, south, east, north }) => first.lon > west && first.lon < east && first.lat > south && first.lat < north,
    );
    if (named.length > 1 && around.length === 1) queries.push({ q: name, expect: [defined(around[0]).id] });
  }
  return queries;
}

/** Cities that are in no county, and counties of their names in the same state, with the word that tells them apart. */
export function citiesBesideCounties(counties: readonly Stored[]): MadeQuery[] {
  const cities = counties.filter(({ kind }) => kind === 'city');
  return cities.flatMap((city) => {
    const beside = counties.filter(
      ({ kind, name, within }) => kind === 'county' && name === city.name && within === city.within,
    );
    const bare = city.name.replace(/ City$/, '');
    return [
      ...[`${bare} City, ${city.within}`, `city of ${city.name}, ${letters(city)}`].map((q) => ({
        ...{ q, expect: [city.id] },
      })),
      ...beside.flatMap(({ id, name, within }) =>
        [`${name} County, ${within}`, `county of ${name}, ${within}`].map((q) => ({ q, expect: [id] })),
      ),
    ];
  });
}

/** Large cities of which nothing is stored, by name and with their country: nothing has to be found. */
export async function citiesElsewhere(db: Queryable, draw: Draw, count: number): Promise<MadeQuery[]> {
  const elsewhere = draw
    .some('GB DE PL IN CN JP BR EG NG TR RU KR ID AU CA MX CO AR PK'.split(' '), 8)
    .flatMap((country) => citiesOf(country).filter(({ people }) => people >= 500));
  const names = draw.some(elsewhere, count).map(({ name }) => name);
  const stored = await db.query<{ folded: string }>(
    'select distinct folded from boundary_name where folded = any ($1)',
    [names],
  );
  return names
    .filter((name) => name.length > 3 && !stored.some(({ folded }) => folded === name))
    .map((name) => ({ q: name.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()), expect: [] }));
}

/** Names of first-level divisions and regions of the world of which nothing is stored. */
export function placesElsewhere(draw: Draw, count: number): string[] {
  const { names } = JSON.parse(readFileSync('data/place_names.json', 'utf8')) as { names: Record<string, string> };
  const elsewhere = Object.entries(names)
    .filter(([code]) => code.length > 2 && !/^(US|ES|LU|PR)/.test(code))
    .flatMap(([, list]) => draw.one(list.split(';')))
    .filter((name) => foldName(name).length > 3 && !/\d/.test(name));
  const regions = JSON.parse(readFileSync('data/known_places.json', 'utf8')) as { names: string };
  return [...draw.some(elsewhere, count), ...draw.some(regions.names.split(';'), count)];
}

/** Texts that are not names of places. */
export const NO_NAMES: readonly string[] = [
  ...[
    '50%',
    '48%',
    '-7',
    '2.718',
    '1/2',
    '12:45',
    'chien',
    'dog',
    'sandwich',
    'a && b',
    'x || y',
    'blah blah',
    'penguin',
    'Montag',
    'Lummerland map',
  ],
  ...['-1', '-99', '0', '1=1', '[a-z]+', '.*', '%', '{}', '<b>', '<script>alert(1)</script>', 'a=b', '$1', '\\d+', '*'],
  ...[
    "' or 1=1 --",
    'select * from boundary',
    'foo@bar.com',
    'http://example.com/',
    '#',
    '🙂',
    '??',
    '---',
    '~',
    '^x$',
  ],
  ...['def main():', 'console.log(x);', '() => {}', 'Kingdom of Prussia', 'Esatdo de Narnia', 'road map of Westeros'],
  ...['map', 'map of', 'border', 'boundaries', 'the', 'of the', 'where is', 'geojson', 'shapefile', 'pizza near me'],
  ...[
    'Bay Area',
    'Westeros',
    'Narnia',
    'Latveria',
    'Lummerland',
    'Auenland',
    'Southeros',
    'Valhalla',
    'Mittelerde',
    'Zamunda',
  ],
  ...['county map of Westeros', 'counties of Nowhere', 'provincias de Narnia', 'Landkreise in Mordor'],
  ...['county', 'state', 'N/A', 'n/a', 'null', 'NaN', 'undefined', 'true', 'yes', 'test'],
  ...['mapa', 'carte', 'Karte', 'polygon', 'la', 'de la'].filter((text) => text !== 'la'),
];
