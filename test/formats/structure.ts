import { pairs } from '../setup/elements.ts';
import { all, readXml, type XmlElement } from './xml_tree.ts';

type Box = readonly [west: number, south: number, east: number, north: number];
type Position = readonly [lon: number, lat: number];

const GML = 'http://www.opengis.net/gml/3.2';
const KML = 'http://www.opengis.net/kml/2.2';

/** Half a unit of the last digit, in degrees. */
const ROUNDING = 5e-8;

/**
 * Checks a GML 3.2 document of an area and returns its faults as texts. Checks that it is well-formed, that every
 * object has a unique gml:id, that EPSG:4326 is given by its URN with latitude first (in the envelope and in the
 * positions, both inside the known box), that exteriors precede interiors, and that rings are closed, with at least
 * four positions and none repeated, exteriors counterclockwise (ISO 19107: seen from above the interior is on the left)
 * and interiors clockwise.
 *
 * @param box the bounding box of the area in degrees; west > east across the antimeridian
 */
export function gmlFaults(source: string, box: Box | null): string[] {
  const faults: string[] = [];
  const root = parsed(source, faults);
  if (!root) return faults;
  const ids = new Set<string>();
  const visit = (element: XmlElement) => {
    const id = element.attributes['gml:id'];
    if (id !== undefined && ids.has(id)) faults.push(`gml:id ${id} twice`);
    if (id !== undefined && !/^[A-Za-z_][\w.-]*$/.test(id)) faults.push(`gml:id ${id} is not a name`);
    if (id !== undefined) ids.add(id);
    if (/^(MultiSurface|Polygon|Boundary|Collection)$/.test(element.name) && id === undefined) {
      faults.push(`${element.name} without gml:id`);
    }
    for (const child of element.children) visit(child);
  };
  visit(root);
  for (const name of ['MultiSurface', 'Envelope']) {
    for (const { attributes, uri } of all(root, name)) {
      if (uri !== GML) faults.push(`${name} in ${uri}`);
      if (attributes.srsName !== 'urn:ogc:def:crs:EPSG::4326')
        faults.push(`${name} with srsName ${attributes.srsName}`);
      if (attributes.srsDimension !== '2') faults.push(`${name} with srsDimension ${attributes.srsDimension}`);
    }
  }
  if (all(root, 'MultiSurface').length !== 1) faults.push('not one MultiSurface');
  for (const name of ['lowerCorner', 'upperCorner']) {
    for (const { text } of all(root, name)) positions(text.split(' '), true, box, name, faults);
  }
  for (const polygon of all(root, 'Polygon')) {
    const sides = polygon.children.map(({ name }) => name);
    if (sides[0] !== 'exterior' || sides.slice(1).some((name) => name !== 'interior')) {
      faults.push(`a Polygon of ${sides.join(', ')}`);
    }
    for (const side of polygon.children) {
      for (const { text } of all(side, 'posList')) {
        ring(positions(text.split(/\s+/), true, box, 'posList', faults), side.name === 'exterior', faults);
      }
      if (all(side, 'LinearRing').length !== 1 || all(side, 'posList').length !== 1)
        faults.push('not one ring in a side');
    }
  }
  return faults;
}

/**
 * Checks a KML 2.2 document of an area and returns its faults as texts: as for GML, but longitude comes first, ids have
 * their own form, and a Polygon has one outer boundary before its inner ones (OGC 07-147r2, 10.8).
 */
export function kmlFaults(source: string, box: Box | null): string[] {
  const faults: string[] = [];
  const root = parsed(source, faults);
  if (!root) return faults;
  if (root.name !== 'kml' || root.uri !== KML) faults.push(`${root.name} in ${root.uri}`);
  const placemarks = all(root, 'Placemark');
  if (placemarks.length !== 1) faults.push(`${placemarks.length} Placemarks`);
  for (const polygon of all(root, 'Polygon')) {
    const sides = polygon.children.map(({ name }) => name);
    if (sides[0] !== 'outerBoundaryIs' || sides.slice(1).some((name) => name !== 'innerBoundaryIs')) {
      faults.push(`a Polygon of ${sides.join(', ')}`);
    }
    for (const side of polygon.children) {
      const tuples = all(side, 'coordinates').map(({ text }) => text.split(' '));
      if (tuples.length !== 1 || all(side, 'LinearRing').length !== 1) faults.push('not one ring in a side');
      for (const list of tuples) {
        if (list.some((tuple) => tuple.split(',').length !== 2)) faults.push('a position that is not a pair');
        const numbers = list.flatMap((tuple) => tuple.split(','));
        ring(positions(numbers, false, box, 'coordinates', faults), side.name === 'outerBoundaryIs', faults);
      }
    }
  }
  return faults;
}

function parsed(source: string, faults: string[]): XmlElement | null {
  try {
    return readXml(source);
  } catch (error) {
    faults.push(`not well-formed: ${(error as Error).message}`);
    return null;
  }
}

/** Parses numbers as positions; adds a fault for one outside the world or the box. */
function positions(
  numbers: readonly string[],
  latitudeFirst: boolean,
  box: Box | null,
  where: string,
  faults: string[],
): Position[] {
  if (numbers.length % 2 > 0) faults.push(`${where}: an odd number of numbers`);
  const bad = numbers.find((number) => !/^-?(0|[1-9]\d*)(\.\d{1,7})?$/.test(number));
  if (bad !== undefined) faults.push(`${where}: "${bad}" is not a decimal of at most 7 digits`);
  const found: Position[] = [];
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    const [a, b] = [Number(numbers[i]), Number(numbers[i + 1])];
    found.push(latitudeFirst ? [b, a] : [a, b]);
  }
  const within = ([lon, lat]: Position) => {
    if (Math.abs(lon) > 180 || Math.abs(lat) > 90) return false;
    if (box === null) return true;
    const [west, south, east, north] = box;
    if (lat < south - ROUNDING || lat > north + ROUNDING) return false;
    if (west > east) return Math.abs(lon) === 180 || lon >= west - ROUNDING || lon <= east + ROUNDING;
    return lon >= west - ROUNDING && lon <= east + ROUNDING;
  };
  const outside = found.find((position) => !within(position));
  if (outside) faults.push(`${where}: lon ${outside[0]} lat ${outside[1]} is outside`);
  return found;
}

function ring(points: readonly Position[], isShell: boolean, faults: string[]): void {
  const about = `a ring at lon ${points[0]?.[0]} lat ${points[0]?.[1]}`;
  if (points.length < 4) faults.push(`${about}: ${points.length} positions`);
  const same = (a: Position | undefined, b: Position | undefined) => a?.[0] === b?.[0] && a?.[1] === b?.[1];
  if (!same(points[0], points.at(-1))) faults.push(`${about}: not closed`);
  if (points.some((point, i) => i > 0 && same(point, points[i - 1]))) faults.push(`${about}: a position repeated`);
  const [left, low] = points[0] ?? [0, 0];
  let area = 0;
  for (const [[ax, ay], [bx, by]] of pairs(points)) area += (ax - left) * (by - low) - (bx - left) * (ay - low);
  if (isShell ? area <= 0 : area >= 0) faults.push(`${about}: the wrong way round`);
}
