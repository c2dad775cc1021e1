/** A number of a list before a name: "12. Saarland", "3) Kerry". */
const LIST_NUMBER = /^\d{1,4}[.)](?=\s?\p{L})/u;
/** A mark of a note at the end of a name: "[1]", "(2)", "¹", "*", "†". */
const NOTE_MARK = /(?:\[[\da-z]{1,3}\]|\(\d{1,2}\)|[¹²³⁰⁴-⁹*†‡§])$/iu;

/** A name without the number of a list before it and the marks of notes behind it, as tables that were copied have them. */
export function withoutNotes(name: string): string {
  let rest = name.trim().replace(LIST_NUMBER, '').trim();
  for (let mark = NOTE_MARK.exec(rest); mark !== null && mark.index > 0; mark = NOTE_MARK.exec(rest)) {
    rest = rest.slice(0, mark.index).trimEnd();
  }
  return rest;
}
