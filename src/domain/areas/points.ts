import type { Expression, LevelWord } from './algebra.ts';
import { clip, DescriptionError } from './description_error.ts';
import { parseLevel } from './level_words.ts';
import type { Parser } from './parser.ts';
import type { Token } from './tokens.ts';
import { LINES } from './vocabulary/lines.ts';
import { list } from './vocabulary/phrases.ts';
import { LANGUAGES } from './vocabulary/vocabulary.ts';
import { said, term } from './wording/said.ts';

// Rules for points by their coordinates: "the municipality at 40.4168, -3.7038". Latitude is first.

const AT = list(
  'at, that contains, containing, which contains, where, of, around, with, en, que contiene, donde está, de, bei, an, um, die, à, en, qui contient, autour de, du, point, punto, punkt, coordinates, coordenadas, coordonnées, koordinaten',
);
const NUMBER = /^\d{1,3}(?:[.,]\d{1,9})?$/u;

/** Whether a token may be of coordinates: a number with decimals, or a word for latitude. */
const isOfPoint = ({ sort, text, folded }: Token): boolean =>
  sort === 'number' ? /[.,]\d/u.test(text) : LANGUAGES.some((language) => LINES[language].latitude.has(folded));

interface Coordinate {
  readonly value: number;
  readonly axis: 'lat' | 'lon' | null;
}

/** One coordinate: "-3.7038", "40.4168° N", "lat 40.4". */
function parseCoordinate(p: Parser): Coordinate | null {
  return p.attempt((): Coordinate | null => {
    const { latitude, longitude, sides } = LINES[p.v.language];
    let axis: Coordinate['axis'] = null;
    const named = p.tokens[p.at]?.folded ?? '';
    if (latitude.has(named) || longitude.has(named)) {
      axis = latitude.has(named) ? 'lat' : 'lon';
      p.at++;
      p.sign(':', '=');
    }
    const isNegative = p.sign('-', '−', '–');
    const token = p.tokens[p.at];
    if (token?.sort !== 'number' || !NUMBER.test(token.text)) return null;
    p.at++;
    p.sign('°', 'º');
    const side = sides.get(p.tokens[p.at]?.folded ?? '');
    if (side !== undefined && p.tokens[p.at]?.sort === 'word') {
      p.at++;
      axis = side === 'north' || side === 'south' ? 'lat' : 'lon';
    }
    const isSouthern = isNegative || side === 'south' || side === 'west';
    return { value: Number(token.text.replace(',', '.')) * (isSouthern ? -1 : 1), axis };
  });
}

/** Two coordinates with a comma or nothing between them. Null if they are none, or both whole numbers. */
function parsePoint(p: Parser): { readonly lat: number; readonly lon: number; readonly sure: boolean } | null {
  return p.attempt(() => {
    const from = p.at;
    const isBracketed = p.sign('(');
    const first = parseCoordinate(p);
    if (first === null) return null;
    p.sign(',', ';', '/');
    const second = parseCoordinate(p);
    if (second === null || (isBracketed && !p.sign(')'))) return null;
    const isWritten = first.axis !== null || second.axis !== null;
    const hasDecimals = p.tokens.slice(from, p.at).filter(({ text }) => /[.,]\d/u.test(text)).length === 2;
    if (!isWritten && !hasDecimals) return null;
    const isTurned = first.axis === 'lon' || second.axis === 'lat';
    const [lat, lon] = isTurned ? [second.value, first.value] : [first.value, second.value];
    if (Math.abs(lat) > 90 || Math.abs(lon) > 180)
      p.fail('is not a point: write its latitude, then its longitude, in degrees', from, p.at - 1);
    return { lat, lon, sure: isWritten || Math.abs(lon) > 90 };
  });
}

/** "the municipality at 40.4168, -3.7038": the boundary of a level that a point is in. Null for something else. */
export function parseAtPoint(p: Parser): Expression | null {
  if (!p.hasToken(isOfPoint)) return null;
  const from = p.at;
  p.take(p.v.articles);
  const level: LevelWord | null = parseLevel(p, 'one') ?? (p.take(p.v.city) ? 'municipality' : null);
  if (level === null) return null;
  while (p.take(AT) || p.take(p.v.articles));
  const point = parsePoint(p);
  if (point === null) return null;
  const { lat, lon, sure } = point;
  return { op: 'at', lat, lon, ...(sure ? {} : { sure }), level, words: p.words(from) };
}

const BOX = /(?<!\p{L})(?:bbox|bounding box|extent)[\s=:([]{0,4}-?\d/iu;
const POINT = /(?<![\d.,])-?\d{1,3}\.\d{1,9}\s*°?\s*[,;\s]\s*-?\d{1,3}\.\d{1,9}(?![\d.])/u;

/**
 * Why a description with a box of coordinates, or with a point that no level is in front of, is not understood; null for
 * another one.
 */
export function pointFault(text: string): DescriptionError | null {
  const box = BOX.exec(text);
  if (box) {
    const words = { text: text.slice(box.index), from: box.index, to: text.length };
    return new DescriptionError(
      said`"${clip(words.text)}" (character ${words.from + 1}) ${term('is a box of coordinates, which is not an area of boundaries; write names, or a part of a place, as in "the part of Spain north of 40° N"')}.`,
      words,
    );
  }
  const point = POINT.exec(text);
  if (point === null) return null;
  const words = { text: point[0], from: point.index, to: point.index + point[0].length };
  return new DescriptionError(
    said`"${words.text}" (character ${words.from + 1}) ${said`is a point, and areas are made of boundaries; write the level of the one that it is in, as in "the municipality at ${words.text}"`}.`,
    words,
  );
}
