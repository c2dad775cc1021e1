import { defined } from '../../common/elements.ts';
import type { Expression } from './algebra.ts';
import { Members } from './members.ts';

/** Depth to which brackets can be nested. */
const MOST_NESTED = 8;

/** Parses a whole description: lists, differences and brackets. term() has the order in which rules are tried. */
export class Grammar extends Members {
  parse(): Expression {
    const region = this.region();
    if (this.at < this.tokens.length) this.fail('is not understood', this.at, this.tokens.length - 1);
    return region;
  }

  /** region := sum (WITHOUT sum)* */
  protected override region(): Expression {
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
      const before = this.excluding;
      this.excluding = true;
      const minus = this.sum();
      this.excluding = before;
      this.base = outer;
      of = { op: 'difference', of, minus, words: this.words(from) };
    }
  }

  /** sum := item ((AND | OR | ',' | ';') item)* */
  protected sum(): Expression {
    const from = this.at;
    this.take(this.v.both);
    const outer = this.base;
    const items: Expression[] = [this.item()];
    let comma = true;
    for (;;) {
      const start = this.at;
      if (!this.separator()) break;
      if (this.tokenAt(start).folded !== ',' || this.at > start + 1) comma = false;
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
    if (items.length === 1) return defined(items[0]);
    if (items.length === 2 && comma && items.every(({ op }) => op === 'place'))
      this.pairs.push([defined(items[0]), defined(items[1])]);
    return { op: 'union', of: shareQualifier(items), words: this.words(from) };
  }

  protected item(): Expression {
    if (++this.nested > MOST_NESTED * 3) this.fail('is nested too deep');
    try {
      return this.term();
    } finally {
      this.nested--;
    }
  }

  protected term(): Expression {
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
      () => this.oneOfThose(),
      () => this.groupMembers(),
      () => this.place(),
    ];
    for (const rule of rules) {
      const found = this.attempt(rule);
      if (found) return this.postfix(found, from);
    }
    return this.whole() ?? this.unknownPlace();
  }

  /** "the 3 largest of (…)" */
  protected rankedOf(): Expression | null {
    const from = this.at;
    this.take(this.v.articles);
    const rank = this.superlative();
    if (rank === null || rank.by === null || !this.take(this.v.of) || !this.sign('(')) return null;
    const of = this.region();
    if (!this.sign(')')) this.fail('a closing bracket is expected');
    return this.ranked(of, rank, from);
  }

  /** "celui de Wiltz" after "les cantons … sauf". */
  private oneOfThose(): Expression | null {
    const from = this.at;
    const [base] = this.base;
    if (base?.op !== 'children' || !this.take(this.v.thatOf)) return null;
    this.take(this.v.articles);
    const place = this.place(false);
    if (place?.op !== 'place') return null;
    return { ...place, level: base.level, words: this.words(from) };
  }

  /** A group with filters: "EU-Länder mit mehr als 20 Millionen Einwohnern". */
  private groupMembers(): Expression | null {
    const from = this.at;
    const group = this.place();
    if (group?.op !== 'group') return null;
    const members = this.filters(group, from);
    return members === group ? null : members;
  }

  protected whole(): Expression | null {
    return this.attempt(() => {
      if (!this.take(this.v.whole)) return null;
      this.take(this.v.articles);
      if (this.at >= this.tokens.length) return null;
      return this.item();
    });
  }

  /** After a place: "'s cantons", "'s neighbors", "'s capital". */
  protected postfix(of: Expression, from: number): Expression {
    const found = this.attempt((): Expression | null => {
      const token = this.tokens[this.at];
      const possessive = token?.folded === 's' && token.glue === "'";
      if (possessive) this.at++;
      else if (!this.sign("'")) return null;
      const before = this.base.at(-1);
      // "Spain and France's neighbors" may mean the neighbors of both.
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

  /** "its neighbors", "its capital", "their cantons". */
  protected anaphoric(): Expression | null {
    const from = this.at;
    this.take(this.v.articles);
    for (const [level, phrases] of this.v.neighborLevels) {
      if (this.base.length === 1 && this.take(phrases)) {
        const after = this.at;
        if (!this.take(this.v.of))
          return { op: 'neighbors', of: defined(this.base[0]), level, words: this.words(from) };
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
    for (const [level, phrases] of this.v.neighborLevels) {
      if (this.take(phrases)) return { op: 'neighbors', of, level, words: this.words(from) };
    }
    const level = this.level('many');
    if (level === null) this.fail('is not understood', from, this.at);
    // "sus provincias vecinas"
    if (this.take(this.v.neighboring)) return { op: 'neighbors', of, level, words: this.words(from) };
    return this.filters({ op: 'children', of, level, words: this.words(from) }, from);
  }
}

/** "Harris County and Dallas County in Texas": "in …" of the last place applies to earlier ones of the same level. */
function shareQualifier(items: readonly Expression[]): readonly Expression[] {
  const last = items.at(-1);
  if (last?.op !== 'place' || last.within === undefined || last.level === undefined) return items;
  const { within, level } = last;
  return items.map((item) =>
    item.op === 'place' && item.level === level && item.within === undefined ? { ...item, within } : item,
  );
}
