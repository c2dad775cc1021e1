import type { SaxesTagNS } from 'saxes';
import { defined } from '../../defined.ts';
import {
  type OpenedDocument,
  type PolygonRings,
  type Position,
  quoted,
  type ReadFeature,
  type ReferenceSystem,
  type Tally,
  Unreadable,
} from '../reading/document.ts';
import { isSameReference, severalSystems } from '../reading/system.ts';
import { readXml } from '../reading/xml.ts';

const GML = /^http:\/\/www\.opengis\.net\/gml(?:\/3\.2)?$/;

/** Names of reference systems whose coordinates are in the order of the authority's axes: URNs and addresses of OGC. */
const AUTHORITY_ORDER = /^(?:urn:|https?:\/\/www\.opengis\.net\/def\/crs\/)/i;

/** Names of coordinate systems in degrees of WGS 84, by their order of latitude and longitude. */
const LATITUDE_FIRST =
  /^(?:urn:ogc:def:crs:EPSG:[\d.]*:4326|http:\/\/www\.opengis\.net\/def\/crs\/EPSG\/[\d.]+\/4326)$/i;
const LONGITUDE_FIRST =
  /^(?:urn:ogc:def:crs:OGC:[\d.]*:CRS84|http:\/\/www\.opengis\.net\/def\/crs\/OGC\/[\d.]+\/CRS84|EPSG:4326|http:\/\/www\.opengis\.net\/gml\/srs\/epsg\.xml#4326)$/i;

const MEMBERS = new Set(['featureMember', 'featureMembers', 'member']);
const SHELLS = new Set(['exterior', 'outerBoundaryIs']);
const HOLES = new Set(['interior', 'innerBoundaryIs']);
/** Plane areas: polygons, and the patches of surfaces that are such. */
const PLANE = new Set(['Polygon', 'PolygonPatch', 'Triangle', 'Rectangle']);
const BORDERS = new Set(['LinearRing', 'Ring', 'LineString', 'Curve', 'CompositeCurve']);
/** What is read in elements that may have curves: all else there is curved. */
const STRAIGHT: Readonly<Record<string, ReadonlySet<string>>> = {
  exterior: BORDERS,
  interior: BORDERS,
  curveMember: BORDERS,
  segments: new Set(['LineStringSegment', 'Geodesic', 'GeodesicString']),
  patches: PLANE,
  polygonPatches: PLANE,
  trianglePatches: PLANE,
};
/** Elements with a part of an area, which may be at another place of the file. */
const PARTS = new Set([
  ...SHELLS,
  ...HOLES,
  ...['curveMember', 'baseCurve', 'surfaceMember', 'baseSurface', 'polygonMember', 'geometryMember'],
]);
/** Geometries that are not areas. */
const NON_AREAS = new Set(['Point', 'LineString', 'Curve']);

/** The most values of one property of a feature: elements of one name. */
const MOST_VALUES = 10_000;

/** The namespace of our own files, which escape the names of attributes. */
const OURS = 'urn:x-boundary-lookup:gml:1';

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
  /** Whether our writer wrote it. */
  readonly isOurs: boolean;
  name: string | null;
  readonly properties: Map<string, string | string[]>;
  readonly polygons: PolygonRings[];
}

/**
 * Reads GML in the profile that the service writes (polygons of linear rings with posList, in EPSG:4326 or CRS84 by one
 * of their names), and common variants: features in featureMember or member, their plain elements as properties,
 * positions also as pos, and as coordinates (GML 2).
 * @throws Unreadable for curves, for other coordinate systems, and without a coordinate system
 */
export function readGml(source: string): OpenedDocument {
  const open: Opened[] = [];
  const features: ReadFeature[] = [];
  let draft: Draft | null = null;
  let rings: Position[][] | null = null;
  let shells = 0;
  let ring: { isShell: boolean; positions: Position[] } | null = null;
  const counts: Tally = { left: 0 };
  const layers = new Set<string>();
  let seen = false;
  let system: ReferenceSystem | null = null;

  const begin = (depth: number, tag: SaxesTagNS): Draft => ({
    depth,
    id: attribute(tag, 'id'),
    isOurs: tag.uri === OURS,
    name: null,
    properties: new Map(),
    polygons: [],
  });
  const end = ({ id: gmlId, isOurs, name, properties, polygons }: Draft): void => {
    // Every GML object has an id: ours may be made of a name or a number, and its property is the id of the area.
    const said = properties.get('id');
    const id = isOurs ? (typeof said === 'string' ? said : null) : gmlId;
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
      if (draft === null && ((around && MEMBERS.has(around.local)) || isGeometry(one))) {
        draft = begin(open.length, tag);
        layers.add(tag.local);
      }
      if (!isGml) return;
      requireStraight(one, around);
      if (PLANE.has(tag.local)) [rings, shells] = [[], 0];
      else if (rings && SHELLS.has(tag.local)) ring = { isShell: true, positions: [] };
      else if (rings && HOLES.has(tag.local)) ring = { isShell: false, positions: [] };
      else if (!ring && NON_AREAS.has(tag.local)) counts.left++;
    },
    close(_tag, text) {
      const one = open.pop() as Opened;
      const { local, isGml } = one;
      if (isGml && ring && (local === 'posList' || local === 'pos' || local === 'coordinates')) {
        system = sameSystem(system, one.srs);
        const numbers = local === 'coordinates' ? tuples(text ?? '', one.tag) : { text: text ?? '', ...one };
        if (numbers.dimension > 2) counts.heights = true;
        for (const position of positions(numbers.text, { srs: one.srs, dimension: numbers.dimension })) {
          ring.positions.push(position);
        }
      } else if (isGml && rings && ring && (SHELLS.has(local) || HOLES.has(local))) {
        if (ring.isShell) shells++;
        if (shells > 1) throw new Unreadable('a polygon has two exteriors');
        if (ring.isShell) rings.unshift(ring.positions);
        else rings.push(ring.positions);
        ring = null;
      } else if (isGml && rings && PLANE.has(local)) {
        if (rings.length > 0 && defined(rings[0]).length > 0) draft?.polygons.push(rings);
        rings = null;
      } else if (draft && open.length === draft.depth && text !== null) {
        if (isGml && local === 'name') draft.name = text;
        else if (!isGml) {
          const key = draft.isOurs ? attributeName(local) : local;
          const before = draft.properties.get(key);
          if (!Array.isArray(before)) draft.properties.set(key, before === undefined ? text : [before, text]);
          else if (before.push(text) > MOST_VALUES) {
            throw new Unreadable(`a feature has more than ${MOST_VALUES} elements ${quoted(local)}`);
          }
        }
      }
      if (draft && open.length === draft.depth - 1) {
        end(draft);
        draft = null;
      }
    },
  });
  if (!seen) throw new Unreadable('this is XML, but not GML');
  const joined = layers.size > 1 ? { layers: [...layers] } : {};
  return { name: null, system, features, tally: counts, hasElementIds: true, ...joined };
}

