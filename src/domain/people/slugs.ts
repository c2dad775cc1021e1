import { invalidInput } from '../../core/errors.ts';

/** Slugs, which name organizations and teams besides their ids. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
export const SLUG_MESSAGE = 'must be 1 to 40 lower-case letters, digits and inner hyphens';

/** Derives a slug from a name, with room for a suffix; `otherwise` if the name has no usable character. */
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

/** Returns invalid_input for a slug that another organization has or had, or another team has. */
export function slugTaken(): Error {
  return invalidInput([{ path: 'slug', code: 'taken', message: 'this slug is already taken' }]);
}
