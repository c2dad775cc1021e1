import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { type CollectionFormat, collectionExtension } from '../../../workers/formats/collection/formats.ts';
import type { Column } from '../../../workers/formats/collection/types.ts';
import type { BlobDraft } from '../../adapters/blobs.ts';
import type { Reading } from '../../domain/boundaries_model.ts';
import { languagesOf, nameIn } from '../../domain/languages.ts';
import type { Member } from '../../domain/selection.ts';
import { defined } from '../../elements.ts';
import { problem } from '../../errors.ts';
import type { Values } from '../../geometry/collection_model.ts';
import type { Context } from '../../op.ts';

const COLUMNS = [
  { name: 'id', type: 'string' },
  { name: 'name', type: 'string' },
  { name: 'local_name', type: 'string' },
  { name: 'kind', type: 'string' },
  { name: 'admin_level', type: 'integer' },
  { name: 'country', type: 'string' },
  { name: 'iso', type: 'string' },
  { name: 'wikidata', type: 'string' },
  { name: 'population', type: 'integer' },
  { name: 'area_km2', type: 'number' },
  { name: 'parent_id', type: 'string' },
  { name: 'lat', type: 'number' },
  { name: 'lon', type: 'number' },
] as const satisfies readonly Column[];

/** Languages, in lower case, in which a collection names its boundaries: of `name`, and of further columns. */
export interface CollectionNaming {
  readonly prefer: readonly string[];
  readonly columns: readonly string[];
}

/** Languages in which a file names boundaries: it does not depend on who asks for it. */
export function collectionNaming({ lang, names }: { lang?: string; names?: string }): CollectionNaming {
  return {
    prefer: lang === undefined ? [] : languagesOf(lang),
    columns: names === undefined ? [] : languagesOf(names),
  };
}

/** The columns of a collection: flat, so that every reader of its formats has them. */
export function columnsOf({ columns }: CollectionNaming): readonly Column[] {
  return [...COLUMNS, ...columns.map((tag): Column => ({ name: `name:${tag}`, type: 'string' }))];
}

/** The values of boundaries in the order of columnsOf(). Throws DataMoved. */
export async function valuesFor(
  reading: Reading,
  members: readonly Member[],
  { prefer, columns }: CollectionNaming,
): Promise<Values[]> {
  const found = await reading.byIds(members.map(({ id }) => id));
  const shown = await reading.show(
    found.map(({ boundary }) => boundary),
    { prefer, names: columns.length > 0 ? columns : null },
  );
  return shown.map((one, i) => [
    one.id,
    one.name,
    one.local_name,
    one.kind,
    one.admin_level,
    one.country,
    one.iso,
    one.wikidata,
    one.population,
    defined(found[i]).area_km2,
    one.parents.at(-1)?.id ?? null,
    one.centroid?.lat ?? null,
    one.centroid?.lon ?? null,
    ...columns.map((tag) => nameIn(one.names ?? {}, [tag])),
  ]);
}

/** A file that is kept. */
export interface KeptFile {
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Keeps the bytes of a file as they come, by way of a draft that is removed whatever happens. Throws too_large for more
 * than all exports together may have.
 */
export async function keepParts(
  { services, signal }: Context,
  parts: AsyncIterable<Uint8Array>,
  format: CollectionFormat,
): Promise<KeptFile> {
  const draft: BlobDraft = await services.blobs.draft();
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    const file = await open(draft.path, 'w', 0o600);
    try {
      for await (const part of parts) {
        signal.throwIfAborted();
        bytes += part.byteLength;
        if (bytes > services.config.EXPORT_BYTES) {
          throw problem(
            'too_large',
            `The file has more than the ${services.config.EXPORT_BYTES} bytes kept of exports.`,
          );
        }
        hash.update(part);
        await file.write(part);
      }
    } finally {
      await file.close();
    }
    const sha256 = hash.digest('hex');
    await draft.keep(sha256, collectionExtension(format), bytes);
    return { sha256, bytes };
  } finally {
    await draft.drop();
  }
}
