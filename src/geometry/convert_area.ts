import { createHash } from 'node:crypto';
import type { ConvertTask } from '../../workers/convert.ts';
import { problem } from '../core/errors.ts';
import type { Engine } from './engine.ts';
import type { RenderedDocument } from './engine_model.ts';

/**
 * A GeoJSON document of one area as a file of a collection format: its coordinates are unchanged, and its properties are
 * the attributes.
 * @param about `name` is the name of the area in the file
 * @throws too_large
 */
export async function convertArea(
  { tasks, maxResponseBytes }: Engine,
  document: RenderedDocument,
  { format, name }: { readonly format: ConvertTask['to']; readonly name: string },
  signal: AbortSignal,
): Promise<Pick<RenderedDocument, 'bytes' | 'sha256'>> {
  const { bytes, level } = document;
  const task = { bytes, from: 'geojson', to: format, dissolve: false, detail: 'full', level, name } as const;
  const result = await tasks.runPatiently('convert', { ...task, maxBytes: maxResponseBytes }, signal);
  if (result.kind === 'too_large') {
    throw problem('too_large', `The ${format} takes at least ${result.bytes} bytes; the limit is ${maxResponseBytes}.`);
  }
  // Of a valid area, only a limit of the format can be the reason.
  if (result.kind === 'unreadable') throw problem('too_large', result.reason);
  return { bytes: result.bytes, sha256: createHash('sha256').update(result.bytes).digest('hex') };
}
