/** What a file says about its reference system, as a system that can be transformed. */
import { type Ellipsoid, project } from './engine.ts';
import { plain, projectionOf } from './methods.ts';
import { type Box, byCode, codeOf, type Geographic, type Grid, type Projected } from './table.ts';
import { type Described, describeJson, describeWkt, parseWkt, UnknownSystem } from './wkt.ts';

/** A reference system. */
export interface System {
  readonly name: string;
  /** Authority and code, such as EPSG:2154; null if it has none or is not the system of its code. */
  readonly code: string | null;
  /** Whether its coordinates are longitude and latitude. */
  readonly isDegrees: boolean;
  /** The directions of its axes as the authority orders them: EN, NE (latitude first), WS … */
  readonly axes: string;
  /** Where it is used, in degrees. */
  readonly area: Box | null;
  /**
   * How far its places may be from where WGS 84 has them, in meters, by EPSG's dataset; null where no transformation is
   * published. Where several are, of different areas, that of most of its area.
   */
  readonly accuracy: number | null;
  /** The grid of a transformation that is better and that we do not have; null if there is none. */
  readonly grid: Grid | null;
  /** Whether its degrees are taken as they are: the shift to WGS 84 is zero, and so is the meridian of Greenwich. */
  readonly isWgs84: boolean;
  readonly base: Geographic;
  readonly plane: Projected | null;
}

/** Longitude and latitude on WGS 84: what a file has that names no system. */
export const WGS84 = (): System => systemOf('OGC:CRS84');

/** Systems of OGC: longitude before latitude. */
const OGC: Readonly<Record<string, string>> = { CRS84: 'EPSG:4326', CRS83: 'EPSG:4269', CRS27: 'EPSG:4267' };

/** The forms in which files name a code. */
const CODE =
  /(?:^|urn:(?:x-)?ogc:def:crs:|opengis\.net\/def\/crs\/)(EPSG|ESRI|OGC)(?::|\/)(?:[\d.]*(?::|\/))?([A-Z]*\d+)(?:\+\d+)?$/i;

/**
 * The system that a file or a person names.
 * @param said a code (EPSG:2154, 2154, a URN, an address of opengis.net), well-known text of version 1 or 2 (also ESRI's,
 *   as in a .prj file), PROJJSON as text or parsed, or the crs member of old GeoJSON files
 * @throws UnknownSystem that says why it is not read
 */
export function systemOf(said: unknown): System {
  if (typeof said === 'number') return ofCode(`EPSG:${said}`);
  if (typeof said === 'object' && said !== null) return ofObject(said as Readonly<Record<string, unknown>>);
  const text = String(said).trim();
  if (text.startsWith('{')) return ofObject(parsed(text));
  if (/^\w+\s*[[(]/.test(text)) return ofDescription(describeWkt(parseWkt(text)));
  const [, authority, code] = CODE.exec(text) ?? /^()(\d+)$/.exec(text) ?? /()epsg\.xml#(\d+)$/i.exec(text) ?? [];
  if (code !== undefined) return ofCode(`${(authority || 'EPSG').toUpperCase()}:${code.toUpperCase()}`);
  const named = codeOf(text);
  if (named !== null) return ofCode(named);
  throw new UnknownSystem(`${shown(text)} names no reference system: EPSG:2154, well-known text and PROJJSON do`);
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 60));

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    throw new UnknownSystem(`this is not PROJJSON: ${shown(text)}`);
  }
}

