import { isBoundaryId, isCanonicalId } from '../domain/ids.ts';
import type { Interpretation, NameMatch } from '../domain/search_model.ts';
import { problem } from '../errors.ts';
import { type CallTarget, jsonOf } from '../transports/call.ts';

/** What a search tells of a boundary. */
export interface Found {
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

/** What narrows a search: the optional fields of search_boundaries. */
export interface Narrow {
  readonly country?: string;
  readonly kind?: string;
  readonly admin_level?: number;
  readonly near?: string;
}

/** A word of the command line and the boundary it means. `name` is null for an id, which is not looked up. */
export interface Named {
  readonly given: string;
  readonly id: string;
  readonly found: Found | null;
}

/** A name means several boundaries, or only resembles some. */
export class Ambiguous extends Error {
  readonly exit = 2;
  readonly candidates: readonly Omit<Found, 'local_name' | 'match' | 'interpretation'>[];

  constructor(name: string, candidates: readonly Found[], isNamed: boolean) {
    super(
      isNamed ? `${candidates.length} or more boundaries are called "${name}"` : `nothing is called "${name}" exactly`,
    );
    this.name = 'Ambiguous';
    this.candidates = candidates.map(({ local_name: _, match: __, interpretation: ___, ...rest }) => rest);
  }
}

/** Results asked for, and candidates listed. */
const MOST = 40;
const SHOWN = 10;

/**
 * The boundaries that words mean: ids in any form as they are; names by search_boundaries, which understands "Gampaha
 * District" and "Paris, Texas". A name has to mean exactly one boundary. Throws Ambiguous with the candidates, not_found
 * when nothing is found.
 */
export async function resolveNames(target: CallTarget, words: readonly string[], narrow: Narrow): Promise<Named[]> {
  const known = new Map<string, Named>();
  // One after the other: a list of names must not be refused for too many requests at once.
  for (const word of words) if (!known.has(word)) known.set(word, await resolveName(target, word, narrow));
  return words.map((word) => known.get(word) as Named);
}

async function resolveName(target: CallTarget, given: string, narrow: Narrow): Promise<Named> {
  if (isBoundaryId(given)) return { given, id: given, found: null };
  let found = await search(target, given, narrow);
  const meant = meantBy(found);
  const [first, ...others] = meant;
  if (first && others.length === 0) return { given, id: first.id, found: first };
  const [name = ''] = given.split(',');
  // Nothing is called so in that place: what has the name elsewhere may be meant.
  if (found.length === 0 && name !== given) found = await search(target, name, narrow);
  if (found.length === 0) throw problem('not_found', `No boundary is called "${given}".`);
  throw new Ambiguous(given, found.slice(0, SHOWN), meant.length > 1);
}

/** Those of what was found, best first, that a name means: all that match it as well as the first one does. */
function meantBy(found: readonly Found[]): readonly Found[] {
  const [first] = found;
  // What another server sends may lack what this needs: then it means nothing for sure.
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

async function search(target: CallTarget, q: string, narrow: Narrow): Promise<Found[]> {
  const answer = jsonOf(await target.call('search_boundaries', { q, ...narrow, limit: MOST }));
  const { items } = answer as { items: Found[] };
  for (const { id } of items) canonicalId(id);
  return items;
}

/** An id in an answer. Throws for one that is not canonical (`r…` or `w…`): it would be trusted in names of files. */
export function canonicalId(id: unknown): string {
  if (typeof id === 'string' && isCanonicalId(id)) return id;
  throw new Error(`The server sent an id that is not a boundary id: ${JSON.stringify(id)?.slice(0, 60)}`);
}
