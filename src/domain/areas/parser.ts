import { defined } from '../../common/elements.ts';
import { foldName } from '../names/fold.ts';
import { isPlaceCode } from '../names/place_names.ts';
import type { Expression, Words } from './algebra.ts';
import { clip, DescriptionError } from './description_error.ts';
import { LESS } from './separated.ts';
import { foldsOf, isCode, type Lexicon, MOST_WORDS, spansFrom } from './spans.ts';
import type { Token } from './tokens.ts';
import { GRAMMAR_WORDS } from './vocabulary/languages.ts';
import type { Phrase, Vocabulary } from './vocabulary/vocabulary.ts';
import { type Sentence, said, termOf } from './wording/said.ts';

/** Lists of phrases by their first words. The lists of a vocabulary are constant: each is divided once. */
const divided = new WeakMap<readonly Phrase[], ReadonlyMap<string, readonly Phrase[]>>();

/** Returns phrases by their first word, in their order. A description compares a list with each of its words. */
function byFirstWord(phrases: readonly Phrase[]): ReadonlyMap<string, readonly Phrase[]> {
  const known = divided.get(phrases);
  if (known) return known;
  const groups = new Map<string, Phrase[]>();
  for (const phrase of phrases) {
    const [first] = phrase;
    if (first === undefined) continue;
    const group = groups.get(first);
    if (group) group.push(phrase);
    else groups.set(first, [phrase]);
  }
  divided.set(phrases, groups);
  return groups;
}

/**
 * The state of parsing a description: its tokens, the position among them, and what was found so far. Rules of the
 * grammar are functions of it (grammar.ts has the first); its methods match tokens and phrases of the language.
 */
export class Parser {
  readonly choices: Sentence[] = [];
  readonly pairs: [Expression, Expression][] = [];
  /** Number of words of names that the lexicon does not have. */
  unknown = 0;
  at = 0;
  nested = 0;
  /** Whether the excluded part is being parsed. */
  excluding = false;
  base: readonly Expression[] = [];
  /** What something is being left out of. */
  reduced: Expression | null = null;
  /** Whether "both" opened a list, and whether a heading says that commas divide places. */
  isBoth = false;
  isListing = false;
  /** Whether two ranks of one set are read: "the largest and smallest provinces" are one of each. */
  isOneEach = false;
  /** Whether words behind an exclusion may add to the whole here, and whether those count that may also go on with it. */
  mayAdd = false;
  addsPerhaps = false;
  /** Whether such a word was read as adding. */
  hasAdded = false;
  /** Whether the first of a list is left alone by a level and a container behind the last, and whether it might be. */
  splitsLists = false;
  hasShared = false;
  /** What a set in front of which it is named is in: "in Texas, the three largest counties". Null where a step took it. */
  front: Expression | null = null;
  /** The group that "non-" in front of it leaves out of the set that is read. */
  apart: Expression | null = null;
  readonly text: string;
  /** The text as errors and plans quote it, at the same offsets. */
  readonly quoted: string;
  readonly tokens: readonly Token[];
  readonly v: Vocabulary;
  readonly lexicon: Lexicon;
  /** Tokens that are codes of places in a list: "WA, OR and IN". */
  private readonly codes: ReadonlySet<number>;
  private readonly having = new Map<(token: Token) => boolean, boolean>();
  /** The rule for a whole description, or what is in brackets. */
  readonly region: (parser: Parser) => Expression;

  /**
   * @param region the rule for a whole description, which also parses what is in brackets
   * @param quoted the text as it was written, if names in it have other endings
   */
  constructor(
    text: string,
    tokens: readonly Token[],
    vocabulary: Vocabulary,
    lexicon: Lexicon,
    region: (parser: Parser) => Expression,
    quoted = text,
  ) {
    this.text = text;
    this.quoted = quoted;
    this.tokens = /^[.;]$/.test(tokens.at(-1)?.folded ?? '') ? tokens.slice(0, -1) : tokens;
    this.v = vocabulary;
    this.lexicon = lexicon;
    this.region = region;
    this.codes = new Set([...this.tokens.keys()].filter((i) => this.isListedCode(i)));
  }

