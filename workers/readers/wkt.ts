import wkx from 'wkx';
import { polygonsOf } from './geojson.ts';
import { MAX_DEPTH, type PolygonRings, type Position, type ReadDocument, Unreadable } from './model.ts';

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
export function readWkt(source: string): ReadDocument {
  let text = source.trim().toUpperCase().replace(/\s+/g, ' ');
  const [prefix, srid] = PREFIX.exec(text) ?? [''];
  if (srid !== undefined && srid !== '4326') throw new Unreadable(`SRID ${srid} is not in degrees (4326)`);
  text = text.slice(prefix.length).trim();
  if (text === '') throw new Unreadable('it is empty');
  const rings: Position[][] = [];
  // Lists of coordinates are parsed separately: wkx parses the structure, with the index of each list in its place.
  const structure = text
    .replace(/\(([^()]+)\)/g, (_whole, list: string) => {
      rings.push(readList(list));
      return `(${rings.length - 1} 0)`;
    })
    .replace(/\b(?:ZM|Z|M) ?(?=\(|EMPTY)/g, '');
  requireForm(structure);
  const counts = { left: 0 };
  const polygons = polygonsOf(parse(structure).toGeoJSON(), counts);
  const filled = polygons.map((polygon): PolygonRings => polygon.map(([[index]]) => rings[index]));
  return { name: null, features: [{ id: null, name: null, properties: {}, polygons: filled }], ...counts };
}

function readList(list: string): Position[] {
  const tuples = list.split(',').map((tuple) => tuple.trim());
  const size = tuples[0].split(' ').length;
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
