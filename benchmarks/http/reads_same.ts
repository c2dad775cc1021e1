import { isDeepStrictEqual } from 'node:util';
import { seeded as random } from '../../src/bench/random.ts';
import { NewInputs, searchRounds, typosOf } from './new_inputs.ts';

const SEED = 20_261_122;
const PLACES = 400;
/** Searches per round; half of them are new. */
const SEARCHES = 800;
/** Misspelled names whose answers are compared. */
const COMPARED = 100;
/** Searches whose answers are compared. */
const SEARCHED = 40;

/** An answer of ours or of a rival, as far as they are compared. */
export interface Answer {
  readonly next?: string | null;
  readonly items: readonly {
    readonly id: string;
    readonly name: string;
    readonly kind: string;
    /** Only ours say whether an item contains the point, why it is listed otherwise, and what the point is on. */
    readonly contains?: boolean;
    readonly why?: string | null;
    readonly on?: string;
  }[];
}

/** Asks a server for the answer of a path. */
export type Asked = (path: string) => Promise<Answer>;

/** Those that are compared: ours, and the rivals by what they answer. */
export interface Compared {
  readonly ours: Asked;
  readonly reverse: Asked;
  readonly children: Asked;
  readonly search: Asked;
  readonly typos: Asked;
}

/** What both sides were asked, and whether their answers were the same. */
export interface SameReads {
  /** Queries of places where the rival finds something. */
  readonly places: readonly string[];
  /** Ids of Spain and of communities. */
  readonly parents: readonly string[];
  /** Queries of search, by round. */
  readonly searches: readonly (readonly string[])[];
  readonly same: Readonly<Record<'reverse' | 'children' | 'search' | 'typos', boolean>>;
}

/**
 * Compares our answers with the rivals' at seeded places, of Spain and seven communities, and for names and misspelled
 * ones, and says on stderr which differ.
 * @param names of what is stored
 */
export async function comparedReads(
  sides: Compared,
  names: readonly string[],
  { smoke }: { readonly smoke: boolean },
): Promise<SameReads> {
  const searches = searchRounds(names, smoke ? 2 : 8, smoke ? 64 : SEARCHES, SEED + 1);
  const [places, isReverse] = await samePlaces(sides, smoke ? PLACES / 10 : PLACES);
  const [parents, isChildren] = await sameChildren(sides);
  return {
    ...{ places, parents, searches },
    same: {
      reverse: isReverse,
      children: isChildren,
      search: await sameSearches(sides, searches[0].slice(0, SEARCHED)),
      typos: await sameTypos(sides, names),
    },
  };
}

function differ(what: string): false {
  process.stderr.write(`reads: another answer at ${what}\n`);
  return false;
}

/** Places at which the rival finds something, and whether ours are the same. */
async function samePlaces({ ours, reverse }: Compared, wanted: number): Promise<[string[], boolean]> {
  const next = random(SEED);
  const places: string[] = [];
  let same = true;
  for (let tries = 0; places.length < wanted && tries < 20 * wanted; tries++) {
    const query = `lat=${(36.5 + 6.5 * next()).toFixed(5)}&lon=${(-8.5 + 11 * next()).toFixed(5)}`;
    const theirs = await reverse(`/?${query}`);
    if (theirs.items.length === 0) continue;
    const found = await ours(`/v1/boundaries/reverse?${query}`);
    // On water off the coarse coast, our answer starts with the country.
    if (!isDeepStrictEqual(withoutCountry(found), withoutCountry(theirs))) same = differ(query);
    places.push(`?${query}`);
  }
  return [places, same];
}

/** The ids of Spain and of communities whose subdivisions the rival lists, and whether ours are the same. */
async function sameChildren({ ours, children }: Compared): Promise<[string[], boolean]> {
  const parents: string[] = [];
  let same = true;
  for (const code of ['ES', 'ES-AN', 'ES-CT', 'ES-GA', 'ES-CL', 'ES-AR', 'ES-VC', 'ES-CM']) {
    const parent = (await ours(`/v1/boundaries/iso:${code}`)) as unknown as { id?: string };
    if (parent.id === undefined) continue;
    const [own, theirs] = [await ours(`/v1/boundaries/${parent.id}/children`), await children(`/?id=${parent.id}`)];
    // Compare by id: the two sort names by different collations.
    if (theirs.items.length === 0 || !isDeepStrictEqual(byId(own), byId(theirs))) same = differ(`children of ${code}`);
    parents.push(parent.id);
  }
  return [parents, same];
}

/** Whether ours find each exact match that the rival finds. The order of prefix matches may differ. */
async function sameSearches({ ours, search }: Compared, queries: readonly string[]): Promise<boolean> {
  for (const q of queries) {
    const exact = (answer: Answer) =>
      answer.items.some(({ name }) => name.toLowerCase() === decodeURIComponent(q).toLowerCase());
    const [own, theirs] = [await ours(`/v1/boundaries/search?q=${q}`), await search(`/?q=${q}`)];
    if (exact(theirs) && !exact(own)) return false;
  }
  return true;
}

/** Whether ours find at least as many of the same misspelled names as the rival. */
async function sameTypos({ ours, typos }: Compared, names: readonly string[]): Promise<boolean> {
  let [isFound, areFound] = [0, 0];
  for (const line of new NewInputs().take(COMPARED, typosOf(names, SEED))) {
    const [name, q] = line.split('\n') as [string, string];
    const has = (answer: Answer) => answer.items.some((item) => item.name === name);
    if (has(await ours(`/v1/boundaries/search?q=${encodeURIComponent(q)}`))) isFound++;
    if (has(await typos(`/?q=${encodeURIComponent(q)}`))) areFound++;
  }
  process.stderr.write(`reads: of ${COMPARED} misspelled names ours finds ${isFound}, the rival ${areFound}\n`);
  return isFound >= areFound;
}

const withoutCountry = ({ items }: Answer) =>
  items.filter(({ kind }) => kind !== 'country').map(({ contains: _contains, why: _why, on: _on, ...item }) => item);
const byId = ({ items }: Answer) => items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
