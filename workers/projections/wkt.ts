/** Reads what well-known text (versions 1 and 2, also ESRI's) and PROJJSON say about a reference system. */

/** A system as a text describes it. */
export interface Described {
  readonly name: string;
  /** Authority and code, if it states them. */
  readonly code: string | null;
  /** Directions of the axes, as letters; null if it states none. */
  readonly axes: string | null;
  /** Meters or degrees in one unit of its coordinates. */
  readonly unit: number;
  readonly base: {
    readonly names: readonly string[];
    readonly code: string | null;
    readonly a: number;
    readonly rf: number;
    /** Degrees from Greenwich. */
    readonly meridian: number;
    /** The text's own transformation to WGS 84. */
    readonly toWgs84: readonly number[] | null;
  };
  /** Null for coordinates in angles. Values are in degrees and meters. */
  readonly conversion: {
    readonly method: string;
    readonly parameters: readonly (readonly [name: string, value: number])[];
  } | null;
}

/** The message is for the person who supplied the text. */
export class UnknownSystem extends Error {
  override name = 'UnknownSystem';
}

interface Node {
  readonly word: string;
  readonly values: readonly (string | number | Node)[];
}

const DEGREE = 180 / Math.PI;

/** Without the last digits, which the factors of units leave: 90 rather than 90.00000000000001. */
const rounded = (value: number): number => Number(value.toFixed(12));
const DEEPEST = 20;

/** Parses well-known text. @throws UnknownSystem */
export function parseWkt(text: string): Node {
  const tokens = text.match(/"(?:[^"]|"")*"|[[\](),]|[^\s[\](),"]+/g) ?? [];
  let at = 0;
  const bad = (): UnknownSystem =>
    new UnknownSystem(`this is not well-known text of a reference system: ${shown(text)}`);
  const node = (depth: number): Node => {
    const word = tokens[at++];
    const open = tokens[at++];
    if (depth > DEEPEST || !/^\w+$/.test(word ?? '') || (open !== '[' && open !== '(')) throw bad();
    const values: (string | number | Node)[] = [];
    for (;;) {
      const token = tokens[at];
      if (token === undefined) throw bad();
      if (tokens[at + 1] === '[' || tokens[at + 1] === '(') values.push(node(depth + 1));
      else {
        at++;
        if (token.startsWith('"')) values.push(token.slice(1, -1).replaceAll('""', '"'));
        else values.push(token.trim() !== '' && Number.isFinite(Number(token)) ? Number(token) : token);
      }
      const next = tokens[at++];
      if (next === ']' || next === ')') return { word: word.toUpperCase(), values };
      if (next !== ',') throw bad();
    }
  };
  const root = node(0);
  // ESRI's files may go on with a system of heights.
  if (tokens[at] === ',') {
    at++;
    if (node(0).word !== 'VERTCS') throw bad();
  }
  if (at < tokens.length) throw bad();
  return root;
}

const shown = (text: string): string => JSON.stringify(text.trim().slice(0, 60));

function child(node: Node | undefined, ...words: readonly string[]): Node | undefined {
  return node?.values.find((one): one is Node => typeof one === 'object' && words.includes(one.word));
}

function children(node: Node, word: string): Node[] {
  return node.values.filter((one): one is Node => typeof one === 'object' && one.word === word);
}

const textOf = (node: Node | undefined): string => String(node?.values[0] ?? '');
const numberAt = (node: Node | undefined, i: number, otherwise = Number.NaN): number => {
  const value = node?.values[i];
  return typeof value === 'number' ? value : otherwise;
};

const PLANES = ['PROJCS', 'PROJCRS', 'PROJECTEDCRS'];
const ANGLES = ['GEOGCS', 'GEOGCRS', 'GEOGRAPHICCRS', 'GEODCRS', 'GEODETICCRS', 'BASEGEOGCRS', 'BASEGEODCRS'];

