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

/** The sides as one text, and back. */
export const sidesText = ({ include, exclude }: Sides): string => `${include.join()};${exclude.join()}`;
export function sidesOf(text: string): Sides {
  const [include = '', exclude = ''] = text.split(';');
  return { include: readIds(include), exclude: readIds(exclude) };
}

/** Navigates to the address of these sides; keeps the groups in it. */
export function writeSides({ include, exclude }: Sides): void {
  const map = currentRoute().query.get('map') ?? undefined;
  go(href('/union', { include: include.join(','), exclude: exclude.join(','), map }) + location.hash);
}
