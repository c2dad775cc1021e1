import { defined } from '../../common/elements.ts';
/** Languages in which an answer names boundaries. */
export interface Naming {
  /** Languages for `name`, best first: BCP 47 tags in lower case. Empty: the local name. */
  readonly prefer: readonly string[];
  /** Languages of the names that an answer lists; null: it lists none. */
  readonly names: 'all' | readonly string[] | null;
}

/** Local names only. */
export const LOCAL_NAMES: Naming = { prefer: [], names: null };

/** Names by BCP 47 tag. */
type Names = Readonly<Record<string, string>>;

const TAG = /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/;
const WEIGHT = /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/;
/** Maximum languages of Accept-Language that are read. */
const MOST = 20;

/** The languages of a comma-separated list, in lower case, without duplicates. The tags are not validated. */
export function languagesOf(list: string): string[] {
  return [...new Set(list.split(',').map((tag) => tag.trim().toLowerCase()))];
}

/** The languages of Accept-Language (RFC 9110 section 12.5.4), best first. Empty if the header cannot be parsed. */
export function acceptedLanguages(header: string | undefined): string[] {
  const wanted: { tag: string; weight: number }[] = [];
  for (const entry of (header ?? '').toLowerCase().split(',', MOST)) {
    const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
    if (tag === '' && parameters.length === 0) continue;
    const weights = parameters.map((parameter) => WEIGHT.exec(parameter)?.[1]);
    if (!(tag === '*' || TAG.test(tag)) || weights.length > 1 || weights.includes(undefined)) return [];
    wanted.push({ tag, weight: Number(weights[0] ?? 1) });
  }
  const order = wanted.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  // `*` accepts any language: the local one.
  const any = order.findIndex(({ tag }) => tag === '*');
  return [...new Set(order.slice(0, any === -1 ? undefined : any).map(({ tag }) => tag))];
}

/** The primary subtags of tags, which suffice to find the names that they may match. Null: any language. */
export function primarySubtags(tags: 'all' | readonly string[]): string[] | null {
  return tags === 'all' ? null : [...new Set(tags.map((tag) => defined(tag.split('-', 1)[0])))];
}

/**
 * The name in the first preferred language that has one, or null. A tag also matches its prefixes (`de-CH` takes `de`:
 * RFC 4647 section 3.4) and, failing that, its extensions (`zh` takes `zh-Hans`).
 */
export function nameIn(names: Names, prefer: readonly string[]): string | null {
  if (prefer.length === 0) return null;
  const byTag = new Map(Object.entries(names).map(([tag, name]) => [tag.toLowerCase(), name]));
  for (const tag of prefer) {
    for (let range = tag; range !== ''; range = range.replace(/(?:^|-)[^-]*$/, '')) {
      const name = byTag.get(range);
      if (name !== undefined) return name;
    }
    const [narrower] = [...byTag.keys()].filter((key) => key.startsWith(`${tag}-`)).sort();
    if (narrower !== undefined) return byTag.get(narrower) as string;
  }
  return null;
}

/**
 * The tags of names, of those that exist (lower case), in which nameIn() looks for preferred languages, in its order:
 * the same list for all preferences with the same result.
 */
export function tagsFor(prefer: readonly string[], existing: readonly string[]): string[] {
  const all = new Set(existing);
  const found = new Set<string>();
  for (const tag of prefer) {
    for (let range = tag; range !== ''; range = range.replace(/(?:^|-)[^-]*$/, ''))
      if (all.has(range)) found.add(range);
    for (const key of existing.filter((one) => one.startsWith(`${tag}-`)).sort()) found.add(key);
  }
  return [...found];
}

/** The names in the requested languages, each with its variants (`zh` has `zh-Hans`), ordered by tag. */
export function namesIn(names: Names, wanted: 'all' | readonly string[]): Record<string, string> {
  const isWanted = (key: string) =>
    wanted === 'all' || wanted.some((tag) => key.toLowerCase() === tag || key.toLowerCase().startsWith(`${tag}-`));
  return Object.fromEntries(
    Object.entries(names)
      .filter(([key]) => isWanted(key))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
