import type { Coords } from '../../workers/contract.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Arcs shared by several rings, each stored once. A ring is a list of references; ~i is arc i reversed. */
export class Arcs {
  readonly texts: string[] = [];
  private readonly byText = new Map<string, number>();
  private readonly neighbors = new Map<string, Set<string>>();

  /** Splits rings into arcs where more than two borders meet and where the precision changes. */
  constructor(rings: Iterable<Coords>) {
    for (const ring of rings) {
      for (let i = 2; i < ring.length; i += 2) {
        const [a, b] = [keyOf(ring, i - 2), keyOf(ring, i)];
        for (const [from, to] of [
          [a, b],
          [b, a],
        ] as const) {
          const found = this.neighbors.get(from);
          if (found) found.add(to);
          else this.neighbors.set(from, new Set([to]));
        }
      }
    }
  }

  /** The arc references of a ring. */
  refs(ring: Coords): number[] {
    const n = ring.length / 2 - 1;
    const isEnd = Array.from({ length: n }, (_, i) => this.isEnd(ring, i, n));
    let first = isEnd.indexOf(true);
    if (first < 0) {
      // A ring that meets no other starts at its smallest vertex, in either direction.
      first = 0;
      for (let i = 1; i < n; i++) {
        const [dx, dy] = [ring[2 * i] - ring[2 * first], ring[2 * i + 1] - ring[2 * first + 1]];
        if (dx < 0 || (dx === 0 && dy < 0)) first = i;
      }
      isEnd[first] = true;
    }
    const refs: number[] = [];
    let arc: number[] = [];
    for (let k = 0; k <= n; k++) {
      const i = (first + k) % n;
      arc.push(ring[2 * i], ring[2 * i + 1]);
      if (k === 0 || !isEnd[i]) continue;
      refs.push(this.put(arc));
      arc = [ring[2 * i], ring[2 * i + 1]];
    }
    return refs;
  }

  private isEnd(ring: Coords, i: number, n: number): boolean {
    if ((this.neighbors.get(keyOf(ring, 2 * i)) as Set<string>).size !== 2) return true;
    const isFinest = (k: number) => digitsOf(ring[2 * k], ring[2 * k + 1]) === 7;
    return isFinest(i) !== isFinest((i + n - 1) % n) || isFinest(i) !== isFinest((i + 1) % n);
  }

  private put(arc: readonly number[]): number {
    const back: number[] = [];
    for (let i = arc.length - 2; i >= 0; i -= 2) back.push(arc[i], arc[i + 1]);
    const [forward, backward] = [encode(arc), encode(back)];
    const [text] = [forward, backward].sort();
    let index = this.byText.get(text);
    if (index === undefined) {
      index = this.texts.push(text) - 1;
      this.byText.set(text, index);
    }
    return forward <= backward ? index : ~index;
  }
}

const keyOf = (ring: Coords, i: number) => `${ring[i]} ${ring[i + 1]}`;

/** The decimal digits of a degree that a vertex needs: 4, 5 or 7. */
function digitsOf(x: number, y: number): 4 | 5 | 7 {
  if (x % 1_000 === 0 && y % 1_000 === 0) return 4;
  return x % 100 === 0 && y % 100 === 0 ? 5 : 7;
}

/** Encodes an arc: the digits, then vertex-to-vertex deltas as base-64 varints with the sign in the lowest bit. */
function encode(arc: readonly number[]): string {
  let digits: 4 | 5 | 7 = 4;
  for (let i = 0; i < arc.length; i += 2) digits = Math.max(digits, digitsOf(arc[i], arc[i + 1])) as 4 | 5 | 7;
  const unit = 10 ** (7 - digits);
  let text = String(digits);
  for (let i = 0; i < arc.length; i++) {
    const value = (arc[i] - (i < 2 ? 0 : arc[i - 2])) / unit;
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    do {
      const more = rest >= 32;
      text += ALPHABET[(rest % 32) + (more ? 32 : 0)];
      rest = Math.floor(rest / 32);
    } while (rest > 0);
  }
  return text;
}
