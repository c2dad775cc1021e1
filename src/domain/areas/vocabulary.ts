import { foldName } from '../fold.ts';
import type { Direction, LevelWord } from './algebra.ts';

export const LANGUAGES = ['en', 'es', 'de', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A phrase as folded words. */
export type Phrase = readonly string[];

/** What stands before and behind an argument: German has its verb at the end. */
export interface Around {
  readonly before: Phrase;
  readonly after: readonly Phrase[];
}

/** The words of one language that the grammar knows, by what they mean. */
export interface Vocabulary {
  readonly language: Language;
  /** Groups of thousands are written with it, and decimals with the other sign. */
  readonly thousands: ',' | '.';
  readonly and: readonly Phrase[];
  readonly or: readonly Phrase[];
  readonly both: readonly Phrase[];
  readonly without: readonly Phrase[];
  readonly articles: readonly Phrase[];
  readonly of: readonly Phrase[];
  readonly inside: readonly Phrase[];
  /** In front of a place: all of it. */
  readonly whole: readonly Phrase[];
  /** In front of a level in the plural, and in the singular. */
  readonly all: readonly Phrase[];
  readonly each: readonly Phrase[];
  readonly levels: ReadonlyMap<LevelWord, { readonly one: readonly Phrase[]; readonly many: readonly Phrase[] }>;
  readonly numbers: ReadonlyMap<string, number>;
  readonly factors: ReadonlyMap<string, number>;
  readonly largest: readonly Phrase[];
  readonly smallest: readonly Phrase[];
  readonly mostPeople: readonly Phrase[];
  readonly leastPeople: readonly Phrase[];
  readonly byArea: readonly Phrase[];
  readonly byPopulation: readonly Phrase[];
  readonly top: readonly Phrase[];
  /** "with more than N people": what stands before the number. */
  readonly morePeople: readonly Phrase[];
  readonly lessPeople: readonly Phrase[];
  readonly people: readonly Phrase[];
  readonly morePopulation: readonly Phrase[];
  readonly lessPopulation: readonly Phrase[];
  readonly moreArea: readonly Phrase[];
  readonly lessArea: readonly Phrase[];
  readonly km2: readonly Phrase[];
  readonly miles2: readonly Phrase[];
  readonly starts: readonly Phrase[];
  readonly ends: readonly Phrase[];
  readonly contains: readonly Phrase[];
  readonly called: readonly Phrase[];
  readonly neighbors: readonly Phrase[];
  /** In front of a level, with `of` behind it; and the same in one word. */
  readonly neighboring: readonly Phrase[];
  readonly neighborLevels: ReadonlyMap<LevelWord, readonly Phrase[]>;
  readonly border: readonly Around[];
  readonly onBorder: readonly Around[];
  readonly within: readonly Around[];
  /** Between the distance and the place. */
  readonly from: readonly Phrase[];
  readonly units: ReadonlyMap<string, number>;
  readonly everything: readonly Phrase[];
  readonly containing: readonly Around[];
  readonly capital: readonly Phrase[];
  readonly its: readonly Phrase[];
  readonly their: readonly Phrase[];
  readonly it: readonly Phrase[];
  readonly them: readonly Phrase[];
  readonly parts: readonly Phrase[];
  readonly intersection: readonly Phrase[];
  /** "the north", "in the north". */
  readonly sides: ReadonlyMap<Direction, readonly Phrase[]>;
  /** "northern". */
  readonly sided: ReadonlyMap<Direction, readonly Phrase[]>;
  readonly half: readonly Phrase[];
  readonly quarter: readonly Phrase[];
}

const phrase = (text: string): Phrase => foldName(text.replaceAll("'", ' ').replaceAll('-', ' ')).split(' ');
const list = (text: string): readonly Phrase[] =>
  (text === '' ? [] : text.split(/,\s*/).map(phrase)).sort((a, b) => b.length - a.length);
const map = <K extends string>(rows: Readonly<Record<K, string>>): ReadonlyMap<K, readonly Phrase[]> =>
  new Map(Object.entries<string>(rows).map(([key, text]) => [key as K, list(text)]));
const levels = (rows: Readonly<Record<LevelWord, readonly [one: string, many: string]>>) =>
  new Map(
    Object.entries<readonly [string, string]>(rows).map(([key, [one, many]]) => [
      key as LevelWord,
      { one: list(one), many: list(many) },
    ]),
  );
/** "before _ after|after". */
const around = (text: string): readonly Around[] =>
  text
    .split(/,\s*/)
    .map((one) => {
      const [before, after = ''] = one.split('_');
      return {
        before: phrase(before.trim()),
        after: after.trim() === '' ? [] : after.split('|').map((x) => phrase(x.trim())),
      };
    })
    .sort((a, b) => b.before.length - a.before.length);
const numbers = (text: string, from = 1) => new Map(text.split(' ').map((word, i) => [foldName(word), i + from]));
const values = (rows: Readonly<Record<string, number>>) =>
  new Map(Object.entries(rows).map(([key, value]) => [foldName(key), value]));

const UNITS = { km: 1, kms: 1, m: 0.001 };

const ENGLISH: Vocabulary = {
  language: 'en',
  thousands: ',',
  and: list('and, and also, as well as, together with, along with, plus'),
  or: list('or, and or'),
  both: list('both, either'),
  without: list(
    'without, except, except for, excepting, excluding, but not, minus, less, apart from, other than, with the exception of, not including',
  ),
  articles: list('the'),
  of: list('of, in, within, from, inside, of the, in the'),
  inside: list('in, within, inside, in the'),
  whole: list(
    'all of, the whole of, whole of, the entirety of, all parts of, everything in, everything inside, the entire',
  ),
  all: list('all, all the, all of the, the'),
  each: list('every, each, the'),
  levels: levels({
    country: ['country, nation', 'countries, nations'],
    state: ['state', 'states'],
    community: ['autonomous community', 'autonomous communities'],
    region: ['region', 'regions'],
    province: ['province', 'provinces'],
    county: ['county', 'counties'],
    department: ['department, département', 'departments, départements'],
    canton: ['canton', 'cantons'],
    district: ['district, electoral district', 'districts, electoral districts'],
    municipality: ['municipality, commune, local council', 'municipalities, communes, local councils'],
    borough: ['borough', 'boroughs'],
  }),
  numbers: numbers(
    'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  ),
  factors: values({ thousand: 1e3, k: 1e3, million: 1e6, m: 1e6, billion: 1e9 }),
  largest: list('largest, biggest, largest by area'),
  smallest: list('smallest'),
  mostPeople: list('most populous, most populated, largest by population'),
  leastPeople: list('least populous, least populated'),
  byArea: list('by area, by size'),
  byPopulation: list('by population'),
  top: list('top'),
  morePeople: list('with more than, with over, that have more than, having more than, of more than'),
  lessPeople: list('with fewer than, with less than, with under, that have fewer than, having fewer than'),
  people: list('people, inhabitants, residents'),
  morePopulation: list(
    'with a population over, with a population above, with a population of more than, with a population greater than, with a population of over',
  ),
  lessPopulation: list(
    'with a population under, with a population below, with a population of less than, with a population of fewer than',
  ),
  moreArea: list(
    'larger than, bigger than, with an area of more than, with an area over, with an area above, that are larger than, of more than',
  ),
  lessArea: list(
    'smaller than, with an area of less than, with an area under, with an area below, that are smaller than',
  ),
  km2: list('km2, km ², square kilometers, square kilometres, sq km'),
  miles2: list('square miles, sq mi'),
  starts: list(
    'whose name starts with, whose names start with, whose name begins with, whose names begin with, starting with, with names starting with, beginning with',
  ),
  ends: list('whose name ends with, whose names end with, whose name ends in, ending in, ending with'),
  contains: list('whose name contains, whose names contain'),
  called: list('whose name is, called, named'),
  neighbors: list('neighbors, neighbours'),
  neighboring: list('neighboring, neighbouring, adjacent, surrounding, adjoining'),
  neighborLevels: new Map(),
  border: around(
    'that border, that border on, bordering, bordering on, which border, that touch, touching, adjacent to, next to, adjoining, around, surrounding, that surround, that share a border with, sharing a border with',
  ),
  onBorder: around(
    'on the _ border, along the _ border, at the _ border, on the border with, along the border with, at the border with',
  ),
  within: around('within, at most, no more than, less than, not more than'),
  from: list('of, from, around'),
  units: values({
    ...UNITS,
    kilometer: 1,
    kilometers: 1,
    kilometre: 1,
    kilometres: 1,
    meter: 0.001,
    meters: 0.001,
    metre: 0.001,
    metres: 0.001,
    mile: 1.609344,
    miles: 1.609344,
    mi: 1.609344,
  }),
  everything: list('everything, every place, all points, the area, all land'),
  containing: around('that contains, that contain, containing, which contains, which contain'),
  capital: list('capital, capital city'),
  its: list('its'),
  their: list('their'),
  it: list('it'),
  them: list('them'),
  parts: list('parts, the parts, part, the part'),
  intersection: list('intersection, the intersection'),
  sides: map({
    north: 'north',
    south: 'south',
    east: 'east',
    west: 'west',
    northeast: 'northeast, north east',
    northwest: 'northwest, north west',
    southeast: 'southeast, south east',
    southwest: 'southwest, south west',
  }),
  sided: map({
    north: 'northern, north',
    south: 'southern, south',
    east: 'eastern, east',
    west: 'western, west',
    northeast: 'northeastern, north eastern, northeast, north east',
    northwest: 'northwestern, north western, northwest, north west',
    southeast: 'southeastern, south eastern, southeast, south east',
    southwest: 'southwestern, south western, southwest, south west',
  }),
  half: list('half'),
  quarter: list('quarter'),
};

const SPANISH: Vocabulary = {
  language: 'es',
  thousands: '.',
  and: list('y, e, así como, más, junto con, y también'),
  or: list('o, u, y o'),
  both: list('tanto'),
  without: list('sin, excepto, salvo, menos, excluyendo, pero no, a excepción de, con excepción de'),
  articles: list('el, la, los, las'),
  of: list('de, del, en, de la, de el, de los, de las, en el, en la, dentro de'),
  inside: list('en, en el, en la, dentro de'),
  whole: list('todo, toda, todo el, toda la'),
  all: list('todos los, todas las, todos, todas, los, las'),
  each: list('cada, el, la'),
  levels: levels({
    country: ['país', 'países'],
    state: ['estado', 'estados'],
    community: ['comunidad autónoma', 'comunidades autónomas'],
    region: ['región', 'regiones'],
    province: ['provincia', 'provincias'],
    county: ['condado', 'condados'],
    department: ['departamento', 'departamentos'],
    canton: ['cantón', 'cantones'],
    district: ['distrito', 'distritos'],
    municipality: ['municipio, comuna', 'municipios, comunas'],
    borough: ['barrio', 'barrios'],
  }),
  numbers: numbers(
    'uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte',
  ),
  factors: values({ mil: 1e3, millón: 1e6, millones: 1e6 }),
  largest: list('más grandes, más grande, más extensos, más extensas, más extenso, más extensa, mayores'),
  smallest: list('más pequeños, más pequeñas, más pequeño, más pequeña'),
  mostPeople: list('más poblados, más pobladas, más poblado, más poblada'),
  leastPeople: list('menos poblados, menos pobladas, menos poblado, menos poblada'),
  byArea: list('por superficie, por área'),
  byPopulation: list('por población'),
  top: list(''),
  morePeople: list('con más de, de más de'),
  lessPeople: list('con menos de, de menos de'),
  people: list('habitantes, de habitantes, personas'),
  morePopulation: list('con una población superior a, con una población de más de, con una población mayor de'),
  lessPopulation: list('con una población inferior a, con una población de menos de'),
  moreArea: list('de más de, con más de, mayores de, con una superficie de más de, con una superficie superior a'),
  lessArea: list(
    'de menos de, con menos de, menores de, con una superficie de menos de, con una superficie inferior a',
  ),
  km2: list('km2, km ², kilómetros cuadrados'),
  miles2: list('millas cuadradas'),
  starts: list(
    'cuyo nombre empieza por, cuyo nombre empieza con, cuyo nombre comienza por, cuyo nombre comienza con, que empiezan por',
  ),
  ends: list('cuyo nombre termina en, cuyo nombre acaba en, que terminan en'),
  contains: list('cuyo nombre contiene'),
  called: list('cuyo nombre es, llamados, llamadas'),
  neighbors: list('vecinos, vecinas'),
  neighboring: list('vecinos, vecinas, limítrofes, colindantes, fronterizos, fronterizas'),
  neighborLevels: new Map(),
  border: around(
    'que limitan con, que lindan con, limítrofes con, limítrofes de, fronterizos con, fronterizas con, que hacen frontera con, vecinas de, vecinos de, que rodean, alrededor de, que bordean, colindantes con',
  ),
  onBorder: around('en la frontera con, a lo largo de la frontera con'),
  within: around('a menos de, en un radio de, a no más de, a un máximo de'),
  from: list('de, del, alrededor de, de la, en torno a'),
  units: values({
    ...UNITS,
    kilómetro: 1,
    kilómetros: 1,
    metro: 0.001,
    metros: 0.001,
    milla: 1.609344,
    millas: 1.609344,
  }),
  everything: list('todo lo que está, todo'),
  containing: around('que contiene, que contienen, que contenga'),
  capital: list('capital'),
  its: list('su, sus'),
  their: list('sus'),
  it: list('él, ella'),
  them: list('ellos, ellas'),
  parts: list('partes, las partes, parte, la parte'),
  intersection: list('intersección, la intersección'),
  sides: map({
    north: 'norte',
    south: 'sur',
    east: 'este',
    west: 'oeste',
    northeast: 'noreste, nordeste',
    northwest: 'noroeste',
    southeast: 'sureste, sudeste',
    southwest: 'suroeste, sudoeste',
  }),
  sided: map({
    north: 'norte, septentrional',
    south: 'sur, meridional',
    east: 'este, oriental',
    west: 'oeste, occidental',
    northeast: 'noreste, nordeste',
    northwest: 'noroeste',
    southeast: 'sureste, sudeste',
    southwest: 'suroeste, sudoeste',
  }),
  half: list('mitad'),
  quarter: list('cuarto, cuadrante'),
};

const GERMAN: Vocabulary = {
  language: 'de',
  thousands: '.',
  and: list('und, sowie, und auch, plus, samt, zusammen mit'),
  or: list('oder, und oder'),
  both: list('sowohl'),
  without: list('ohne, außer, ausgenommen, abzüglich, bis auf, aber nicht, mit Ausnahme von, aber ohne'),
  articles: list('der, die, das, den, dem, des'),
  of: list('von, in, der, des, in der, in den, im, vom, von der, in dem, innerhalb von'),
  inside: list('in, im, in der, in den, innerhalb von'),
  whole: list('ganz, das ganze, die ganze, der ganze, alles in, alles von'),
  all: list('alle, sämtliche, die, alle der'),
  each: list('jede, jeder, jedes, der, die, das'),
  levels: levels({
    country: ['Land, Staat', 'Länder, Staaten'],
    state: ['Bundesstaat, Bundesland, Bundesstaats', 'Bundesstaaten, Bundesländer'],
    community: ['autonome Gemeinschaft', 'autonome Gemeinschaften, autonomen Gemeinschaften'],
    region: ['Region', 'Regionen'],
    province: ['Provinz', 'Provinzen'],
    county: ['County, Countys', 'Countys, Counties'],
    department: ['Département, Departement', 'Départements, Departements'],
    canton: ['Kanton, Kantons', 'Kantone'],
    district: [
      'Bezirk, Bezirks, Kreis, Landkreis, Distrikt, Wahlkreis',
      'Bezirke, Kreise, Landkreise, Distrikte, Wahlkreise',
    ],
    municipality: ['Gemeinde, Kommune', 'Gemeinden, Kommunen'],
    borough: ['Stadtbezirk', 'Stadtbezirke'],
  }),
  numbers: numbers(
    'eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
  ),
  factors: values({ tausend: 1e3, million: 1e6, millionen: 1e6, mio: 1e6 }),
  largest: list('größten, größte, größter, flächengrößten, flächengrößte'),
  smallest: list('kleinsten, kleinste, kleinster'),
  mostPeople: list(
    'bevölkerungsreichsten, bevölkerungsreichste, einwohnerreichsten, einwohnerstärksten, einwohnerstärkste',
  ),
  leastPeople: list('bevölkerungsärmsten, bevölkerungsärmste, einwohnerärmsten'),
  byArea: list('nach Fläche'),
  byPopulation: list('nach Einwohnern, nach Bevölkerung, nach Einwohnerzahl'),
  top: list('top'),
  morePeople: list('mit mehr als, mit über'),
  lessPeople: list('mit weniger als, mit unter'),
  people: list('Einwohner, Einwohnern, Menschen'),
  morePopulation: list('mit einer Bevölkerung von mehr als, mit einer Bevölkerung über'),
  lessPopulation: list('mit einer Bevölkerung von weniger als, mit einer Bevölkerung unter'),
  moreArea: list('größer als, mit mehr als, mit über, mit einer Fläche von mehr als, mit einer Fläche über'),
  lessArea: list('kleiner als, mit weniger als, mit unter, mit einer Fläche von weniger als, mit einer Fläche unter'),
  km2: list('km2, km ², Quadratkilometer, Quadratkilometern'),
  miles2: list('Quadratmeilen'),
  starts: list(''),
  ends: list(''),
  contains: list(''),
  called: list(''),
  neighbors: list('Nachbarn'),
  neighboring: list('benachbarten, benachbarte, angrenzenden, angrenzende, umliegenden, umliegende'),
  neighborLevels: map({
    country: 'Nachbarländer, Nachbarstaaten',
    municipality: 'Nachbargemeinden',
    canton: 'Nachbarkantone',
    province: 'Nachbarprovinzen',
    county: 'Nachbarcountys',
  } as Record<LevelWord, string>),
  border: around(
    'die an _ grenzen|angrenzen, das an _ grenzt, der an _ grenzt, um, rund um, rings um, an der Grenze zu, entlang der Grenze zu, mit einer Grenze zu',
  ),
  onBorder: [],
  within: around('im Umkreis von, innerhalb von, in einem Umkreis von, höchstens, weniger als'),
  from: list('um, von, rund um, entfernt von'),
  units: values({
    ...UNITS,
    kilometer: 1,
    kilometern: 1,
    meter: 0.001,
    metern: 0.001,
    meile: 1.609344,
    meilen: 1.609344,
  }),
  everything: list('alles'),
  containing: around('der _ enthält, die _ enthält|enthalten, das _ enthält'),
  capital: list('Hauptstadt'),
  its: list('seine, seiner, seinen, ihre, ihrer'),
  their: list('ihre, ihren, deren'),
  it: list('es, ihn'),
  them: list('sie'),
  parts: list('Teile, die Teile, Teil, der Teil'),
  intersection: list('Schnittmenge, die Schnittmenge'),
  sides: map({
    north: 'Norden',
    south: 'Süden',
    east: 'Osten',
    west: 'Westen',
    northeast: 'Nordosten',
    northwest: 'Nordwesten',
    southeast: 'Südosten',
    southwest: 'Südwesten',
  }),
  sided: map({
    north: 'nördliche, nördlichen, nördliches',
    south: 'südliche, südlichen, südliches',
    east: 'östliche, östlichen, östliches',
    west: 'westliche, westlichen, westliches',
    northeast: 'nordöstliche, nordöstlichen',
    northwest: 'nordwestliche, nordwestlichen',
    southeast: 'südöstliche, südöstlichen',
    southwest: 'südwestliche, südwestlichen',
  }),
  half: list('Hälfte'),
  quarter: list('Viertel'),
};

const FRENCH: Vocabulary = {
  language: 'fr',
  thousands: '.',
  and: list('et, ainsi que, plus, et aussi, avec'),
  or: list('ou, et ou'),
  both: list('à la fois'),
  without: list("sans, sauf, excepté, à l'exception de, hormis, mais pas, moins, à l'exclusion de"),
  articles: list('le, la, les, l'),
  of: list('de, du, des, d, dans, en, au, aux, de la, de l, dans le, dans la, dans les, dans l'),
  inside: list('dans, en, dans le, dans la, dans les, dans l, au'),
  whole: list("tout, toute, tout le, toute la, l'ensemble de, l'ensemble du, tout l, toute l"),
  all: list('tous les, toutes les, tous, toutes, les'),
  each: list('chaque, le, la, l'),
  levels: levels({
    country: ['pays', 'pays'],
    state: ['état', 'états'],
    community: ['communauté autonome', 'communautés autonomes'],
    region: ['région', 'régions'],
    province: ['province', 'provinces'],
    county: ['comté', 'comtés'],
    department: ['département', 'départements'],
    canton: ['canton', 'cantons'],
    district: ['district', 'districts'],
    municipality: ['commune, municipalité', 'communes, municipalités'],
    borough: ['arrondissement municipal', 'arrondissements municipaux'],
  }),
  numbers: numbers(
    'un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt',
  ),
  factors: values({ mille: 1e3, million: 1e6, millions: 1e6 }),
  largest: list(
    'plus grands, plus grandes, plus grande, plus grand, les plus grands, les plus grandes, le plus grand, la plus grande, plus vastes, plus étendus, plus étendues',
  ),
  smallest: list(
    'plus petits, plus petites, plus petite, plus petit, les plus petits, les plus petites, le plus petit, la plus petite',
  ),
  mostPeople: list(
    'plus peuplés, plus peuplées, plus peuplé, plus peuplée, les plus peuplés, les plus peuplées, le plus peuplé, la plus peuplée',
  ),
  leastPeople: list(
    'moins peuplés, moins peuplées, moins peuplé, moins peuplée, les moins peuplés, les moins peuplées, le moins peuplé, la moins peuplée',
  ),
  byArea: list('par superficie, en superficie'),
  byPopulation: list('par population, en population'),
  top: list(''),
  morePeople: list('de plus de, avec plus de, ayant plus de, comptant plus de'),
  lessPeople: list('de moins de, avec moins de, ayant moins de, comptant moins de'),
  people: list("habitants, d'habitants, personnes"),
  morePopulation: list('avec une population de plus de, avec une population supérieure à'),
  lessPopulation: list('avec une population de moins de, avec une population inférieure à'),
  moreArea: list("de plus de, avec plus de, plus grands que, plus grandes que, d'une superficie de plus de"),
  lessArea: list("de moins de, avec moins de, plus petits que, plus petites que, d'une superficie de moins de"),
  km2: list('km2, km ², kilomètres carrés'),
  miles2: list('miles carrés'),
  starts: list('dont le nom commence par'),
  ends: list('dont le nom finit par, dont le nom se termine par'),
  contains: list('dont le nom contient'),
  called: list('dont le nom est'),
  neighbors: list('voisins, voisines'),
  neighboring: list('voisins, voisines, limitrophes, avoisinants, avoisinantes'),
  neighborLevels: new Map(),
  border: around(
    'limitrophes de, limitrophes du, limitrophes des, limitrophes d, voisins de, voisins du, voisines de, voisines du, qui bordent, qui touchent, qui jouxtent, autour de, autour du, autour d, qui entourent, ayant une frontière avec',
  ),
  onBorder: around('à la frontière avec, le long de la frontière avec'),
  within: around('à moins de, dans un rayon de, à au plus, à un maximum de'),
  from: list('de, du, autour de, autour du, d, de la, de l'),
  units: values({ ...UNITS, kilomètre: 1, kilomètres: 1, mètre: 0.001, mètres: 0.001 }),
  everything: list('tout ce qui est, tout'),
  containing: around('qui contient, qui contiennent'),
  capital: list('capitale'),
  its: list('sa, son, ses'),
  their: list('leurs, leur'),
  it: list('lui, elle'),
  them: list('eux, elles'),
  parts: list('parties, les parties, partie, la partie'),
  intersection: list("intersection, l'intersection"),
  sides: map({
    north: 'nord',
    south: 'sud',
    east: 'est',
    west: 'ouest',
    northeast: 'nord-est',
    northwest: 'nord-ouest',
    southeast: 'sud-est',
    southwest: 'sud-ouest',
  }),
  sided: map({
    north: 'nord, septentrional, septentrionale',
    south: 'sud, méridional, méridionale',
    east: 'est, oriental, orientale',
    west: 'ouest, occidental, occidentale',
    northeast: 'nord-est',
    northwest: 'nord-ouest',
    southeast: 'sud-est',
    southwest: 'sud-ouest',
  }),
  half: list('moitié'),
  quarter: list('quart'),
};

/** The vocabularies, in the order in which they are tried. */
export const VOCABULARIES: readonly Vocabulary[] = [ENGLISH, SPANISH, GERMAN, FRENCH];

/** Countries by the adjectives of descriptions, folded: "Canadian", "Spanish". ISO 3166-1 alpha-2. */
export const ADJECTIVES: ReadonlyMap<string, string> = new Map(
  (
    [
      ['American', 'US'],
      ['Austrian', 'AT'],
      ['Belgian', 'BE'],
      ['British', 'GB'],
      ['Canadian', 'CA'],
      ['Danish', 'DK'],
      ['Dutch', 'NL'],
      ['French', 'FR'],
      ['German', 'DE'],
      ['Italian', 'IT'],
      ['Japanese', 'JP'],
      ['Luxembourgish', 'LU'],
      ['Maltese', 'MT'],
      ['Mexican', 'MX'],
      ['Moroccan', 'MA'],
      ['Norwegian', 'NO'],
      ['Polish', 'PL'],
      ['Portuguese', 'PT'],
      ['Russian', 'RU'],
      ['Spanish', 'ES'],
      ['Swedish', 'SE'],
      ['Swiss', 'CH'],
    ] as const
  ).map(([word, code]) => [foldName(word), code]),
);
