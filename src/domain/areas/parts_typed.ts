import { kindsOfTypeWords } from '../names/type_kinds.ts';
import type { Hit } from '../search/hit.ts';
import { LEVEL_WORDS, type LevelWord } from './algebra.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';

const ARTICLES: readonly string[] = VOCABULARIES.flatMap(({ articles }) =>
  articles.flatMap((phrase) => (phrase.length === 1 ? phrase : [])),
);
const LEVELS: ReadonlySet<string> = new Set(LEVEL_WORDS);

/** A name with what is beside it in a text. */
interface Parts {
  readonly name: string;
  readonly level?: LevelWord;
  readonly within?: string;
}

/**
 * The name in a folded text that no place has, with the level and the container beside it as search read them, or behind an
 * article: a name with a typo is not found among other words by itself ("provincia de Albacte", "la Belgiqe"). Null where
 * nothing is beside it.
 */
export function partsOf(folded: string, [first]: readonly Hit[]): Parts | null {
  const article = ARTICLES.find((one) => folded.startsWith(`${one} `));
  const { name, kind, within, ignored } = first?.interpretation ?? {
    name: folded,
    kind: null,
    within: null,
    ignored: null,
  };
  // Of "province of Badajos" search finds the city, and says that it left out the level.
  const [left] = ignored === null || first?.match !== 'alias' ? [] : kindsOfTypeWords(ignored);
  if (left !== undefined && LEVELS.has(left)) return { name, level: left as LevelWord };
  if (ignored !== null) return null;
  if (kind !== null && LEVELS.has(kind) && name !== folded)
    return { name, level: kind as LevelWord, ...(within && { within: within.name }) };
  return article === undefined ? null : { name: folded.slice(article.length + 1) };
}
