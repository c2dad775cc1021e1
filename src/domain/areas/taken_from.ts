import type { Expression } from './algebra.ts';
import type { Parser } from './parser.ts';
import { parsePlace } from './places.ts';
import { list } from './vocabulary/phrases.ts';
import type { Language, Phrase } from './vocabulary/vocabulary.ts';

/** Verbs in front of what is left out, the words between it and the place, and the end of the verb. */
const FORMS: Readonly<
  Record<
    Language,
    { readonly verbs: readonly Phrase[]; readonly from: readonly Phrase[]; readonly end: readonly Phrase[] }
  >
> = {
  en: {
    verbs: list('subtract, remove, take, exclude, deduct, cut, drop, delete'),
    from: list('from, out of, away from, off'),
    end: [],
  },
  es: {
    verbs: list('quita, quítale, quite, quítele, resta, réstale, reste, réstele, elimina, excluye, descuenta, saca'),
    from: list('a, a la, al, de, del, de la'),
    end: [],
  },
  de: {
    verbs: list('zieh, ziehe, ziehen Sie, nimm, nehmen Sie, entferne, entfernen Sie, subtrahiere, streiche'),
    from: list('von, aus, vom'),
    end: list('ab, weg, heraus, raus'),
  },
  fr: {
    verbs: list('enlève, enlevez, retire, retirez, soustrais, soustrayez, ôte, ôtez, retranche, retranchez'),
    from: list('à, à la, au, de, du, de la, d'),
    end: [],
  },
};

/** "subtract Lake County from Ohio", as a whole description: the second place without the first ones. Null for another. */
export function parseTakenFrom(p: Parser): Expression | null {
  const { verbs, from: between, end } = FORMS[p.v.language];
  return p.attempt((): Expression | null => {
    const from = p.at;
    if (!p.take(verbs)) return null;
    const places: Expression[] = [];
    do {
      const place = parsePlace(p, false);
      if (place === null) return null;
      places.push(place);
    } while (p.separator());
    if (!p.take(between)) return null;
    p.take(p.v.articles);
    const of = parsePlace(p);
    if (of === null) return null;
    p.take(end);
    const [first, ...more] = places;
    if (!first || p.at < p.tokens.length) return null;
    const minus: Expression = more.length === 0 ? first : { op: 'union', of: places, words: p.words(from) };
    return { op: 'difference', of, minus, words: p.words(from) };
  });
}
