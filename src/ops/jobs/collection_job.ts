import { z } from 'zod';
import { defined } from '../../common/elements.ts';
import type { Context } from '../../core/op.ts';
import { boundaryId } from '../../core/schemas.ts';
import { DataMoved } from '../../domain/boundaries/reads.ts';
import type { ResolvedSelection } from '../../domain/boundaries/selection.ts';
import { MOST_IN_JOB } from '../../domain/jobs/job.ts';
import { partsOf } from '../../domain/jobs/states.ts';
import { writeCollection } from '../../geometry/collection.ts';
import { collectionRange, isDivisible, joinRanges } from '../../geometry/collection_ranges.ts';
import {
  type CollectionInput,
  checkCollection,
  collectionOf,
  exportCollection,
} from '../boundaries/export_collection.ts';
import { membersOf, selectBoundaries } from '../boundaries/selection.ts';
import { type JobKind, type JobPlan, jobLimit } from './kind.ts';

/** Boundaries in the sample for an estimate. */
const SAMPLE = 12;

/** Jobs that make collections. */
export const collectionJob: JobKind = {
  op: exportCollection,
  input: exportCollection.input.extend({
    ids: z.array(boundaryId).min(1).max(MOST_IN_JOB).optional(),
  }),
  plan: (ctx, input) => planOf(ctx, input as CollectionInput),
  nameOf: (input) => {
    const { children_of, country, kind, format } = input as CollectionInput;
    const what = children_of ?? [country?.toUpperCase(), kind].filter((word) => word !== undefined).join(' ');
    return `Boundaries${what === '' ? '' : ` of ${what}`} (${format})`.slice(0, 200);
  },
};

async function planOf(ctx: Context, given: CollectionInput): Promise<JobPlan> {
  checkCollection(given);
  const detail = given.tolerance_m === undefined ? (given.detail ?? 'medium') : null;
  const selected = await selectBoundaries(ctx, given, await jobLimit(ctx));
  const { length } = membersOf(selected);
  const { format } = given;
  const { engine } = ctx.services;
  const isWhole = !isDivisible(format);
  const ranges = isWhole ? [{ from: 0, to: length }] : partsOf(length, ctx.services.config.JOB_PART);

  /** The collection of the current data, without the failed members. */
  async function collection(failed: ReadonlySet<string>) {
    const reading = await ctx.services.boundaries.withSnapshot(async (one) => one);
    if (reading.revision !== selected.revision) throw new DataMoved();
    const left: ResolvedSelection = { ...selected, members: selected.members.filter(({ id }) => !failed.has(id)) };
    const whole = collectionOf(reading, selected, { given, detail });
    const made = failed.size === 0 ? whole : collectionOf(reading, left, { given, detail });
    /** Converts an index among all members to one among the members that are left. */
    const at = (place: number) => whole.members.slice(0, place).filter(({ id }) => !failed.has(id)).length;
    return { made: { ...made, level: whole.level }, at };
  }

  return {
    revision: selected.revision,
    total: length,
    units: detail === 'low' ? 0 : length,
    file: { format, detail: given.geometry === 'none' ? null : detail },
    parts: ranges.map((range) => ({ ...range, boundaries: range.to - range.from })),
    leftOut: selected.leftOut,
    async *make({ from, to }, failed, signal) {
      const { made, at } = await collection(failed);
      if (isWhole) yield* writeCollection(engine, made, signal);
      else yield* collectionRange(engine, made, { from: at(from), to: at(to) }, signal);
      return null;
    },
    async *join(parts, _abouts, failed, signal) {
      if (isWhole) yield* parts;
      else yield* joinRanges(engine, (await collection(failed)).made, parts, signal);
    },
    unitsWithout: (failed) => (detail === 'low' ? 0 : length - failed),
    async estimate(signal) {
      const { made } = await collection(new Set());
      const count = Math.min(SAMPLE, length);
      const members = Array.from({ length: count }, (_, i) => defined(made.members[Math.floor((i * length) / count)]));
      // As text, whatever the format: other formats differ from it by a factor of two or three.
      const valuesOf = async () => members.map(() => made.columns.map(() => null));
      const sample = { ...made, members, valuesOf, format: 'geojsonseq', geometry: made.geometry } as const;
      const began = performance.now();
      let bytes = 0;
      for await (const part of collectionRange(engine, sample, { from: 0, to: count }, signal)) {
        bytes += part.byteLength;
      }
      return { bytes: (bytes * length) / count, ms: ((performance.now() - began) * length) / count };
    },
  };
}
