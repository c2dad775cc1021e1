import { createRequire } from 'node:module';
import { DOMParser, type Document, type Element } from '@xmldom/xmldom';
import { polygonsOf } from './geojson.ts';
import { type ReadDocument, type ReadFeature, Unreadable } from './model.ts';
import { readXml } from './xml.ts';

const require = createRequire(import.meta.url);

interface Togeojson {
  kml(document: Document): {
    features: { id?: unknown; properties: Record<string, unknown>; geometry: unknown }[];
  };
}

/** Properties from togeojson that describe how a placemark looks, not what it is. */
const STYLE_PROPERTIES = new Set([
  'styleUrl',
  'styleHash',
  'styleMapHash',
  'stroke',
  'stroke-opacity',
  'stroke-width',
  'fill',
  'fill-opacity',
  'icon',
  'visibility',
]);

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Reads KML 2.2 with @mapbox/togeojson: the polygons of every placemark, its name and its data. A description that
 * repeats the attribution is left out.
 * @throws Unreadable, also for what togeojson silently accepts: a document that is not well-formed, invalid
 * coordinates, and elements with a prefix
 */
export function readKml(source: string): ReadDocument {
  requireForm(source);
  const document = new DOMParser({ onError: () => undefined }).parseFromString(source, 'text/xml');
  normalize(document);
  const togeojson = require('@mapbox/togeojson') as Togeojson;
  const counts = { left: 0 };
  const features = togeojson.kml(document).features.map(({ id, properties, geometry }): ReadFeature => {
    const kept = Object.entries(properties).filter(([key]) => !STYLE_PROPERTIES.has(key));
    const own = Object.fromEntries(kept);
    if (typeof own.attribution === 'string') delete own.description;
    if (own.id === id) delete own.id;
    return {
      id: typeof id === 'string' ? id : null,
      name: typeof own.name === 'string' ? own.name : null,
      properties: own,
      polygons: polygonsOf(geometry, counts).filter((rings) => rings[0].length > 0),
    };
  });
  return { name: nameOf(document), features, ...counts };
}

/**
 * Checks what togeojson does not: that the document is well-formed and without prefixes, and that coordinates are
 * tuples of numbers.
 */
function requireForm(source: string): void {
  let isKml = false;
  readXml(source, {
    open({ local, prefix }) {
      if (local === 'kml') isKml = true;
      if (prefix !== '' && (local === 'Placemark' || local === 'Polygon')) {
        throw new Unreadable(`its elements have a prefix (${prefix}:${local}): write it again without`);
      }
    },
    close({ local }, text) {
      if (local !== 'coordinates') return;
      for (const tuple of (text ?? '').split(/\s+/)) {
        if (tuple === '') continue;
        const numbers = tuple.split(',');
        if (numbers.length < 2 || numbers.length > 3 || !numbers.every((number) => NUMBER.test(number))) {
          throw new Unreadable(`"${tuple.slice(0, 60)}" is not a longitude,latitude`);
        }
      }
    },
  });
  if (!isKml) throw new Unreadable('this is XML, but not KML');
}

/**
 * Changes a document into a form that togeojson understands: it follows only the first of nested MultiGeometries, uses
 * the first ring of a polygon as its shell, and reads an empty list of coordinates as a point without numbers.
 */
function normalize(document: Document): void {
  for (const multi of all(document, 'MultiGeometry')) {
    const { parentNode } = multi;
    if (parentNode?.nodeName !== 'MultiGeometry') continue;
    while (multi.firstChild) parentNode.insertBefore(multi.firstChild, multi);
    parentNode.removeChild(multi);
  }
  for (const coordinates of all(document, 'coordinates')) {
    if (coordinates.textContent?.trim() !== '') continue;
    coordinates.parentNode?.parentNode?.removeChild(coordinates.parentNode);
  }
  for (const polygon of all(document, 'Polygon')) {
    const [shell] = all(polygon, 'outerBoundaryIs');
    // Inserting an element before itself would make it its own next sibling.
    if (shell && polygon.firstChild !== shell) polygon.insertBefore(shell, polygon.firstChild);
    else if (!shell && polygon.getElementsByTagName('LinearRing').length > 0)
      throw new Unreadable('a Polygon has no outerBoundaryIs');
    if (polygon.getElementsByTagName('LinearRing').length === 0) polygon.parentNode?.removeChild(polygon);
  }
}

/** A snapshot of the elements with a name: the parser's own list changes with the document. */
function all(node: Document | Element, name: string): Element[] {
  const found = node.getElementsByTagName(name);
  const elements: Element[] = [];
  for (let i = 0; i < found.length; i++) elements.push(found[i]);
  return elements;
}

function nameOf(document: Document): string | null {
  const [whole] = all(document, 'Document');
  for (let child = whole?.firstChild ?? null; child; child = child.nextSibling) {
    if (child.nodeName === 'name') return child.textContent || null;
  }
  return null;
}
