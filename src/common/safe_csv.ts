/** Beginnings of cells that spreadsheets take for a formula. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/u;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\r?$/i;
/** The longest number that is looked for, in characters. */
const NUMBER_LENGTH = 40;

/** Help text of the flag. */
export const SAFE_CSV = "put ' before cells of a CSV file that a spreadsheet would take for a formula";

/**
 * A CSV text in which each cell that begins with = + - @ or a tab, and is not a number, begins with an apostrophe, so
 * that spreadsheets show it as text. All else is unchanged. The text consists of whole records.
 */
export function safeCsv(text: string, separator = ','): string {
  const parts: string[] = [];
  let kept = 0;
  for (let at = 0; at < text.length; ) {
    const isQuoted = text[at] === '"';
    const start = isQuoted ? at + 1 : at;
    const end = isQuoted ? closingQuote(text, start) : cellEnd(text, start, separator);
    if (FORMULA.test(text[start] ?? '') && end > start && !isNumber(text, start, end)) {
      parts.push(text.slice(kept, start), "'");
      kept = start;
    }
    at = (isQuoted ? cellEnd(text, end, separator) : end) + 1;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(kept);
}

const isNumber = (text: string, start: number, end: number): boolean =>
  end - start <= NUMBER_LENGTH && NUMBER.test(text.slice(start, end));

/** The place of the quote that ends a cell; the end of the text if there is none. */
function closingQuote(text: string, start: number): number {
  for (let at = start; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    if (text[at + 1] !== '"') return at;
  }
}

/** The place of the next separator or line break. */
function cellEnd(text: string, start: number, separator: string): number {
  for (let at = start; at < text.length; at++) if (text[at] === separator || text[at] === '\n') return at;
  return text.length;
}
