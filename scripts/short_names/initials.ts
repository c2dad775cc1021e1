import { foldName } from '../../src/domain/names/fold.ts';

/** Words that initials leave out. */
const SMALL: ReadonlySet<string> = new Set(
  'a and of the e et y und de del der des di do du da das dei degli della dell dello delle les la le los las el d l il i'.split(
    ' ',
  ),
);
/** First parts of German compounds that count as words: "Bundes-republik", "Nord-rhein". */
const COMPOUND = /^(bundes|nord|sud|zentral)(\p{L}{4,})$/u;
/** The fewest and the most letters. */
const [FEWEST, MOST] = [3, 4];

/** The initials of a name of three words or four in Latin letters, folded: "vae" of "Vereinigte Arabische Emirate"; else null. */
export function initialsOf(name: string): string | null {
  if (!/^[\p{Script=Latin}\p{M} .’'-]+$/u.test(name)) return null;
  const words = foldName(name.replaceAll(/['’]/g, ' '))
    .split(' ')
    .filter((word) => !SMALL.has(word))
    .flatMap((word) => COMPOUND.exec(word)?.slice(1) ?? [word]);
  return words.length < FEWEST || words.length > MOST ? null : words.map((word) => word.charAt(0)).join('');
}
