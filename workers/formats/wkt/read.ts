import wkx from 'wkx';
import { defined } from '../../defined.ts';
import { polygonsOf } from '../geojson/read.ts';
import {
  MAX_DEPTH,
  type PolygonRings,
  type Position,
  type Tally,
  Unreadable,
  type WholeDocument,
} from '../reading/document.ts';
import { curved } from '../reading/wkb.ts';

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:E[+-]?\d+)?$/;
const WORDS = /^(?:POINT|LINESTRING|POLYGON|MULTIPOINT|MULTILINESTRING|MULTIPOLYGON|GEOMETRYCOLLECTION|EMPTY|Z|M|ZM)$/;
/** The placeholder for a list of coordinates in the text that wkx parses. */
const LIST = /\(\d+ 0\)/g;
const PREFIX = /^SRID=(\d+);/;
const DIMENSIONS: Readonly<Record<number, string>> = { 2: '', 3: ' Z', 4: ' ZM' };

/** Coordinates given to wkx at a time, because it scans the rest of its text at every coordinate. */
const PIECE = 1000;

/**
 * Reads well-known text (OGC 06-103r4, EWKT with SRID 4326): one geometry, in upper or lower case, over any number of
 * lines. Heights and measures are dropped.
 * @throws Unreadable
 */
export function readWkt(source: string): WholeDocument {
  let text = source.trim().toUpperCase().replace(/\s+/g, ' ');
  const [prefix, srid] = PREFIX.exec(text) ?? [''];
  text = text.slice(prefix.length).trim();
  if (text === '') throw new Unreadable('it is empty');
  const rings: Position[][] = [];
  const counts: Tally = { left: 0 };
  // Lists of coordinates are parsed separately: wkx parses the structure, with the index of each list in its place.
  let structure = text
    .replace(/\(([^()]+)\)/g, (_whole, list: string) => {
      rings.push(readList(list));
      if (/^[^\s,]+ [^\s,]+ [^\s,]/.test(list.trim())) counts.heights = true;
      return `(${rings.length - 1} 0)`;
    })
    .replace(/\b(?:ZM|Z|M) ?(?=\(|EMPTY)/g, '');
  structure = withoutCurves(structure, rings);
  requireForm(structure);
  const polygons = polygonsOf(parse(structure).toGeoJSON(), counts);
  const filled = polygons.map((polygon): PolygonRings => polygon.map((ring) => defined(rings[defined(ring[0])[0]])));
  const features = [{ id: null, name: null, properties: {}, polygons: filled }];
  return { name: null, system: srid === undefined ? null : { epsg: Number(srid) }, features, tally: counts };
}

/** The surfaces that a POLYGON or MULTIPOLYGON can say when they are made of straight lines. */
const CURVES = /\b(?:CURVEPOLYGON|MULTISURFACE)\b/;

/**
 * Each CURVEPOLYGON or MULTISURFACE of straight lines, also in a collection, as a POLYGON or MULTIPOLYGON.
 * @param rings lists of positions; the lists of a compound curve become its first one
 * @throws Unreadable for arcs
 */
function withoutCurves(structure: string, rings: Position[][]): string {
  if (structure.includes('CIRCULARSTRING')) throw curved();
  let [done, left] = ['', structure];
  for (let found = CURVES.exec(left); found; found = CURVES.exec(left)) {
    const [word] = found;
    const from = found.index + word.length;
    const to = endOfBrackets(left, from);
    const inner = left
      .slice(from, to)
      .replace(/LINESTRING ?(?=\()/g, '')
      .replace(/COMPOUNDCURVE ?\(((?:\(\d+ 0\)[, ]*)+)\)/g, (_whole, lists: string) => {
        const [first = 0, ...others] = [...lists.matchAll(/\((\d+) 0\)/g)].map(([, index]) => Number(index));
        rings[first] = [first, ...others].flatMap((list) => defined(rings[list]));
        return `(${first} 0)`;
      })
      .replace(/(?:CURVE)?POLYGON ?/g, '');
    done += `${left.slice(0, found.index)}${word === 'MULTISURFACE' ? 'MULTIPOLYGON' : 'POLYGON'}${inner}`;
    left = left.slice(to);
  }
  return done + left;
}

/** The end of the brackets that open at a place, perhaps after a space; that place where none do. */
function endOfBrackets(text: string, from: number): number {
  const start = text[from] === ' ' ? from + 1 : from;
  if (text[start] !== '(') return from;
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')' && --depth === 0) return i + 1;
  }
  return text.length;
}

function readList(list: string): Position[] {
  const tuples = list.split(',').map((tuple) => tuple.trim());
  const size = defined(tuples[0]).split(' ').length;
  const dimension = DIMENSIONS[size];
  for (const tuple of tuples) {
    const numbers = tuple.split(' ');
    if (dimension === undefined || numbers.length !== size || !numbers.every((number) => NUMBER.test(number))) {
      throw new Unreadable(`"${tuple.slice(0, 60)}" is not a position`);
    }
  }
  const positions: Position[] = [];
  for (let i = 0; i < tuples.length; i += PIECE) {
    const line = parse(`LINESTRING${dimension} (${tuples.slice(i, i + PIECE).join(',')})`) as wkx.LineString;
    for (const { x, y } of line.points) positions.push([x, y]);
  }
  return positions;
}

function parse(text: string): wkx.Geometry {
  try {
    return wkx.Geometry.parse(text);
  } catch (error) {
    throw new Unreadable(`this is not a well-known text: ${(error as Error).message.toLowerCase()}`);
  }
}

/**
 * Checks that the text has only known words, no numbers outside lists, matching brackets, and nothing after the last
 * one: wkx stops there without an error.
 */
function requireForm(structure: string): void {
  for (const [word] of structure.replaceAll(LIST, '').matchAll(/[^\s(),]+/g)) {
    if (!WORDS.test(word)) throw new Unreadable(`this is not a well-known text: "${word.slice(0, 60)}"`);
  }
  let depth = 0;
  for (let i = 0; i < structure.length; i++) {
    if (structure[i] === '(') {
      if (++depth > MAX_DEPTH) throw new Unreadable(`its brackets are nested more than ${MAX_DEPTH} deep`);
    } else if (structure[i] === ')' && --depth <= 0) {
      if (depth < 0 || i < structure.length - 1)
        throw new Unreadable('there is more than one geometry, or a bracket too many');
    }
  }
  if (depth !== 0) throw new Unreadable('a bracket is missing: is the file complete?');
  if (structure.includes('()')) throw new Unreadable('this is not a well-known text: an empty pair of brackets');
}
