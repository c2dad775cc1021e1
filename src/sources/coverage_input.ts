import type { CoverageOptions } from './coverage/options.ts';
import type { Coverage } from './coverage/read.ts';
import type { SourceInfo, StoreInput } from './store/source_rows.ts';

/** The areas of a file as they are stored, and what they and their source are called. */
export function coverageInput(
  read: Pick<Coverage, 'boundaries' | 'placing'>,
  { source: id, name = id, url, license, attribution, edition, replace = false }: CoverageOptions,
  { file, accept }: { readonly file: string; readonly accept: ReadonlySet<string> },
): StoreInput {
  const source: SourceInfo = {
    ...{ id, name, url: url ?? null, license, attribution, resolution: null, seed: false },
    ...(edition === undefined ? {} : { edition }),
    placing: read.placing,
  };
  return { source, file, boundaries: read.boundaries, accept, replace };
}
