/** What the words of all languages have in common. */
import { defined } from '../../../common/elements.ts';
import type { Expression, Level, LevelWord } from '../algebra.ts';

/** "A; B and C": with the word of the language for "and". */
export function listOf(items: readonly string[], and: (last: string) => string): string {
  const last = defined(items.at(-1));
  return items.length === 1 ? last : `${items.slice(0, -1).join('; ')} ${and(last)} ${last}`;
}

/** A number as Spanish, German and French write it, without separators of thousands. */
export const numberIn = (value: number): string => String(value).replace('.', ',');

/** Words for a level: one, several, and its gender. */
export type LevelNames<Gender> = Readonly<Record<LevelWord, readonly [one: string, many: string, gender: Gender]>>;

/** The gender of what an expression selects, where its words agree with it; `otherwise` without a level. */
export function genderOf<G>(e: Expression, names: LevelNames<G>, otherwise: G): G {
  const of = (level: Level | undefined): G => (typeof level === 'string' ? names[level][2] : otherwise);
  switch (e.op) {
    case 'children':
    case 'neighbors':
    case 'around':
    case 'containing':
    case 'side':
      return of(e.level);
    case 'within':
    case 'touching':
    case 'coast':
    case 'bordered':
    case 'rank':
    case 'counted':
    case 'measured':
    case 'compared':
    case 'named':
      return genderOf(e.of, names, otherwise);
    default:
      return otherwise;
  }
}
