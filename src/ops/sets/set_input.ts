/** What a version of an area set is made from, and how: the input of create_area_set. */
import { z } from 'zod';
import { READABLE } from '../../../workers/formats/registry.ts';
import { asOf, kind, looseBoolean, oneLine, opaqueId, setName, timestamp } from '../../core/schemas.ts';
import { visibility } from '../library/file.ts';
import { groupsField } from './merged.ts';
import { GAPS, OVERLAPS, SNAPS, setTitle } from './set.ts';

/** Limit of a body in JSON, which holds up the main thread while it is parsed. A larger file is sent as the body itself. */
export const BODY_BYTES = 8 * 1024 * 1024;

const column = z.string().min(1).max(200).optional();

/** How a file is given where it is not the body. */
export const fileFields = {
  content: z.string().min(1).max(BODY_BYTES).optional().describe('The file, as text or in base64.'),
  encoding: z.enum(['utf8', 'base64']).default('utf8').describe('How content is written.'),
  format: z.enum(READABLE).optional().describe('Format of the file, where its beginning does not say it.'),
  file_id: opaqueId.optional().describe('A file of the library in place of content.'),
};

/** How a file is read. */
export const readingFields = {
  id_column: column.describe('The property with the codes. Default: the ids of the features, or the property id.'),
  name_column: column.describe('The property with the names. Default: name.'),
  layer: z.string().min(1).max(200).optional().describe('The layer to read, where a file has several.'),
  crs: z
    .string()
    .min(1)
    .max(4_000)
    .optional()
    .describe('The reference system, such as EPSG:25830, if the file has none.'),
  text_encoding: z.string().min(1).max(40).optional().describe('Encoding of its text, such as windows-1252.'),
};

export const setInput = z.strictObject({
  name: setName,
  title: setTitle.optional(),
  visibility: visibility.optional().describe('Of a new set. Default: org. update_area_set changes it.'),
  valid_from: asOf.describe('From which date on the areas are so. Default: today.'),
  replace: looseBoolean.default(false).describe('Take the place of the version of that date.'),
  ...fileFields,
  keep_file: looseBoolean
    .default(false)
    .describe(
      'Only keep the file, in the library, restricted to you, for a day: the answer is its file_id. create_job with op ' +
        'create_area_set stores the areas then, which for 100,000 takes minutes.',
    ),
  features: z
    .array(z.looseObject({ type: z.literal('Feature') }))
    .min(1)
    .max(10_000)
    .optional()
    .describe('GeoJSON features in place of a file, with their properties: such as those drawn on a map.'),
  groups: groupsField.describe('Groups of boundaries in place of a file: an area for each, with its name.'),
  base: timestamp
    .optional()
    .describe(
      'recorded_at of the newest version of the set that you have read: if there is a newer one by now, the call fails with ' +
        'the code changed, and nothing is overwritten.',
    ),
  snap: z
    .enum(SNAPS)
    .default('none')
    .describe('official: where a border runs along an official one within snap_m, it takes that border exactly.'),
  snap_m: z.number().min(0.1).max(1_000).default(25).describe('Tolerance of snap in meters.'),
  overlaps: z
    .enum(OVERLAPS)
    .default('keep')
    .describe(
      'Which area gets what several have. smallest: the smaller of two, of equal ones the first; first: the first in the ' +
        'file; longest_border: that with the longest border of its own beside it.',
    ),
  gaps: z
    .enum(GAPS)
    .default('keep')
    .describe(
      'longest_border: the area with the longest common border gets a gap, whatever its size; nearest: each place of a gap ' +
        'goes to the area whose border is nearest.',
    ),
  ...readingFields,
  id_column: column.describe(
    'The property with the codes. Default: the ids of the features, or the property id; of a file with one area, the name of the set.',
  ),
  population_column: column.describe('The property with the populations.'),
  kind: kind.default('district').describe('Kind of the areas.'),
  attribution: oneLine
    .optional()
    .describe('What answers name as their source. Default: that of the version before, of a new set the title.'),
});
export type SetInput = z.output<typeof setInput>;
