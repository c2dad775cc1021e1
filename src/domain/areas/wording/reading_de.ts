import type { Direction, Expression, Level } from '../algebra.ts';
import { bracketed, type LineNames, lineOf, type Write } from '../say.ts';
import { type LevelNames, listOf, numberIn } from './parts.ts';

const LEVELS: LevelNames<'der' | 'die' | 'das'> = {
  country: ['Land', 'Länder', 'das'],
  state: ['Bundesstaat', 'Bundesstaaten', 'der'],
  community: ['autonome Gemeinschaft', 'autonomen Gemeinschaften', 'die'],
  region: ['Region', 'Regionen', 'die'],
  province: ['Provinz', 'Provinzen', 'die'],
  county: ['County', 'Countys', 'das'],
  department: ['Département', 'Départements', 'das'],
  canton: ['Kanton', 'Kantone', 'der'],
  district: ['Bezirk', 'Bezirke', 'der'],
  municipality: ['Gemeinde', 'Gemeinden', 'die'],
  borough: ['Stadtbezirk', 'Stadtbezirke', 'der'],
};
const plural = (level: Level): string =>
  typeof level === 'number' ? `Grenzen der Verwaltungsebene ${level}` : LEVELS[level][1];
const many = (level: Level): string =>
  typeof level === 'number' ? `die Grenzen der Verwaltungsebene ${level}` : `die ${LEVELS[level][1]}`;
const article = (level: Level): string => (typeof level === 'number' ? 'die' : LEVELS[level][2]);
const one = (level: Level): string =>
  `${article(level)} ${typeof level === 'number' ? `Grenze der Verwaltungsebene ${level}` : LEVELS[level][0]}`;

const NOUNS: Readonly<Record<Direction, string>> = {
  north: 'Norden',
  south: 'Süden',
  east: 'Osten',
  west: 'Westen',
  northeast: 'Nordosten',
  northwest: 'Nordwesten',
  southeast: 'Südosten',
  southwest: 'Südwesten',
};
/** "nördlich", "nordwestlich". */
const sided = (direction: Direction): string =>
  NOUNS[direction]
    .toLowerCase()
    .replace('norden', 'nörden')
    .replace(/en$/, 'lich')
    .replace(/ost(?=lich$)/, 'öst');

const LINES: LineNames = {
  ...{ letters: ['N', 'S', 'E', 'W'], parallel: 'Breitengrad', meridian: 'Längengrad', number: numberIn },
};

const ORDERS = {
  area: { most: 'größten', least: 'kleinsten' },
  population: { most: 'bevölkerungsreichsten', least: 'bevölkerungsärmsten' },
} as const;

const BOUNDS = { more: 'mehr als', less: 'weniger als', at_least: 'mindestens', at_most: 'höchstens' } as const;
const NUMBERS = { ...BOUNDS, exactly: 'genau' } as const;
const COMPARED: Readonly<Record<'area' | 'population', Readonly<Record<string, string | undefined>>>> = {
  area: { more: 'größer als', less: 'kleiner als' },
  population: { more: 'bevölkerungsreicher als', less: 'bevölkerungsärmer als' },
};

