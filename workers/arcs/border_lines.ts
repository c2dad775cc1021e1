/** The borders of a map as lines: an arc is divided where it begins or ceases to be at sea. */
import { type ArcTable, FULL } from '../contract.ts';
import { ExactSum } from './area.ts';
import { geodesicMeters, isSeam } from './border.ts';
import type { BorderFlags } from './border_flags.ts';
import { isMaritime } from './sea_borders.ts';

/** A boundary beside an arc. */
export interface Beside {
  readonly borders: BorderFlags;
  /** Whether its ring walks the arc backward. */
  readonly isBackward: boolean;
}

/** A part of an arc, from its start to its end. */
export interface BorderLine {
  /** x, y in 1e-7 degrees. */
  readonly coords: Int32Array;
  /** The geodesic length of the border itself, not of `coords`, in meters on WGS84. */
  readonly meters: number;
  /** As isMaritime() says of all boundaries beside it. */
  readonly maritime: boolean | null;
}

/** Places that are nearer, in segments, are one: what is worked out from both ends of an arc differs by rounding. */
const SAME_PLACE = 1e-9;

/**
 * The lines of an arc, in order. Seams at the antimeridian and at the poles are left out. Vertices are those of the arc
 * that the level keeps, and the very places where lines begin and end, so that lines of all arcs fit.
 * @param table the arcs, with their tiers
 * @param arc its slot
 * @param beside the boundaries that it bounds
 * @param level the level of detail, or FULL; an islet that the level removes is drawn in full
 */
export function linesOfArc(table: ArcTable, arc: number, beside: readonly Beside[], level: number): BorderLine[] {
  const { coords, weights, first, length } = table;
  const start = first[arc];
  const last = length[arc] - 1;
  const x = (k: number): number => coords[2 * (start + k)];
  const y = (k: number): number => coords[2 * (start + k) + 1];
  const own = level !== FULL && weights[start] <= level ? FULL : level;
  const isKept = (k: number): boolean => own === FULL || weights[start + k] > own;
  const parts = beside.map((one) => alongArc(one, arc, last));
  const seams = Array.from({ length: last }, (_, k) => k).filter((k) => isSeam(x(k), y(k), x(k + 1), y(k + 1)));
  const places = distinct([0, last, ...parts.flatMap(({ ends }) => ends), ...seams.flatMap((k) => [k, k + 1])]);
  const lines: BorderLine[] = [];
  let from = 0;
  places.forEach((to, i) => {
    if (i === 0) return;
    const place = places[i - 1];
    const isAlongSeam = seams.includes(Math.floor(place + SAME_PLACE));
    const says = (k: number): boolean | null => isMaritime(parts.reduce((all, one) => all | flagsAt(one, k), 0));
    const maritime = says(place);
    // The next part of the same kind goes on with this line.
    const isSame = to !== last && !isAlongSeam && says(to) === maritime && !seams.includes(Math.floor(to + SAME_PLACE));
    if (isSame) return;
    if (!isAlongSeam) lines.push({ ...between(from, to), maritime });
    from = to;
  });
  return lines.filter((line) => line.coords.length > 2);

  function between(from: number, to: number): Pick<BorderLine, 'coords' | 'meters'> {
    const at = (place: number): readonly [number, number] => {
      const k = Math.min(Math.floor(place), last - 1);
      const share = place - k;
      return [x(k) + share * (x(k + 1) - x(k)), y(k) + share * (y(k + 1) - y(k))];
    };
    const points: number[] = [];
    const put = (px: number, py: number): void => {
      if (points.at(-2) !== px || points.at(-1) !== py) points.push(px, py);
    };
    const sum = new ExactSum();
    let before = at(from);
    put(Math.round(before[0]), Math.round(before[1]));
    for (let k = Math.floor(from) + 1; k < to; k++) {
      sum.add(geodesicMeters(...before, x(k), y(k)));
      before = [x(k), y(k)];
      if (isKept(k)) put(...before);
    }
    const end = at(to);
    sum.add(geodesicMeters(...before, ...end));
    put(Math.round(end[0]), Math.round(end[1]));
    return { coords: Int32Array.from(points), meters: sum.value };
  }
}

/** The parts of an arc as it is stored: `ends` are places, as SeaBorders.changes() counts them. */
interface Parts {
  readonly ends: readonly number[];
  readonly flags: readonly number[];
}

function alongArc({ borders, isBackward }: Beside, arc: number, last: number): Parts {
  const along = borders.along(isBackward ? ~arc : arc);
  if (typeof along === 'number') return { ends: [], flags: [along] };
  if (!isBackward) return along;
  return { ends: along.ends.map((place) => last - place).reverse(), flags: along.flags.toReversed() };
}

/** The flags from a place on. */
function flagsAt({ ends, flags }: Parts, place: number): number {
  let part = 0;
  while (part < ends.length && ends[part] <= place + SAME_PLACE) part++;
  return flags[part];
}

/** Numbers in order, those that are the same place once. */
function distinct(places: readonly number[]): number[] {
  const sorted = [...places].sort((a, b) => a - b);
  return sorted.filter((place, i) => i === 0 || place - sorted[i - 1] > SAME_PLACE);
}
