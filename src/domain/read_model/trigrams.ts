import { setImmediate as breathe } from 'node:timers/promises';

/** Letters of an ASCII text of names.ts: a blank, ten digits, 26 letters. */
const LETTERS = 37;
const CODES = LETTERS ** 3;
/** So long, in milliseconds, an index is made before others have their turn; the clock is looked at every so many texts. */
const TURN_MS = 5;
const A_LOOK = 64;
/** Looking a text up in a list costs as much as going through so many of its entries. */
const LOOK_UP = 30;

/**
 * The trigrams of a text of a-z, 0-9 and blanks, as numbers, in the order they stand there: those of pg_trgm, which
 * puts two blanks in front of each word and one behind it.
 */
export function trigramsOf(ascii: string): number[] {
  const codes: number[] = [];
  let [first, second] = [0, 0];
  let inside = false;
  for (let i = 0; i <= ascii.length; i++) {
    const letter = i < ascii.length ? letterOf(ascii.charCodeAt(i)) : 0;
    if (letter === 0) {
      if (inside) codes.push((first * LETTERS + second) * LETTERS);
      [first, second, inside] = [0, 0, false];
      continue;
    }
    codes.push((first * LETTERS + second) * LETTERS + letter);
    [first, second, inside] = [second, letter, true];
  }
  return codes;
}

function letterOf(unit: number): number {
  if (unit >= 97 && unit <= 122) return unit - 86;
  return unit >= 48 && unit <= 57 ? unit - 47 : 0;
}

/** A query that texts are compared with. */
export interface Likeness {
  /** word_similarity(query, text) of pg_trgm: a number of single precision from 0 to 1. */
  of(text: readonly number[]): number;
}

const found = new Uint8Array(CODES);
const last = new Int32Array(CODES).fill(-1);

/**
 * Does `work` with what compares texts with a query: the greatest part that the trigrams of the query have in common
 * with those of any run of the text (contrib/pg_trgm/trgm_op.c, iterate_word_similarity).
 */
export function comparedWith<T>(query: readonly number[], work: (likeness: Likeness) => T): T {
  const size = new Set(query).size;
  for (const code of query) found[code] = 1;
  try {
    return work({ of: (text) => similarity(text, size) });
  } finally {
    for (const code of query) found[code] = 0;
  }
}

function similarity(text: readonly number[], wanted: number): number {
  let [lower, different, common, greatest] = [-1, 0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text[i];
    if (lower >= 0 || found[code] === 1) {
      if (last[code] < 0) {
        different++;
        if (found[code] === 1) common++;
      }
      last[code] = i;
    }
    if (found[code] === 0) continue;
    if (lower === -1) {
      lower = i;
      different = 1;
    }
    let best = part(common, wanted, different);
    let [restCommon, restDifferent] = [common, different];
    const before = lower;
    for (let from = before; from <= i; from++) {
      const now = part(restCommon, wanted, restDifferent);
      if (now > best) [best, different, lower, common] = [now, restDifferent, from, restCommon];
      if (last[text[from]] !== from) continue;
      restDifferent--;
      if (found[text[from]] === 1) restCommon--;
    }
    greatest = Math.max(greatest, best);
    for (let from = before; from < lower; from++) if (last[text[from]] === from) last[text[from]] = -1;
  }
  for (const code of text) last[code] = -1;
  return greatest;
}

const part = (common: number, a: number, b: number): number => Math.fround(common / (a + b - common));

/** Which texts of a list have which trigrams. */
export interface TrigramIndex {
  readonly bytes: number;
  /**
   * Places of the texts that have at least a part of the different trigrams of a query, as a GIN index selects them, and
   * which part each has: no word_similarity is greater than it.
   */
  having(
    query: readonly number[],
    least: number,
  ): { readonly rows: readonly number[]; readonly parts: readonly number[] };
}

/** Makes an index of texts, of which one may have none; gives the event loop its turn in between. */
export async function indexTrigrams(count: number, textAt: (i: number) => string | null): Promise<TrigramIndex> {
  const starts = new Uint32Array(CODES + 1);
  // Of which text a trigram was seen last: one that a text repeats counts once.
  const seen = new Int32Array(CODES);
  const each = async (take: (i: number, code: number) => void) => {
    seen.fill(-1);
    let turn = performance.now();
    for (let i = 0; i < count; i++) {
      if (i % A_LOOK === 0 && performance.now() - turn > TURN_MS) {
        await breathe();
        turn = performance.now();
      }
      const text = textAt(i);
      if (text === null) continue;
      for (const code of trigramsOf(text)) {
        if (seen[code] === i) continue;
        seen[code] = i;
        take(i, code);
      }
    }
  };
  await each((_, code) => void starts[code + 1]++);
  for (let code = 0; code < CODES; code++) starts[code + 1] += starts[code];
  const places = new Uint32Array(starts[CODES]);
  const ends = starts.slice();
  await each((i, code) => {
    places[ends[code]++] = i;
  });
  const counts = new Uint16Array(count);
  const lengthOf = (code: number): number => starts[code + 1] - starts[code];

  /** Whether a text has a trigram: its texts are in ascending order. */
  function has(code: number, i: number): boolean {
    let [low, high] = [starts[code], starts[code + 1]];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[middle] < i) low = middle + 1;
      else high = middle;
    }
    return low < starts[code + 1] && places[low] === i;
  }

  return {
    bytes: starts.byteLength + places.byteLength + counts.byteLength,
    having(query, least) {
      const codes = [...new Set(query)].sort((a, b) => lengthOf(a) - lengthOf(b));
      let needed = 1;
      while (needed < codes.length && Math.fround(needed / codes.length) < least) needed++;
      if (codes.length === 0 || Math.fround(needed / codes.length) < least) return { rows: [], parts: [] };
      // Who has `needed` of all trigrams has one of these: the rarest, and as many more as may be missed.
      const first = codes.length - needed + 1;
      const touched: number[] = [];
      for (const code of codes.slice(0, first)) {
        for (let at = starts[code]; at < starts[code + 1]; at++) {
          if (counts[places[at]]++ === 0) touched.push(places[at]);
        }
      }
      for (const code of codes.slice(first)) {
        // A long list is looked into for each text that may still be one, a short one is gone through.
        if (LOOK_UP * touched.length < lengthOf(code)) for (const i of touched) counts[i] += has(code, i) ? 1 : 0;
        else for (let at = starts[code]; at < starts[code + 1]; at++) if (counts[places[at]] > 0) counts[places[at]]++;
      }
      const rows = touched.filter((i) => counts[i] >= needed);
      const parts = rows.map((i) => Math.fround(counts[i] / codes.length));
      for (const i of touched) counts[i] = 0;
      return { rows, parts };
    },
  };
}
