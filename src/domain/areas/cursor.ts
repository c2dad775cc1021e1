import { defined } from '../../common/elements.ts';
import type { Expression, Words } from './algebra.ts';
import { clip, DescriptionError } from './misread.ts';
import type { Lexicon } from './spans.ts';
import type { Token } from './tokens.ts';
import type { Phrase, Vocabulary } from './vocabulary/vocabulary.ts';

/** The position of a parser in a description: its tokens, and how phrases of the language match them. */
export class Cursor {
  readonly choices: string[] = [];
  readonly pairs: [Expression, Expression][] = [];
  /** Number of words of names that the lexicon does not have. */
  unknown = 0;
  protected at = 0;
  protected nested = 0;
  /** Whether the excluded part is being parsed. */
  protected excluding = false;
  protected base: readonly Expression[] = [];
  protected readonly text: string;
  protected readonly tokens: readonly Token[];
  protected readonly v: Vocabulary;
  protected readonly lexicon: Lexicon;

  constructor(text: string, tokens: readonly Token[], vocabulary: Vocabulary, lexicon: Lexicon) {
    this.text = text;
    this.tokens = tokens.at(-1)?.folded === '.' ? tokens.slice(0, -1) : tokens;
    this.v = vocabulary;
    this.lexicon = lexicon;
  }

  /** Returns the token at an index that exists. */
  protected tokenAt(i: number): Token {
    return defined(this.tokens[i]);
  }

  protected words(from: number, to = this.at - 1): Words {
    const last = this.tokenAt(Math.max(from, Math.min(to, this.tokens.length - 1)));
    const first = this.tokenAt(Math.min(from, this.tokens.length - 1));
    return { text: this.text.slice(first.from, last.to), from: first.from, to: last.to };
  }

  protected fail(message: string, from = this.at, to = from): never {
    if (from >= this.tokens.length) {
      const end = this.text.length;
      throw new DescriptionError(`Something is missing at the end of "${clip(this.text)}": ${message}.`, {
        text: '',
        from: end,
        to: end,
      });
    }
    const words = this.words(from, to);
    throw new DescriptionError(`"${clip(words.text)}" (character ${words.from + 1}) ${message}.`, words);
  }

  /** Returns the index after a phrase that matches at `at`, or null. */
  protected peek(phrase: Phrase, at = this.at): number | null {
    if (phrase.length === 0 || at + phrase.length > this.tokens.length) return null;
    for (let i = 0; i < phrase.length; i++) if (this.tokenAt(at + i).folded !== phrase[i]) return null;
    return at + phrase.length;
  }

  protected find(phrases: readonly Phrase[], at = this.at): number | null {
    for (const phrase of phrases) {
      const end = this.peek(phrase, at);
      if (end !== null) return end;
    }
    return null;
  }

  protected take(phrases: readonly Phrase[]): boolean {
    const end = this.find(phrases);
    if (end === null) return false;
    this.at = end;
    return true;
  }

  protected sign(...signs: string[]): boolean {
    const token = this.tokens[this.at];
    if (token?.sort !== 'sign' || !signs.includes(token.folded)) return false;
    this.at++;
    return true;
  }

  /** Runs a rule; if it returns null, restores the position. */
  protected attempt<T>(rule: () => T | null): T | null {
    const { at, unknown } = this;
    const result = rule();
    if (result === null) {
      this.at = at;
      this.unknown = unknown;
    }
    return result;
  }

  protected separator(): boolean {
    const start = this.at;
    if (this.sign(';', '+', '&')) return true;
    const comma = this.sign(',');
    if (this.excluding && this.take(this.v.nor)) return true;
    // "Vaduz with its neighbors"
    const at = this.at;
    if (this.take(this.v.alongWith) && this.find([...this.v.its, ...this.v.their]) !== null) return true;
    this.at = at;
    // "and" and "or" may follow a comma; "and/or" has a slash.
    if (this.take(this.v.and)) {
      if (this.sign('/')) this.take(this.v.or);
      return true;
    }
    if (this.take(this.v.or)) return true;
    if (comma) return true;
    this.at = start;
    return false;
  }

  /** Whether a list continues at a token. */
  protected isListed(at: number): boolean {
    const start = this.at;
    this.at = at;
    const listed = this.separator();
    this.at = start;
    return listed;
  }
}
