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

/** Kinds that have the words of one another. */
const CITIES: ReadonlySet<string> = new Set(['city', 'municipality']);

/**
 * Whether a kind is what words for one mean first, if they are known: search also finds a county for "provincia", and a
 * province for "comarca", which is none.
 */
function isFirstOf(words: string, kind: string): boolean {
  const [first = kind] = kindsOfTypeWords(words);
  return first === kind || (CITIES.has(first) && CITIES.has(kind));
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
  const beside = (article === undefined ? folded : folded.slice(article.length + 1)).replace(name, '').trim();
  if (kind !== null && LEVELS.has(kind) && name !== folded && isFirstOf(beside, kind))
    return { name, level: kind as LevelWord, ...(within && { within: within.name }) };
  return article === undefined ? null : { name: folded.slice(article.length + 1) };
}
