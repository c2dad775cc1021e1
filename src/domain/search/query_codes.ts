import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { compareIds, readBoundaryId } from '../boundaries/ids.ts';
import { compactCode } from '../names/names.ts';

/** The boundaries of a query that is a code with its scheme: `nuts:DE212`. */
export async function idsOfCode(db: Database, q: string): Promise<string[]> {
  const id = readBoundaryId(q);
  if (id?.kind !== 'code') return [];
  const rows = await db.query(loadQuery('boundary_coded'), [[id.id]]);
  return rows.flatMap((row) => (row.id === null ? [] : [row.id])).sort(compareIds);
}

/** A sign that no code has: "H&M" is not Heard Island, and "½" is not number 12. */
const SIGN = /[&+\p{No}]/u;

/**
 * Reads the query as an id or a code.
 * @param markup whether it is a text of another kind (isMarkup())
 */
export function exactKeys(q: string, folded: string, markup: boolean): { id: string | null; code: string } {
  const id = readBoundaryId(q);
  // "-1" is the id of a relation, "[a-z]+" no code.
  if (id === null && (markup || SIGN.test(q))) return { id: null, code: ` ${folded}` };
  if (id?.kind === 'osm' && q.trim().startsWith('-')) return { id: id.id, code: ` ${folded}` };
  if (id === null) return { id: null, code: compactCode(folded) };
  if (id.kind === 'osm') return { id: id.id, code: compactCode(folded) };
  if (id.kind === 'code') return { id: null, code: compactCode(folded) };
  return { id: null, code: compactCode(id.kind === 'iso' ? id.code : id.id) };
}
