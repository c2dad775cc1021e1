import { foldName } from '../names/fold.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';
import { QUERY_PREFIX_WORDS } from './query_words.ts';

/** A preposition before a vowel, behind a word for a kind. */
const ELIDED = /^(?:(?:la|le|el|il|lo)\s)?((?:\p{L}+\s+){1,3})(d|l|(?:de|ne|a|su)ll)['’](?=\p{L})/iu;

/**
 * The forms of a query without the preposition that is written as a part of the name behind a word for a kind: "ville Angers" for
 * "ville d'Angers", and "provincia l'Aquila" for "provincia dell'Aquila", whose article may belong to the name. Empty for others.
 */
export function withoutElision(q: string): string[] {
  const [, kind = '', word = ''] = ELIDED.exec(q) ?? [];
  const folded = foldName(kind);
  if (
    folded === '' ||
    !(kindsOfTypeWords(folded).length > 0 || QUERY_PREFIX_WORDS.get(folded.charAt(0))?.includes(folded))
  )
    return [];
  const plain = q.replace(ELIDED, '$1');
  return word.length > 1 ? [plain, q.replace(ELIDED, "$1l'")] : [plain];
}
