import { defined } from '../../common/elements.ts';
import { DIRECTIONS, type Direction, type Expression, LEVEL_WORDS, type LevelWord } from './algebra.ts';
import { Cursor } from './cursor.ts';
import type { Token } from './tokens.ts';
import type { Phrase } from './vocabulary/vocabulary.ts';

type Numbered = { readonly value: number };

/** A ranking: how many boundaries, and by what measure. */
export interface Rank {
  readonly count: number;
  readonly by: 'area' | 'population' | null;
  readonly order: 'most' | 'least';
  /** Whether no number was given. */
  readonly single: boolean;
}

/** Parses numbers, levels, ranks and directions, which come before and after the names of places. */
export class Amounts extends Cursor {
  protected number(): Numbered | null {
    const start = this.at;
    const token = this.tokens[this.at];
    if (token?.sort === 'number') {
      this.at++;
      const value = this.numberOf(token, start);
      const factor = this.v.factors.get(this.tokens[this.at]?.folded ?? '');
      // "5 m" is a length: one-letter factors must be attached to the number.
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

  /** Parses a number. Throws DescriptionError if a sign may separate either thousands or decimals. */
  protected numberOf({ text }: Token, at: number): number {
    const decimal = this.v.thousands === ',' ? '.' : ',';
    const plain = text.replace(/[\u00a0\u202f' ]/g, '');
    const groups = plain.split(this.v.thousands);
    // Only the last group may have decimals.
    const sizes = groups.slice(1).map((group) => defined(group.split(decimal)[0]));
    if (
      !sizes.every((group) => /^\d{3}$/.test(group)) ||
      groups.slice(0, -1).some((group) => group.includes(decimal))
    ) {
      this.fail('can be read as two numbers; write it without separators', at);
    }
    const parts = groups.join('').split(decimal);
    if (parts.length > 2 || (groups.length === 1 && parts[1]?.length === 3)) {
      this.fail('can be read as two numbers; write it without separators', at);
    }
    return Number(parts.join('.'));
  }

  protected count(): number | null {
    return this.attempt(() => {
      const start = this.at;
      const found = this.number();
      if (found === null) return null;
      if (!Number.isInteger(found.value) || found.value < 1 || found.value > 5000)
        this.fail('is not a valid number of boundaries (a whole number from 1 to 5000)', start);
      return found.value;
    });
  }

  protected superlative(): Rank | null {
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

  protected orderWords(): Pick<Rank, 'by' | 'order'> | null {
    // Longest phrases first: "largest by population" before "largest".
    const tables = [
      [this.v.mostPeople, 'population', 'most'],
      [this.v.leastPeople, 'population', 'least'],
      [this.v.largest, 'area', 'most'],
      [this.v.smallest, 'area', 'least'],
    ] as const;
    for (const [phrases, by, order] of tables) if (this.take(phrases)) return { by, order };
    return null;
  }

  protected orderBehind(count: number | null): Rank | null {
    return this.attempt((): Rank | null => {
      const order = this.orderWords();
      return order === null ? null : { ...order, count: count ?? 1, single: count === null };
    });
  }

  protected ranked(of: Expression, { by, order, count }: Rank, from: number): Expression {
    if (by === null) this.fail('needs "by area" or "by population"', from, this.at - 1);
    return { op: 'rank', of, by: by as 'area' | 'population', order, count, words: this.words(from) };
  }

  protected level(number: 'one' | 'many'): LevelWord | null {
    let best: { readonly level: LevelWord; readonly end: number } | null = null;
    for (const level of LEVEL_WORDS) {
      const end = this.find(this.v.levels.get(level)?.[number] ?? []);
      if (end !== null && (best === null || end > best.end)) best = { level, end };
    }
    if (best === null) return null;
    this.at = best.end;
    return best.level;
  }

  /** "tres cantones", followed by "más grandes". */
  protected countedLevel(): { readonly count: number; readonly level: LevelWord } | null {
    const count = this.count();
    const level = count === null ? null : this.level('many');
    return count === null || level === null ? null : { count, level };
  }

  protected isEach(): boolean {
    const weak = new Set(this.v.articles.map((phrase) => phrase.join(' ')));
    return this.v.each.some((phrase) => !weak.has(phrase.join(' ')) && this.peek(phrase) !== null);
  }

  /** Whether the level at `from` is unambiguously plural. */
  protected isPlural(from: number): boolean {
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

  protected directionIn(table: ReadonlyMap<Direction, readonly Phrase[]>): Direction | null {
    let best: { readonly direction: Direction; readonly end: number } | null = null;
    for (const direction of DIRECTIONS) {
      const end = this.find(table.get(direction) ?? []);
      if (end !== null && (best === null || end > best.end)) best = { direction, end };
    }
    if (best) this.at = best.end;
    return best?.direction ?? null;
  }

  /** "northern half", "mitad norte"; a quarter needs a combined direction such as northeast. */
  protected sidedHalf(): Direction | null {
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

  protected areaUnit(): number | null {
    const next = this.tokens[this.at + 1];
    if (this.tokens[this.at]?.folded === 'km' && (next?.folded === '2' || next?.folded === '²')) {
      this.at += 2;
      return 1;
    }
    if (this.take(this.v.km2)) return 1;
    return this.take(this.v.miles2) ? 1.609344 ** 2 : null;
  }

  protected people(): boolean {
    const start = this.at;
    this.take(this.v.of);
    if (this.take(this.v.people)) return true;
    this.at = start;
    return this.take(this.v.people);
  }

  /** A text in quotation marks, or one word. */
  protected quoted(): string | null {
    const open = this.tokens[this.at];
    if (open === undefined) return null;
    if (open.sort === 'word') {
      this.at++;
      return open.text;
    }
    if (!/^["“”„«‘’']$/.test(open.folded)) return null;
    for (let end = this.at + 1; end < this.tokens.length; end++) {
      if (this.tokenAt(end).sort === 'sign' && /^["“”»’']$/.test(this.tokenAt(end).folded)) {
        const text = this.text.slice(open.to, this.tokenAt(end).from).trim();
        this.at = end + 1;
        return text === '' ? null : text;
      }
    }
    return null;
  }
}