  /** Whether one of the tokens fits a test, which is a constant: each is asked once. */
  hasToken(is: (token: Token) => boolean): boolean {
    const known = this.having.get(is) ?? this.tokens.some(is);
    this.having.set(is, known);
    return known;
  }

  /** Whether a token is a code in a list of places, and no word of the language. */
  isCodeAt(i: number): boolean {
    return this.codes.has(i);
  }

  private isListedCode(i: number): boolean {
    const token = this.tokenAt(i);
    if (token.sort !== 'word' || !/^\p{Lu}{2}$/u.test(token.text) || !isPlaceCode(token.folded)) return false;
    const joins = (other: Token | undefined): boolean =>
      other === undefined ||
      /^[,;:/+&()·•|∖∋]$/.test(other.folded) ||
      [...this.v.and, ...this.v.or, ...this.v.without].some(
        (phrase) => phrase.length === 1 && phrase[0] === other.folded && other.text !== other.text.toUpperCase(),
      );
    // "Clackamas and Marion counties OR", "Kern County CA and Kings County CA", "Travis TX; Tulsa OK"
    const isBehind = this.isLevelAt(i - 1, i === this.tokens.length - 1 ? 'many' : 'one') || this.isNamedWithin(i);
    return ((isBehind || joins(this.tokens[i - 1])) && joins(this.tokens[i + 1])) || this.isDivided(i, joins);
  }

  /** Whether a code is divided into boundaries of a level: "the largest GA counties", "counties of GA that border Florida". */
  private isDivided(i: number, joins: (other: Token | undefined) => boolean): boolean {
    const isGrammar = (at: number) => joins(this.tokens[at]) || GRAMMAR_WORDS.has(defined(this.tokens[at]).folded);
    if (GRAMMAR_WORDS.has(this.tokenAt(i).folded) && this.text === this.text.toUpperCase()) return false;
    // "GA, FL and AL counties" are a list of codes.
    const first = this.tokens[i - 2];
    const isListed = joins(this.tokens[i - 1]) && first !== undefined && isCode(first);
    if (this.isLevelAt(i + 1, 'many')) return isGrammar(i - 1) && !isListed;
    const before = this.tokens[i - 1]?.folded ?? '';
    const isBehind = [...this.v.of, ...this.v.inside].some((phrase) => phrase.length === 1 && phrase[0] === before);
    return isBehind && this.isLevelAt(i - 2, 'many') && isGrammar(i + 1);
  }

  /** Whether the words in front of a code are a name in what the code means. */
  private isNamedWithin(i: number): boolean {
    const { folded: code, to } = this.tokenAt(i);
    for (const { from, sort } of this.tokens.slice(Math.max(0, i - MOST_WORDS), i).reverse()) {
      if (sort !== 'word') return false;
      const name = foldName(this.text.slice(from, to).slice(0, -code.length));
      if (['inside', 'both', 'beside'].includes(this.lexicon.relation(name, code) ?? '')) return true;
    }
    return false;
  }

  /** Whether a token is a word for a level, by itself, in the singular or (`many`) in any number. */
  private isLevelAt(i: number, number: 'one' | 'many'): boolean {
    const word = this.tokens[i]?.folded;
    return [...this.v.levels.values()].some(({ one, many }) =>
      [...one, ...(number === 'many' ? many : [])].some((phrase) => phrase.length === 1 && phrase[0] === word),
    );
  }

  /** Returns the token at an index that exists. */
  tokenAt(i: number): Token {
    return defined(this.tokens[i]);
  }

  words(from: number, to = this.at - 1): Words {
    const last = this.tokenAt(Math.max(from, Math.min(to, this.tokens.length - 1)));
    const first = this.tokenAt(Math.min(from, this.tokens.length - 1));
    // A declined name is longer than the one that is read.
    let end = last.to;
    while (this.quoted !== this.text && /\p{L}/u.test(this.quoted.charAt(end))) end++;
    return { text: this.quoted.slice(first.from, end), from: first.from, to: end };
  }

