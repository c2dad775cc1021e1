import { foldName } from '../fold.ts';
import { readBoundaryId } from '../ids.ts';
import type { Direction, Expression, Level, LevelWord, Words } from './algebra.ts';
import { DIRECTIONS, LEVEL_WORDS } from './algebra.ts';
import { groupOf } from './groups.ts';
import { MOST_TOKENS, type Token, tokensOf } from './tokens.ts';
import { ADJECTIVES } from './vocabulary/adjectives.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';
import type { Around, Language, Phrase, Vocabulary } from './vocabulary/vocabulary.ts';

/** The names that are known, as a parse needs them. */
export interface Lexicon {
  /** Whether a boundary is called so; folded. */
  has(folded: string): boolean;
  /**
   * How two names may go together, both folded: `inside` where a boundary of the first lies in one of the second; `peers`
   * where both are above all the names of two boundaries of one kind; `both` where each may be meant.
   */
  relation(name: string, container: string): 'inside' | 'peers' | 'both' | null;
}

/** A description that was understood, with the ways in which else it may be read. */
export interface Parsed {
  readonly expression: Expression;
  readonly language: Language;
  /** What was decided among several readings, in words. */
  readonly choices: readonly string[];
  /** Words that are no known name. */
  readonly unknown: number;
  /** Two places with only a comma between them, neither known to lie in the other. */
  readonly pairs: readonly (readonly [Expression, Expression])[];
}

/** Why a description was not understood, with the words and their place. */
export class Misread extends Error {
  readonly words: Words;

  constructor(message: string, words: Words) {
    super(message);
    this.words = words;
  }
}

/** Words of a name. */
const MOST_WORDS = 9;
/** Brackets within each other. */
const MOST_NESTED = 8;

/** Every text of a description that may be a name, folded: what a lexicon has to be asked. */
export function possibleNames(text: string): string[] {
  const tokens = tokensOf(text).slice(0, MOST_TOKENS);
  const names = new Set<string>();
  for (let i = 0; i < tokens.length; i++) {
    for (const end of spansFrom(tokens, i)) {
      for (const folded of foldsOf(text, tokens, i, end)) names.add(folded);
    }
  }
  return [...names];
}

/** The pairs of a name and what may contain it, folded: "Paris, Texas". */
export function possibleContainments(text: string, has: Lexicon['has']): [string, string][] {
  const tokens = tokensOf(text).slice(0, MOST_TOKENS);
  const pairs = new Map<string, [string, string]>();
  for (let i = 1; i + 1 < tokens.length; i++) {
    if (tokens[i].folded !== ',') continue;
    const after = longestName(text, tokens, i + 1, has);
    if (after === null) continue;
    for (let start = i - 1; start >= Math.max(0, i - MOST_WORDS); start--) {
      if (tokens[start].sort === 'sign') break;
      for (let end = start; end < i; end++) {
        for (const name of foldsOf(text, tokens, start, end)) {
          if (has(name)) for (const container of after.folded) pairs.set(`${name}|${container}`, [name, container]);
        }
      }
    }
  }
  return [...pairs.values()];
}

/** Words of the grammar, in any of its languages, that are not names where they stand alone and small: "and" is Andorra's code. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap((v) => [
    v.and,
    v.or,
    v.without,
    v.articles,
    v.of,
    v.all,
    v.each,
    v.its,
    v.their,
    v.it,
    v.them,
    v.both,
    v.inside,
  ])
    .flat()
    .flatMap((words) => (words.length === 1 ? words : [])),
);

/** Ends (the last token) of what may be a name from a token on, longest first. */
function spansFrom(tokens: readonly Token[], start: number): number[] {
  if (tokens[start].sort !== 'word') return [];
  const ends: number[] = [];
  for (let end = start; end < Math.min(tokens.length, start + MOST_WORDS); end++) {
    if (tokens[end].sort === 'sign') break;
    ends.push(end);
  }
  return ends.reverse();
}

/** The folded forms of a span: as written, and without a possessive or genitive s behind an apostrophe. */
function foldsOf(text: string, tokens: readonly Token[], start: number, end: number): string[] {
  const folded = foldName(text.slice(tokens[start].from, tokens[end].to));
  if (folded === '' || (start === end && isSmall(tokens[start]))) return [];
  return folded.length > 4 && folded.endsWith('s') ? [folded, folded.slice(0, -1)] : [folded];
}

const isSmall = ({ text, folded }: Token): boolean => SMALL_WORDS.has(folded) && text === text.toLowerCase();

function longestName(text: string, tokens: readonly Token[], start: number, has: Lexicon['has']) {
  for (const end of start < tokens.length ? spansFrom(tokens, start) : []) {
    const folded = foldsOf(text, tokens, start, end);
    if (folded.some(has)) return { end, folded: folded.filter(has) };
  }
  return null;
}

/**
 * A description in English, Spanish, German or French as an expression. Each language is tried; what more than one
 * understands must mean the same. Pure: all it knows of names is the lexicon. Throws Misread that quotes the words which
 * are not understood.
 */
export function parseDescription(text: string, lexicon: Lexicon): Parsed {
  const tokens = tokensOf(text);
  const whole = { text: text.slice(0, 200), from: 0, to: text.length };
  if (tokens.every(({ sort }) => sort === 'sign')) throw new Misread('The description names no place.', whole);
  if (tokens.length > MOST_TOKENS) throw new Misread(`The description has more than ${MOST_TOKENS} words.`, whole);
  let best: Parsed | null = null;
  let unknown = Number.POSITIVE_INFINITY;
  let failure: { readonly error: Misread; readonly at: number } | null = null;
  for (const vocabulary of VOCABULARIES) {
    const parser = new Parser(text, tokens, vocabulary, lexicon);
    try {
      const expression = parser.parse();
      if (parser.unknown < unknown) {
        best = {
          expression,
          language: vocabulary.language,
          choices: parser.choices,
          pairs: parser.pairs,
          unknown: parser.unknown,
        };
        unknown = parser.unknown;
      }
    } catch (error) {
      if (!(error instanceof Misread)) throw error;
      if (failure === null || error.words.from > failure.at) failure = { error, at: error.words.from };
    }
  }
  // A language that fails at one place explains more than one that takes all for a single unknown name.
  if (best && (failure === null || unknown < tokens.length / 2)) return best;
  throw (failure as { error: Misread }).error;
}

