import { createRequire } from 'node:module';
import { DOMParser, type Document, type Element } from '@xmldom/xmldom';
import { defined } from '../../defined.ts';
import { polygonsOf } from '../geojson/read.ts';
import { type OpenedDocument, type ReadFeature, type Tally, Unreadable } from '../reading/document.ts';
import { readXml } from '../reading/xml.ts';

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

/** The most values of declared fields: each placemark has one for each field, whether it says so or not. */
const MOST_VALUES = 10_000_000;

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Reads KML 2.2 with @mapbox/togeojson: the polygons of every placemark, its name and its data with declared types. A description that
 * repeats the attribution is left out.
 * @throws Unreadable, also for what togeojson silently accepts: a document that is not well-formed, and invalid
 * coordinates
 */
export function readKml(source: string): OpenedDocument {
  const plain = withoutPrefixes(source, requireForm(source));
  const document = new DOMParser({ onError: () => undefined }).parseFromString(plain, 'text/xml');
  normalize(document);
  const togeojson = require('@mapbox/togeojson') as Togeojson;
  const counts: Tally = { left: 0 };
  const types = typesOf(document);
  const places = document.getElementsByTagName('Placemark').length;
  if (types.size * places > MOST_VALUES) {
    throw new Unreadable(
      `its schemas declare ${types.size} fields and it has ${places} placemarks: at most ${MOST_VALUES} values of declared fields are read`,
    );
  }
  const folders = foldersOf(document);
  const features = togeojson.kml(document).features.map(({ id, properties, geometry }): ReadFeature => {
    const kept = Object.entries(properties).filter(([key]) => !STYLE_PROPERTIES.has(key));
    const own: Record<string, unknown> = Object.fromEntries([...types.keys()].map((key) => [key, null]));
    for (const [key, value] of kept) own[key] = typed(value, types.get(key));
    if (typeof own.attribution === 'string') delete own.description;
    // An id that an XML attribute cannot have is only in the data.
    const whole = typeof id === 'string' ? id : typeof own.id === 'string' ? own.id : null;
    if (own.id === whole) delete own.id;
    return {
      id: whole,
      name: typeof own.name === 'string' ? own.name : null,
      properties: own,
      polygons: polygonsOf(geometry, counts).filter(([shell]) => shell !== undefined && shell.length > 0),
    };
  });
  const layers = folders.length > 1 ? { layers: folders } : {};
  return { name: nameOf(document), system: null, features, tally: counts, hasElementIds: true, ...layers };
}

/**
 * Checks what togeojson does not: that the document is well-formed, and that coordinates are tuples of numbers.
 * @returns the prefixes of elements of KML, which togeojson does not know
 */
function requireForm(source: string): ReadonlySet<string> {
  let isKml = false;
  const prefixes = new Set<string>();
  const elements = new Set(['kml', 'Document', 'Placemark', 'Polygon']);
  readXml(source, {
    open({ local, prefix }) {
      if (local === 'kml') isKml = true;
      if (prefix !== '' && elements.has(local)) prefixes.add(prefix);
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
  return prefixes;
}

/** The document with `<kml:Placemark>` as `<Placemark>`, for each of the prefixes. */
function withoutPrefixes(source: string, prefixes: ReadonlySet<string>): string {
  if (prefixes.size === 0) return source;
  let out = '';
  let at = 0;
  for (let open = source.indexOf('<'); open >= 0; open = source.indexOf('<', at)) {
    const end = source.startsWith('<!--', open) ? '-->' : source.startsWith('<![CDATA[', open) ? ']]>' : null;
    if (end !== null) {
      const next = source.indexOf(end, open);
      out += source.slice(at, next);
      at = next;
      continue;
    }
    const name = open + (source[open + 1] === '/' ? 2 : 1);
    out += source.slice(at, name);
    const own = [...prefixes].find((prefix) => source.startsWith(`${prefix}:`, name));
    at = own === undefined ? name : name + own.length + 1;
  }
  return out + source.slice(at);
}

/**
 * Changes a document into a form that togeojson understands: it follows only the first of nested MultiGeometries, uses
 * the first ring of a polygon as its shell, and reads an empty list of coordinates as a point without numbers.
 */
function normalize(document: Document): void {
  for (const multi of all(document, 'MultiGeometry')) {
    // Moving its children would index all of its parent's again for each. nodeName stays, for those that are in it.
    if (multi.parentNode?.nodeName === 'MultiGeometry') Object.assign(multi, { localName: 'NestedMultiGeometry' });
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
  for (let i = 0; i < found.length; i++) elements.push(defined(found[i]));
  return elements;
}

/** The declared types of fields, by name. */
function typesOf(document: Document): Map<string, string> {
  return new Map(
    all(document, 'SimpleField').map((field) => [field.getAttribute('name') ?? '', field.getAttribute('type') ?? '']),
  );
}

const NUMBERS = new Set(['int', 'uint', 'short', 'ushort', 'float', 'double']);

/** A value of a field of a type. What is not written as that type would be stays text: 007, although it is an int. */
function typed(value: unknown, type: string | undefined): unknown {
  if (type === 'bool' && /^(?:true|false|1|0)$/.test(String(value))) return value === 'true' || value === '1';
  if (type === undefined || !NUMBERS.has(type) || typeof value !== 'string') return value;
  return String(Number(value)) === value && Number.isFinite(Number(value)) ? Number(value) : value;
}

/** The names of the folders that have placemarks. */
function foldersOf(document: Document): string[] {
  const parents = all(document, 'Placemark').map(({ parentNode }) => parentNode as Element);
  const folders = [...new Set(parents.filter(({ nodeName }) => nodeName === 'Folder'))];
  return folders.map((folder) => childText(folder, 'name') ?? 'Folder');
}

function nameOf(document: Document): string | null {
  const [whole] = all(document, 'Document');
  return whole === undefined ? null : childText(whole, 'name');
}

function childText(element: Element, name: string): string | null {
  for (let child = element.firstChild; child; child = child.nextSibling) {
    if (child.nodeName === name) return child.textContent || null;
  }
  return null;
}