  fail(message: Sentence, from = this.at, to = from): never {
    if (from >= this.tokens.length) {
      const end = this.text.length;
      throw new DescriptionError(said`Something is missing at the end of "${clip(this.text)}": ${termOf(message)}.`, {
        text: '',
        from: end,
        to: end,
      });
    }
    const words = this.words(from, to);
    throw new DescriptionError(said`"${clip(words.text)}" (character ${words.from + 1}) ${termOf(message)}.`, words);
  }

  /** Returns the index after a phrase that matches at `at`, or null. */
  peek(phrase: Phrase, at = this.at): number | null {
    if (phrase.length === 0) return null;
    for (let i = 0; i < phrase.length; i++)
      if (this.tokens[at + i]?.folded !== phrase[i] || this.codes.has(at + i)) return null;
    return at + phrase.length;
  }

  /** Returns the index after the first of some phrases that matches at `at`, or null. */
  find(phrases: readonly Phrase[], at = this.at): number | null {
    const first = this.tokens[at]?.folded;
    if (first === undefined) return null;
    for (const phrase of byFirstWord(phrases).get(first) ?? []) {
      const end = this.peek(phrase, at);
      if (end !== null) return end;
    }
    return null;
  }

  take(phrases: readonly Phrase[]): boolean {
    const end = this.find(phrases);
    if (end === null) return false;
    this.at = end;
    return true;
  }

  sign(...signs: string[]): boolean {
    const token = this.tokens[this.at];
    if (token?.sort !== 'sign' || !signs.includes(token.folded)) return false;
    this.at++;
    return true;
  }

  /**
   * Parses a description in brackets. Returns null if no bracket opens here.
   * @throws DescriptionError when the bracket does not close
   */
  inBrackets(): Expression | null {
    if (!this.sign('(')) return null;
    const inner = this.region(this);
    if (!this.sign(')')) this.fail('a closing bracket is expected');
    return inner;
  }

  /** Runs a rule; if it returns null, restores the position. */
  attempt<T>(rule: () => T | null): T | null {
    const { at, unknown } = this;
    const said = this.choices.length;
    const result = rule();
    if (result === null) {
      this.at = at;
      this.unknown = unknown;
      this.choices.length = said;
    }
    return result;
  }

  separator(): boolean {
    const start = this.at;
    if (this.sign(';')) {
      while (this.sign(';'));
      this.take(this.v.and);
      return true;
    }
    if (this.sign('+', '&', '…', '*', '•', '·')) return true;
    // "PA/DE/MD"
    if (this.isCodeAt(this.at - 1) && this.isCodeAt(this.at + 1) && this.sign('/')) return true;
    if (this.isNameBehindSlash() && this.sign('/')) return true;
    const comma = this.sign(',');
    if (comma && this.sign('&', '+')) return true;
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
    if (this.take(this.v.or) || (this.isBoth && this.take(this.v.bothAnd))) return true;
    if (comma) return true;
    this.at = start;
    return false;
  }

  /** Whether a slash between two names is here: "Huesca/Teruel". */
  private isNameBehindSlash(): boolean {
    const next = this.at + 1;
    if (this.tokens[this.at]?.folded !== '/' || this.tokens[this.at - 1]?.sort !== 'word') return false;
    if (this.tokens[next]?.sort !== 'word') return false;
    return spansFrom(this.tokens, next).some((end) =>
      foldsOf(this.text, this.tokens, next, end).some((folded) => this.lexicon.has(folded)),
    );
  }

  /** Takes a minus sign among plus signs: "Nevada + Utah - Clark County". */
  minus(): boolean {
    if (this.tokens[this.at]?.sort !== 'sign') return false;
    if (this.sign(LESS)) return true;
    return this.tokens.some(({ folded }) => folded === '+') && this.sign('-', '−', '–');
  }

  /** Whether a list continues at a token with a code. */
  isListedWithCode(at: number): boolean {
    const start = this.at;
    this.at = at;
    const listed = this.separator() && this.isCodeAt(this.at);
    this.at = start;
    return listed;
  }

  /** Whether a list continues at a token. */
  isListed(at: number): boolean {
    const start = this.at;
    this.at = at;
    const listed = this.separator();
    this.at = start;
    return listed;
  }
}
