import { compared, type Options, type Result, timingOf } from '../measure.ts';
import { drive, type LoadRequest } from './generator.ts';

/** What one side did in a round: its time, and if it sent requests, the bytes of all answers and the time of each. */
export interface SideRound {
  readonly milliseconds: number;
  readonly bytes?: number;
  readonly times?: readonly number[];
}

/** One side of a pair. It gets the number of the round: 0 is the warm-up. */
export type Side = (round: number) => Promise<SideRound>;

/** Two ways to do the same work. */
export interface Pair {
  readonly name: string;
  readonly rival: string;
  readonly same: boolean;
  /** Calls per round. */
  readonly count: number;
  readonly note?: string;
  readonly ours: Side;
  readonly theirs: Side;
}

/** Rounds that are measured, after the warm-up. */
export const ROUNDS = 7;

/** Sends the requests of each round, as often as there are `count` of, over `connections` connections. */
export function sending(
  port: number,
  requests: (round: number) => readonly LoadRequest[],
  headers: Readonly<Record<string, string>>,
  count: number,
  connections: number,
): Side {
  return (round) => drive(port, requests(round), headers, count, connections);
}

/** Seven rounds of each side, alternating, after a warm-up round. */
export async function measured(pair: Pair, { smoke }: Options): Promise<Result> {
  const { name, rival, same, count, note, ours, theirs } = pair;
  const rounds: [SideRound[], SideRound[]] = [[], []];
  await ours(0);
  await theirs(0);
  for (let round = 1; round <= (smoke ? 1 : ROUNDS); round++) {
    rounds[0].push(await ours(round));
    rounds[1].push(await theirs(round));
  }
  const [mine, others] = rounds.map((list) => timingOf(list.map(({ milliseconds }) => milliseconds / count)));
  const said = [sizesOf(rounds, count), percentilesOf(rounds), note].filter((text) => text !== undefined);
  return { ...compared(name, mine, rival, others, same), ...(said.length > 0 ? { note: said.join('; ') } : {}) };
}

/** The mean body of both sides in bytes; undefined if one of them counts none. */
function sizesOf(rounds: readonly (readonly SideRound[])[], count: number): string | undefined {
  const [ours, theirs] = rounds.map((list) => list.reduce((sum, { bytes }) => sum + (bytes ?? Number.NaN), 0));
  if (Number.isNaN(ours + theirs)) return undefined;
  const mean = (bytes: number): number => Math.round(bytes / count / rounds[0].length);
  return `${mean(ours)} bytes an answer, the rival ${mean(theirs)}`;
}

/** p50 and p95 of both sides; undefined if one of them has no times. */
function percentilesOf(rounds: readonly (readonly SideRound[])[]): string | undefined {
  const sorted = rounds.map((list) => list.flatMap(({ times }) => times ?? []).sort((a, b) => a - b));
  if (sorted.some(({ length }) => length === 0)) return undefined;
  const at = (times: readonly number[], share: number): string => times[Math.floor(share * times.length)].toFixed(1);
  const [ours, theirs] = sorted.map((times) => `${at(times, 0.5)} and ${at(times, 0.95)} ms`);
  return `p50 and p95 ${ours}, the rival ${theirs}`;
}
