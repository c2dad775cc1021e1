import { isCityName } from '../names/cities.ts';
import { foldName } from '../names/fold.ts';
import { groupOf } from '../names/groups.ts';
import { isKnownPlace } from '../names/known_places.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';
import type { Candidate, Readings, ResolvedReading } from './candidates.ts';
import type { Hit } from './hit.ts';
import { isKindWord } from './noise.ts';

/** Whether a folded text names something of which no boundary is stored: a continent, or a country that no longer exists. */
export const isElsewhere = (folded: string): boolean => groupOf(folded) !== null;

/** Whether a match is a whole name, one in use, or that of a place inside. */
export const isWhole = (match: Hit['match']): boolean => match === 'exact' || match === 'alias' || match === 'around';

/** Whether a folded text has a word for a kind. */
export const isTypeWord = (folded: string): boolean => kindsOfTypeWords(folded).length > 0 || isKindWord(folded);

/** Whether none of some places is stored: they stand for the country. */
export const isAbout = (places: ResolvedReading['within'][number]): boolean =>
  places.length > 0 && places.every(({ about }) => about !== undefined);

/** The likeliest reading with a place: of those of one cost, that with the longest name of a stored place ("Mecklen North Carolina"). */
export function likeliestPlaced({ placed }: Readings): ResolvedReading | undefined {
  const [first] = placed;
  const same = placed.filter(({ cost, within }) => cost === first?.cost && !within.some(isAbout));
  return same.toSorted((a, b) => a.name.length - b.name.length)[0] ?? first;
}

/** What stands between a name and the place around it. */
export const COMMA = /[,;、，]/;

/** Whether folded words end a query, behind a comma. */
export const isBehindComma = (q: string, words: string): boolean =>
  foldName(q.split(COMMA).slice(1).join(' ')).endsWith(words);

/** Whether a kind is one that the type word of a reading means, if it has one. */
export const isOfKind = (kind: Candidate['kind'], { kinds }: ResolvedReading): boolean =>
  kinds.length === 0 || kinds.includes(kind);

/** Whether a reading without a place is the whole name of a city or of another place elsewhere. */
export const isNamedElsewhere = ({ name, within }: ResolvedReading): boolean =>
  isCityName(name) || (within.length === 0 && isKnownPlace(name));
