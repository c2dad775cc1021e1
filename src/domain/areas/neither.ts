import type { Expression } from './algebra.ts';
import { parseSingle } from './arguments.ts';
import type { Parser } from './parser.ts';
import { around, list } from './vocabulary/phrases.ts';
import type { Around, Language, Phrase } from './vocabulary/vocabulary.ts';

/** Forms that exclude what borders one of several places, and the words between these. */
const FORMS: Readonly<Record<Language, { readonly forms: readonly Around[]; readonly nor: readonly Phrase[] }>> = {
  en: {
    forms: around(
      'that border neither, which border neither, bordering neither, that touch neither, which touch neither, touching neither, adjacent to neither, that neighbor neither',
    ),
    nor: list('nor, or'),
  },
  es: {
    forms: around(
      'que no limitan ni con, que no lindan ni con, que no tocan ni, que no tocan ni a, que no limitan con, que no lindan con, que no tocan, que no tocan a, que no tienen frontera con, que no tienen frontera ni con',
    ),
    nor: list('ni, ni con, ni a'),
  },
  de: {
    forms: around(
      'die weder an _ grenzen|angrenzen, die weder an die _ grenzen|angrenzen, die weder _ berühren, weder an _ grenzend|angrenzend|grenzen',
    ),
    nor: list('noch, noch an, noch an die'),
  },
  fr: {
    forms: around(
      'qui ne bordent ni, qui ne touchent ni, qui ne jouxtent ni, qui ne sont limitrophes ni de, limitrophes ni de',
    ),
    nor: list('ni, ni de'),
  },
};

/** "that border neither Montana nor Idaho": the places, of which there are two at least. Null without such a form. */
export function parseNeither(p: Parser): readonly Expression[] | null {
  const { forms, nor } = FORMS[p.v.language];
  for (const { before, after } of forms) {
    const found = p.attempt(() => {
      const end = p.peek(before);
      if (end === null) return null;
      p.at = end;
      const places: Expression[] = [];
      do {
        p.take(p.v.articles);
        if (p.at >= p.tokens.length) return null;
        places.push(parseSingle(p));
      } while (p.take(nor));
      return places.length > 1 && (after.length === 0 || p.take(after)) ? places : null;
    });
    if (found) return found;
  }
  return null;
}
