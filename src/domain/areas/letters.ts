import { foldName } from '../names/fold.ts';
import { isKnownPlace } from '../names/known_places.ts';
import { restrictionsIn } from './restricting.ts';
import { CLOSINGS, GREETINGS, TITLES } from './vocabulary/letters.ts';

// How a letter begins and ends: "Dear Ms Smith," and "Best regards, John".

/** Words of a name behind a greeting or a closing, and lines of a signature. */
const MOST_NAMES = 5;
const MOST_LINES = 4;
/** Characters of a closing with a name in one line. */
const MOST_SIGNED = 80;
/** Words of a phrase of vocabulary/letters.ts. */
const MOST_WORDS = 5;

/**
 * A description without the first line of a letter that addresses someone, and without its signature, with blanks in their
 * place. A name that is also that of a place stays: "Hi Georgia".
 */
export function withoutLetter(text: string): string {
  return withoutSignature(withoutAddress(text));
}

const blank = (text: string, from: number, to: number): string =>
  text.slice(0, from) + text.slice(from, to).replace(/[^\n]/gu, ' ') + text.slice(to);

function withoutAddress(text: string): string {
  const [first] = /^[^,:!\n]{1,80}(?:[,:!]|(?=\n))/u.exec(text) ?? [];
  if (first === undefined) return text;
  const rest = behindPhrase(first.replace(/[,:!]$/u, ''), GREETINGS);
  return rest !== null && isPerson(rest) ? blank(text, 0, first.length) : text;
}

function withoutSignature(text: string): string {
  const lines = [...text.matchAll(/[^\n]+/gu)].filter(({ 0: line }) => line.trim() !== '');
  for (const { 0: line, index } of lines.slice(1).slice(-MOST_LINES)) {
    const rest = behindPhrase(line, CLOSINGS);
    const names = lines.filter((other) => other.index > index).map(({ 0: name }) => name);
    if (rest !== null && [rest, ...names].every(isPerson)) return blank(text, index, text.length);
  }
  // "…, best regards, John"
  const least = text.length - MOST_SIGNED;
  for (const { 0: sign, index } of text.matchAll(/[.!?,;\n]/gu)) {
    const rest = index < least ? null : behindPhrase(text.slice(index + 1), CLOSINGS);
    const from = /[,;]/u.test(sign) ? index : index + 1;
    if (rest !== null && /\p{L}/u.test(rest) && isPerson(rest)) return blank(text, from, text.length);
  }
  return text;
}

/** What follows a phrase that a text begins with; null if it begins with none. */
function behindPhrase(text: string, phrases: ReadonlySet<string>): string | null {
  const words = [...text.matchAll(/[\p{L}\p{M}]+/gu)].slice(0, MOST_WORDS);
  for (let count = words.length; count > 0; count--) {
    const last = words[count - 1];
    if (last === undefined) return null;
    const end = last.index + last[0].length;
    // "HI" is Hawaii.
    if (count === 1 && last[0] === 'HI') return null;
    if (phrases.has(foldName(text.slice(0, end)))) return text.slice(end);
  }
  return null;
}

/** Whether words are the name of a person with titles, or nothing: of no place that is known. */
function isPerson(text: string): boolean {
  const words = text.match(/[\p{L}\p{M}'’-]+/gu) ?? [];
  // "Cheers County" is a county.
  if (words.length > MOST_NAMES || restrictionsIn(text, true).length > 0 || /[\p{N};:()+&]/u.test(text)) return false;
  const names = words.filter((word) => !TITLES.has(foldName(word)));
  if (names.some((word) => !/^\p{Lu}\p{Ll}/u.test(word) && !/^\p{Lu}$/u.test(word))) return false;
  return (
    names.length === 0 || (!isKnownPlace(foldName(names.join(' '))) && !/,/u.test(text.trim().replace(/^,|,$/gu, '')))
  );
}
