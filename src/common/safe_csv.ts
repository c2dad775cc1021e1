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
  const escaper = new FormulaEscaper(separator);
  return escaper.push(text) + escaper.end();
}

/** The same of a text in UTF-8 that arrives in parts, wherever they are cut. Without a separator that of its first line. */
export async function* safeCsvParts(
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  separator?: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let escaper = separator === undefined ? null : new FormulaEscaper(separator);
  let head = '';
  for await (const part of parts) {
    let text = decoder.decode(part, { stream: true });
    if (escaper === null) {
      head += text;
      if (!head.includes('\n') && head.length < LONGEST_HEAD) continue;
      escaper = new FormulaEscaper(separatorOf(head));
      text = head;
    }
    const safe = escaper.push(text);
    if (safe !== '') yield Buffer.from(safe);
  }
  escaper ??= new FormulaEscaper(separatorOf(head));
  const rest = (head.includes('\n') ? '' : escaper.push(head)) + escaper.push(decoder.decode()) + escaper.end();
  if (rest !== '') yield Buffer.from(rest);
}

/** Characters in which the first line is looked for. */
const LONGEST_HEAD = 1_000_000;

/** The separator that the first line of a table has most often; a comma if it has none. */
function separatorOf(text: string): string {
  const head = text.split('\n', 1)[0] ?? '';
  const counts = [',', ';', '|', '\t'].map((sign) => ({ sign, count: head.split(sign).length }));
  return counts.sort((a, b) => b.count - a.count)[0]?.sign ?? ',';
}

/** Escapes formulas of a CSV text that arrives in parts. */
class FormulaEscaper {
  private readonly separator: string;
  private state: 'start' | 'plain' | 'quoted' = 'start';
  /** The start of a cell that is not decided, or a quote that may be doubled. */
  private held = '';

  constructor(separator: string) {
    this.separator = separator;
  }

  /** The next part, without what is not decided yet. */
  push(part: string): string {
    return this.read(this.held + part, false);
  }

  end(): string {
    return this.read(this.held, true);
  }

  private read(text: string, last: boolean): string {
    this.held = '';
    const parts: string[] = [];
    let kept = 0;
    let at = 0;
    while (at < text.length) {
      if (this.state === 'start') {
        if (!last && text.length - at < NUMBER_LENGTH + 4) break;
        const isQuoted = text[at] === '"';
        const start = isQuoted ? at + 1 : at;
        if (FORMULA.test(text[start] ?? '') && this.isText(text, start, isQuoted)) {
          parts.push(text.slice(kept, start), "'");
          kept = start;
        }
        this.state = isQuoted ? 'quoted' : 'plain';
        at = start;
      } else if (this.state === 'quoted') {
        at = text.indexOf('"', at);
        if (at < 0) at = text.length;
        else if (at === text.length - 1 && !last) break;
        else if (text[at + 1] === '"') at += 2;
        else {
          this.state = 'plain';
          at++;
        }
      } else {
        at = cellEnd(text, at, this.separator);
        if (at === text.length) break;
        this.state = 'start';
        at++;
      }
    }
    this.held = text.slice(at);
    parts.push(text.slice(kept, at));
    return parts.join('');
  }

  /** Whether a cell that begins as a formula does is not empty and not a number. */
  private isText(text: string, start: number, isQuoted: boolean): boolean {
    const rest = text.slice(start, start + NUMBER_LENGTH + 2);
    const end = isQuoted ? closingQuote(rest, 0) : cellEnd(rest, 0, this.separator);
    return end > 0 && !isNumber(rest, 0, end);
  }
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
