import type { z } from 'zod';
import { defined } from '../../common/elements.ts';
import { invalidInput } from '../../core/errors.ts';
import { type Context, contextWith } from '../../core/op.ts';
import { partAsked, readIncludesWater } from '../../domain/boundaries/land.ts';
import { DataMoved } from '../../domain/boundaries/reads.ts';
import { resolveSelection } from '../../domain/boundaries/selection.ts';
import { MOST_IN_JOB } from '../../domain/jobs/job.ts';
import { partsOf } from '../../domain/jobs/states.ts';
import { checkSides, compare, crosswalk, FOR_A_UNIT, resolveSides, restOf } from '../boundaries/crosswalk.ts';
import { lineOf, parquetOfLines, tableHead } from '../boundaries/crosswalk_table.ts';
import { attributionOf } from '../boundaries/document.ts';
import { onSnapshot, withCandidates } from '../boundaries/fetched.ts';
import { idsNamedIn, leftOutOf, selectionForms } from '../boundaries/selection.ts';
import { type JobKind, type JobPlan, jobLimit } from './kind.ts';

/** For an estimate: pairs per boundary of the first side, bytes per pair, and boundaries compared per millisecond. */
const ROUGH = { pairs: 3, bytes: 140, boundaries: 2 };

type Box = readonly [number, number, number, number];
const input = crosswalk.input.extend({ a: selectionForms(MOST_IN_JOB), b: selectionForms(MOST_IN_JOB) });
type Input = z.output<typeof input>;

/** The result of a part that join() needs: sums of shares by index in b, those of a, and the number of pairs. */
interface PartSummary {
  readonly pairs: number;
  readonly a: readonly number[];
  readonly b: readonly (readonly [number, number])[];
}

/** Jobs that make crosswalks. */
export const crosswalkJob: JobKind = {
  op: crosswalk,
  input,
  plan: (ctx, given) => planOf(ctx, given as Input),
  nameOf: (given) => `Crosswalk (${(given as Input).format})`,
};

/** Whether boxes in 1e-7 degrees overlap; one with west > east counts as all longitudes. */
function meet(one: Box, other: Box): boolean {
  if (one[1] > other[3] || other[1] > one[3]) return false;
  if (one[0] > one[2] || other[0] > other[2]) return true;
  return one[0] <= other[2] && other[0] <= one[2];
}

async function planOf(ctx: Context, { a, b, area, water, format, as_of_b: asOfB }: Input): Promise<JobPlan> {
  checkSides({ a, b });
  if (asOfB !== undefined) {
    const message = 'a job compares boundaries of one date: give as_of';
    throw invalidInput([{ path: 'as_of_b', code: 'conflict', message }]);
  }
  const part = partAsked({ area, water });
  const dry = part === 'dry_land';
  const limit = await jobLimit(ctx);
  const { sides, land, says, boxes } = await withCandidates(ctx, [a, b].flatMap(idsNamedIn), () =>
    onSnapshot(ctx, async (reading) => {
      const most = { ...limit, code: 'too_many_boundaries', of: 'one side' } as const;
      const found = await resolveSides(ctx, reading, [a, b], { limit: most, part });
      const land = dry ? await resolveSides(ctx, reading, [a, b], { limit: most, part: 'land' }) : null;
      const includes_water = await readIncludesWater(reading, found.boundaries, part);
      const ids = found.boundaries.map(({ id }) => id);
      const { members } = await resolveSelection(ctx.services.db, { revision: reading.revision, ids }, ctx.signal);
      const boxOf = new Map(members.map(({ id, box }): [string, Box] => [id, box]));
      return {
        sides: found,
        land,
        says: area === undefined ? {} : { includes_water },
        boxes: ids.map((id) => boxOf.get(id) as Box),
      };
    }),
  );
  const { boundaries, revision } = sides;
  const total = sides.a.length;
  const units = Math.ceil(boundaries.length / FOR_A_UNIT);

  return {
    revision,
    total,
    units,
    file: { format, detail: null },
    parts: partsOf(total, ctx.services.config.JOB_PART).map((part) => ({ ...part, boundaries: part.to - part.from })),
    leftOut: sides.leftOut,
    async *make({ from, to }, _failed, signal) {
      const { revision: now } = await ctx.services.boundaries.withSnapshot(async (one) => one);
      if (now !== revision) throw new DataMoved();
      const some = sides.a.slice(from, to);
      const near = [...sides.b.keys()].filter((j) =>
        some.some((i) => meet(defined(boxes[i]), defined(boxes[defined(sides.b[j])]))),
      );
      const places = new Map<number, number>();
      const placeOf = (i: number): number => {
        if (!places.has(i)) places.set(i, places.size);
        return places.get(i) as number;
      };
      const own = { a: some.map(placeOf), b: near.map((j) => placeOf(defined(sides.b[j]))) };
      const heldOf = (all: typeof boundaries) => [...places.keys()].map((i) => defined(all[i]));
      const { items, sums } = await compare(
        contextWith(ctx, { signal }),
        { ...own, boundaries: heldOf(boundaries) },
        land === null ? undefined : { boundaries: heldOf(land.boundaries) },
      );
      const lines = items.map((row) => (format === 'json' ? `${JSON.stringify(row)},\n` : `${lineOf(row)}\n`));
      if (lines.length > 0) yield Buffer.from(lines.join(''));
      return {
        pairs: items.length,
        a: [...sums.a],
        b: near.map((j, k) => [j, defined(sums.b[k])]),
      } satisfies PartSummary;
    },
    async *join(parts, abouts) {
      if (format === 'csv') {
        yield Buffer.from(`${tableHead(dry)}\n`);
        yield* parts;
        return;
      }
      if (format === 'parquet') {
        yield* parquetOfLines(parts, dry);
        return;
      }
      const left = abouts as readonly PartSummary[];
      const sums = { a: Float64Array.from(left.flatMap((one) => one.a)), b: new Float64Array(sides.b.length) };
      for (const { b: some } of left) for (const [j, sum] of some) sums.b[j] = defined(sums.b[j]) + sum;
      const idsOf = (places: readonly number[]) => places.map((i) => defined(boundaries[i]).id);
      yield Buffer.from('{"items":[\n');
      // Hold back the comma after the last row.
      let tail = Buffer.alloc(0);
      for await (const part of parts) {
        const bytes = Buffer.concat([tail, part]);
        tail = bytes.subarray(Math.max(0, bytes.byteLength - 2));
        yield bytes.subarray(0, bytes.byteLength - tail.byteLength);
      }
      const rest = {
        total: left.reduce((sum, { pairs }) => sum + pairs, 0),
        not_whole: { a: restOf(idsOf(sides.a), sums.a), b: restOf(idsOf(sides.b), sums.b) },
        left_out: leftOutOf(sides.leftOut),
        ...says,
        attribution: attributionOf(boundaries),
      };
      yield Buffer.from(`\n],${JSON.stringify(rest).slice(1)}`);
    },
    unitsWithout: () => units,
    estimate: async () => ({ bytes: total * ROUGH.pairs * ROUGH.bytes, ms: total / ROUGH.boundaries }),
  };
}
