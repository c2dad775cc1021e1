/** The share of the cases that run, as PROOF_ROUNDS is at the call. */
const share = () => Number(process.env.PROOF_ROUNDS ?? 1);
/** What runs in turn runs once in two weeks. */
export const TURN_DAYS = 14;

/** The day whose cases are drawn, in days since 1970: PROOF_DAY repeats those of another day. */
export function proofDay(): number {
  return Number(process.env.PROOF_DAY ?? Math.floor(Date.now() / 86_400_000));
}

/** Whether proofs run whole: over all tiles and all national sets. The gate runs a tenth of the rounds. */
export const isWhole = share() >= 1;

/** How often a proof runs with random input: `whole` times PROOF_ROUNDS (default 1), and at least once. */
export function rounds(whole: number): number {
  return Math.max(1, Math.round(whole * share()));
}

/**
 * The cases of `all` that run: all of them, or PROOF_ROUNDS of them (at least `least`), evenly spread. They begin one case
 * further every two weeks, as the file that asks may run only that often: see ofTheDay().
 */
export function drawn<T>(all: readonly T[], least = 1): T[] {
  return casesOf(Math.floor(proofDay() / TURN_DAYS), all, Math.max(least, Math.round(all.length * share())));
}

/**
 * A fourteenth of `all`, another one each day, so that each has its turn in two weeks (of fewer than 14, none on some days);
 * all of them where proofs run whole. With `secondsOf`, the days take about equally long: the longest is given to a day first,
 * and each next one to the day that has least. Not for a list within a file that itself runs in turn: the file would
 * meet the same ones each time.
 */
export function ofTheDay<T>(all: readonly T[], secondsOf: (one: T) => number = () => 1): T[] {
  if (share() >= 1) return [...all];
  const days = Array.from({ length: TURN_DAYS }, () => ({ seconds: 0, all: new Set<T>() }));
  for (const one of [...all].sort((a, b) => secondsOf(b) - secondsOf(a))) {
    const shortest = days.reduce((least, day) => (day.seconds < least.seconds ? day : least));
    shortest.seconds += secondsOf(one);
    shortest.all.add(one);
  }
  const today = days[proofDay() % TURN_DAYS]?.all;
  return all.filter((one) => today?.has(one));
}

/**
 * On a native database all cases of `all`, and those of drawn() on the embedded one: for tests of processes, each of
 * which takes seconds to open that database.
 */
export function drawnIfEmbedded<T>(all: readonly T[]): T[] {
  return process.env.TEST_DATABASE_URL ? [...all] : drawn(all);
}

/** `whole` rounds on a native database, and as many as rounds() says on the embedded one, each of which takes longer. */
export function roundsIfEmbedded(whole: number): number {
  return process.env.TEST_DATABASE_URL ? whole : rounds(whole);
}

/** Up to `count` cases, in order, the first at `turn`: each has run after as many turns in a row as there are cases. */
export function casesOf<T>(turn: number, all: readonly T[], count: number): T[] {
  const most = Math.min(all.length, count);
  const places = Array.from({ length: most }, (_, i) => (turn + Math.floor((i * all.length) / most)) % all.length);
  return places.sort((a, b) => a - b).flatMap((place) => all.slice(place, place + 1));
}

/** The seeds of random cases that run, of `whole` seeds from `first` on: see drawn(). */
export function seeds(first: number, whole: number): number[] {
  return drawn(Array.from({ length: whole }, (_, i) => first + i));
}
