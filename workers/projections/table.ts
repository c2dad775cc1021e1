/** The table of reference systems, data/reference_systems.tsv (scripts/make_reference_systems.ts makes it). */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Ellipsoid, Step } from './engine.ts';
import { plain } from './methods.ts';

/** Degrees: west, south, east, north. West of an area across the antimeridian is greater than east. */
export type Box = readonly [west: number, south: number, east: number, north: number];

/** A published transformation of a datum to WGS 84. */
export interface Shift {
  /** Meters, by EPSG's dataset. */
  readonly accuracy: number;
  readonly area: Box;
  /** None: the same coordinates. */
  readonly steps: readonly Step[];
}

/** The best transformation that needs a grid: its file, and its accuracy in meters. */
export interface Grid {
  readonly name: string;
  readonly accuracy: number;
}

/** A datum with its coordinates in angles. */
export interface Geographic {
  readonly code: string | null;
  readonly name: string;
  /** Degrees in one unit of its coordinates. */
  readonly unit: number;
  /** The directions of its axes in the order of the authority: letters of E, N, W and S. */
  readonly axes: string;
  readonly area: Box | null;
  readonly ellipsoid: Ellipsoid;
  /** Its prime meridian, in degrees from Greenwich. */
  readonly meridian: number;
  /** None if no transformation is published. */
  readonly shifts: readonly Shift[];
  readonly grid: Grid | null;
}

/** A plane. */
export interface Projected {
  readonly code: string | null;
  readonly name: string;
  readonly base: Geographic;
  /** proj4's definition without the ellipsoid. */
  readonly projection: string;
  /** Meters in one unit of its coordinates. */
  readonly unit: number;
  readonly axes: string;
  readonly area: Box | null;
}

/** A row of a method for which there are no formulas here. */
export interface Refused {
  readonly code: string;
  readonly name: string;
  readonly refused: string;
}

let rows: Map<string, string> | null = null;

/** The rows of the table by their first cell. */
function table(): ReadonlyMap<string, string> {
  if (rows !== null) return rows;
  // The sources are two folders below the package root, the compiled files three.
  for (const up of ['../../', '../../../']) {
    const path = fileURLToPath(new URL(`${up}data/reference_systems.tsv`, import.meta.url));
    if (!existsSync(path)) continue;
    rows = new Map();
    for (const line of readFileSync(path, 'utf8').split('\n')) rows.set(line.slice(0, line.indexOf('\t')), line);
    return rows;
  }
  throw new Error('data/reference_systems.tsv is missing from the installation');
}

/** The cells of the row that starts with a key. */
const rowOf = (key: string): string[] | null => table().get(key)?.split('\t') ?? null;

/**
 * The system with a code such as EPSG:2154 or ESRI:102008; null if the table has none. A code that EPSG
 * has withdrawn for another one stands for that one.
 */
export function byCode(code: string): Geographic | Projected | Refused | null {
  const row = rowOf(code);
  if (row === null) return null;
  if (row[1].startsWith('>')) return byCode(row[1].slice(1));
  const [, name, base, projection, unit, axes, box, a, rf, meridian, shifts, grid] = row;
  const area = boxOf(box);
  if (base === '') {
    const [accuracy, file] = grid === '' ? [] : grid.split(',');
    return {
      code,
      name,
      axes,
      area,
      unit: Number(unit),
      ellipsoid: { a: Number(a), rf: Number(rf) },
      meridian: Number(meridian),
      shifts: shifts === '' ? [] : shifts.split(';').map(shiftOf),
      grid: file === undefined ? null : { name: file, accuracy: Number(accuracy) },
    };
  }
  if (projection.startsWith('?')) return { code, name, refused: projection.slice(1) };
  return { code, name, base: byCode(base) as Geographic, projection, unit: Number(unit), axes, area };
}

/** The code of a system by any name of it or of its datum; null for one that is not in the table. */
export const codeOf = (name: string): string | null => rowOf(`=${plain(name)}`)?.[1] ?? null;

function boxOf(text: string): Box | null {
  return text === '' ? null : (text.split(',').map(Number) as unknown as Box);
}

/** `accuracy/box/step/…` */
function shiftOf(text: string): Shift {
  const [accuracy, box, ...steps] = text.split('/');
  return {
    accuracy: Number(accuracy),
    area: boxOf(box) as Box,
    steps: steps.map((step) => {
      const values = step.replace(/^[io]/, '').split(',').map(Number);
      if (step.startsWith('o')) return { offset: values };
      return { shift: values, isInverse: step.startsWith('i') };
    }),
  };
}

/** The plane systems of EPSG, for guesses. */
export function* planes(): Generator<Projected> {
  for (const [code, row] of table()) {
    if (/^EPSG:\d+$/.test(code) && /^[^\t]*\t[^>\t][^\t]*\t[^\t]+\t\+/.test(row)) yield byCode(code) as Projected;
  }
}
