import { setImmediate as breathe } from 'node:timers/promises';

/** Size of the alphabet of toAscii() (names.ts): a blank, ten digits, 26 letters. */
const LETTERS = 37;
const CODES = LETTERS ** 3;
/** Milliseconds of indexing before the event loop runs other work. */
const TURN_MS = 5;
/** Texts between two looks at the clock. */
const A_LOOK = 64;
/** Entries of lists beyond which a greater share is needed, */
const MOST_ENTRIES = 50_000;
/** but not of the trigrams that one typo spoils: two swapped letters are in four. */
const SPOILED = 4;
/** Cost of looking up a text in a list, relative to reading one entry of the list. */
const LOOK_UP = 30;

/**
 * Returns the trigrams of a text of a-z, 0-9 and blanks, as numbers in text order. They are those of pg_trgm, which
 * pads each word with two blanks in front and one behind.
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

/** Compares texts with a query. */
export interface TrigramComparison {
  /** Returns word_similarity(query, text) of pg_trgm: single precision, from 0 to 1. */
  of(text: readonly number[]): number;
}

const found = new Uint8Array(CODES);
const last = new Int32Array(CODES).fill(-1);

/**
 * Runs `work` with a comparison against a query: the greatest similarity of the query's trigrams to those of any
 * continuous extent of the text (contrib/pg_trgm/trgm_op.c, iterate_word_similarity).
 */
export function comparedWith<T>(query: readonly number[], work: (likeness: TrigramComparison) => T): T {
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

/** Inverted index from trigrams to texts. */
export interface TrigramIndex {
  readonly bytes: number;
  /**
   * Returns the fitting texts that have at least the share `least` of the query's distinct trigrams, as a GIN index selects
   * them, and the share of each, which is an upper bound of word_similarity. If these are more than `most`, a greater share
   * is needed, at most all trigrams: "nm in" has two of six in common with each text with a word that begins like the second.
   * The same where the lists of the rarest trigrams are long, at most all but four: then texts with one typo are found still.
   */
  having(
    query: readonly number[],
    options: { readonly least: number; readonly most: number; fits(i: number): boolean },
  ): { readonly rows: readonly number[]; readonly parts: readonly number[] };
}

/** Builds an index of texts (null: not indexed), yielding to the event loop in between. */
export async function indexTrigrams(count: number, textAt: (i: number) => string | null): Promise<TrigramIndex> {
  const starts = new Uint32Array(CODES + 1);
  // Last text in which each trigram was seen, so that repeats count once.
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

  /** Whether a text has a trigram, by binary search in the trigram's ascending texts. */
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
    having(query, { least, most, fits }) {
      const codes = [...new Set(query)].sort((a, b) => lengthOf(a) - lengthOf(b));
      let needed = 1;
      while (needed < codes.length && Math.fround(needed / codes.length) < least) needed++;
      if (codes.length === 0 || Math.fround(needed / codes.length) < least) return { rows: [], parts: [] };
      // A text with `needed` of all trigrams has one of these: the rarest, plus as many as may be missing.
      let first = codes.length - needed + 1;
      let entries = 0;
      for (const code of codes.slice(0, first)) entries += lengthOf(code);
      for (; entries > MOST_ENTRIES && needed < codes.length - SPOILED; needed++) entries -= lengthOf(codes[--first]);
      const touched: number[] = [];
      for (const code of codes.slice(0, first)) {
        for (let at = starts[code]; at < starts[code + 1]; at++) {
          if (counts[places[at]]++ === 0) touched.push(places[at]);
        }
      }
      let alive = touched;
      codes.slice(first).forEach((code, k) => {
        // Binary search a long list for each remaining text; read a short one in full.
        if (LOOK_UP * alive.length < lengthOf(code)) for (const i of alive) counts[i] += has(code, i) ? 1 : 0;
        else for (let at = starts[code]; at < starts[code + 1]; at++) if (counts[places[at]] > 0) counts[places[at]]++;
        // Those that have too few can not have enough of the rest.
        alive = alive.filter((i) => counts[i] + (needed - 2 - k) >= needed);
      });
      alive = alive.filter(fits);
      // Texts by the number of trigrams that they have.
      const having = new Uint32Array(codes.length + 1);
      for (const i of alive) having[counts[i]]++;
      let enough = codes.length;
      for (let all = having[enough]; enough > needed && all + having[enough - 1] <= most; ) all += having[--enough];
      const rows = alive.filter((i) => counts[i] >= enough);
      const parts = rows.map((i) => Math.fround(counts[i] / codes.length));
      for (const i of touched) counts[i] = 0;
      return { rows, parts };
    },
  };
}
