import { seeded as random } from '../../src/bench/random.ts';
import { defined } from '../../src/common/elements.ts';

/**
 * Inputs that no call of a run has been sent before. Every input that it hands out is remembered, so that a row called
 * `new` cannot measure a cache of answers.
 */
export class NewInputs {
  private readonly sent = new Set<string>();

  /** Number of inputs that were handed out. */
  get count(): number {
    return this.sent.size;
  }

  /**
   * Returns `many` results of `draw`, none of which was returned before.
   * @throws Error when `draw` gives only repetitions: there are too few inputs of this kind
   */
  take(many: number, draw: () => string): string[] {
    const taken: string[] = [];
    for (let tries = 0; taken.length < many; tries++) {
      const input = draw();
      if (!this.sent.has(input)) {
        this.sent.add(input);
        taken.push(input);
        tries = 0;
      } else if (tries >= MOST_TRIES) {
        throw new Error(`there are only ${this.sent.size} new inputs like ${input}`);
      }
    }
    return taken;
  }
}

/** Repetitions in a row after which the inputs count as used up. */
const MOST_TRIES = 10_000;

/** Draws queries of points around Spain, to five digits (1 m), from a seed. */
export function placesOf(seed: number): () => string {
  const next = random(seed);
  return () => `lat=${(36.5 + 6.5 * next()).toFixed(5)}&lon=${(-8.5 + 11 * next()).toFixed(5)}`;
}

/** Draws one of a list. */
export function oneOf<T>(list: readonly T[], seed: number): () => T {
  const next = random(seed);
  return () => defined(list[Math.floor(next() * list.length)]);
}

/** Draws names and beginnings of names of at least three characters, percent-encoded; a beginning is to be completed. */
export function searchesOf(names: readonly string[], seed: number): () => string {
  const next = random(seed);
  return () => {
    const name = defined(names[Math.floor(next() * names.length)]);
    const typed = name.slice(0, 3 + Math.floor(next() * name.length)).trim();
    return `${encodeURIComponent(typed)}${typed === name ? '' : '&prefix=true'}`;
  };
}

/** Letters from which a name is misspelled: in a shorter one, a typo often makes another name. */
const MISSPELLED_FROM = 6;

/**
 * Draws names of at least six letters with one letter missing, doubled, swapped with the next or replaced, but not the
 * first: the name, a line break and how it is written.
 */
export function typosOf(names: readonly string[], seed: number): () => string {
  const next = random(seed);
  const below = (count: number) => Math.floor(next() * count);
  const long = names.filter((name) => name.length >= MISSPELLED_FROM);
  return () => {
    const name = defined(long[below(long.length)]);
    const at = 1 + below(name.length - 2);
    const [letter, after] = [defined(name[at]), defined(name[at + 1])];
    const other = String.fromCharCode(97 + below(26));
    const written = ['', letter + letter, after + letter, other][below(4)];
    return `${name}\n${name.slice(0, at)}${written}${name.slice(written === after + letter ? at + 2 : at + 1)}`;
  };
}

/** Draws sets of `many` different members of a list, each as the JSON of a sorted list. */
export function setsOf(list: readonly string[], many: number, seed: number): () => string {
  const one = oneOf(list, seed);
  return () => {
    const set = new Set<string>();
    while (set.size < Math.min(many, list.length)) set.add(one());
    return JSON.stringify([...set].sort());
  };
}

/**
 * The searches of each round, percent-encoded: every second one is a name or prefix that no earlier round used; the
 * others repeat earlier ones.
 */
export function searchRounds(names: readonly string[], rounds: number, count: number, seed: number): string[][] {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => defined(list[Math.floor(next() * list.length)]);
  const asked = new Set<string>();
  const before: string[] = [];
  return Array.from({ length: rounds }, () =>
    Array.from({ length: count }, (_, i) => {
      if (i % 2 === 1) return pick(before);
      for (let tries = 0; ; tries++) {
        const name = pick(names);
        const text = encodeURIComponent(
          name.slice(0, tries < 50 ? 3 + Math.floor(next() * name.length) : undefined).trim(),
        );
        if (asked.has(text) && tries < 100) continue;
        asked.add(text);
        before.push(text);
        return text;
      }
    }),
  );
}
