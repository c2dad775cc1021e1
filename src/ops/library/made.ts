import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { FileFormat } from '../../../workers/formats/registry.ts';
import { writeHashed } from '../../adapters/hashed_file.ts';
import { today } from '../../common/dates.ts';
import { problem } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import type { Detail, Format } from '../../core/schemas.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { DataMoved } from '../../domain/boundaries/reads.ts';
import type { Blob, PutBlob } from '../../domain/library/blobs.ts';
import type { Files } from '../../domain/library/file_entry.ts';
import type { ActingMember } from '../../domain/people/members.ts';
import { writeCollection } from '../../geometry/collection.ts';
import { createArea } from '../areas/create_area.ts';
import { AREA_UNITS, areaAsked, identityOf, makeArea, planArea } from '../areas/make_area.ts';
import { mergedName } from '../boundaries/document.ts';
import { exportBoundary } from '../boundaries/export_boundary.ts';
import {
  type CollectionInput,
  checkCollection,
  collectionOf,
  exportCollection,
} from '../boundaries/export_collection.ts';
import { onSnapshot, requireGeometry, shapesFor } from '../boundaries/fetched.ts';
import { membersOf, selectBoundaries } from '../boundaries/selection.ts';
import { MOST_MERGED, mergeNamed, sidesOf, unionBoundaries } from '../boundaries/union_boundaries.ts';
import { renderFile } from './render.ts';

/** The input of a union, without format and detail, and without as_of: what is saved is of today. */
export const unionInput = unionBoundaries.input.omit({ format: true, detail: true, as_of: true });
/** The input of a collection, without them. */
export const collectionInput = exportCollection.input.omit({ format: true, detail: true, as_of: true, safe_csv: true });

/** The input of an area, without them and scope. */
export const areaInput = areaAsked.omit({ as_of: true, scope: true });

/** The properties requested for the file. */
export interface Wanted {
  readonly format: FileFormat;
  readonly detail: Detail;
  readonly name?: string;
  readonly visibility: 'org' | 'restricted';
}

/** A file other than that of a single boundary, before it is made. */
export interface MadePlan {
  readonly madeBy: string;
  readonly units: number;
  readonly detail: Detail | null;
  /** The default name. */
  readonly name: string;
  readonly recipe: { readonly sha256: string; readonly input: string };
  /** The bytes of the file. */
  make(): Promise<AsyncIterable<Uint8Array>>;
}

/** The recipe of a file: of one with areas of sets, also their versions, as another version makes another file. */
function recipeOf({ services: { sets } }: Context, op: string, wanted: Wanted, about: object): MadePlan['recipe'] {
  const versions = sets === undefined ? {} : { sets: sets.versionsOn(today()) };
  const members = Object.entries({ ...about, ...versions, format: wanted.format, detail: wanted.detail });
  const input = JSON.stringify(Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1))));
  return { sha256: createHash('sha256').update(`${op} ${input}`).digest('hex'), input };
}

/** Plans the file of an area of a set, whose entry names no boundary. @throws no_geometry */
export async function planAreaOfSet(ctx: Context, area: ResolvedBoundary, wanted: Wanted): Promise<MadePlan> {
  await requireGeometry(ctx, [area]);
  const { detail } = wanted;
  const format = wanted.format as Format;
  return {
    madeBy: exportBoundary.name,
    units: 1,
    detail,
    name: area.name,
    recipe: recipeOf(ctx, exportBoundary.name, wanted, { id: area.id }),
    async make() {
      const { content } = await renderFile(ctx.services, area, { format, detail }, ctx.signal);
      async function* parts() {
        yield content;
      }
      return parts();
    },
  };
}

/** Plans the file of a union. @throws as union_boundaries before it merges */
export async function planUnion(
  ctx: Context,
  { include, exclude, ...resolution }: z.output<typeof unionInput>,
  wanted: Wanted,
): Promise<MadePlan> {
  if (include.length + exclude.length > MOST_MERGED) {
    const named = include.length + exclude.length;
    throw problem('too_many_boundaries', `Too many boundaries: ${named} given, at most ${MOST_MERGED} per call.`);
  }
  const sides = sidesOf(include, await shapesFor(ctx, [...include, ...exclude]));
  await requireGeometry(ctx, sides.named);
  const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id).sort();
  const detail = resolution.tolerance_m === undefined ? wanted.detail : null;
  return {
    madeBy: unionBoundaries.name,
    units: sides.named.length,
    detail,
    name: mergedName(sides.included, sides.excluded),
    recipe: recipeOf(ctx, unionBoundaries.name, wanted, {
      include: ids(sides.included),
      exclude: ids(sides.excluded),
      ...resolution,
    }),
    async make() {
      const input = { include, exclude, ...resolution, detail, format: wanted.format as Format };
      const { written } = await mergeNamed(ctx, input);
      async function* parts() {
        yield written.bytes;
      }
      return parts();
    },
  };
}

