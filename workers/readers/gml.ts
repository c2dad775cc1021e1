import type { SaxesTagNS } from 'saxes';
import { type PolygonRings, type Position, type ReadDocument, type ReadFeature, Unreadable } from './model.ts';
import { readXml } from './xml.ts';

const GML = /^http:\/\/www\.opengis\.net\/gml(?:\/3\.2)?$/;

/** Names of coordinate systems in degrees of WGS 84, by their order of latitude and longitude. */
const LATITUDE_FIRST =
  /^(?:urn:ogc:def:crs:EPSG:[\d.]*:4326|http:\/\/www\.opengis\.net\/def\/crs\/EPSG\/[\d.]+\/4326)$/i;
const LONGITUDE_FIRST =
  /^(?:urn:ogc:def:crs:OGC:[\d.]*:CRS84|http:\/\/www\.opengis\.net\/def\/crs\/OGC\/[\d.]+\/CRS84|EPSG:4326|http:\/\/www\.opengis\.net\/gml\/srs\/epsg\.xml#4326)$/i;

const MEMBERS = new Set(['featureMember', 'featureMembers', 'member']);
const SHELLS = new Set(['exterior', 'outerBoundaryIs']);
const HOLES = new Set(['interior', 'innerBoundaryIs']);
/** Curves, which are not supported, and geometries that are not areas. */
const CURVES = new Set([
  'Arc',
  'ArcString',
  'Circle',
  'CubicSpline',
  'BSpline',
  'Bezier',
  'Clothoid',
  'OrientableCurve',
  'Curve',
]);
const NON_AREAS = new Set(['Point', 'LineString']);

interface Opened {
  readonly tag: SaxesTagNS;
  readonly isGml: boolean;
  readonly local: string;
  /** The srsName of this element or of the nearest ancestor. */
  readonly srs: string | null;
  readonly dimension: number;
}

/** The feature that is being read. */
interface Draft {
  readonly depth: number;
  readonly id: string | null;
  name: string | null;
  readonly properties: Map<string, string>;
  readonly polygons: PolygonRings[];
}

/**
 * Reads GML in the profile that the service writes (polygons of linear rings with posList, in EPSG:4326 or CRS84 by one
 * of their names), and common variants: features in featureMember or member, their plain elements as properties,
 * positions also as pos.
 * @throws Unreadable for curves, for other coordinate systems, and without a coordinate system
 */
export function readGml(source: string): ReadDocument {
  const open: Opened[] = [];
  const features: ReadFeature[] = [];
  let draft: Draft | null = null;
  let rings: Position[][] | null = null;
  let ring: { isShell: boolean; positions: Position[] } | null = null;
  let left = 0;
  let seen = false;

  const begin = (depth: number, tag: SaxesTagNS): Draft => ({
    depth,
    id: idOf(tag),
    name: null,
    properties: new Map(),
    polygons: [],
  });
  const end = ({ id, name, properties, polygons }: Draft): void => {
    if (properties.get('id') === id) properties.delete('id');
    const own = { ...(name === null ? {} : { name }), ...Object.fromEntries(properties) };
    features.push({ id, name, properties: own, polygons });
  };

  readXml(source, {
    open(tag) {
      const around = open.at(-1);
      const isGml = GML.test(tag.uri);
      seen ||= isGml;
      const one: Opened = {
        tag,
        isGml,
        local: tag.local,
        srs: attribute(tag, 'srsName') ?? around?.srs ?? null,
        dimension: Number(attribute(tag, 'srsDimension') ?? around?.dimension ?? 2),
      };
      open.push(one);
      if (draft === null && ((around && MEMBERS.has(around.local)) || isGeometry(one))) draft = begin(open.length, tag);
      if (!isGml) return;
      if (CURVES.has(tag.local)) throw new Unreadable(`it has curves (${tag.local}): only linear rings are read`);
      if (tag.local === 'Polygon' || tag.local === 'PolygonPatch') rings = [];
      else if (rings && SHELLS.has(tag.local)) ring = { isShell: true, positions: [] };
      else if (rings && HOLES.has(tag.local)) ring = { isShell: false, positions: [] };
      else if (NON_AREAS.has(tag.local)) left++;
    },
    close(_tag, text) {
      const one = open.pop() as Opened;
      const { local, isGml } = one;
      if (isGml && ring && (local === 'posList' || local === 'pos')) {
        for (const position of positions(text ?? '', one)) ring.positions.push(position);
      } else if (isGml && ring && local === 'coordinates')
        throw new Unreadable('it has gml:coordinates: only posList and pos are read');
      else if (isGml && rings && ring && (SHELLS.has(local) || HOLES.has(local))) {
        if (ring.isShell) rings.unshift(ring.positions);
        else rings.push(ring.positions);
        ring = null;
      } else if (isGml && rings && (local === 'Polygon' || local === 'PolygonPatch')) {
        if (rings.length > 0 && rings[0].length > 0) draft?.polygons.push(rings);
        rings = null;
      } else if (draft && open.length === draft.depth && text !== null) {
        if (isGml && local === 'name') draft.name = text;
        else if (!isGml) draft.properties.set(local, text);
      }
      if (draft && open.length === draft.depth - 1) {
        end(draft);
        draft = null;
      }
    },
  });
  if (!seen) throw new Unreadable('this is XML, but not GML');
  return { name: null, features, left };
}

function isGeometry({ isGml, local }: Opened): boolean {
  return isGml && (local === 'Polygon' || local === 'MultiSurface' || local === 'Surface' || local === 'MultiPolygon');
}

/** Our writer uses the id "area" for a feature without one, because every GML object must have an id. */
function idOf(tag: SaxesTagNS): string | null {
  const id = attribute(tag, 'id');
  return id === 'area' ? null : id;
}

function attribute(tag: SaxesTagNS, local: string): string | null {
  return Object.values(tag.attributes).find((one) => one.local === local)?.value ?? null;
}

function positions(text: string, { srs, dimension }: Opened): Position[] {
  if (srs === null) throw new Unreadable('it names no coordinate system (srsName)');
  const isLatitudeFirst = LATITUDE_FIRST.test(srs);
  if (!isLatitudeFirst && !LONGITUDE_FIRST.test(srs)) {
    throw new Unreadable(`its coordinate system is not in degrees of WGS 84: ${srs.slice(0, 100)}`);
  }
  const words = text.trim() === '' ? [] : text.trim().split(/\s+/);
  const numbers = words.map(Number);
  if (!(dimension === 2 || dimension === 3) || numbers.length % dimension !== 0 || !numbers.every(Number.isFinite)) {
    throw new Unreadable(`a list of positions is none: "${text.trim().slice(0, 60)}"`);
  }
  const found: Position[] = [];
  for (let i = 0; i < numbers.length; i += dimension) {
    found.push(isLatitudeFirst ? [numbers[i + 1], numbers[i]] : [numbers[i], numbers[i + 1]]);
  }
  return found;
}
