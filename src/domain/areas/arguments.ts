import { defined } from '../../common/elements.ts';
import type { Direction, Expression } from './algebra.ts';
import { Places } from './places.ts';
import { ADJECTIVES } from './vocabulary/adjectives.ts';
import type { Around, Phrase } from './vocabulary/vocabulary.ts';

/** Parses what is derived from a place: its half, its neighbors, what is near it or contains it. */
export abstract class Arguments extends Places {
  /** The content of a pair of brackets. */
  protected abstract region(): Expression;

  /** An argument that is one place: "the neighbors of X", "within 5 km of X". */
  protected argument(): Expression {
    const from = this.at;
    const it = this.anaphor(this.v.it, false) ?? this.anaphor(this.v.them, true);
    if (it) return it;
    const items = [this.single()];
    while (this.find(this.v.or) !== null && this.take(this.v.or)) items.push(this.single());
    const one: Expression =
      items.length === 1 ? defined(items[0]) : { op: 'union', of: items, words: this.words(from) };
    this.refuseMore(from);
    return one;
  }

  protected single(): Expression {
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

  /** A place without "in …" after it. */
  protected bare(): Expression {
    if (this.sign('(')) {
      const inner = this.region();
      if (!this.sign(')')) this.fail('a closing bracket is expected');
      return inner;
    }
    return this.attempt(() => this.place(false)) ?? this.unknownPlace();
  }

  protected placeOf(): Expression {
    if (this.at >= this.tokens.length) this.fail('a place is expected');
    return this.argument();
  }

  /** "of": a preposition or, in German, a genitive. Throws DescriptionError if it is missing. */
  protected requireOf(): void {
    if (this.take(this.v.of)) this.take(this.v.articles);
    else if (this.v.language !== 'de') this.fail('"of" and a place are expected');
  }

  /** "the north of A and B" is ambiguous: requires brackets. */
  protected refuseMore(from: number): void {
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

  /** Whether something other than a bare place starts here: a level, "all", "its". */
  protected startsPhrase(): boolean {
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

  protected anaphor(phrases: readonly Phrase[], plural: boolean): Expression | null {
    const from = this.at;
    if (!this.take(phrases)) return null;
    if (this.base.length === 0) {
      this.at = from;
      return null;
    }
    if (!plural && this.base.length > 1) this.fail('can mean several of the places before it', from);
    return this.base.length === 1 ? defined(this.base[0]) : { op: 'union', of: this.base, words: this.words(from) };
  }

  /** "10 km around Vaduz" */
  private distanceAround(): { readonly km: number; readonly place: Expression } | null {
    return this.attempt(() => {
      const km = this.kilometers();
      if (km === null || !this.take(this.v.around)) return null;
      this.take(this.v.articles);
      return { km, place: this.placeOf() };
    });
  }

  /** Whether a distance with its introduction starts here: "within three miles". */
  protected isDistance(): boolean {
    const start = this.at;
    const is = this.v.within.some(({ before }) => {
      const end = this.peek(before);
      if (end === null) return false;
      if (before.length > 1) return true;
      this.at = end;
      const amount = this.number();
      const unit = this.tokens[this.at];
      this.at = start;
      return amount !== null && unit?.sort === 'word' && this.v.units.has(unit.folded);
    });
    this.at = start;
    return is;
  }

  /** A number with a unit of length, in kilometers. */
  private kilometers(): number | null {
    const start = this.at;
    const amount = this.number();
    const unit = this.tokens[this.at];
    const factor = unit?.sort === 'word' ? this.v.units.get(unit.folded) : undefined;
    // "less than 5,000 people" starts like a distance.
    if (amount === null || factor === undefined) return null;
    this.at++;
    const km = amount.value * factor;
    if (!(km > 0 && km <= 1000)) this.fail('is not a distance of up to 1000 km', start, this.at - 1);
    return km;
  }

  protected nearby(within: readonly Around[]): { readonly km: number; readonly place: Expression } | null {
    return this.attempt(() => {
      const form = within.find(({ before }) => this.peek(before) !== null);
      if (!form) return null;
      this.at += form.before.length;
      const km = this.kilometers();
      if (km === null || !this.take(this.v.from)) return null;
      this.take(this.v.articles);
      return { km, place: this.placeOf() };
    });
  }

  /** The place that "that border …" names, or null. */
  protected bordered(): Expression | null {
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
        const code = ADJECTIVES[this.v.language].get(this.tokens[end]?.folded ?? '');
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

  /** "the south of Spain", "southern Spain" */
  protected side(): Expression | null {
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
    // A known name is not a side: "Northern Ireland", "South Africa".
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

  protected capital(): Expression | null {
    const from = this.at;
    this.take(this.v.articles);
    if (!this.take(this.v.capital) || !this.take(this.v.of)) return null;
    this.take(this.v.articles);
    return { op: 'capital', of: this.placeOf(), words: this.words(from) };
  }

  protected neighbors(): Expression | null {
    const from = this.at;
    this.take(this.v.all) || this.take(this.v.articles);
    if (!this.take(this.v.neighbors) || !this.take(this.v.of)) return null;
    this.take(this.v.articles);
    return { op: 'neighbors', of: this.placeOf(), words: this.words(from) };
  }

  protected clip(): Expression | null {
    const from = this.at;
    const direction = this.sidedHalf();
    if (direction === null) return null;
    this.requireOf();
    return { op: 'clip', of: this.placeOf(), direction, words: this.words(from) };
  }

  protected parts(): Expression | null {
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

  /** "within 20 km of Vaduz": all points, not boundaries. */
  protected buffer(): Expression | null {
    const from = this.at;
    this.take(this.v.everything);
    const near = this.nearby(this.v.within) ?? this.distanceAround();
    if (!near) return null;
    return { op: 'buffer', of: near.place, km: near.km, words: this.words(from) };
  }

  /** "the canton that contains Beaufort" */
  protected containingOne(): Expression | null {
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

  /** Places joined by "and" after "contains". */
  protected containedPlaces(): Expression {
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
    return items.length === 1 ? defined(items[0]) : { op: 'union', of: items, words: this.words(from) };
  }
}
