import { foldName, stripTypeWords } from '../names/fold.ts';
import { groupOf } from '../names/groups.ts';

/** Words that abbreviated names leave out. */
const LINKS = new Set(
  'of the and de del di da do dos der die das und y e i et la le les los las el an am im in bei ob vor zu sur sous'.split(
    ' ',
  ),
);
/** The same in one letter, within a name: "Neustadt a. d. Aisch", "Weiden i.d.OPf." */
const LINK_LETTERS = new Set(['a', 'b', 'd', 'i', 'o', 's', 'v']);
/** What tables write where they have no value, folded without blanks. */
const NO_VALUE = new Set('na nd sd nc ns ka so nr nn np nv sn ne tbd tba'.split(' '));
/** What tables write for all places, for others and for none, folded: near to names of places, and never a typo of one. */
const NO_PLACES = new Set(
  (
    'all,alle,tous,toutes,todos,todas,tutti,total,totals,totale,totaux,grand total,total general,subtotal,sous total,' +
    'gesamt,insgesamt,summe,ensemble,overall,average,mean,media,promedio,moyenne,durchschnitt,other,others,otro,otros,' +
    'otra,otras,resto,autre,autres,andere,sonstige,sonstiges,altro,altri,altre,outro,outros,overige,various,several,varios,' +
    'divers,diversos,vari,mixed,unknown,unspecified,undefined,desconocido,inconnu,unbekannt,sconosciuto,desconhecido,' +
    'onbekend,missing,blank,leer,vide,vacio,test,abroad,foreign,overseas,extranjero,etranger,ausland,estero,exterior,' +
    'buitenland,remote,online,worldwide,global,national,nationwide,bundesweit,not stated,not specified,non renseigne,' +
    'non precise,no consta,sin especificar,sin datos,keine angabe,ohne angabe,non indicato,no answer,refused'
  ).split(','),
);

/**
 * Whether a cell is a word for all places, for others or for none, or the name of a group of countries ("Asia"), which may
 * also be the whole name of a place.
 */
export const isNoPlace = (text: string): boolean => NO_PLACES.has(foldName(text)) || groupOf(text) !== null;

/** Whether a cell may say that it has no value, and be a code: "NA". */
export const mayBeNoValue = (text: string): boolean => NO_VALUE.has(foldName(text).replaceAll(' ', ''));

/** Letters of an abbreviation of one word, and of initials. */
const WORD_FROM = 3;
/** Letters of a word that is not short for another one. */
const WHOLE_FROM = 4;
const INITIALS = /^\p{Lu}{3,5}$/u;

/**
 * The words of a text that may abbreviate a name, folded, without links: it has a full stop behind letters ("N. Dakota",
 * "Sgo. del Estero"), is initials ("PEI"), has a short word beside a whole one ("West Va"), or several whole words
 * ("Emiratos Árabes"). Null if it does not look
 * abbreviated, or means that there is no value.
 */
export function abbreviatedWords(text: string): readonly string[] | null {
  const trimmed = text.trim();
  const folded = foldName(trimmed);
  if (NO_VALUE.has(folded.replaceAll(' ', ''))) return null;
  const words = withoutLinks(folded);
  const isBeside = words.some(({ length }) => length < WHOLE_FROM) && words.some(({ length }) => length >= WHOLE_FROM);
  const isSeveral = words.filter(({ length }) => length >= WHOLE_FROM).length > 1;
  if (!/\p{L}\./u.test(trimmed) && !INITIALS.test(trimmed) && !isBeside && !isSeveral) return null;
  return words.length === 0 || (words.length === 1 && (words[0] ?? '').length < WORD_FROM) ? null : words;
}

/** What tables write where they have no value; "N.A." is also that, "ND" is North Dakota. */
const NO_VALUE_TEXT = /^(?:#?n\/[ad]|n\.\s?a\.|#ref!|null|none|nan|s\/[dn]|k\.\s?a\.)$/i;

/** Whether a cell says that it has no value. */
export const saysNothing = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text) || NO_VALUE_TEXT.test(text.trim());

function withoutLinks(folded: string): string[] {
  const words = folded.split(' ');
  return words.filter((word, i) => {
    const isInner = i > 0 && i < words.length - 1;
    return word !== '' && !LINKS.has(word) && !(isInner && LINK_LETTERS.has(word));
  });
}

/** Whether words abbreviate a name, as it is or without its type words. */
export function abbreviates(words: readonly string[], folded: string): boolean {
  return [folded, ...stripTypeWords(folded)].some((form) => {
    const named = withoutLinks(form);
    const [initials = ''] = words;
    if (words.length === 1 && named.length > 1) return initialsOf(named).includes(initials);
    if (isWholeStart(words, named)) return true;
    return named.length === words.length && named.every((word, i) => isShortFor(words[i] ?? '', word));
  });
}

/** Directions that names join: "Northwest Territories" is NWT. */
const DIRECTIONS = /^(north|south)(east|west)/;

/** The initials of words, and those where directions that are joined count as two. */
const initialsOf = (named: readonly string[]): string[] => [
  named.map((word) => word[0]).join(''),
  named
    .flatMap((word) => word.replace(DIRECTIONS, '$1 $2').split(' '))
    .map((word) => word[0])
    .join(''),
];

/** Whether words are the first of a name, each whole, and at least two of four letters: "Emiratos Árabes". */
const isWholeStart = (words: readonly string[], named: readonly string[]): boolean =>
  words.length < named.length &&
  words.filter(({ length }) => length >= WHOLE_FROM).length > 1 &&
  words.every((word, i) => word === named[i]);

/** Whether a word is another, its start ("calif"), or its first and last letter with some between ("sgo", "qro"). */
function isShortFor(short: string, word: string): boolean {
  if (word.startsWith(short)) return true;
  if (short.length < 2 || short[0] !== word[0] || short.at(-1) !== word.at(-1)) return false;
  let at = 0;
  for (const letter of word) if (letter === short[at]) at++;
  return at === short.length;
}
