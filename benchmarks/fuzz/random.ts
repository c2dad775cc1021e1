/** Mulberry32: the same numbers from 0 to 1 for the same seed everywhere. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A seed made of several things (FNV-1a of their text). */
export function seedOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const char of parts.join(' ')) hash = Math.imul(hash ^ (char.codePointAt(0) as number), 0x01000193);
  return hash | 0;
}

export const pick = <T>(list: readonly T[], next: () => number): T => list[Math.floor(next() * list.length)];
