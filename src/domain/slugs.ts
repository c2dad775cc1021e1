import { invalidInput } from '../errors.ts';

/** What organizations and teams can be named by beside their ids. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
export const SLUG_MESSAGE = 'must be 1 to 40 lower-case letters, digits and inner hyphens';

/** A slug after a name, with room for a suffix; `otherwise` when nothing of it can stand in one. */
export function slugOf(name: string, otherwise: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replace(/^-|-$/g, '');
  return plain || otherwise;
}

/** invalid_input about a slug that another has. */
export function slugTaken(): Error {
  return invalidInput([{ path: 'slug', code: 'taken', message: 'another one has this slug' }]);
}
