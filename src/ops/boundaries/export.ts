import type { z } from 'zod';
import type { Format } from '../../../workers/contract.ts';
import { contentType, extension } from '../../../workers/formats/index.ts';
import type { Context } from '../../core/op.ts';
import type { RenderedDocument } from '../../geometry/cached.ts';
import { exportPath } from './document.ts';
import type { exportSchema } from './schema.ts';

type About = Pick<z.input<typeof exportSchema>, 'detail' | 'boundary_id' | 'version'> & { format: Format };

/** Describes an export, with the URL that it has once it is stored. */
export function exportOf(
  ctx: Context,
  written: RenderedDocument,
  { format, ...rest }: About,
): z.input<typeof exportSchema> {
  return {
    url: ctx.baseUrl + exportPath(written.sha256, format),
    sha256: written.sha256,
    bytes: written.bytes.length,
    content_type: contentType(format),
    format,
    ...rest,
  };
}

/** Stores the bytes of an export by their content, and returns its description. */
export async function keepExport(
  ctx: Context,
  written: RenderedDocument,
  about: About,
): Promise<z.input<typeof exportSchema>> {
  await putExport(ctx, written, about.format);
  return exportOf(ctx, written, about);
}

/** Stores the bytes of an export by their content. */
export function putExport(ctx: Context, written: RenderedDocument, format: Format): Promise<void> {
  return ctx.services.blobs.put(written.sha256, extension(format), written.bytes);
}
