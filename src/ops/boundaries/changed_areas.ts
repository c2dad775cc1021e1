/** What changed hands between two dates as a file of polygons. */
import { z } from 'zod';
import { FULL } from '../../../workers/contract.ts';
import { type CollectionFormat, contentType, type Format } from '../../../workers/formats/registry.ts';
import type { Column } from '../../../workers/formats/types.ts';
import { defined } from '../../common/elements.ts';
import { problem } from '../../core/errors.ts';
import { bytes, type Context } from '../../core/op.ts';
import { collectionFormat } from '../../core/schemas.ts';
import type { Handover } from '../../domain/history/handovers.ts';
import { writeAreas } from '../../geometry/collection_areas.ts';
import type { BoundaryRef } from '../../geometry/engine_model.ts';
import { keepFile } from './kept_file.ts';
import { canonicalId, featureSchema } from './schema.ts';

/** Limit of the areas of a file. */
const MOST_AREAS = 20_000;

const COLUMNS = [
  { name: 'from_id', type: 'string' },
  { name: 'from_name', type: 'string' },
  { name: 'to_id', type: 'string' },
  { name: 'to_name', type: 'string' },
  { name: 'admin_level', type: 'integer' },
  { name: 'types', type: 'string' },
  { name: 'km2', type: 'number' },
  { name: 'share_of_from', type: 'number' },
  { name: 'share_of_to', type: 'number' },
  { name: 'from_date', type: 'string' },
  { name: 'to_date', type: 'string' },
] as const satisfies readonly Column[];

/** What changed hands: as a GeoJSON document, or as a file in another format. */
export const changedAreasSchemas = [
  z
    .looseObject({
      type: z.literal('FeatureCollection'),
      features: z.array(
        featureSchema(
          z.object({
            from_id: canonicalId,
            from_name: z.string(),
            to_id: canonicalId,
            to_name: z.string(),
            admin_level: z.int().nullable(),
            types: z.string().describe('The types of the changes that it is a part of.'),
            km2: z.number(),
            share_of_from: z.number(),
            share_of_to: z.number(),
            from_date: z.iso.date(),
            to_date: z.iso.date(),
          }),
        ),
      ),
    })
    .meta({ id: 'ChangedAreas' }),
  z
    .object({
      url: z.url(),
      sha256: z.string().length(64),
      bytes: z.int(),
      content_type: z.string(),
      format: collectionFormat,
      count: z.int().describe('Areas in the file.'),
      attribution: z.string(),
    })
    .meta({ id: 'ChangedAreasFile' }),
] as const;

/** How the file is written. */
export interface AreasFile {
  readonly from: string;
  readonly to: string;
  readonly format: CollectionFormat;
  readonly zipOf: Format;
  readonly attribution: string;
}

/** An area that changed hands, with the places of its two boundaries in a list of shapes. */
export type PlacedHandover = Handover & { readonly pair: readonly [number, number] };

/**
 * A feature for each area that changed hands: the whole area that the two boundaries have in common, at full detail. As
 * GeoJSON it is the answer itself, in another format a stored file.
 * @throws too_large for more than the limit of areas, or of bytes; ArcsMoved
 */
export async function changedAreas(
  ctx: Context,
  refs: readonly BoundaryRef[],
  handed: readonly PlacedHandover[],
  { from, to, format, zipOf, attribution }: AreasFile,
) {
  if (handed.length > MOST_AREAS) {
    const message = `${handed.length} areas changed hands; a file has at most ${MOST_AREAS}. Ask for fewer types, a level or a part.`;
    throw problem('too_large', message);
  }
  const { engine } = ctx.services;
  const used = [...new Set(handed.flatMap(({ pair }) => pair))];
  const places = new Map(used.map((place, i) => [place, i]));
  const pairs = handed.map(({ pair: [a, b] }) => [defined(places.get(a)), defined(places.get(b))] as const);
  const shapes = used.map((place) => defined(refs[place]));
  const areas =
    pairs.length === 0 ? [] : await engine.relations.commonAreas(shapes, pairs, engine.maxResponseBytes, ctx.signal);
  const features = areas.map(({ polygons, box }, i) => ({
    polygons,
    box,
    values: valuesOf(defined(handed[i]), from, to),
  }));
  const name = `Changed hands ${from} to ${to}`;
  const file = { format, zipOf, attribution, level: FULL, name, columns: COLUMNS, features };
  const parts = writeAreas(engine, file, ctx.signal);
  if (format === 'geojson') return bytes(await allOf(parts, engine.maxResponseBytes), contentType(format));
  const kept = await keepFile(ctx, parts, format, 'list_changes');
  return { ...kept, content_type: contentType(format), format, count: features.length, attribution };
}

/** All parts in one buffer. @throws too_large for more than `most` bytes */
async function allOf(parts: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    size += part.byteLength;
    if (size > most) throw problem('too_large', `The areas take more than ${most} bytes. Ask for another format.`);
    all.push(part);
  }
  return Buffer.concat(all);
}

function valuesOf({ from, to, types, km2, shareOfFrom, shareOfTo }: Handover, fromDate: string, toDate: string) {
  const who = [from.id, from.name, to.id, to.name, to.admin_level];
  return [...who, types.join(' '), km2, shareOfFrom, shareOfTo, fromDate, toDate];
}
