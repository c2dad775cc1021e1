import { foldName } from '../names/fold.ts';
import { isPlaceCode } from '../names/place_names.ts';
import { withoutLabel } from './labels.ts';
import { restrictionsIn } from './restricting.ts';
import { isCode, isSmall, type Lexicon, spansFrom } from './spans.ts';
import { type Token, tokensOf } from './tokens.ts';
import { ADJECTIVES } from './vocabulary/adjectives.ts';
import { LEVELS, VOCABULARIES } from './vocabulary/languages.ts';
import {
  ANCHORS,
  DATES,
  ENDS,
  FILLERS,
  LETTER_HEADINGS,
  NO_NAMES,
  PLACED,
  PURPOSES,
  SUBJECTS,
  USES,
  VAGUE,
  VERBS,
} from './vocabulary/messages.ts';

// Messages with an area in them: "Could you set up our new territory? It should be Ohio and Iowa. Thanks!"

/** A message with blanks in place of what names no place and chooses nothing, and what that was. */
export interface Message {
  readonly text: string;
  readonly leftOut: readonly string[];
}

interface Part {
  readonly from: number;
  readonly to: number;
}

/** The most characters of a message, and words in front of an area and behind it. */
const MOST_CHARACTERS = 1_000;
const MOST_BEFORE = 14;
const MOST_BEHIND = 8;
/** Words of a verb and a purpose. */
const MOST_PURPOSE = 5;
/** Letters from which a word before a period ends a sentence. */
const ENDS_SENTENCE = 4;

/** The sentences of a text, and what is in front of a colon. */
function sentencesOf(text: string): Part[] {
  const parts: Part[] = [];
  let [from, letters] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    const isBeforeBlank = at + 1 === text.length || /\s/u.test(text.charAt(at + 1));
    const isEnd =
      sign === '\n' || (isBeforeBlank && (/[!?…:]/u.test(sign) || (sign === '.' && letters >= ENDS_SENTENCE)));
    letters = /[\p{L}\p{N}]/u.test(sign) ? letters + 1 : 0;
    if (!isEnd) continue;
    parts.push({ from, to: at + 1 });
    from = at + 1;
  }
  parts.push({ from, to: text.length });
  return parts.filter((part) => text.slice(part.from, part.to).trim() !== '');
}

/** Whether a known name with a capital, or an adjective of a place, begins at a token. */
function isNameAt(text: string, tokens: readonly Token[], at: number, { has }: Pick<Lexicon, 'has'>): boolean {
  const token = tokens[at];
  if (token?.sort !== 'word' || (at === 0 && NO_NAMES.has(token.folded) && !/^\p{Lu}{2}/u.test(token.text)))
    return false;
  if (Object.values(ADJECTIVES).some((one) => one.has(token.folded)) && /^\p{Lu}/u.test(token.text)) return true;
  if (!/^\p{Lu}/u.test(token.text) || isSmall(token)) return false;
  if (isCode(token) && isPlaceCode(token.folded)) return true;
  return spansFrom(tokens, at).some((end) => has(foldName(text.slice(token.from, tokens[end]?.to))));
}

/** A number that does not count boundaries: "#4711", "ticket 884", "since 2019". */
const NUMBER =
  /#\d+|(?<![\p{L}\d])(?:ticket|case|order|invoice|ref|rep|account|policy|contract|nr|no|job|task|since|fall|auftrag|vertrag|seit|caso|pedido|contrato|póliza|desde|dossier|commande|contrat|depuis)\.?\s(?:[nN][º°o]\.?\s?|[nN]r\.?\s?)?#?[A-Z]{0,4}-?\d{1,9}(?![\d.,]*\d)/giu;
/** Where something was said; "on the" is a part of "on the border" elsewhere. */
const PHONE = /(?<!\p{L})on (?:the|our|a) (?:last )?(?:phone|call|line|website|road|list)(?!\p{L})/giu;
const blanks = (found: string): string => ' '.repeat(found.length);
/** A reference in square brackets in front of a message: "[JIRA OPS-88]". */
const REFERENCE = /^\s{0,9}\[[^\]\n]{0,30}\d\]/u;

/** Whether a part names no place and has no word that chooses, so that it may be left out. */
function saysNothing(text: string, part: Part, lexicon: Pick<Lexicon, 'has'>): boolean {
  const own = text.slice(part.from, part.to).replaceAll(NUMBER, blanks).replaceAll(PHONE, blanks);
  const tokens = tokensOf(own);
  if (tokens.some(({ folded }) => VAGUE.has(folded))) return false;
  if (tokens.some((_, at) => isNameAt(own, tokens, at, lexicon)) || mayName(tokens)) return false;
  return restrictionsIn(own, true).length === 0;
}

