import { resolve } from 'node:path';
import { z } from 'zod';
import { partAsked } from '../../domain/boundaries/land.ts';
import { tileAttributions } from '../../domain/boundaries/tiles.ts';
import { languagesOf } from '../../domain/names/languages.ts';
import { writeArchive } from '../../tiles/archive.ts';
import { MAX_ZOOM } from '../../tiles/boundary_tiles.ts';
import { tileJson } from '../../transports/tiles/tile_json.ts';
import { command } from './command.ts';

const longitude = z.number().min(-180).max(180);
const latitude = z.number().min(-90).max(90);

export const tileCommands = {
  tiles_archive: command({
    input: z.strictObject({
      file: z.string().min(1),
      max_zoom: z.int().min(0).max(MAX_ZOOM),
      bbox: z
        .tuple([longitude, latitude, longitude, latitude])
        .refine(([west, south, east, north]) => west < east && south < north, {
          message: 'must be west,south,east,north',
        })
        .nullable(),
      lang: z.string().max(200).nullable(),
      area: z.enum(['all', 'land', 'water']).default('all'),
      water: z.enum(['inland']).optional(),
    }),
    async run({ services }, { file, max_zoom: maxZoom, bbox, lang, area, water }, progress) {
      const part = partAsked({ area, water });
      const all = tileJson(services.config.BASE_URL, { lang, part }, await tileAttributions(services.db)) as Record<
        string,
        unknown
      >;
      const { name, attribution, vector_layers } = all;
      const metadata = { name, attribution, vector_layers };
      const prefer = lang === null ? [] : languagesOf(lang);
      return await writeArchive(services, resolve(file), { maxZoom, bbox, prefer, part, metadata }, progress);
    },
  }),
};
