/** A number of a list before a name: "12. Saarland", "3) Kerry". */
const LIST_NUMBER = /^\d{1,4}\s?[.)]\s?(?=\p{L})/u;
/** The mark of a note at the end: "[1]", "(2)", "¹", "*", "†". */
const NOTE_MARK = /(?:\[[\da-z]{1,3}\]|\(\d{1,2}\)|[¹²³⁰⁴-⁹*†‡§])$/iu;
/** Marks that a name can have. */
const MOST_MARKS = 8;

/** A name without the number of a list before it and the marks of notes behind it, as tables that were copied have them. */
export function withoutNotes(name: string): string {
  let text = name.trim().replace(LIST_NUMBER, '');
  for (let marks = 0; marks < MOST_MARKS && NOTE_MARK.test(text); marks++) text = text.replace(NOTE_MARK, '').trimEnd();
  return text.trim();
}
