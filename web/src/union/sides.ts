import { currentRoute, go, href } from '../route.ts';

/** Most boundaries of one union. */
export const MAX_BOUNDARIES = 50;

/** The boundaries to merge, and those to cut out. */
export interface Sides {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

const ID = /^(?:[rw]\d{1,19}|(?:iso|wikidata):[\w-]{1,20})$/;
const readIds = (text: string | null): string[] => [...new Set((text ?? '').split(','))].filter((id) => ID.test(id));

/** The sides in an address; ignores values that are not ids. */
export function readSides(query: URLSearchParams): Sides {
  return { include: readIds(query.get('include')), exclude: readIds(query.get('exclude')) };
}

/** Navigates to the address of these sides; keeps the groups in it. */
export function writeSides({ include, exclude }: Sides): void {
  const map = currentRoute().query.get('map') ?? undefined;
  go(href('/union', { include: include.join(','), exclude: exclude.join(','), map }) + location.hash);
}
