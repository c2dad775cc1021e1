import { problem } from '../core/errors.ts';
import { isBoundaryId, isCanonicalId } from '../domain/boundaries/ids.ts';
import type { Interpretation, NameMatch } from '../domain/search/hit.ts';
import { type CallTarget, jsonOf } from '../transports/call.ts';

/** A boundary in the answer of a search. */
export interface SearchMatch {
  readonly id: string;
  readonly name: string;
  readonly local_name: string;
  readonly match: NameMatch;
  readonly interpretation?: Interpretation;
  readonly kind: string;
  readonly admin_level: number | null;
  readonly country: string | null;
  readonly iso: string | null;
  readonly parents: readonly { readonly id: string; readonly name: string }[];
}

/** The optional fields of search_boundaries that narrow a search. */
export interface SearchFilter {
  readonly country?: string;
  readonly kind?: string;
  readonly admin_level?: number;
  readonly near?: string;
}

/** A name or id from the command line with its boundary. `found` is null for an id, which is not looked up. */
export interface ResolvedName {
  readonly given: string;
  readonly id: string;
  readonly found: SearchMatch | null;
}

/** A name matches several boundaries, or none exactly. */
export class Ambiguous extends Error {
  readonly exit = 2;
  readonly candidates: readonly Omit<SearchMatch, 'local_name' | 'match' | 'interpretation'>[];

  constructor(name: string, candidates: readonly SearchMatch[], isNamed: boolean) {
    super(
      isNamed
        ? `${candidates.length} or more boundaries are called "${name}"`
        : `no boundary is called exactly "${name}"`,
    );
    this.name = 'Ambiguous';
    this.candidates = candidates.map(({ local_name: _, match: __, interpretation: ___, ...rest }) => rest);
  }
}

/** Number of search results requested, and of candidates listed. */
const MOST = 40;
const SHOWN = 10;

/**
 * Resolves names and ids. Ids in any form are returned as they are. Names are resolved with search_boundaries, which
 * understands "Gampaha District" and "Paris, Texas", and must match exactly one boundary.
 * @throws Ambiguous with the candidates; not_found when there is no match
 */
export async function resolveNames(
  target: CallTarget,
  words: readonly string[],
  narrow: SearchFilter,
): Promise<ResolvedName[]> {
  const known = new Map<string, ResolvedName>();
  // Sequential, so that a long list does not exceed the rate limit.
  for (const word of words) if (!known.has(word)) known.set(word, await resolveName(target, word, narrow));
  return words.map((word) => known.get(word) as ResolvedName);
}

async function resolveName(target: CallTarget, given: string, narrow: SearchFilter): Promise<ResolvedName> {
  if (isBoundaryId(given)) return { given, id: given, found: null };
  let found = await search(target, given, narrow);
  const meant = bestMatches(found);
  const [first, ...others] = meant;
  if (first && others.length === 0) return { given, id: first.id, found: first };
  const [name = ''] = given.split(',');
  // No match in that place: offer boundaries of this name elsewhere.
  if (found.length === 0 && name !== given) found = await search(target, name, narrow);
  if (found.length === 0) throw problem('not_found', `No boundary is called "${given}".`);
  throw new Ambiguous(given, found.slice(0, SHOWN), meant.length > 1);
}

/** The results that a name refers to: all that match as well as the first. `found` is sorted, best first. */
function bestMatches(found: readonly SearchMatch[]): readonly SearchMatch[] {
  const [first] = found;
  // Another server may omit what is needed here; then no match is certain.
  if (!first?.interpretation || (first.match !== 'exact' && first.match !== 'alias')) return [];
  const { name, within, kind } = first.interpretation;
  return found.filter(
    ({ match, interpretation: other }) =>
      match === first.match &&
      other?.name === name &&
      other.within?.id === within?.id &&
      (other.kind === null) === (kind === null),
  );
}

async function search(target: CallTarget, q: string, narrow: SearchFilter): Promise<SearchMatch[]> {
  const answer = jsonOf(await target.call('search_boundaries', { q, ...narrow, limit: MOST }));
  const { items } = answer as { items: SearchMatch[] };
  for (const { id } of items) canonicalId(id);
  return items;
}

/**
 * Checks an id in an answer.
 * @throws for an id that is not canonical (`r…` or `w…`), because it is used in file names
 */
export function canonicalId(id: unknown): string {
  if (typeof id === 'string' && isCanonicalId(id)) return id;
  throw new Error(`The server sent an id that is not a boundary id: ${JSON.stringify(id)?.slice(0, 60)}`);
}
