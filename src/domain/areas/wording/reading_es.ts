import type { Direction, Expression, Level } from '../algebra.ts';
import { bracketed, type LineNames, lineOf, type Write } from '../say.ts';
import { genderOf, type LevelNames, listOf, numberIn } from './parts.ts';

const LEVELS: LevelNames<'m' | 'f'> = {
  country: ['país', 'países', 'm'],
  state: ['estado', 'estados', 'm'],
  community: ['comunidad autónoma', 'comunidades autónomas', 'f'],
  region: ['región', 'regiones', 'f'],
  province: ['provincia', 'provincias', 'f'],
  county: ['condado', 'condados', 'm'],
  department: ['departamento', 'departamentos', 'm'],
  canton: ['cantón', 'cantones', 'm'],
  district: ['distrito', 'distritos', 'm'],
  municipality: ['municipio', 'municipios', 'm'],
  borough: ['barrio', 'barrios', 'm'],
};
const plural = (level: Level): string =>
  typeof level === 'number' ? `límites de nivel administrativo ${level}` : LEVELS[level][1];
const many = (level: Level): string =>
  typeof level === 'number'
    ? `los límites de nivel administrativo ${level}`
    : `${LEVELS[level][2] === 'f' ? 'las' : 'los'} ${LEVELS[level][1]}`;
const one = (level: Level): string =>
  typeof level === 'number'
    ? `el límite de nivel administrativo ${level}`
    : `${LEVELS[level][2] === 'f' ? 'la' : 'el'} ${LEVELS[level][0]}`;

const SIDES: Readonly<Record<Direction, string>> = {
  north: 'norte',
  south: 'sur',
  east: 'este',
  west: 'oeste',
  northeast: 'noreste',
  northwest: 'noroeste',
  southeast: 'sureste',
  southwest: 'suroeste',
};

const LINES: LineNames = {
  ...{ letters: ['N', 'S', 'E', 'O'], parallel: 'paralelo', meridian: 'meridiano', number: numberIn },
};

const ORDERS = {
  area: { most: 'más grand', least: 'más pequeñ' },
  population: { most: 'más poblad', least: 'menos poblad' },
} as const;
const NAMED = { starts: 'empieza por', ends: 'termina en', contains: 'contiene', is: 'es' } as const;

/** "de": "del" before "el". */
const of = (text: string): string => (text.startsWith('el ') ? `del ${text.slice(3)}` : `de ${text}`);
/** "y": "e" before the same sound. */
const and = (next: string): string => (/^\(*h?[iíy](?![aeo])/i.test(next) ? 'e' : 'y');

const BOUNDS = { more: 'más de', less: 'menos de', at_least: 'al menos', at_most: 'como máximo' } as const;
const NUMBERS = { ...BOUNDS, exactly: 'exactamente' } as const;

/** An expression in Spanish. */
export function spanishOf(e: Expression, once: Write): string {
  const { inner, set } = bracketed(once);
  const feminine = (part: Expression): boolean => genderOf(part, LEVELS, 'm') === 'f';
  switch (e.op) {
    case 'place': {
      const name = e.name === undefined ? (e.id ?? '') : e.name;
      const named = e.level === undefined ? name : `${one(e.level)} de ${name}`;
      return e.within === undefined ? named : `${named} (${e.within})`;
    }
    case 'at':
      return `${one(e.level)} en lat ${e.lat} lon ${e.lon}`;
    case 'group':
      return e.name;
    case 'capital':
      return `la capital ${of(inner(e.of))}`;
    case 'union':
      return listOf(e.of.map(inner), and);
    case 'difference':
      return `${inner(e.of)} sin ${inner(e.minus)}`;
    case 'intersection': {
      const other = inner(e.with);
      return `la intersección ${of(inner(e.of))} ${and(other)} ${other}`;
    }
    case 'children':
      return `${e.level === undefined ? 'las subdivisiones' : many(e.level)} ${of(inner(e.of))}`;
    case 'containing':
      return `${one(e.level)} que contiene ${inner(e.of)}`;
    case 'neighbors':
      return e.level === undefined
        ? `los vecinos ${of(inner(e.of))}`
        : `${many(e.level)} que limitan con ${inner(e.of)}`;
    case 'around':
      return `${many(e.level)} a menos de ${numberIn(e.km)} km ${of(inner(e.from))}`;
    case 'within':
      return `${set(e.of)} a menos de ${numberIn(e.km)} km ${of(inner(e.from))}`;
    case 'buffer':
      return `todo lo que está a menos de ${numberIn(e.km)} km ${of(inner(e.of))}`;
    case 'touching':
      return `${set(e.of)} que limitan con ${inner(e.border)}`;
    case 'bordered': {
      const counted = e.level === undefined ? `vecino${e.count === 1 ? '' : 's'}` : `${plural(e.level)} limítrofes`;
      return `${set(e.of)} con ${NUMBERS[e.is]} ${e.count} ${counted}`;
    }
    case 'coast':
      return `${set(e.of)} ${e.is === 'coastal' ? 'con costa' : 'sin costa'}`;
    case 'side':
      return e.level === undefined
        ? `el ${SIDES[e.direction]} ${of(inner(e.of))}`
        : `${many(e.level)} en el ${SIDES[e.direction]} ${of(inner(e.of))}`;
    case 'clip':
      if (e.at !== undefined) return `la parte ${of(inner(e.of))} al ${SIDES[e.direction]} de ${lineOf(e, LINES)}`;
      if (e.from !== undefined) return `la parte ${of(inner(e.of))} al ${SIDES[e.direction]} ${of(inner(e.from))}`;
      return e.direction.length > 5
        ? `el cuarto ${SIDES[e.direction]} ${of(inner(e.of))}`
        : `la mitad ${SIDES[e.direction]} ${of(inner(e.of))}`;
    case 'rank': {
      const order = ORDERS[e.by][e.order];
      const ending = order === 'más grand' ? 'es' : feminine(e.of) ? 'as' : 'os';
      return `${feminine(e.of) ? 'las' : 'los'} ${e.count} ${order}${ending} de ${set(e.of)}`;
    }
    case 'counted':
      return `${feminine(e.of) ? 'todas las' : 'todos los'} ${e.count} de ${set(e.of)}`;
    case 'measured':
      if (e.is === 'at_least' || e.is === 'at_most')
        return `${set(e.of)} con ${BOUNDS[e.is]} ${numberIn(e.than)} ${e.by === 'area' ? 'km2' : 'habitantes'}`;
      return e.by === 'area'
        ? `${set(e.of)} ${e.is === 'more' ? 'mayores' : 'menores'} de ${numberIn(e.than)} km2`
        : `${set(e.of)} con ${e.is === 'more' ? 'más' : 'menos'} de ${numberIn(e.than)} habitantes`;
    case 'compared': {
      const measure = e.by === 'area' ? 'superficie' : 'población';
      if (e.times === undefined && (e.is === 'more' || e.is === 'less'))
        return `${set(e.of)} con ${e.is === 'more' ? 'más' : 'menos'} ${measure} que ${inner(e.with)}`;
      const times = e.times === undefined ? '' : `${numberIn(e.times)} veces `;
      return `${set(e.of)} con ${BOUNDS[e.is]} ${times}la ${measure} ${of(inner(e.with))}`;
    }
    case 'named':
      return `${set(e.of)} cuyo nombre ${NAMED[e.how]} "${e.text}"`;
  }
}
