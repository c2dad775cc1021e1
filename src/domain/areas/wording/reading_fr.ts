import type { Direction, Expression, Level } from '../algebra.ts';
import { bracketed, type LineNames, lineOf, type Write } from '../say.ts';
import { genderOf, type LevelNames, listOf, numberIn } from './parts.ts';

const LEVELS: LevelNames<'m' | 'f'> = {
  country: ['pays', 'pays', 'm'],
  state: ['État', 'États', 'm'],
  community: ['communauté autonome', 'communautés autonomes', 'f'],
  region: ['région', 'régions', 'f'],
  province: ['province', 'provinces', 'f'],
  county: ['comté', 'comtés', 'm'],
  department: ['département', 'départements', 'm'],
  canton: ['canton', 'cantons', 'm'],
  district: ['district', 'districts', 'm'],
  municipality: ['commune', 'communes', 'f'],
  borough: ['arrondissement municipal', 'arrondissements municipaux', 'm'],
};
const plural = (level: Level): string =>
  typeof level === 'number' ? `limites de niveau administratif ${level}` : LEVELS[level][1];
const many = (level: Level): string =>
  `les ${typeof level === 'number' ? `limites de niveau administratif ${level}` : LEVELS[level][1]}`;
function one(level: Level): string {
  if (typeof level === 'number') return `la limite de niveau administratif ${level}`;
  const [word, , gender] = LEVELS[level];
  return VOWEL.test(word) ? `l’${word}` : `${gender === 'f' ? 'la' : 'le'} ${word}`;
}

const SIDES: Readonly<Record<Direction, string>> = {
  north: 'nord',
  south: 'sud',
  east: 'est',
  west: 'ouest',
  northeast: 'nord-est',
  northwest: 'nord-ouest',
  southeast: 'sud-est',
  southwest: 'sud-ouest',
};

const LINES: LineNames = {
  ...{ letters: ['N', 'S', 'E', 'O'], parallel: 'parallèle', meridian: 'méridien', number: numberIn },
};

const ORDERS = {
  area: { most: 'plus grand', least: 'plus petit' },
  population: { most: 'plus peuplé', least: 'moins peuplé' },
} as const;
const NUMBERS = {
  ...{ exactly: 'exactement', more: 'plus de', less: 'moins de', at_least: 'au moins', at_most: 'au plus' },
} as const;
const NAMED = { starts: 'commence par', ends: 'finit par', contains: 'contient', is: 'est' } as const;
const VOWEL = /^[aeiouyàâäéèêëîïôöùûü]/i;

/** "de": "du" and "des" before articles, "d’" before a vowel. */
function of(text: string): string {
  if (text.startsWith('le ')) return `du ${text.slice(3)}`;
  if (text.startsWith('les ')) return `des ${text.slice(4)}`;
  return VOWEL.test(text) ? `d’${text}` : `de ${text}`;
}
/** "the north of": articles of the directions, of which two begin with a vowel. */
const side = (direction: Direction, before: 'le' | 'au'): string =>
  VOWEL.test(SIDES[direction])
    ? `${before === 'le' ? 'l’' : 'à l’'}${SIDES[direction]}`
    : `${before} ${SIDES[direction]}`;

const COMPARED = {
  more: 'supérieure',
  less: 'inférieure',
  at_least: 'au moins égale',
  at_most: 'au plus égale',
} as const;

/** An expression in French. */
export function frenchOf(e: Expression, once: Write): string {
  const { inner, set } = bracketed(once);
  const ending = (part: Expression): string => (genderOf(part, LEVELS, 'm') === 'f' ? 'es' : 's');
  switch (e.op) {
    case 'place': {
      const name = e.name === undefined ? (e.id ?? '') : e.name;
      const named = e.level === undefined ? name : `${one(e.level)} ${VOWEL.test(name) ? 'd’' : 'de '}${name}`;
      return e.within === undefined ? named : `${named} (${e.within})`;
    }
    case 'at':
      return `${one(e.level)} à lat ${e.lat} lon ${e.lon}`;
    case 'group':
      return e.name;
    case 'capital':
      return `la capitale ${of(inner(e.of))}`;
    case 'union':
      return listOf(e.of.map(inner), () => 'et');
    case 'difference':
      return `${inner(e.of)} sans ${inner(e.minus)}`;
    case 'intersection':
      return `l’intersection ${of(inner(e.of))} et ${inner(e.with)}`;
    case 'children':
      return `${e.level === undefined ? 'les subdivisions' : many(e.level)} ${of(inner(e.of))}`;
    case 'containing':
      return `${one(e.level)} qui contient ${inner(e.of)}`;
    case 'neighbors':
      return e.level === undefined
        ? `les voisins ${of(inner(e.of))}`
        : `${many(e.level)} limitrophes ${of(inner(e.of))}`;
    case 'around':
      return `${many(e.level)} à moins de ${numberIn(e.km)} km ${of(inner(e.from))}`;
    case 'within':
      return `${set(e.of)} à moins de ${numberIn(e.km)} km ${of(inner(e.from))}`;
    case 'buffer':
      return `tout ce qui est à moins de ${numberIn(e.km)} km ${of(inner(e.of))}`;
    case 'touching':
      return `${set(e.of)} limitrophes ${of(inner(e.border))}`;
    case 'bordered': {
      const counted = e.level === undefined ? `voisin${e.count === 1 ? '' : 's'}` : `${plural(e.level)} limitrophes`;
      return `${set(e.of)} avec ${NUMBERS[e.is]} ${e.count} ${counted}`;
    }
    case 'coast':
      return `${set(e.of)} ${e.is === 'coastal' ? 'au bord de la mer' : 'sans littoral'}`;
    case 'side':
      return e.level === undefined
        ? `${side(e.direction, 'le')} ${of(inner(e.of))}`
        : `${many(e.level)} dans ${side(e.direction, 'le')} ${of(inner(e.of))}`;
    case 'clip':
      if (e.at !== undefined) return `la partie ${of(inner(e.of))} ${side(e.direction, 'au')} de ${lineOf(e, LINES)}`;
      if (e.from !== undefined) return `la partie ${of(inner(e.of))} ${side(e.direction, 'au')} ${of(inner(e.from))}`;
      return e.direction.length > 5
        ? `le quart ${SIDES[e.direction]} ${of(inner(e.of))}`
        : `la moitié ${SIDES[e.direction]} ${of(inner(e.of))}`;
    case 'rank':
      return `les ${e.count} ${ORDERS[e.by][e.order]}${ending(e.of)} de ${set(e.of)}`;
    case 'counted':
      return `${ending(e.of) === 'es' ? 'toutes' : 'tous'} les ${e.count} de ${set(e.of)}`;
    case 'measured': {
      if (e.is === 'at_least' || e.is === 'at_most')
        return `${set(e.of)} avec ${e.is === 'at_least' ? 'au moins' : 'au plus'} ${numberIn(e.than)} ${e.by === 'area' ? 'km2' : 'habitants'}`;
      const than = `${e.is === 'more' ? 'plus' : 'moins'} de ${numberIn(e.than)}`;
      return `${set(e.of)} de ${than} ${e.by === 'area' ? 'km2' : 'habitants'}`;
    }
    case 'compared': {
      const measure = e.by === 'area' ? 'superficie' : 'population';
      const times = e.times === undefined ? '' : `${numberIn(e.times)} fois `;
      return `${set(e.of)} d’une ${measure} ${COMPARED[e.is]} à ${times}celle ${of(inner(e.with))}`;
    }
    case 'named':
      return `${set(e.of)} dont le nom ${NAMED[e.how]} "${e.text}"`;
  }
}