/** @throws UnknownSystem for a kind of system that is not of places on the Earth */
export function describeWkt(root: Node): Described {
  if (['COMPD_CS', 'COMPOUNDCRS', 'BOUNDCRS', 'SOURCECRS'].includes(root.word)) {
    const part = child(root, ...PLANES, ...ANGLES, 'SOURCECRS', 'BOUNDCRS');
    if (part !== undefined) return describeWkt(part);
  }
  const isPlane = PLANES.includes(root.word);
  if (!isPlane && !ANGLES.includes(root.word)) {
    throw new UnknownSystem(
      `a reference system of the kind ${root.word} (${shown(textOf(root))}) has no places on the Earth`,
    );
  }
  const geographic = isPlane ? child(root, ...ANGLES) : root;
  const angle = rounded(
    numberAt(
      child(geographic, 'UNIT', 'ANGLEUNIT') ?? child(child(geographic, 'AXIS'), 'UNIT', 'ANGLEUNIT'),
      1,
      1 / DEGREE,
    ) * DEGREE,
  );
  const axis = children(root, 'AXIS');
  if (!isPlane && children(root, 'CS').some((cs) => textOf(cs).toLowerCase() === 'cartesian')) {
    throw new UnknownSystem(`${shown(textOf(root))} has coordinates from the center of the Earth`);
  }
  const length = numberAt(child(root, 'UNIT', 'LENGTHUNIT') ?? child(axis[0], 'UNIT', 'LENGTHUNIT'), 1, 1);
  return {
    name: textOf(root),
    code: codeIn(root),
    axes: axesOf(axis.map((one) => [String(one.values[1]), textOf(one)])),
    unit: isPlane ? length : angle,
    base: baseOf(geographic, angle),
    conversion: isPlane ? conversionOf(root, angle, length) : null,
  };
}

function codeIn(node: Node): string | null {
  const id = child(node, 'ID', 'AUTHORITY');
  return id === undefined ? null : `${textOf(id).toUpperCase()}:${id.values[1]}`;
}

/**
 * Letters for the directions of two axes. Those of polar systems both point north, or both south: their names tell.
 * @returns null if there are fewer
 */
function axesOf(axes: readonly (readonly [direction: string, name: string])[]): string | null {
  const [first, second] = axes;
  if (first === undefined || second === undefined) return null;
  const letters = [first, second].map(([direction]) => direction.slice(0, 1).toUpperCase());
  const isPolar = letters[0] === letters[1] || !/^[ENWS]{2}$/.test(letters.join(''));
  if (!isPolar) return letters.join('');
  return [first, second].map(([, name]) => (/easting|\(E\)|\(X\)|^[EX]$/i.test(name) ? 'E' : 'N')).join('');
}

function baseOf(geographic: Node | undefined, angle: number): Described['base'] {
  const datum = child(geographic, 'DATUM', 'ENSEMBLE', 'TRF', 'GEODETICDATUM');
  const ellipsoid = child(datum, 'SPHEROID', 'ELLIPSOID');
  const [a, rf] = [numberAt(ellipsoid, 1), numberAt(ellipsoid, 2)];
  if (!(a > 0 && rf >= 0))
    throw new UnknownSystem(`the reference system ${shown(textOf(geographic))} has no ellipsoid`);
  const primem = child(geographic, 'PRIMEM');
  const own = child(primem, 'UNIT', 'ANGLEUNIT');
  // Version 1 has degrees here, whatever the unit of coordinates is (as GDAL and ESRI write it).
  const perUnit = own !== undefined ? numberAt(own, 1) * DEGREE : geographic?.word === 'GEOGCS' ? 1 : angle;
  const toWgs84 = child(datum, 'TOWGS84')?.values.filter((one) => typeof one === 'number') ?? null;
  return {
    names: [textOf(geographic), textOf(datum)],
    code: geographic ? codeIn(geographic) : null,
    a: a * numberAt(child(ellipsoid, 'LENGTHUNIT', 'UNIT'), 1, 1),
    rf,
    meridian: numberAt(primem, 1, 0) * perUnit,
    toWgs84,
  };
}