/** An expression in German: a part in brackets keeps its own case. */
export function germanOf(e: Expression, once: Write): string {
  const { inner: plain, set } = bracketed(once);
  // "von (der Kanton Wiltz)", as words before it ask for another case.
  const inner: Write = (part) => (part.op === 'place' && part.level !== undefined ? set(part) : plain(part));
  switch (e.op) {
    case 'place': {
      const name = e.name === undefined ? (e.id ?? '') : e.name;
      const named = e.level === undefined ? name : `${one(e.level)} ${name}`;
      return e.within === undefined ? named : `${named} (${e.within})`;
    }
    case 'at':
      return `${one(e.level)} bei lat ${e.lat} lon ${e.lon}`;
    case 'group':
      return e.name;
    case 'capital':
      return `die Hauptstadt von ${inner(e.of)}`;
    case 'union':
      return listOf(e.of.map(plain), () => 'und');
    case 'difference':
      return `${plain(e.of)} ohne ${inner(e.minus)}`;
    case 'intersection':
      return `die Schnittmenge von ${inner(e.of)} und ${inner(e.with)}`;
    case 'children':
      return `${e.level === undefined ? 'die Unterteilungen' : many(e.level)} von ${inner(e.of)}`;
    case 'containing':
      return `${one(e.level)}, ${article(e.level)} ${inner(e.of)} enthält`;
    case 'neighbors':
      return e.level === undefined
        ? `die Nachbarn von ${inner(e.of)}`
        : `${many(e.level)} an der Grenze zu ${inner(e.of)}`;
    case 'around':
      return `${many(e.level)} im Umkreis von ${numberIn(e.km)} km um ${inner(e.from)}`;
    case 'within':
      return `${set(e.of)} im Umkreis von ${numberIn(e.km)} km um ${inner(e.from)}`;
    case 'buffer':
      return `alles im Umkreis von ${numberIn(e.km)} km um ${inner(e.of)}`;
    case 'touching':
      return `${set(e.of)} an der Grenze zu ${inner(e.border)}`;
    case 'bordered': {
      const counted = e.level === undefined ? 'Nachbarn' : `benachbarten ${plural(e.level)}`;
      return `${set(e.of)} mit ${NUMBERS[e.is]} ${e.count} ${counted}`;
    }
    case 'coast':
      return `${set(e.of)} ${e.is === 'coastal' ? 'am Meer' : 'ohne Zugang zum Meer'}`;
    case 'side':
      return e.level === undefined
        ? `der ${NOUNS[e.direction]} von ${inner(e.of)}`
        : `${many(e.level)} im ${NOUNS[e.direction]} von ${inner(e.of)}`;
    case 'clip':
      if (e.at !== undefined) return `der Teil von ${inner(e.of)} ${sided(e.direction)} von ${lineOf(e, LINES)}`;
      if (e.from !== undefined) return `der Teil von ${inner(e.of)} ${sided(e.direction)} von ${inner(e.from)}`;
      return e.direction.length > 5
        ? `das ${sided(e.direction)}e Viertel von ${inner(e.of)}`
        : `die ${sided(e.direction)}e Hälfte von ${inner(e.of)}`;
    case 'rank':
      return `die ${e.count} ${ORDERS[e.by][e.order]} von ${set(e.of)}`;
    case 'counted':
      return `alle ${e.count} von ${set(e.of)}`;
    case 'measured':
      if (e.is === 'at_least' || e.is === 'at_most')
        return `${set(e.of)} mit ${BOUNDS[e.is]} ${numberIn(e.than)} ${e.by === 'area' ? 'km2' : 'Einwohnern'}`;
      return e.by === 'area'
        ? `${set(e.of)} ${e.is === 'more' ? 'größer' : 'kleiner'} als ${numberIn(e.than)} km2`
        : `${set(e.of)} mit ${e.is === 'more' ? 'mehr' : 'weniger'} als ${numberIn(e.than)} Einwohnern`;
    case 'compared': {
      const times = e.times === undefined ? '' : `${numberIn(e.times)} mal `;
      const simple = e.times === undefined ? COMPARED[e.by][e.is] : undefined;
      const than = simple ?? `${BOUNDS[e.is]} ${times}so ${e.by === 'area' ? 'groß' : 'bevölkerungsreich'} wie`;
      return `${set(e.of)} ${than} ${inner(e.with)}`;
    }
    case 'named': {
      const how = { starts: `mit "${e.text}" beginnt`, ends: `auf "${e.text}" endet` };
      const rest = { contains: `"${e.text}" enthält`, is: `"${e.text}" ist` };
      return `${set(e.of)}, deren Name ${{ ...how, ...rest }[e.how]}`;
    }
  }
}
