import type { Expression } from './algebra.ts';
import { Arguments } from './arguments.ts';

/** Parses filters on a set of boundaries: coast, population, area, name, distance, border. */
export abstract class Filters extends Arguments {
  /** Parses any number of filters after a set. */
  protected filters(given: Expression, from: number): Expression {
    let of = given;
    for (;;) {
      const next = this.filter(of, from);
      if (next === null) return of;
      of = next;
    }
  }

  protected filter(of: Expression, from: number): Expression | null {
    return (
      this.attempt((): Expression | null => {
        this.sign(',');
        return (
          this.coastFilter(of, from) ??
          this.peopleFilter(of, from) ??
          this.areaFilter(of, from) ??
          this.nameFilter(of, from)
        );
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

  private coastFilter(of: Expression, from: number): Expression | null {
    const is = this.take(this.v.onCoast) ? 'coastal' : this.take(this.v.offCoast) ? 'landlocked' : null;
    return is && { op: 'coast', of, is, words: this.words(from) };
  }

  /** "coastal", "landlocked" next to a level. */
  protected coastWord(): 'coastal' | 'landlocked' | null {
    return this.take(this.v.coastal) ? 'coastal' : this.take(this.v.landlocked) ? 'landlocked' : null;
  }

  protected peopleFilter(of: Expression, from: number): Expression | null {
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

  protected areaFilter(of: Expression, from: number): Expression | null {
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

  protected nameFilter(of: Expression, from: number): Expression | null {
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
}
