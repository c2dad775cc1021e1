import type { z } from 'zod';
import { contentType, extension } from '../../../workers/formats/registry.ts';
import type { Context } from '../../core/op.ts';
import type { AreaFormat } from '../../core/schemas.ts';
import type { RenderedDocument } from '../../geometry/engine_model.ts';
import { exportPath } from './document.ts';
import { keepFile } from './kept_file.ts';
import type { exportSchema } from './schema.ts';

type About<F extends AreaFormat> = Pick<z.input<typeof exportSchema>, 'detail' | 'boundary_id' | 'version'> & {
  format: F;
};

/** What is stored of a document. */
type Stored = Pick<RenderedDocument, 'bytes' | 'sha256'>;

/** Describes an export, with the URL that it has once it is stored. */
export function exportOf<F extends AreaFormat>(ctx: Context, written: Stored, { format, ...rest }: About<F>) {
  return {
    url: ctx.baseUrl + exportPath(written.sha256, format),
    sha256: written.sha256,
    bytes: written.bytes.length,
    content_type: contentType(format),
    format,
    ...rest,
  };
}

/**
 * Stores the bytes of an export, and returns its description.
 * @param madeBy the operation that made it
 * @throws as keepFile()
 */
export async function keepExport<F extends AreaFormat>(ctx: Context, written: Stored, about: About<F>, madeBy: string) {
  const { url } = await keepFile(ctx, [written.bytes], about.format, madeBy);
  return { ...exportOf(ctx, written, about), url };
}

/** Stores the bytes of an export by their content. */
export function putExport(ctx: Context, written: Stored, format: AreaFormat): Promise<void> {
  return ctx.services.blobs.put(written.sha256, extension(format), written.bytes);
}