/**
 * Plans the file of an area. Areas with the same meaning are one file, however they are described.
 * @throws as create_area before it makes the area
 */
export async function planAreaFile(ctx: Context, given: z.output<typeof areaInput>, wanted: Wanted): Promise<MadePlan> {
  const planned = await planArea(ctx, given);
  const { name, text } = identityOf(planned.executed);
  const { detail } = wanted;
  return {
    madeBy: createArea.name,
    units: AREA_UNITS,
    detail,
    name,
    recipe: recipeOf(ctx, createArea.name, wanted, { area: text }),
    async make() {
      const { written } = await makeArea(ctx, planned, { detail, format: wanted.format as Format });
      async function* parts() {
        yield written.bytes;
      }
      return parts();
    },
  };
}

/** Plans the file of a collection. @throws as export_collection before it writes */
export async function planCollection(
  ctx: Context,
  given: z.output<typeof collectionInput>,
  wanted: Wanted,
): Promise<MadePlan> {
  const { tolerance_m } = given;
  const detail = tolerance_m === undefined ? wanted.detail : null;
  const input = { ...given, format: wanted.format, detail: detail ?? undefined } as CollectionInput;
  checkCollection(input);
  const selected = await selectBoundaries(ctx, input);
  const { length } = membersOf(selected);
  return {
    madeBy: exportCollection.name,
    units: detail === 'low' ? 0 : length,
    detail: given.geometry === 'none' ? null : detail,
    name: `${length} boundaries`,
    recipe: recipeOf(ctx, exportCollection.name, wanted, given),
    make: () =>
      onSnapshot(ctx, async (reading) => {
        const now = reading.revision === selected.revision ? selected : await selectBoundaries(ctx, input);
        if (reading.revision !== now.revision) throw new DataMoved();
        if (membersOf(now).length > length) {
          throw problem('rate_limited', 'The boundaries changed during the call. Try again.', { retry_after: 1 });
        }
        const collection = collectionOf(reading, now, { given: input, detail });
        return writeCollection(ctx.services.engine, collection, ctx.signal);
      }),
  };
}

/**
 * Makes a file as a local draft, and gives it to `use` before it is dropped.
 * @throws too_large beyond the limit of exports
 */
export async function withMade<T>(
  { services: { fileBlobs, config }, signal }: Context,
  format: FileFormat,
  parts: AsyncIterable<Uint8Array>,
  use: (blob: Blob, put: () => Promise<PutBlob>) => Promise<T>,
): Promise<T> {
  const draft = await fileBlobs.draft();
  try {
    const written = await writeHashed(draft.path, parts, { most: config.EXPORT_BYTES, signal });
    const blob = { ...written, format };
    return await use(blob, () => draft.put(blob));
  } finally {
    await draft.drop();
  }
}

/** Makes the file and saves it; `within` as in Files.saveMade(). @throws too_large beyond the limit of exports */
export async function saveMade(
  ctx: Context,
  by: ActingMember,
  plan: MadePlan,
  wanted: Wanted & { readonly dataAt: string | null },
  within: Parameters<Files['saveMade']>[3],
) {
  const { format, visibility, dataAt } = wanted;
  const { madeBy, detail, recipe } = plan;
  const name =
    wanted.name ?? `${[...plan.name].slice(0, 150).join('')} (${[format, detail].filter(Boolean).join(', ')})`;
  const made = {
    name,
    madeBy,
    format,
    detail,
    visibility,
    recipe,
    days: null,
    dataAt,
    sets: ctx.services.sets?.ids ?? null,
  };
  return withMade(ctx, format, await plan.make(), (_blob, put) => ctx.services.files.saveMade(by, made, put, within));
}
