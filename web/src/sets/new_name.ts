import { ask, Failure } from '../api.ts';
import { t } from '../language.ts';

/** Longest name of a set. */
export const MOST_NAME = 40;

/** The name of a set in ids that a text suggests: letters without accents, digits and hyphens; '' where it has none. */
export const nameIn = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MOST_NAME)
    .replace(/^-+|-+$/g, '');

/**
 * The name in ids of a new set with a title.
 * @throws Failure where there is a set of this name, of which the areas would become a version; and like ask()
 */
export async function newName(title: string): Promise<string> {
  const name = nameIn(title) || 'areas';
  const isFree = await ask(`/sets/${encodeURIComponent(name)}`).then(
    () => false,
    (error: unknown) => {
      if (error instanceof Failure && error.code === 'not_found') return true;
      throw error;
    },
  );
  if (!isFree) throw new Failure(t('sets.nameTaken', { name }), { code: 'exists' });
  return name;
}