type Numbered = { readonly value: number };

class Parser {
  readonly choices: string[] = [];
  readonly pairs: [Expression, Expression][] = [];
  /** Names that the lexicon does not have. */
  unknown = 0;
  private at = 0;
  private nested = 0;
  private base: readonly Expression[] = [];
  private readonly text: string;
  private readonly tokens: readonly Token[];
  private readonly v: Vocabulary;
  private readonly lexicon: Lexicon;

  constructor(text: string, tokens: readonly Token[], vocabulary: Vocabulary, lexicon: Lexicon) {
    this.text = text;
    this.tokens = tokens.at(-1)?.folded === '.' ? tokens.slice(0, -1) : tokens;
    this.v = vocabulary;
    this.lexicon = lexicon;
  }

  parse(): Expression {
    const region = this.region();
    if (this.at < this.tokens.length) this.fail('is not understood', this.at, this.tokens.length - 1);
    return region;
  }

  private words(from: number, to = this.at - 1): Words {
    const last = this.tokens[Math.max(from, Math.min(to, this.tokens.length - 1))];
    const first = this.tokens[Math.min(from, this.tokens.length - 1)];
    return { text: this.text.slice(first.from, last.to), from: first.from, to: last.to };
  }

  private fail(message: string, from = this.at, to = from): never {
    if (from >= this.tokens.length) {
      const end = this.text.length;
      throw new Misread(`Something is missing at the end of "${clip(this.text)}": ${message}.`, {
        text: '',
        from: end,
        to: end,
      });
    }
    const words = this.words(from, to);
    throw new Misread(`"${clip(words.text)}" (character ${words.from + 1}) ${message}.`, words);
  }

  /** Tokens behind a phrase that stands here, or null. */
  private peek(phrase: Phrase, at = this.at): number | null {
    if (phrase.length === 0 || at + phrase.length > this.tokens.length) return null;
    for (let i = 0; i < phrase.length; i++) if (this.tokens[at + i].folded !== phrase[i]) return null;
    return at + phrase.length;
  }

  private find(phrases: readonly Phrase[], at = this.at): number | null {
    for (const phrase of phrases) {
      const end = this.peek(phrase, at);
      if (end !== null) return end;
    }
    return null;
  }

  private take(phrases: readonly Phrase[]): boolean {
    const end = this.find(phrases);
    if (end === null) return false;
    this.at = end;
    return true;
  }

  private sign(...signs: string[]): boolean {
    const token = this.tokens[this.at];
    if (token?.sort !== 'sign' || !signs.includes(token.folded)) return false;
    this.at++;
    return true;
  }

  /** Runs a rule, or goes back to where it began when it gives null. */
  private attempt<T>(rule: () => T | null): T | null {
    const { at, unknown } = this;
    const result = rule();
    if (result === null) {
      this.at = at;
      this.unknown = unknown;
    }
    return result;
  }

  /** region := sum (WITHOUT sum)* */
  private region(): Expression {
    const from = this.at;
    let of = this.sum();
    for (;;) {
      const start = this.at;
      this.sign(',');
      if (!this.take(this.v.without)) {
        this.at = start;
        return of;
      }
      const outer = this.base;
      this.base = [of];
      this.take(this.v.of.filter((phrase) => phrase.length === 1 && (phrase[0] === 'de' || phrase[0] === 'von')));
      const minus = this.sum();
      this.base = outer;
      of = { op: 'difference', of, minus, words: this.words(from) };
    }
  }

  /** sum := item ((AND | OR | ',' | ';') item)* */
  private sum(): Expression {
    const from = this.at;
    this.take(this.v.both);
    const outer = this.base;
    const items: Expression[] = [this.item()];
    let comma = true;
    for (;;) {
      const start = this.at;
      if (!this.separator()) break;
      if (this.tokens[start].folded !== ',' || this.at > start + 1) comma = false;
      this.base = items;
      if (this.at >= this.tokens.length || this.find(this.v.without) !== null) {
        if (this.find(this.v.without) !== null) {
          this.at = start;
          break;
        }
        this.fail('a place is expected');
      }
      items.push(this.item());
    }
    this.base = outer.length > 0 ? outer : [];
    if (items.length === 1) return items[0];
    if (items.length === 2 && comma && items.every(({ op }) => op === 'place')) this.pairs.push([items[0], items[1]]);
    return { op: 'union', of: shareQualifier(items), words: this.words(from) };
  }

