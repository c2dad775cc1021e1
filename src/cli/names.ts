import { foldName, stripTypeWords } from '../domain/fold.ts';
import { parseBoundaryId } from '../domain/ids.ts';
import { problem } from '../errors.ts';
import { type CallTarget, jsonOf, requireSuccess } from '../transports/call.ts';

/** What a search tells of a boundary. */
export interface Found {
  readonly id: string;
  readonly name: string;
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
  readonly candidates: readonly Found[];

  constructor(name: string, candidates: readonly Found[], isNamed: boolean) {
    super(
      isNamed
        ? `"${name}" is the name of ${candidates.length} boundaries or more`
        : `nothing is called "${name}" exactly`,
    );
    this.name = 'Ambiguous';
    this.candidates = candidates;
  }
}

/** Results asked for, and candidates listed. */
const MOST = 40;
const SHOWN = 10;

/**
 * The boundaries that words mean: ids in any form as they are; names by search_boundaries, where exactly one boundary
 * has the name in some language, or else where exactly one has it but for a type word ("Gampaha" for "Gampaha
 * District"). `Name, Parent` asks for one whose parent has that name. Throws Ambiguous with the candidates, not_found
 * when nothing is found.
 */
export async function resolveNames(target: CallTarget, words: readonly string[], narrow: Narrow): Promise<Named[]> {
  const known = new Map<string, Named>();
  // One after the other: a list of names is no reason to be refused for too many requests at once.
  for (const word of words) if (!known.has(word)) known.set(word, await resolveName(target, word, narrow));
  return words.map((word) => known.get(word) as Named);
}

async function resolveName(target: CallTarget, given: string, narrow: Narrow): Promise<Named> {
  if (isId(given)) return { given, id: given, found: null };
  const whole = await decide(target, given, await search(target, given, narrow));
  const [name, ...parents] = given.split(',').map((part) => part.trim());
  const decided =
    whole.exact.length > 0 || parents.length === 0
      ? whole
      : await decide(target, name, withParents(await search(target, name, narrow), parents));
  const { exact, found } = decided;
  if (exact.length === 1) return { given, id: exact[0].id, found: exact[0] };
  if (found.length === 0) throw problem('not_found', `No boundary is called "${given}".`);
  throw new Ambiguous(given, found.slice(0, SHOWN), exact.length > 1);
}

/** Those of what was found, best first, that have the name; the search puts them before all others. */
async function decide(
  target: CallTarget,
  name: string,
  found: readonly Found[],
): Promise<{ exact: readonly Found[]; found: readonly Found[] }> {
  const whole: Found[] = [];
  const stripped: Found[] = [];
  const wanted = foldName(name);
  const likeness = (names: readonly string[]): 'whole' | 'stripped' | null => {
    const folded = names.map(foldName);
    if (folded.includes(wanted)) return 'whole';
    return folded.some((one) => stripTypeWords(one).includes(wanted)) ? 'stripped' : null;
  };
  for (const one of found) {
    let how = one.iso === name.toUpperCase() ? 'whole' : likeness([one.name]);
    if (how !== 'whole') how = likeness([one.name, ...(await namesOf(target, one.id))]);
    if (how === null) break;
    (how === 'whole' ? whole : stripped).push(one);
    if (whole.length > 1 || (whole.length > 0 && stripped.length > 0)) break;
    if (stripped.length > 1) break;
  }
  return { exact: whole.length > 0 ? whole : stripped, found };
}

/** The names of a boundary in all languages: get_boundary tells them, at low detail to anybody. None without geometry. */
async function namesOf(target: CallTarget, id: string): Promise<string[]> {
  const answer = await target.call('get_boundary', { id, detail: 'low' });
  if (answer.status === 404) return [];
  requireSuccess(answer);
  const { properties } = JSON.parse(Buffer.from(answer.body).toString()) as {
    properties: { names: Record<string, string> };
  };
  return Object.values(properties.names);
}

function withParents(found: readonly Found[], parents: readonly string[]): Found[] {
  return found.filter((one) => {
    const own = new Set([...one.parents.map((parent) => foldName(parent.name)), (one.country ?? '').toLowerCase()]);
    return parents.every((parent) => own.has(foldName(parent)));
  });
}

async function search(target: CallTarget, q: string, narrow: Narrow): Promise<Found[]> {
  const answer = jsonOf(await target.call('search_boundaries', { q, ...narrow, limit: MOST }));
  return (answer as { items: Found[] }).items;
}

/** Whether a word is a boundary id in some form. */
export function isId(word: string): boolean {
  try {
    parseBoundaryId(word);
    return true;
  } catch {
    return false;
  }
}