function conversionOf(root: Node, angle: number, length: number): Described['conversion'] {
  const part = child(root, 'CONVERSION') ?? root;
  const method = child(part, 'METHOD', 'PROJECTION');
  if (method === undefined) throw new UnknownSystem(`the reference system ${shown(textOf(root))} names no projection`);
  const extension = textOf(child(root, 'EXTENSION')) === 'PROJ4' ? String(child(root, 'EXTENSION')?.values[1]) : '';
  const isWeb = /\+proj=merc /.test(extension) && /\+b=6378137 /.test(`${extension} `);
  const parameters = children(part, 'PARAMETER').map((one): [string, number] => {
    const value = numberAt(one, 1);
    const name = textOf(one);
    const [inAngle, inLength] = [child(one, 'ANGLEUNIT'), child(one, 'LENGTHUNIT')];
    if (inAngle) return [name, rounded(value * numberAt(inAngle, 1) * DEGREE)];
    if (inLength) return [name, value * numberAt(inLength, 1)];
    if (child(one, 'SCALEUNIT')) return [name, value];
    return [name, isLength(name) ? value * length : isRatio(name) ? value : rounded(value * angle)];
  });
  return { method: isWeb ? '1024' : textOf(method), parameters };
}

const isLength = (name: string): boolean => /easting|northing/i.test(name);
const isRatio = (name: string): boolean => /scale|auxiliary|option|rotation/i.test(name);

type Json = Readonly<Record<string, unknown>>;
const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Describes PROJJSON. @throws UnknownSystem */
export function describeJson(value: Json): Described {
  const type = String(value.type);
  if (type === 'CompoundCRS') return describeJson(objectOf(listOf(value.components)[0]));
  if (type === 'BoundCRS') return describeJson(objectOf(value.source_crs));
  const isPlane = type === 'ProjectedCRS';
  const axis = listOf(objectOf(value.coordinate_system).axis).map(objectOf);
  const isAngle =
    type === 'GeographicCRS' || (type === 'GeodeticCRS' && objectOf(value.coordinate_system).subtype === 'ellipsoidal');
  if (!isPlane && !isAngle) throw new UnknownSystem(`a reference system of the kind ${shown(type)} is not read`);
  const geographic = isPlane ? objectOf(value.base_crs) : value;
  const datum = objectOf(geographic.datum ?? geographic.datum_ensemble);
  const ellipsoid = objectOf(datum.ellipsoid);
  const a = measure(ellipsoid.semi_major_axis ?? ellipsoid.radius);
  const b = ellipsoid.semi_minor_axis === undefined ? null : measure(ellipsoid.semi_minor_axis);
  const rf =
    ellipsoid.radius !== undefined
      ? 0
      : b !== null
        ? a === b
          ? 0
          : a / (a - b)
        : Number(ellipsoid.inverse_flattening);
  if (!(a > 0 && rf >= 0))
    throw new UnknownSystem(`the reference system ${shown(String(value.name))} has no ellipsoid`);
  const meridian = objectOf(datum.prime_meridian ?? geographic.prime_meridian);
  const conversion = objectOf(value.conversion);
  return {
    name: String(value.name),
    code: codeInJson(value),
    axes: axesOf(axis.map((one) => [String(one.direction), `${one.name} (${one.abbreviation})`])),
    unit: factor(axis[0]?.unit, isPlane ? 'meter' : 'degree'),
    base: {
      names: [String(geographic.name), String(datum.name)],
      code: codeInJson(geographic),
      a,
      rf,
      meridian: meridian.longitude === undefined ? 0 : measure(meridian.longitude, 'degree'),
      toWgs84: null,
    },
    conversion: isPlane
      ? {
          method: String(objectOf(conversion.method).name),
          parameters: listOf(conversion.parameters)
            .map(objectOf)
            .map((one) => [String(one.name), rounded(Number(one.value) * factor(one.unit, 'unity'))] as const),
        }
      : null,
  };
}

function codeInJson(value: Json): string | null {
  const { authority, code } = objectOf(value.id);
  return authority === undefined ? null : `${String(authority).toUpperCase()}:${code}`;
}

/** A length in meters or an angle in degrees, with a unit of its own or without one. */
function measure(value: unknown, unit = 'meter'): number {
  return typeof value === 'number' ? value : Number(objectOf(value).value) * factor(objectOf(value).unit, unit);
}

/** Meters, degrees, or 1. */
function factor(unit: unknown, otherwise: string): number {
  const given = unit ?? otherwise;
  if (typeof given === 'string') return 1;
  const { type, conversion_factor } = objectOf(given);
  return Number(conversion_factor) * (type === 'AngularUnit' ? DEGREE : 1);
}