  private separator(): boolean {
    const start = this.at;
    if (this.sign(';', '+', '&')) return true;
    const comma = this.sign(',');
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

  private item(): Expression {
    if (++this.nested > MOST_NESTED * 3) this.fail('is nested too deep');
    try {
      return this.term();
    } finally {
      this.nested--;
    }
  }

  private term(): Expression {
    const from = this.at;
    if (this.sign('(')) {
      if (this.nested > MOST_NESTED * 2) this.fail('is nested too deep');
      const inner = this.region();
      if (!this.sign(')')) this.fail('a closing bracket is expected');
      return this.filters(this.postfix(inner, from), from);
    }
    const rules = [
      () => this.rankedOf(),
      () => this.anaphoric(),
      () => this.clip(),
      () => this.parts(),
      () => this.buffer(),
      () => this.containingOne(),
      () => this.members(),
      () => this.side(),
      () => this.neighbors(),
      () => this.capital(),
      () => this.adjectiveMembers(),
      () => this.place(),
    ];
    for (const rule of rules) {
      const found = this.attempt(rule);
      if (found) return this.postfix(found, from);
    }
    return this.whole() ?? this.unknownPlace();
  }

  /** "the 3 largest of (…)" */
  private rankedOf(): Expression | null {
    const from = this.at;
    this.take(this.v.articles);
    const rank = this.superlative();
    if (rank === null || rank.by === null || !this.take(this.v.of) || !this.sign('(')) return null;
    const of = this.region();
    if (!this.sign(')')) this.fail('a closing bracket is expected');
    return this.ranked(of, rank, from);
  }

  private whole(): Expression | null {
    return this.attempt(() => {
      if (!this.take(this.v.whole)) return null;
      this.take(this.v.articles);
      if (this.at >= this.tokens.length) return null;
      return this.item();
    });
  }

  /** Behind a place: "'s cantons", "'s neighbors", "'s capital". */
  private postfix(of: Expression, from: number): Expression {
    const found = this.attempt((): Expression | null => {
      const token = this.tokens[this.at];
      const possessive = token?.folded === 's' && token.glue === "'";
      if (possessive) this.at++;
      else if (!this.sign("'")) return null;
      const before = this.base.at(-1);
      // "Spain and France's neighbors" may be those of both.
      if (before?.op === 'place' || before?.op === 'group') {
        this.fail(
          'can be read in two ways together with what stands before it; put brackets around what belongs together',
          from,
        );
      }
      const words = () => this.words(from);
      if (this.take(this.v.neighbors)) return { op: 'neighbors', of, words: words() };
      if (this.take(this.v.capital)) return { op: 'capital', of, words: words() };
      if (this.take(this.v.neighboring)) {
        const level = this.level('many');
        return level && { op: 'neighbors', of, level, words: words() };
      }
      const rank = this.superlative();
      const level = this.level(rank?.single ? 'one' : 'many');
      if (!level) return null;
      const members: Expression = { op: 'children', of, level, words: words() };
      return this.filters(rank ? this.ranked(members, rank, from) : members, from);
    });
    return found ?? of;
  }

  /** An argument that is one place: "the neighbors of X", "within 5 km of X". */
  private argument(): Expression {
    const from = this.at;
    const it = this.anaphor(this.v.it, false) ?? this.anaphor(this.v.them, true);
    if (it) return it;
    const items = [this.single()];
    while (this.find(this.v.or) !== null && this.take(this.v.or)) items.push(this.single());
    const one: Expression = items.length === 1 ? items[0] : { op: 'union', of: items, words: this.words(from) };
    this.refuseMore(from);
    return one;
  }

  private single(): Expression {
    this.take(this.v.whole);
    if (this.sign('(')) {
      const inner = this.region();
      if (!this.sign(')')) this.fail('a closing bracket is expected');
      return inner;
    }
    for (const rule of [() => this.containingOne(), () => this.side(), () => this.capital(), () => this.place()]) {
      const found = this.attempt(rule);
      if (found) return found;
    }
    return this.unknownPlace();
  }

  /** "the north of A and B" may mean two things: brackets have to say which. */
  private refuseMore(from: number): void {
    const start = this.at;
    const more = this.separator();
    const next = this.tokens[this.at];
    const clear =
      !more || next === undefined || next.folded === '(' || this.find(this.v.without) !== null || this.startsPhrase();
    const end = this.at;
    this.at = start;
    if (!clear) {
      this.fail(
        'can be read in two ways together with what follows it; put brackets around what belongs together',
        from,
        end,
      );
    }
  }

  /** Whether something other than a bare place begins here: a level, "all", "its". */
  private startsPhrase(): boolean {
    const start = this.at;
    this.take(this.v.all) || this.take(this.v.articles);
    const rank = this.superlative();
    const phrase =
      rank !== null ||
      this.level('many') !== null ||
      this.find(this.v.its) !== null ||
      this.find(this.v.their) !== null ||
      this.find(this.v.neighbors) !== null ||
      this.sidedHalf() !== null;
    this.at = start;
    return phrase;
  }

  private anaphor(phrases: readonly Phrase[], plural: boolean): Expression | null {
    const from = this.at;
    if (!this.take(phrases)) return null;
    if (this.base.length === 0) {
      this.at = from;
      return null;
    }
    if (!plural && this.base.length > 1) this.fail('may mean several of the places before it', from);
    return this.base.length === 1 ? this.base[0] : { op: 'union', of: this.base, words: this.words(from) };
  }

  /** "its neighbors", "its capital", "their cantons". */
  private anaphoric(): Expression | null {
    const from = this.at;
    this.take(this.v.articles);
    for (const [level, phrases] of this.v.neighborLevels) {
      if (this.base.length === 1 && this.take(phrases)) {
        const after = this.at;
        if (!this.take(this.v.of)) return { op: 'neighbors', of: this.base[0], level, words: this.words(from) };
        this.at = after;
        return null;
      }
    }
    this.at = from;
    const of = this.anaphor(this.v.its, false) ?? this.anaphor(this.v.their, true);
    if (!of) return null;
    if (this.take(this.v.capital)) return { op: 'capital', of, words: this.words(from) };
    if (this.take(this.v.neighboring)) {
      const level = this.level('many');
      if (level) return { op: 'neighbors', of, level, words: this.words(from) };
      this.at--;
    }
    if (this.take(this.v.neighbors)) return { op: 'neighbors', of, words: this.words(from) };
    const level = this.level('many');
    if (level === null) this.fail('is not understood', from, this.at);
    // "sus provincias vecinas"
    if (this.take(this.v.neighboring)) return { op: 'neighbors', of, level, words: this.words(from) };
    return this.filters({ op: 'children', of, level, words: this.words(from) }, from);
  }

  private directionIn(table: ReadonlyMap<Direction, readonly Phrase[]>): Direction | null {
    let best: { readonly direction: Direction; readonly end: number } | null = null;
    for (const direction of DIRECTIONS) {
      const end = this.find(table.get(direction) ?? []);
      if (end !== null && (best === null || end > best.end)) best = { direction, end };
    }
    if (best) this.at = best.end;
    return best?.direction ?? null;
  }

  /** "northern half", "mitad norte"; a quarter has two directions. */
  private sidedHalf(): Direction | null {
    return this.attempt(() => {
      this.take(this.v.articles);
      let direction = this.directionIn(this.v.sided);
      const half = this.take(this.v.half);
      if (!half && !this.take(this.v.quarter)) return null;
      direction ??= this.directionIn(this.v.sided);
      if (direction === null) return null;
      if (half !== DIRECTIONS.indexOf(direction) < 4) return null;
      return direction;
    });
  }

  private clip(): Expression | null {
    const from = this.at;
    const direction = this.sidedHalf();
    if (direction === null) return null;
    this.requireOf();
    return { op: 'clip', of: this.placeOf(), direction, words: this.words(from) };
  }

  /** "of": a preposition, or in German a genitive. Throws Misread where there is none. */
  private requireOf(): void {
    if (this.take(this.v.of)) this.take(this.v.articles);
    else if (this.v.language !== 'de') this.fail('"of" and a place are expected');
  }

  private placeOf(): Expression {
    if (this.at >= this.tokens.length) this.fail('a place is expected');
    return this.argument();
  }

  private parts(): Expression | null {
    const from = this.at;
    if (this.take(this.v.intersection)) {
      if (!this.take(this.v.of)) return null;
      this.take(this.v.articles);
      const of = this.single();
      if (!this.take(this.v.and)) return null;
      this.take(this.v.articles);
      const other = this.single();
      this.refuseMore(from);
      return { op: 'intersection', of, with: other, words: this.words(from) };
    }
    if (!this.take(this.v.parts) || !this.take(this.v.of)) return null;
    this.take(this.v.articles);
    const of = this.bare();
    if (!this.take(this.v.inside)) return null;
    this.take(this.v.articles);
    const other = this.single();
    this.refuseMore(from);
    return { op: 'intersection', of, with: other, words: this.words(from) };
  }

  /** A place without "in …" behind it. */
  private bare(): Expression {
    if (this.sign('(')) {
      const inner = this.region();
      if (!this.sign(')')) this.fail('a closing bracket is expected');
      return inner;
    }
    return this.attempt(() => this.place(false)) ?? this.unknownPlace();
  }

  /** "within 20 km of Vaduz": every point. */
  private buffer(): Expression | null {
    const from = this.at;
    this.take(this.v.everything);
    const near = this.nearby(this.v.within);
    if (!near) return null;
    return { op: 'buffer', of: near.place, km: near.km, words: this.words(from) };
  }

  private nearby(within: readonly Around[]): { readonly km: number; readonly place: Expression } | null {
    return this.attempt(() => {
      const form = within.find(({ before }) => this.peek(before) !== null);
      if (!form) return null;
      this.at += form.before.length;
      const start = this.at;
      const amount = this.number();
      if (amount === null) return null;
      const unit = this.tokens[this.at];
      const factor = unit?.sort === 'word' ? this.v.units.get(unit.folded) : undefined;
      // "less than 5,000 people" begins like a distance.
      if (factor === undefined) return null;
      this.at++;
      const km = amount.value * factor;
      if (!(km > 0 && km <= 1000)) this.fail('is not a distance of up to 1000 km', start, this.at - 1);
      if (!this.take(this.v.from)) return null;
      this.take(this.v.articles);
      return { km, place: this.placeOf() };
    });
  }

  /** "the canton that contains Beaufort" */
  private containingOne(): Expression | null {
    const from = this.at;
    this.take(this.v.all) || this.take(this.v.each) || this.take(this.v.articles);
    const level = this.level('one') ?? this.level('many');
    if (level === null) return null;
    const start = this.at;
    this.sign(',');
    for (const { before, after } of this.v.containing) {
      const end = this.peek(before);
      if (end === null) continue;
      this.at = end;
      const of = this.containedPlaces();
      if (after.length > 0 && !this.take(after)) break;
      return { op: 'containing', of, level, words: this.words(from) };
    }
    this.at = start;
    return null;
  }

  /** Places with "and" between them, which "contains" may have behind it. */
  private containedPlaces(): Expression {
    const from = this.at;
    const items = [this.single()];
    while (this.find(this.v.and) !== null) {
      const start = this.at;
      this.take(this.v.and);
      const next = this.startsPhrase() ? null : this.attempt(() => this.place());
      if (next === null) {
        this.at = start;
        break;
      }
      items.push(next);
    }
    return items.length === 1 ? items[0] : { op: 'union', of: items, words: this.words(from) };
  }

  private level(number: 'one' | 'many'): LevelWord | null {
    let best: { readonly level: LevelWord; readonly end: number } | null = null;
    for (const level of LEVEL_WORDS) {
      const end = this.find(this.v.levels.get(level)?.[number] ?? []);
      if (end !== null && (best === null || end > best.end)) best = { level, end };
    }
    if (best === null) return null;
    this.at = best.end;
    return best.level;
  }

  private number(): Numbered | null {
    const start = this.at;
    const token = this.tokens[this.at];
    if (token?.sort === 'number') {
      this.at++;
      const value = this.numberOf(token, start);
      const factor = this.v.factors.get(this.tokens[this.at]?.folded ?? '');
      // "5 m" is a length: a factor of one letter has to stand at its number.
      const isUnit = (this.tokens[this.at]?.folded.length ?? 0) === 1;
      if (factor === undefined || isUnit) return { value };
      this.at++;
      return { value: value * factor };
    }
    const value = token?.sort === 'word' ? this.v.numbers.get(token.folded) : undefined;
    if (value === undefined) return null;
    this.at++;
    const factor = this.v.factors.get(this.tokens[this.at]?.folded ?? '');
    if (factor === undefined || (this.tokens[this.at]?.folded.length ?? 0) === 1) return { value };
    this.at++;
    return { value: value * factor };
  }

  /** Throws Misread where a sign may group thousands or begin decimals. */
  private numberOf({ text }: Token, at: number): number {
    const decimal = this.v.thousands === ',' ? '.' : ',';
    const plain = text.replace(/[\u00a0\u202f' ]/g, '');
    const groups = plain.split(this.v.thousands);
    // Of the last group the decimals may follow.
    const sizes = groups.slice(1).map((group) => group.split(decimal)[0]);
    if (
      !sizes.every((group) => /^\d{3}$/.test(group)) ||
      groups.slice(0, -1).some((group) => group.includes(decimal))
    ) {
      this.fail('may be read as two numbers; write it without signs', at);
    }
    const parts = groups.join('').split(decimal);
    if (parts.length > 2 || (groups.length === 1 && parts[1]?.length === 3)) {
      this.fail('may be read as two numbers; write it without signs', at);
    }
    return Number(parts.join('.'));
  }

  private superlative(): Rank | null {
    return this.attempt((): Rank | null => {
      const top = this.take(this.v.top);
      const count = this.count();
      if (top && count === null) return null;
      const order = this.orderWords();
      if (top && order === null) return { count: count as number, by: null, order: 'most', single: false };
      if (order === null) return null;
      return { ...order, count: count ?? 1, single: count === null };
    });
  }

  private orderWords(): Pick<Rank, 'by' | 'order'> | null {
    // The longest first: "largest by population" before "largest".
    const tables = [
      [this.v.mostPeople, 'population', 'most'],
      [this.v.leastPeople, 'population', 'least'],
      [this.v.largest, 'area', 'most'],
      [this.v.smallest, 'area', 'least'],
    ] as const;
    for (const [phrases, by, order] of tables) if (this.take(phrases)) return { by, order };
    return null;
  }

  private count(): number | null {
    return this.attempt(() => {
      const start = this.at;
      const found = this.number();
      if (found === null) return null;
      if (!Number.isInteger(found.value) || found.value < 1 || found.value > 5000)
        this.fail('is not a number of boundaries', start);
      return found.value;
    });
  }

  private ranked(of: Expression, { by, order, count }: Rank, from: number): Expression {
    if (by === null) this.fail('does not say by what: by area or by population', from, this.at - 1);
    return { op: 'rank', of, by: by as 'area' | 'population', order, count, words: this.words(from) };
  }

  /** "the three largest cantons of Luxembourg that border Germany" */
  private members(): Expression | null {
    const from = this.at;
    this.take(this.v.all) || this.take(this.v.articles);
    let rank = this.superlative();
    const neighbor = rank === null && this.take(this.v.neighboring);
    let compound: LevelWord | null = null;
    for (const [word, phrases] of this.v.neighborLevels) if (compound === null && this.take(phrases)) compound = word;
    const counted = rank === null && compound === null ? this.attempt(() => this.countedLevel()) : null;
    let level: LevelWord | null = compound ?? counted?.level ?? this.level('many');
    let single = false;
    if (level === null) {
      this.at = from;
      // "every canton in Luxembourg", "the largest municipality of Liechtenstein"
      const each = this.find(this.v.each);
      const strong = this.isEach();
      this.at = each ?? this.at;
      rank = this.superlative();
      level = this.level('one');
      if (level === null) return null;
      rank ??= this.orderBehind(1);
      single = rank?.count === 1;
      if (rank === null && !strong) return null;
    } else if (rank === null) {
      rank = this.orderBehind(counted?.count ?? null);
      if (counted && rank === null) return null;
    }
    if (rank && rank.by !== null && !single && rank.single && level !== null && this.isPlural(from)) {
      // "the largest cantons" does not say how many.
      this.fail('does not say how many', from, this.at - 1);
    }
    const spanishNeighbor =
      !neighbor &&
      compound === null &&
      this.find(this.v.border.map(({ before }) => before)) === null &&
      this.take(this.v.neighboring);
    const start = this.at;
    let of: Expression | null = null;
    if (neighbor || compound !== null || spanishNeighbor) {
      if (!this.take(this.v.of)) return null;
      this.take(this.v.articles);
      of = { op: 'neighbors', of: this.placeOf(), level, words: this.words(from) };
    } else {
      const container = this.containers();
      if (container) {
        if (rank && container.op === 'union')
          this.fail(
            'may mean of each or of all together; put brackets around what belongs together',
            from,
            this.at - 1,
          );
        of =
          container.op === 'side' && container.level === undefined
            ? { ...container, level, words: this.words(from) }
            : { op: 'children', of: container, level, words: this.words(from) };
      } else {
        this.at = start;
        of = this.anywhere(level, from);
      }
    }
    if (of === null) return null;
    const filtered = this.filters(of, from);
    if (rank && rank.by === null) {
      if (this.take(this.v.byArea)) rank = { ...rank, by: 'area' };
      else if (this.take(this.v.byPopulation)) rank = { ...rank, by: 'population' };
    } else if (rank?.by === 'area' && this.take(this.v.byPopulation)) rank = { ...rank, by: 'population' };
    else if (rank?.by === 'area') this.take(this.v.byArea);
    return rank ? this.ranked(filtered, rank, from) : filtered;
  }

  private isEach(): boolean {
    const weak = new Set(this.v.articles.map((phrase) => phrase.join(' ')));
    return this.v.each.some((phrase) => !weak.has(phrase.join(' ')) && this.peek(phrase) !== null);
  }

  /** Whether the level that was read from here on is in the plural only. */
  private isPlural(from: number): boolean {
    const start = this.at;
    this.at = from;
    this.take(this.v.all) || this.take(this.v.articles);
    this.superlative();
    const after = this.at;
    const many = this.level('many');
    this.at = after;
    const one = this.level('one');
    this.at = start;
    return many !== null && one === null;
  }

  /** "tres cantones", to be followed by "más grandes". */
  private countedLevel(): { readonly count: number; readonly level: LevelWord } | null {
    const count = this.count();
    const level = count === null ? null : this.level('many');
    return count === null || level === null ? null : { count, level };
  }

  private orderBehind(count: number | null): Rank | null {
    return this.attempt((): Rank | null => {
      const order = this.orderWords();
      return order === null ? null : { ...order, count: count ?? 1, single: count === null };
    });
  }

  /** "of Texas and Oklahoma", "in the south of Spain", "Andalusiens". */
  private containers(): Expression | null {
    return this.attempt(() => {
      const from = this.at;
      // "im Umkreis von" and "within 5 km" say how far, not where.
      if (this.v.within.some(({ before }) => before.length > 1 && this.peek(before) !== null)) return null;
      if (!this.take(this.v.of)) {
        if (this.v.language !== 'de') return null;
        // The genitive of a name.
        if (this.genitive(this.at) === null) return null;
      } else this.take(this.v.articles);
      this.take(this.v.whole);
      const next = this.tokens[this.at];
      if (next === undefined || (next.sort !== 'word' && next.folded !== '(')) return null;
      const items = [this.container()];
      for (;;) {
        const start = this.at;
        if (!this.separator()) break;
        const next =
          this.find(this.v.without) !== null ||
          this.tokens[this.at]?.folded === '(' ||
          this.startsPhrase() ||
          this.startsWhole()
            ? null
            : this.attempt(() => this.place());
        if (next === null || next.op === 'neighbors' || this.find(this.v.its) !== null) {
          this.at = start;
          break;
        }
        items.push(next);
      }
      if (items.length > 1) {
        this.choices.push(
          `"${clip(this.words(from).text)}" is read as one list; "and" does not begin another area there`,
        );
        return { op: 'union', of: items, words: this.words(from) };
      }
      return items[0];
    });
  }

  private startsWhole(): boolean {
    return this.find(this.v.whole.filter((phrase) => phrase.length > 1)) !== null;
  }

  private container(): Expression {
    if (this.sign('(')) {
      const inner = this.region();
      if (!this.sign(')')) this.fail('a closing bracket is expected');
      return inner;
    }
    for (const rule of [
      () => this.clip(),
      () => this.containingOne(),
      () => this.side(),
      () => this.neighbors(),
      () => this.place(),
    ]) {
      const found = this.attempt(rule);
      if (found) return found;
    }
    return this.unknownPlace();
  }

  /** A level without "of …": what follows says where. */
  private anywhere(level: LevelWord, from: number): Expression | null {
    return this.attempt((): Expression | null => {
      const near = this.nearby(this.v.within);
      if (near) return { op: 'around', from: near.place, km: near.km, level, words: this.words(from) };
      const of = this.bordered();
      return of && { op: 'neighbors', of, level, words: this.words(from) };
    });
  }

  /** What "that border …" names, or null. */
  private bordered(): Expression | null {
    return this.attempt(() => {
      this.sign(',');
      for (const { before, after } of this.v.onBorder) {
        const end = this.peek(before);
        if (end === null) continue;
        if (after.length === 0) {
          this.at = end;
          this.take(this.v.articles);
          return this.placeOf();
        }
        const code = ADJECTIVES.get(this.tokens[end]?.folded ?? '');
        if (code === undefined) continue;
        this.at = end + 1;
        if (!this.take(after)) continue;
        this.refuseMore(end);
        return { op: 'place', id: `iso:${code}`, words: this.words(end, end) };
      }
      for (const { before, after } of this.v.border) {
        const end = this.peek(before);
        if (end === null) continue;
        this.at = end;
        this.take(this.v.articles);
        if (this.at >= this.tokens.length) this.fail('a place is expected');
        if (after.length === 0) return this.placeOf();
        const of = this.attempt(() => this.place());
        if (of === null || !this.take(after)) return null;
        return of;
      }
      return null;
    });
  }

  /** What narrows a set down, any number of times. */
  private filters(given: Expression, from: number): Expression {
    let of = given;
    for (;;) {
      const next = this.filter(of, from);
      if (next === null) return of;
      of = next;
    }
  }

  private filter(of: Expression, from: number): Expression | null {
    return (
      this.attempt((): Expression | null => {
        this.sign(',');
        return this.peopleFilter(of, from) ?? this.areaFilter(of, from) ?? this.nameFilter(of, from);
      }) ??
      this.attempt((): Expression | null => {
        const near = this.nearby(this.v.within);
        return near && { op: 'within', of, from: near.place, km: near.km, words: this.words(from) };
      }) ??
      this.attempt((): Expression | null => {
        const border = this.bordered();
        return border && { op: 'touching', of, border, words: this.words(from) };
      })
    );
  }

  private peopleFilter(of: Expression, from: number): Expression | null {
    for (const [counted, plain, is] of [
      [this.v.morePeople, this.v.morePopulation, 'more'],
      [this.v.lessPeople, this.v.lessPopulation, 'less'],
    ] as const) {
      const found = this.attempt((): Expression | null => {
        const needsWord = this.find(plain) === null;
        if (!this.take(plain) && !this.take(counted)) return null;
        const start = this.at;
        const than = this.number();
        if (than === null) {
          if (!needsWord || this.find(this.v.people) !== null) this.fail('a number is expected', start);
          return null;
        }
        if (!this.people() && needsWord) return null;
        return { op: 'measured', of, by: 'population', is, than: than.value, words: this.words(from) };
      });
      if (found) return found;
    }
    return null;
  }

  private people(): boolean {
    const start = this.at;
    this.take(this.v.of);
    if (this.take(this.v.people)) return true;
    this.at = start;
    return this.take(this.v.people);
  }

  private areaFilter(of: Expression, from: number): Expression | null {
    for (const [phrases, is] of [
      [this.v.moreArea, 'more'],
      [this.v.lessArea, 'less'],
    ] as const) {
      const found = this.attempt((): Expression | null => {
        if (!this.take(phrases)) return null;
        const than = this.number();
        const factor = than === null ? null : this.areaUnit();
        if (than === null || factor === null) return null;
        return { op: 'measured', of, by: 'area', is, than: than.value * factor, words: this.words(from) };
      });
      if (found) return found;
    }
    return null;
  }

  private areaUnit(): number | null {
    const next = this.tokens[this.at + 1];
    if (this.tokens[this.at]?.folded === 'km' && (next?.folded === '2' || next?.folded === '²')) {
      this.at += 2;
      return 1;
    }
    if (this.take(this.v.km2)) return 1;
    return this.take(this.v.miles2) ? 1.609344 ** 2 : null;
  }

  private nameFilter(of: Expression, from: number): Expression | null {
    for (const [phrases, how] of [
      [this.v.starts, 'starts'],
      [this.v.ends, 'ends'],
      [this.v.contains, 'contains'],
      [this.v.called, 'is'],
    ] as const) {
      if (!this.take(phrases)) continue;
      const text = this.quoted();
      if (text === null) this.fail('letters of a name are expected');
      return { op: 'named', of, how, text: text as string, words: this.words(from) };
    }
    return null;
  }

  /** A text in quotation marks, or one word. */
  private quoted(): string | null {
    const open = this.tokens[this.at];
    if (open === undefined) return null;
    if (open.sort === 'word') {
      this.at++;
      return open.text;
    }
    if (!/^["“”„«‘’']$/.test(open.folded)) return null;
    for (let end = this.at + 1; end < this.tokens.length; end++) {
      if (this.tokens[end].sort === 'sign' && /^["“”»’']$/.test(this.tokens[end].folded)) {
        const text = this.text.slice(open.to, this.tokens[end].from).trim();
        this.at = end + 1;
        return text === '' ? null : text;
      }
    }
    return null;
  }

  /** "the south of Spain", "southern Spain" */
  private side(): Expression | null {
    const from = this.at;
    const of = this.attempt((): { direction: Direction; of: Expression } | null => {
      this.take(this.v.articles);
      const direction = this.directionIn(this.v.sides);
      if (direction === null) return null;
      if (!this.take(this.v.of)) {
        if (this.v.language !== 'de' || this.genitive(this.at) === null) return null;
      } else this.take(this.v.articles);
      if (this.at >= this.tokens.length) return null;
      return { direction, of: this.placeOf() };
    });
    if (of) return { op: 'side', of: of.of, direction: of.direction, words: this.words(from) };
    this.at = from;
    // A name that begins so is a name: "Northern Ireland", "South Africa".
    if (this.nameAt(this.at) !== null) return null;
    this.take(this.v.articles);
    if (this.nameAt(this.at) !== null) return null;
    const start = this.at;
    const direction = this.directionIn(this.v.sided);
    // "south Spain" is neither a name nor a side.
    if (
      direction === null ||
      (this.v.sides.get(direction) ?? []).some((phrase) => this.peek(phrase, start) === this.at)
    )
      return null;
    if (this.nameAt(this.at) === null) return null;
    const place = this.place();
    if (place === null) return null;
    this.refuseMore(from);
    return { op: 'side', of: place, direction, words: this.words(from) };
  }

  private neighbors(): Expression | null {
    const from = this.at;
    this.take(this.v.all) || this.take(this.v.articles);
    if (!this.take(this.v.neighbors) || !this.take(this.v.of)) return null;
    this.take(this.v.articles);
    return { op: 'neighbors', of: this.placeOf(), words: this.words(from) };
  }

  private capital(): Expression | null {
    const from = this.at;
    this.take(this.v.articles);
    if (!this.take(this.v.capital) || !this.take(this.v.of)) return null;
    this.take(this.v.articles);
    return { op: 'capital', of: this.placeOf(), words: this.words(from) };
  }

  /** "Spanish provinces", "US states", "EU countries that border Luxembourg" */
  private adjectiveMembers(): Expression | null {
    const from = this.at;
    this.take(this.v.all) || this.take(this.v.articles);
    const rank = this.superlative();
    const start = this.at;
    const code = this.v.language === 'en' ? ADJECTIVES.get(this.tokens[start]?.folded ?? '') : undefined;
    const candidates: { readonly end: number; readonly of: Expression }[] = [];
    if (code !== undefined) {
      candidates.push({ end: start + 1, of: { op: 'place', id: `iso:${code}`, words: this.words(start, start) } });
    }
    if (this.v.language === 'en') {
      for (const end of start < this.tokens.length ? spansFrom(this.tokens, start) : []) {
        const text = this.text.slice(this.tokens[start].from, this.tokens[end].to);
        const words = this.words(start, end);
        const group = groupOf(text);
        if (group) candidates.push({ end: end + 1, of: { op: 'group', name: group.name, words } });
        else if (this.lexicon.has(foldName(text)))
          candidates.push({ end: end + 1, of: { op: 'place', name: text, words } });
      }
    }
    for (const { end, of } of candidates) {
      this.at = end;
      const level = this.level(rank?.single ? 'one' : 'many');
      if (level === null) continue;
      const members: Expression = { op: 'children', of, level, words: this.words(from) };
      const filtered = this.filters(members, from);
      if (rank === null) return filtered;
      const by =
        rank.by === null
          ? this.take(this.v.byArea)
            ? 'area'
            : this.take(this.v.byPopulation)
              ? 'population'
              : null
          : rank.by;
      return this.ranked(filtered, { ...rank, by }, from);
    }
    return null;
  }

  /** The longest name that begins at a token: its last token. */
  private nameAt(at: number): number | null {
    if (at >= this.tokens.length) return null;
    for (const end of spansFrom(this.tokens, at)) {
      const folded = foldName(this.text.slice(this.tokens[at].from, this.tokens[end].to));
      if (at === end && isSmall(this.tokens[at])) continue;
      if (folded !== '' && this.lexicon.has(folded)) return end;
    }
    return null;
  }

  /** A German name with its genitive s: its last token. */
  private genitive(at: number): number | null {
    if (at >= this.tokens.length) return null;
    for (const end of spansFrom(this.tokens, at)) {
      const [folded] = foldsOf(this.text, this.tokens, at, end);
      if (folded?.endsWith('s') && this.lexicon.has(folded.slice(0, -1))) return end;
    }
    return null;
  }

  private groupAt(at: number): number | null {
    if (at >= this.tokens.length) return null;
    return (
      spansFrom(this.tokens, at).find(
        (end) => groupOf(this.text.slice(this.tokens[at].from, this.tokens[end].to)) !== null,
      ) ?? null
    );
  }

  /** Whether a word of the grammar stands here alone where a name is expected: "and", "the". */
  private isKeyword(at: number, end: number): boolean {
    if (at !== end) return false;
    const { v } = this;
    return [
      v.and,
      v.or,
      v.without,
      v.articles,
      v.of,
      v.all,
      v.each,
      v.its,
      v.their,
      v.it,
      v.them,
      v.both,
      v.inside,
      v.half,
      v.quarter,
      v.neighbors,
      v.capital,
      v.parts,
    ].some((phrases) => phrases.some((phrase) => phrase.length === 1 && phrase[0] === this.tokens[at].folded));
  }

  /** A place by its name, maybe with its level and what it lies in. */
  private place(qualified = true): Expression | null {
    const from = this.at;
    const group = this.attempt((): Expression | null => {
      for (const skip of [false, true]) {
        if (skip && !this.take(this.v.articles)) return null;
        const end = this.groupAt(this.at);
        if (end === null) continue;
        const found = groupOf(this.text.slice(this.tokens[this.at].from, this.tokens[end].to));
        this.at = end + 1;
        return { op: 'group', name: found?.name ?? '', words: this.words(from) };
      }
      return null;
    });
    if (group) return group;
    // "Canton Remich" and "La Rioja" are names as a whole.
    let end = this.nameAt(this.at);
    let level: LevelWord | null = null;
    if (end === null || this.isKeyword(this.at, end)) {
      this.take(this.v.articles);
      end = this.nameAt(this.at);
    }
    if (end === null || this.isKeyword(this.at, end)) {
      const start = this.at;
      level = this.level('one');
      if (level !== null) {
        if (this.take(this.v.of)) this.take(this.v.articles);
        end = this.nameAt(this.at);
      }
      if (level === null || end === null) {
        this.at = start;
        level = null;
        end = null;
      }
    } else {
      // "province of Seville" may be the name of something else than the province: the level decides.
      const start = this.at;
      const typed = this.level('one');
      const name = typed !== null && this.take(this.v.of) ? this.nameAt(this.skipArticle()) : null;
      if (typed !== null && name !== null && name >= end) {
        level = typed;
        end = name;
      } else this.at = start;
    }
    if (end === null) {
      const id = this.id();
      if (id) return id;
      const genitive = this.v.language === 'de' ? this.genitive(this.at) : null;
      if (genitive === null) return null;
      const text = this.text.slice(this.tokens[this.at].from, this.tokens[genitive].to - 1);
      this.at = genitive + 1;
      return { op: 'place', name: text, words: this.words(from) };
    }
    const name = this.text.slice(this.tokens[this.at].from, this.tokens[end].to);
    const folded = foldName(name);
    this.at = end + 1;
    if (level === null) {
      const start = this.at;
      level = this.level('one');
      // "Vaduz region of …" and "Texas county that …" say something else.
      if (level !== null && this.v.language !== 'en') {
        this.at = start;
        level = null;
      }
    }
    const within = qualified ? this.qualifier(folded, name) : null;
    return {
      op: 'place',
      name,
      ...(within === null ? {} : { within }),
      ...(level === null ? {} : { level: level as Level }),
      words: this.words(from),
    } as Expression;
  }

  private skipArticle(): number {
    this.take(this.v.articles);
    return this.at;
  }

  private id(): Expression | null {
    const token = this.tokens[this.at];
    if (token?.sort !== 'word' || !/^(?:[rw]\d|iso:|wikidata:|relation\/)/i.test(token.text)) return null;
    if (readBoundaryId(token.text) === null) return null;
    this.at++;
    return { op: 'place', id: token.text, words: this.words(this.at - 1) };
  }

  /** ", Texas", "(Texas)", "in Texas" behind a name. */
  private qualifier(folded: string, name: string): string | null {
    return this.attempt(() => {
      const start = this.at;
      if (this.sign('(')) {
        const end = this.nameAt(this.at);
        if (end === null || this.tokens[end + 1]?.folded !== ')') {
          this.at = start;
          this.fail('is not a place in brackets', start, Math.min(start + 1, this.tokens.length - 1));
        }
        const text = this.text.slice(this.tokens[this.at].from, this.tokens[end as number].to);
        this.at = (end as number) + 2;
        return text;
      }
      const comma = this.sign(',');
      if (!comma && !this.take(this.v.inside)) return null;
      this.take(comma ? [] : this.v.articles);
      const end = this.nameAt(this.at);
      if (end === null) return null;
      const text = this.text.slice(this.tokens[this.at].from, this.tokens[end].to);
      if (comma) {
        const relation = this.lexicon.relation(folded, foldName(text));
        if (relation === null || relation === 'peers') return null;
        if (relation === 'both') {
          // "Texas, Oklahoma and Kansas" is a list; "Texas, Oklahoma" may be a county.
          if (this.isListed(end + 1)) return null;
          this.fail(
            `may be "${clip(name)}" in "${clip(text)}" or both of them; write "${clip(name)} in ${clip(text)}" or "${clip(name)} and ${clip(text)}"`,
            end,
          );
        }
        this.choices.push(`"${clip(`${name}, ${text}`)}" is read as one place in another, not as two places`);
      }
      this.at = end + 1;
      return text;
    });
  }

  /** Whether a list goes on at a token. */
  private isListed(at: number): boolean {
    const start = this.at;
    this.at = at;
    const listed = this.separator();
    this.at = start;
    return listed;
  }

  /** Words that no name begins with: a place that is not known. */
  private unknownPlace(): Expression {
    const from = this.at;
    const token = this.tokens[this.at];
    if (token === undefined) this.fail('a place is expected');
    if (token.sort !== 'word') this.fail('is not understood', from);
    const stops = [this.v.and, this.v.or, this.v.without];
    while (
      this.at < this.tokens.length &&
      this.tokens[this.at].sort !== 'sign' &&
      !stops.some((phrases) => this.find(phrases) !== null)
    ) {
      this.at++;
    }
    if (this.at === from) this.fail('is not understood', from);
    // Counted by its words: the language that understands most of a description explains its error best.
    this.unknown += this.at - from;
    const words = this.words(from);
    return { op: 'place', name: words.text.slice(0, 200), words };
  }
}

interface Rank {
  readonly count: number;
  readonly by: 'area' | 'population' | null;
  readonly order: 'most' | 'least';
  /** No number was said. */
  readonly single: boolean;
}

/** "Harris County and Dallas County in Texas": the last place's "in …" holds for those of its level before it. */
function shareQualifier(items: readonly Expression[]): readonly Expression[] {
  const last = items.at(-1);
  if (last?.op !== 'place' || last.within === undefined || last.level === undefined) return items;
  const { within, level } = last;
  return items.map((item) =>
    item.op === 'place' && item.level === level && item.within === undefined ? { ...item, within } : item,
  );
}

/** A text as errors quote it. */
export function clip(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}
