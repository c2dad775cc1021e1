import { z } from 'zod';

/**
 * How to read and store a file of areas. The one list of these options: their types follow from it, every command checks
 * them by it, and the flags of `boundary import` are these (cli/import_flags.ts).
 */
export const coverageOptions = z.strictObject({
  /** Short name of the source, unique with the ids of its boundaries: `ign-communes`. */
  source: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]{0,39}$/,
      'must be lower-case letters, digits and hyphens, at most 40, such as ign-communes',
    ),
  name: z.string().max(200).optional(),
  url: z.url().optional(),
  license: z.string().min(1).max(200),
  attribution: z.string().min(1).max(500),
  /** The edition, as the publisher names it; kept with the source. */
  edition: z.string().min(1).max(200).optional(),
  /** The file's property for each of ours: `{id: 'code', name: 'nom', 'name:fr': 'nom'}`. */
  map: z.record(z.string(), z.string()).optional(),
  /** By key of `map`: what a value of the file stands for (`{country: {EL: 'GR'}}`); others stand for themselves. */
  values: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  /** By property: the values of which a feature must have one; others are not read. */
  where: z.record(z.string(), z.array(z.string()).max(10_000).readonly()).optional(),
  /** The admin_level of features without a mapped one. */
  adminLevel: z.int().min(1).max(12).optional(),
  /** West, south, east, north in degrees: areas whose box does not meet it are not read. West > east crosses 180 degrees. */
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly().optional(),
  /** The levels of which rows have an id and a name: areas of the coarser ones are made of their parts. */
  levels: z
    .array(
      z.strictObject({
        adminLevel: z.int().min(1).max(12),
        /** The columns of its id and name. */
        id: z.string().min(1).max(200),
        name: z.string().min(1).max(200),
      }),
    )
    .min(1)
    .max(12)
    .readonly()
    .optional(),
  /** ISO 3166-1 code, of two or three letters, of the country of features without a mapped one. */
  country: z.string().min(2).max(3).optional(),
  type: z.enum(['administrative', 'postal_code']).optional(),
  /** Which layer to read (a table, an object, a file of a zip); required if there are several. */
  layer: z.string().max(200).optional(),
  /** An older name of `layer`. */
  object: z.string().max(200).optional(),
  /** The column of the geometry, where a table has several or names none. */
  geometry: z.string().max(200).optional(),
  /** Refuse a file in which boundaries of one level overlap by more than a sliver, or whose places are not sure. */
  strict: z.boolean().optional(),
  /** Let boundaries take the place of seed boundaries that match only in name, country and place. */
  replace: z.boolean().optional(),
  /** Encoding of the file's text; UTF-8 if absent. */
  encoding: z.string().max(40).optional(),
  /** The reference system that decides, whatever the file says: a code, well-known text or PROJJSON. */
  crs: z.string().max(20_000).optional(),
});

/** How to read and store a file of areas (GeoJSON, a Shapefile …). */
export type CoverageOptions = Readonly<z.output<typeof coverageOptions>>;

/** How to read it: what its source is called, and how its boundaries are stored, is not needed. */
export type ReadOptions = Omit<CoverageOptions, 'name' | 'url' | 'license' | 'attribution' | 'edition' | 'replace'> & {
  readonly lone?: LoneArea | undefined;
};

/** The id and name of the only feature of a file, where it has none, as the result of a union. */
export interface LoneArea {
  readonly id: string;
  readonly name: string;
}
