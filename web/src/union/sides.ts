import { go, href, now } from '../route.ts';

/** What one union may name. */
export const MOST = 50;

/** The boundaries that a union takes in, and those that it cuts out. */
export interface Sides {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

const ID = /^(?:[rw]\d{1,19}|(?:iso|wikidata):[\w-]{1,20})$/;
const readIds = (text: string | null): string[] => [...new Set((text ?? '').split(','))].filter((id) => ID.test(id));

/** The sides that an address names; what is not an id is left out. */
export function readSides(query: URLSearchParams): Sides {
  return { include: readIds(query.get('include')), exclude: readIds(query.get('exclude')) };
}

/** Goes to the address of sides; groups stay in it. */
export function writeSides({ include, exclude }: Sides): void {
  const map = now().query.get('map') ?? undefined;
  go(href('/union', { include: include.join(','), exclude: exclude.join(','), map }) + location.hash);
}
