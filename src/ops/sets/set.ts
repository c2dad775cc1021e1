import { z } from 'zod';
import { invalidInput } from '../../core/errors.ts';
import { kind, oneLine, setName, timestamp } from '../../core/schemas.ts';
import { type AreaSet, MADE_FROM, type MadeFrom, type SetVersion } from '../../domain/sets/area_set.ts';
import { person } from '../account/api_key.ts';
import { FILE_ERRORS, fileAccess, visibility } from '../library/file.ts';

export const SET_ERRORS = FILE_ERRORS;

export const setTitle = oneLine.describe('Title of the set; it is also the name of the source of its areas.');

export const SNAPS = ['none', 'official'] as const;
export const OVERLAPS = ['keep', 'smallest', 'first', 'longest_border'] as const;
export const GAPS = ['keep', 'longest_border', 'nearest'] as const;

/** How a version was made, by the inputs of create_area_set. */
const setOptions = z.object({
  ...{ snap: z.enum(SNAPS), snap_m: z.number(), overlaps: z.enum(OVERLAPS), gaps: z.enum(GAPS), kind },
});
export type SetOptions = z.infer<typeof setOptions>;

const version = z.object({
  valid_from: z.iso.date().describe('From this date on the areas are so, until the next version.'),
  made_from: z.enum(MADE_FROM),
  attribution: z.string(),
  areas: z.int(),
  vertices: z.int(),
  recorded_at: timestamp,
});

/** An area set as answers have it. */
export const areaSet = z.object({
  name: setName,
  title: z.string(),
  visibility,
  access: fileAccess.describe('Access of the caller.'),
  creator: person.nullable().describe('Null: their account was deleted.'),
  versions: z.array(version).describe('The oldest first.'),
  created_at: timestamp,
  updated_at: timestamp,
});

/** The version that is in force on a date. @throws invalid_input for a date before the first */
export function versionOn({ versions }: AreaSet, on: string): SetVersion {
  const version = versions.findLast(({ valid_from }) => valid_from <= on);
  if (version !== undefined) return version;
  const message = `the first version is valid from ${versions[0]?.valid_from ?? 'no date'}`;
  throw invalidInput([{ path: 'on', code: 'out_of_range', message }]);
}

/** A set as an answer. */
export function setAnswer({ id: _, versions, ...set }: AreaSet): z.input<typeof areaSet> {
  return {
    ...set,
    versions: versions.map(({ id: _id, made_from, ...one }) => ({
      ...one,
      made_from: made_from as MadeFrom,
    })),
  };
}

/** Two areas and what they share. */
export const pair = z.object({ a: z.string(), b: z.string(), km2: z.number() });
/** What became of an area, and why. */
export const reason = z.object({ id: z.string(), reason: z.string() });
/** The number of things, and the first of them. */
export const counted = <T extends z.ZodType>(item: T) => z.object({ total: z.int(), items: z.array(item) });

/** What was found while a version was made; each list has its first 100. */
export const setReport = z.object({
  options: setOptions
    .optional()
    .describe('How the version was made, as inputs for one that is made alike; absent where that was not kept.'),
  replaced: z
    .object({ recorded_at: timestamp, made_from: z.enum(MADE_FROM), areas: z.int() })
    .optional()
    .describe('The version of the same date that this one replaced, which is deleted; absent where there was none.'),
  left_out: counted(reason).describe('Features that are not in the set, and why.'),
  broken: counted(reason).describe('Areas without a polygon, and why.'),
  cleaned: counted(
    z.object({ id: z.string(), reason: z.string(), km2_before: z.number(), km2_after: z.number() }),
  ).describe('Areas whose borders were changed by slivers so that neighbors share them.'),
  overlaps: counted(pair).describe('Pairs of areas that overlap; both keep the overlap.'),
  gaps: counted(z.object({ areas: z.array(z.string()), km2: z.number() }))
    .optional()
    .describe('Gaps between areas, and the areas beside them; list_set_gaps has their shapes, and those of overlaps.'),
  given: z
    .object({
      ...{ gaps: z.int(), gaps_km2: z.number(), overlaps: z.int(), overlaps_km2: z.number() },
      areas: counted(z.object({ id: z.string(), gained_km2: z.number(), lost_km2: z.number() })),
    })
    .optional()
    .describe(
      'How many gaps and overlaps areas were given by gaps and overlaps, and what each area got and gave away.',
    ),
  snapped: z
    .object({
      tolerance_m: z.number(),
      moved: counted(z.object({ id: z.string(), km2: z.number() })),
      left: counted(z.string()),
      widened: counted(z.object({ areas: z.array(z.string()), km2: z.number(), km2_before: z.number() })),
    })
    .optional()
    .describe(
      'With snap: the km2 that only one of the borders before and after has, of each area that was moved; and the areas ' +
        'that were left as they were, as they or a neighbor would not have stayed whole, or a narrow gap beside them would ' +
        'have become larger; and the other gaps that became larger.',
    ),
  notices: z.array(z.string()),
});
export type SetReport = z.infer<typeof setReport>;

/** The most items of a list of a report. */
const MOST_ITEMS = 100;
export const countedOf = <T>(all: readonly T[]) => ({ total: all.length, items: all.slice(0, MOST_ITEMS) });