/** PROJJSON, or the crs member of GeoJSON: a name, or the code of EPSG in the form of 2007. */
function ofObject(value: Readonly<Record<string, unknown>>): System {
  const properties = (value.properties ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  if (typeof properties.name === 'string') return systemOf(properties.name);
  if (value.type === 'EPSG') return ofCode(`EPSG:${properties.code}`);
  const { authority, code } = (value.id ?? {}) as { readonly authority?: unknown; readonly code?: unknown };
  if (value.type === undefined && code !== undefined)
    return ofCode(`${String(authority ?? 'EPSG').toUpperCase()}:${code}`);
  return ofDescription(describeJson(value));
}

function ofCode(given: string): System {
  const isOgc = given.startsWith('OGC:');
  const code = isOgc ? OGC[given.slice(4)] : given;
  const found = code === undefined ? null : byCode(code);
  if (found === null) throw new UnknownSystem(`${given} is not in the table of reference systems (of EPSG and ESRI)`);
  if ('refused' in found) {
    throw new UnknownSystem(
      `${given} (${found.name}) has the projection ${found.refused}, for which there are no formulas here`,
    );
  }
  if (!('base' in found))
    return isOgc ? { ...systemFrom(found, null), code: given, axes: 'EN' } : systemFrom(found, null);
  return systemFrom(found.base, found);
}

function systemFrom(base: Geographic, plane: Projected | null): System {
  const { name, code, axes, area } = plane ?? base;
  const isWgs84 =
    plane === null &&
    base.meridian === 0 &&
    base.unit === 1 &&
    base.shifts.length > 0 &&
    base.shifts.every((shift) => shift.steps.length === 0);
  const best = base.shifts.filter((shift) => area === null || holds(shift.area, middleOf(area)));
  const accuracy = (best.length > 0 ? best : base.shifts.slice(0, 1)).map((one) => one.accuracy);
  const least = accuracy.length === 0 ? null : Math.min(...accuracy);
  const grid = base.grid !== null && base.grid.accuracy < (least ?? Infinity) ? base.grid : null;
  return { name, code, isDegrees: plane === null, axes, area, accuracy: least, grid, isWgs84, base, plane };
}

/** Whether numbers mean the same places in two systems, whatever names and codes they have; the order of axes aside. */
export function isSameSystem(one: System, other: System): boolean {
  return meaningOf(one) === meaningOf(other);
}

const meaningOf = ({ base, plane }: System): string => {
  const { ellipsoid, meridian, shifts, grid } = base;
  const { projection, unit } = plane ?? { projection: null, unit: base.unit };
  return JSON.stringify([ellipsoid.a, ellipsoid.rf, meridian, shifts, grid, projection, unit]);
};

/** Whether a box holds a place; one across the antimeridian as well. */
export function holds([west, south, east, north]: Box, [lon, lat]: readonly [number, number]): boolean {
  if (!(lat >= south && lat <= north)) return false;
  return west <= east ? lon >= west && lon <= east : lon >= west || lon <= east;
}

/** The middle of a box, in degrees. */
export function middleOf([west, south, east, north]: Box): readonly [number, number] {
  const lon = (west + (east < west ? east + 360 : east)) / 2;
  return [lon > 180 ? lon - 360 : lon, (south + north) / 2];
}

/** Directions of Krovak's axes, by the parameters with which ESRI turns them. */
function krovakAxes(parameters: ReadonlyMap<string, number>): string | null {
  const turned = ['xscale', 'yscale', 'xyplanerotation'].map((name) => parameters.get(name));
  if (turned[0] === undefined) return null;
  return turned.join() === '-1,1,90' ? 'EN' : turned.join() === '1,1,0' ? 'SW' : '';
}

function ofDescription(said: Described): System {
  const base = baseOf(said);
  const { conversion } = said;
  if (conversion === null) return systemFrom({ ...base, unit: said.unit }, null);
  const method = plain(conversion.method);
  const parameters = new Map(conversion.parameters.map(([name, value]) => [plain(name), value]));
  const turned = method === 'krovak' ? krovakAxes(parameters) : null;
  if (method === 'krovak') for (const name of ['xscale', 'yscale', 'xyplanerotation']) parameters.delete(name);
  const projection = turned === '' ? null : projectionOf(method, parameters);
  if (projection === null) {
    throw new UnknownSystem(
      `${said.name} has the projection ${conversion.method} with ${[...parameters.keys()].join(', ')}, for which there are no formulas here`,
    );
  }
  const axes = turned ?? said.axes ?? (method.includes('southorientated') ? 'WS' : 'EN');
  const made: Projected = { code: null, name: said.name, base, projection, unit: said.unit, axes, area: null };
  for (const code of [said.code, codeOf(said.name)]) {
    const known = code === null ? null : byCode(code);
    if (known !== null && 'projection' in known && isSame(known, made)) {
      return systemFrom(known.base, { ...known, axes: said.axes === null ? known.axes : axes });
    }
  }
  return systemFrom(base, made);
}

/** The datum by its code or by a name, if the ellipsoid is that of the text; else the text's own. */
function baseOf({ base, name }: Described): Geographic {
  for (const code of [base.code, ...base.names.map(codeOf)]) {
    const known = code === null ? null : byCode(code);
    if (
      known !== null &&
      'ellipsoid' in known &&
      isNear(known.ellipsoid, base) &&
      Math.abs(known.meridian - base.meridian) < 1e-5
    ) {
      return known;
    }
  }
  // The same datum counted from another meridian, such as ESRI's systems of Ferro.
  for (const one of base.names) {
    const code = codeOf(one);
    const known = code === null ? null : byCode(code);
    if (known !== null && 'ellipsoid' in known && isNear(known.ellipsoid, base))
      return { ...known, code: null, meridian: base.meridian };
  }
  const steps = base.toWgs84 === null ? null : [{ shift: base.toWgs84, isInverse: false }];
  const world: Box = [-180, -90, 180, 90];
  return {
    code: null,
    name: base.names[0] ?? name,
    unit: 1,
    axes: 'EN',
    area: null,
    ellipsoid: { a: base.a, rf: base.rf },
    meridian: base.meridian,
    shifts: steps === null ? [] : [{ accuracy: Number.NaN, area: world, steps }],
    grid: null,
  };
}

const isNear = (p: Ellipsoid, q: Ellipsoid): boolean => Math.abs(p.a - q.a) < 0.01 && Math.abs(p.rf - q.rf) < 1e-4;

/** Whether two planes have the same datum and, in the middle of the first one's area, the same coordinates within 1 mm. */
function isSame(known: Projected, made: Projected): boolean {
  if (known.base.code !== made.base.code || Math.abs(known.unit - made.unit) > 1e-9 || known.area === null)
    return false;
  const [lon, lat] = middleOf(known.area);
  const [p, q] = [known, made].map(({ projection, base }) => {
    const xy = Float64Array.of(lon - base.meridian, lat);
    project(projection, base.ellipsoid)(xy);
    return xy;
  });
  return Math.hypot(p[0] - q[0], p[1] - q[1]) < 1e-3;
}
