import type { Detail, Format } from '../../core/schemas.ts';
import { type ResolvedBoundary, withLocalName } from '../../domain/boundaries/boundary.ts';
import { shownLand } from '../../domain/boundaries/land.ts';
import type { Exported } from '../../domain/library/file_entry.ts';
import type { Services } from '../../services.ts';
import { boundaryDocument, geometryOf, levelOf } from '../boundaries/document.ts';

/** The export of the boundary of an entry: the same bytes as from export_boundary. @throws no_geometry */
export async function renderFile(
  { boundaries, engine }: Pick<Services, 'boundaries' | 'engine'>,
  boundary: ResolvedBoundary,
  { format, detail }: { readonly format: Format; readonly detail: Detail },
  signal?: AbortSignal,
): Promise<Exported> {
  const level = levelOf(boundary, { detail });
  const land = shownLand((await boundaries.landOf([boundary.id])).get(boundary.id));
  const document = boundaryDocument(boundary, withLocalName(boundary.boundary), { level, detail, format }, land);
  const { bytes, sha256 } = await engine.documents.render(geometryOf(boundary), level, format, document, signal);
  return { boundary: boundary.id, version: boundary.boundary.version, format, sha256, content: bytes };
}
