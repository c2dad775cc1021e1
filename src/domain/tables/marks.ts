import { decoded } from './spoiled.ts';

/** A number in front of a name: that of a list ("12. Saarland", "3) Kerry"), or a code of digits ("01 Araba"). */
const NUMBER = /^\d{1,6}(?:[.)]\s?|\s?[-–:]\s?|\s)(?=\p{L})/u;
/** Signs by which lists of offices show how deep a line is: "......0001 Aeugst", ">> Affoltern", "· Madrid". */
const DEPTH = /^(?:\.{2,}|…+|>{1,4}|»+|·+|•+|–+|—+|-+\s)\s*(?=[\p{L}\d])/u;
/** The sign before a text by which lists show how deep a line is; empty for most texts. */
export const depthMark = (text: string): string => (DEPTH.exec(text.trim())?.[0] ?? '').trim();

/**
 * Which texts of a column have another sign of depth than most: those of a canton above its municipalities. None where all
 * have the same.
 */
export function atOtherDepth(texts: readonly string[]): ReadonlySet<number> {
  const marks = texts.map(depthMark);
  const counts = new Map<string, number>();
  for (const mark of marks) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  const [most = ''] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  return new Set(marks.flatMap((mark, i) => (mark === most ? [] : [i])));
}

/** A mark of a note at the end of a name: "[1]", "(2)", "¹", "*", "†". */
const NOTE_MARK = /(?:\[[\da-z]{1,3}\]|\(\d{1,2}\)|[¹²³⁰⁴-⁹*†‡§])$/iu;

/**
 * A name without the number in front of it and the marks of notes behind it, and with the letters that it had before a
 * program spoiled them, for tables that were copied.
 */
export function withoutNotes(name: string): string {
  let rest = decoded(name).trim().replace(DEPTH, '').replace(NUMBER, '').trim();
  for (let mark = NOTE_MARK.exec(rest); mark !== null && mark.index > 0; mark = NOTE_MARK.exec(rest)) {
    rest = rest.slice(0, mark.index).trimEnd();
  }
  return rest;
}

/** A number in front as people count: "#3 ", "(12) ", "3º ", "5.- ", "6_", "8|", "Nr. 7 "; and a mark: "*", "•". */
const COUNTED =
  /^(?:[*•·►#–-]\s?|(?:nº|n°|no\.|nr\.|num\.)\s?\d{1,4}[.:)]?\s|[#(]?\d{1,4}(?:\)|º|ª|°|\.-|\.|_|\||\s)\s?)(?=[\p{L}(])/iu;
/** A note behind: "(a)", "a)", "2)", "1/", "[note 2]", "(1,2)", ",²", "#", and a digit that was raised: "Kosovo1". */
const NOTED =
  /(?:\([a-z]\)|\s[a-z]\)|\s\d{1,2}\)|\s\d{1,2}\/|\[(?:note|nota|anm\.?)\s?\d{1,2}\]|\(\d{1,2}(?:,\s?\d{1,2}){1,4}\)|[,;#¹²³⁰⁴-⁹]|(?<=\p{L}{4})\d)$/iu;
/** A number of people behind, with four digits or more: "(421,878)", "[133 883]", ": 203'856", " - 688.592 hab.", "(pop. 12,000)". */
const PEOPLE =
  /(?:\s?[([]|:\s?|\s[-–]\s|\s)(?:(?:pop|population|einw|hab|ab)[.:]?\s)?(?:\d{4,9}|\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3}){1,3})(?:\s\p{L}{2,12}\.?)?[)\]]?$/iu;
/** Marks that are taken away, at most, one after another. */
const MOST_MARKS = 4;

/**
 * A name without what else lists put around it: numbers, marks of notes and the number of its people. What is taken away may
 * be part of a name or tell places apart ("Coruña (A)"), so that it is looked up last. Null if there is nothing of the kind.
 */
export function withoutMarks(name: string): string | null {
  let rest = name.trim();
  for (let times = 0; times < MOST_MARKS; times++) {
    const less = rest.replace(COUNTED, '').replace(PEOPLE, '').replace(NOTED, '').trim();
    if (less === rest || !/\p{L}{2}/u.test(less)) break;
    rest = less;
  }
  return rest === name.trim() ? null : rest;
}
