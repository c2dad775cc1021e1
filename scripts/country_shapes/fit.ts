import { cleanCoverage, dissolve } from '../../workers/arcs/clean.ts';
import { TILES } from '../../workers/arcs/slivers.ts';
import type { Coords } from '../../workers/contract.ts';
import type { Shapes } from './sources.ts';

/** A remainder of a replaced shape goes to the neighbor only if it is narrower than this, in 1e-7 degrees. */
const NARROW = 200_000;
/** …and if the neighbor's border is at least this share of its outline. */
const SHARED = 0.2;
const ROUNDS = 8;

/**
 * Makes shapes end where their neighbors begin. `fixed` shapes keep every vertex: a shape that overlaps one is cut, and
 * a narrow strip that a `donor` leaves between both is filled. Areas of `fixed` are many and small, and therefore win
 * (see cleanCoverage).
 * @returns the shapes, in the same order
 */
export async function fit(
  shapes: Shapes,
  fixed: readonly (readonly Coords[])[],
  donors: readonly (readonly Coords[])[],
): Promise<Shapes> {
  const own = new Set<string>();
  for (const rings of [...shapes.values(), ...fixed])
    for (const ring of rings) for (const at of vertices(ring)) own.add(at);
  let current = shapes;
  let given = donors.flat();
  for (let round = 0; round < ROUNDS; round++) {
    const ids = [...current.keys()];
    const features = [...[...current.values(), given, ...fixed].map((rings) => ({ rings }))];
    const { features: cleaned } = await cleanCoverage(features, TILES);
    // Give back what a shape smaller than an area of `fixed` took from it: a ring that occurs twice cancels out.
    const taken = fixed.flatMap((rings, f) => {
      const left = cleaned[ids.length + 1 + f].rings;
      return left === rings ? [] : [...rings, ...left];
    });
    const next: Shapes = new Map();
    for (const [i, id] of ids.entries()) {
      const reach = boxOf(cleaned[i].rings);
      const back = taken.filter((ring) => overlaps(reach, boxOf([ring])));
      const rings = back.length > 0 && isSmall(reach) ? await without(cleaned[i].rings, back) : cleaned[i].rings;
      next.set(id, rings);
    }
    await fill(next, cleaned[ids.length].rings);
    let strange = 0;
    for (const [id, rings] of next) {
      const [kept, dropped] = stripped(rings, own);
      strange += dropped;
      if (dropped > 0) next.set(id, await dissolve([{ rings: kept }]));
    }
    process.stderr.write(`  round ${round + 1}: ${strange} crossings\n`);
    current = next;
    given = [];
    if (strange === 0) return current;
  }
  throw new Error('shapes go on crossing');
}

/** Gives each narrow strip to the shape that shares the largest part of its outline. */
async function fill(shapes: Shapes, strips: readonly Coords[]): Promise<void> {
  const owner = new Map<string, string>();
  for (const [id, rings] of shapes) for (const ring of rings) for (const { key } of segments(ring)) owner.set(key, id);
  const gained = new Map<string, Coords[]>();
  for (const strip of strips) {
    const shared = new Map<string, number>();
    let outline = 0;
    for (const { key, length } of segments(strip)) {
      outline += length;
      const id = owner.get(key);
      if (id !== undefined) shared.set(id, (shared.get(id) ?? 0) + length);
    }
    const [id, length] = [...shared].sort(([, a], [, b]) => b - a)[0] ?? ['', 0];
    if ((2 * planeArea(strip)) / outline > NARROW || length < SHARED * outline) continue;
    gained.set(id, [...(gained.get(id) ?? []), strip]);
  }
  for (const [id, more] of gained) {
    shapes.set(id, await dissolve([{ rings: shapes.get(id) as Coords[] }, ...more.map((ring) => ({ rings: [ring] }))]));
  }
}

/** The rings without vertices that are not `own` (from crossings of two borders), and how many were dropped. */
function stripped(rings: readonly Coords[], own: ReadonlySet<string>): [Coords[], number] {
  let dropped = 0;
  const out: Coords[] = [];
  for (const ring of rings) {
    const kept: number[] = [];
    for (let i = 0; i + 2 < ring.length; i += 2) {
      if (own.has(`${ring[i]} ${ring[i + 1]}`)) kept.push(ring[i], ring[i + 1]);
      else dropped++;
    }
    if (kept.length >= 6) out.push(Int32Array.from([...kept, kept[0], kept[1]]));
  }
  return [out, dropped];
}

async function without(rings: readonly Coords[], more: readonly Coords[]): Promise<Coords[]> {
  return dissolve([{ rings: [...rings, ...more] }]);
}

function* vertices(ring: Coords): Iterable<string> {
  for (let i = 0; i < ring.length; i += 2) yield `${ring[i]} ${ring[i + 1]}`;
}

function* segments(ring: Coords): Iterable<{ key: string; length: number }> {
  for (let i = 2; i < ring.length; i += 2) {
    const ends = [`${ring[i - 2]} ${ring[i - 1]}`, `${ring[i]} ${ring[i + 1]}`].sort();
    yield { key: ends.join(' '), length: Math.hypot(ring[i] - ring[i - 2], ring[i + 1] - ring[i - 1]) };
  }
}

type Box = [west: number, south: number, east: number, north: number];

function boxOf(rings: readonly Coords[]): Box {
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      box[0] = Math.min(box[0], ring[i]);
      box[1] = Math.min(box[1], ring[i + 1]);
      box[2] = Math.max(box[2], ring[i]);
      box[3] = Math.max(box[3], ring[i + 1]);
    }
  }
  return box;
}

const overlaps = (a: Box, b: Box) => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
/** Only a shape smaller than a municipality can take area from one. */
const isSmall = (box: Box) => box[2] - box[0] < 1_000_000 && box[3] - box[1] < 1_000_000;

/** Planar area of a ring, in square units of its coordinates. */
export function planeArea(ring: Coords): number {
  let sum = 0;
  for (let i = 2; i + 3 < ring.length; i += 2) {
    sum += (ring[i] - ring[0]) * (ring[i + 3] - ring[1]) - (ring[i + 2] - ring[0]) * (ring[i + 1] - ring[1]);
  }
  return Math.abs(sum) / 2;
}