/**
 * Whether words may have a name that is not known: a capital behind the first word, where not all nouns have one, or a bullet
 * in front of it.
 */
function mayName(tokens: readonly Token[]): boolean {
  if (tokens.some(({ folded }) => GERMAN.has(folded))) return false;
  const words = tokens.filter(({ sort }) => sort === 'word');
  return words.slice(1).some(({ text, folded }) => /^\p{Lu}/u.test(text) && text !== 'I' && !DATES.has(folded));
}
/** Words that only German has. */
const GERMAN: ReadonlySet<string> = new Set(
  'ich wir ihr sie und der die das dem den fur im vielen bitte konnt konnen unser unsere'.split(' '),
);

/** Whether a part is a sentence, and no item of a list: with a small word, or as a question; or a heading in lower case. */
function isSentence(text: string, { from, to }: Part): boolean {
  const own = text.slice(from, to).trim();
  // "- the moon" is an item that has to be a place.
  if (/^[-*•·–—]\s/u.test(own)) return false;
  const tokens = tokensOf(own);
  const words = tokens.filter(({ sort }) => sort === 'word');
  if (own.endsWith(':') && (/#\d/u.test(own) || own === own.toLowerCase())) return true;
  return words.length > 1 && (own.endsWith('?') || words.some((word) => isSmall(word) || SUBJECTS.has(word.folded)));
}

/**
 * Whether a list of places ends at a comma or a colon before a level, or before a name where "and" has ended it: "(in) Ohio
 * and Iowa, the counties that …" are not the two states.
 */
export function isFront(text: string, tokens: readonly Token[], lexicon: Pick<Lexicon, 'has'>): boolean {
  let isEnded = false;
  for (const [at, { sort, folded }] of tokens.entries()) {
    if (AND.has(folded)) isEnded = true;
    if (sort !== 'sign' || !/[,:]/u.test(folded)) continue;
    const end = tokens.findIndex((one, i) => i > at && one.sort === 'sign');
    const next = tokens.slice(at + 1, end < 0 ? tokens.length : end);
    if (next.some((one) => LEVELS.has(one.folded))) return true;
    if (isEnded && isNameAt(text, tokens, at + 1, lexicon)) return true;
  }
  return false;
}
const AND: ReadonlySet<string> = new Set(VOCABULARIES.flatMap(({ and }) => and.flat()));

/** What is in front of the area of a sentence: "We're a roofing company and we work in". Null if nothing is. */
function before(text: string, part: Part, lexicon: Pick<Lexicon, 'has'>): Part | null {
  const own = text.slice(part.from, part.to);
  const tokens = tokensOf(own);
  const first = tokens.findIndex((_, at) => isNameAt(own, tokens, at, lexicon));
  for (let at = Math.min(first, MOST_BEFORE); at > 0; at--) {
    const [last, next] = [tokens[at - 1], tokens[at]];
    if (!last || !next || (at < first && !ANCHORS.has(next.folded))) continue;
    const isFilled = tokens.slice(0, at).every(({ sort, folded }) => sort === 'sign' || FILLERS.has(folded));
    // A preposition alone: "en los condados de …".
    const isPlaced = at === 1 && PLACED.has(last.folded) && !isFront(own, tokens.slice(at), lexicon);
    if (!isFilled && !isPlaced && !ENDS.has(last.folded) && !endsWithPurpose(tokens.slice(0, at))) continue;
    const found = { from: part.from, to: part.from + last.to };
    const words = tokens.slice(0, at).flatMap(({ sort, folded }) => (sort === 'word' ? [folded] : []));
    // "permits in", but not "permits expired in"
    const isUsed = words.slice(-2).some((word) => USES.has(word));
    const isSpoken = isFilled || isPlaced || isUsed || words.some((word) => SUBJECTS.has(word));
    return isSpoken && saysNothing(text, found, lexicon) ? found : null;
  }
  return null;
}

/** Whether words end with a verb and what the area is for: "(wir) brauchen für unsere Spedition". */
function endsWithPurpose(tokens: readonly Token[]): boolean {
  const at = tokens.findLastIndex(({ folded }) => VERBS.has(folded));
  return at >= 0 && PURPOSES.has(tokens[at + 1]?.folded ?? '') && tokens.length - at <= MOST_PURPOSE;
}

/** What an area is for, at the end of a sentence: "para el reparto". Null if nothing is. */
function behind(text: string, part: Part, lexicon: Pick<Lexicon, 'has'>): Part | null {
  let end = part.to;
  while (end > part.from && /[.!?\s]/u.test(text.charAt(end - 1))) end--;
  const own = text.slice(part.from, end);
  const tokens = tokensOf(own);
  for (let at = tokens.length - 2; at > Math.max(0, tokens.length - MOST_BEHIND); at--) {
    const token = tokens[at];
    if (token?.sort !== 'word') return null;
    if (!PURPOSES.has(token.folded)) continue;
    const found = { from: part.from + token.from, to: part.from + own.length };
    return saysNothing(text, found, lexicon) ? found : null;
  }
  return null;
}

/** Whether a heading speaks of someone or begins or ends with a preposition: "per our call:", not "lakes of the area:". */
function isSpokenHeading(heading: string): boolean {
  const words = tokensOf(heading).filter(({ sort }) => sort === 'word');
  const [first, last] = [words[0]?.folded ?? '', words.at(-1)?.folded ?? ''];
  return (
    words.length > 1 && (NO_NAMES.has(first) || ENDS.has(last) || words.some(({ folded }) => SUBJECTS.has(folded)))
  );
}

/** Who signs a letter, also with a name that is that of a place. */
const SIGNATURE = /^\s{0,3}(?:\p{Lu}[\p{Ll}.'’-]{0,20}\s{0,2}){1,4}$/u;

/** The parts in front of an area that end with a colon and name none, with the subject and the signature of a letter. */
function headingsIn(text: string, parts: readonly Part[], lexicon: Pick<Lexicon, 'has'>): Set<Part> {
  const left = new Set<Part>();
  for (const [i, part] of parts.entries()) {
    const next = parts[i + 1];
    const own = text.slice(part.from, part.to).trim();
    if (!next || !own.endsWith(':')) continue;
    const word = foldName(own.slice(0, -1).trim());
    const { subject, body, signed } = LETTER_HEADINGS;
    const isSubject = i === 0 && subject.has(word) && parts.length > 2 && saysNothing(text, next, lexicon);
    const isSigned = signed.has(word) && SIGNATURE.test(text.slice(next.from, next.to));
    if (isSubject || isSigned) left.add(part).add(next);
    else if (body.has(word)) left.add(part);
    else if (
      parts.slice(0, i).every((one) => left.has(one) || (isSentence(text, one) && saysNothing(text, one, lexicon)))
    ) {
      const isSpoken = isSpokenHeading(own) || before(text, next, lexicon) !== null;
      if (isSpoken && saysNothing(text, part, lexicon)) left.add(part);
    }
  }
  return left;
}

/**
 * A message without the sentences, and the words around the area, that name no place and choose nothing, at the same
 * offsets. Null if there are none, or if nothing else is left.
 */
export function withoutMessage(given: string, lexicon: Pick<Lexicon, 'has'>): Message | null {
  if (given.length > MOST_CHARACTERS) return null;
  const [reference = ''] = REFERENCE.exec(given) ?? [];
  const whole = ' '.repeat(reference.length) + given.slice(reference.length);
  const labeled = withoutLabel(
    whole,
    (part) => saysNothing(whole, part, lexicon),
    (tokens, at) => isNameAt(whole, tokens, at, lexicon),
  );
  const text = labeled?.text ?? whole;
  const sentences = sentencesOf(text);
  const headings = headingsIn(text, sentences, lexicon);
  const isLeft = (part: Part): boolean =>
    headings.has(part) || (isSentence(text, part) && saysNothing(text, part, lexicon));
  const kept = sentences.filter((part) => !isLeft(part));
  if (kept.length === 0) return null;
  const left = [
    ...sentences.filter((part) => !kept.includes(part)),
    ...kept.flatMap((part) => [before(text, part, lexicon), behind(text, part, lexicon)]),
  ].flatMap((part) => part ?? []);
  if (left.length === 0 && reference === '' && labeled === null) return null;
  let written = text;
  for (const { from, to } of left) written = written.slice(0, from) + ' '.repeat(to - from) + written.slice(to);
  const words = [reference, labeled?.label ?? '', ...left.map(({ from, to }) => text.slice(from, to))].map((one) =>
    one.trim(),
  );
  const quoted = words.filter((one) => /[\p{L}\p{N}]/u.test(one));
  return quoted.length === 0 ? null : { text: written, leftOut: quoted };
}