/** @throws Unreadable for what curves an area, and for a part of one that is elsewhere */
function requireStraight({ tag, local }: Opened, around: Opened | undefined): void {
  const straight = around?.isGml ? STRAIGHT[around.local] : undefined;
  if (local === 'OrientableCurve' || straight?.has(local) === false) {
    throw new Unreadable(`it has curves (${local}): only linear rings are read`);
  }
  if (PARTS.has(local) && attribute(tag, 'href') !== null) {
    throw new Unreadable(
      'a part of an area is a reference (xlink:href) to another place of the file, which is not followed: write it in place',
    );
  }
}

function isGeometry({ isGml, local }: Opened): boolean {
  return isGml && (local === 'Polygon' || local === 'MultiSurface' || local === 'Surface' || local === 'MultiPolygon');
}

/** The name of the attribute that our writer made an element of: characters escaped as `_x0020_` (SQL/XML). */
export function attributeName(element: string): string {
  if (element === '_x_') return '';
  return element.replace(/_x([0-9A-F]{4,6})_/g, (whole, digits: string) => {
    const code = Number.parseInt(digits, 16);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
}

function attribute(tag: SaxesTagNS, local: string): string | null {
  return Object.values(tag.attributes).find((one) => one.local === local)?.value ?? null;
}

/**
 * The reference system of a file: that of its first ring. Positions in degrees of WGS 84 are read with the longitude
 * first, those of another system in the order of the file.
 * @throws Unreadable for none, or a second one
 */
function sameSystem(known: ReferenceSystem | null, srs: string | null): ReferenceSystem {
  if (srs === null) throw new Unreadable('it names no coordinate system (srsName)');
  const isDegrees = LATITUDE_FIRST.test(srs) || LONGITUDE_FIRST.test(srs);
  const own = isDegrees ? { epsg: 4326 } : { name: srs, isAuthorityOrder: AUTHORITY_ORDER.test(srs) };
  if (known !== null && !isSameReference(known, own)) throw severalSystems(known, own);
  return known ?? own;
}

/** The positions of gml:coordinates (GML 2), which may have separators of their own, in the form of a posList. */
function tuples(text: string, tag: SaxesTagNS): { readonly text: string; readonly dimension: number } {
  const decimal = attribute(tag, 'decimal') ?? '.';
  const within = attribute(tag, 'cs') ?? ',';
  const between = attribute(tag, 'ts') ?? ' ';
  const all = text.trim().split(between === ' ' ? /\s+/ : between);
  const numbers = all.map((tuple) => tuple.trim().split(within));
  const dimension = defined(numbers[0]).length;
  if (numbers.some((tuple) => tuple.length !== dimension)) {
    throw new Unreadable(`a list of positions is none: "${text.trim().slice(0, 60)}"`);
  }
  const plain = numbers.flat().map((number) => (decimal === '.' ? number : number.replace(decimal, '.')));
  return { text: plain.join(' '), dimension };
}

function positions(text: string, { srs, dimension }: Pick<Opened, 'srs' | 'dimension'>): Position[] {
  const isLatitudeFirst = LATITUDE_FIRST.test(srs ?? '');
  const words = text.trim() === '' ? [] : text.trim().split(/\s+/);
  const numbers = words.map(Number);
  if (!(dimension === 2 || dimension === 3) || numbers.length % dimension !== 0 || !numbers.every(Number.isFinite)) {
    throw new Unreadable(`a list of positions is none: "${text.trim().slice(0, 60)}"`);
  }
  const found: Position[] = [];
  for (let i = 0; i < numbers.length; i += dimension) {
    found.push(
      isLatitudeFirst ? [defined(numbers[i + 1]), defined(numbers[i])] : [defined(numbers[i]), defined(numbers[i + 1])],
    );
  }
  return found;
}
