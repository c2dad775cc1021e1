/** A number of a list before a name: "12. Saarland", "3) Kerry". */
const LIST_NUMBER = /^\s*\d{1,4}\s*[.)]\s*(?=\p{L})/u;
/** Marks of notes behind a name: "[1]", "(2)", "¹", "*", "†". */
const NOTE_MARKS = /(?:\s*(?:\[[\da-z]{1,3}\]|\(\d{1,2}\)|[¹²³⁰⁴-⁹]+|[*†‡§]+))+\s*$/iu;

/** A name without the number of a list before it and the marks of notes behind it, as tables that were copied have them. */
export function withoutNotes(name: string): string {
  return name.replace(LIST_NUMBER, '').replace(NOTE_MARKS, '').trim();
}
