import { defined } from '../../common/elements.ts';

import { foldName } from '../names/fold.ts';
import type { Expression, LevelWord } from './algebra.ts';
import type { Rank } from './amounts.ts';
import { Filters } from './filters.ts';
import { groupOf } from './groups.ts';
import { clip } from './misread.ts';
import { spansFrom } from './spans.ts';
import { ADJECTIVES } from './vocabulary/adjectives.ts';

/** Parses sets of boundaries of one level: "the three largest cantons of Luxembourg", "US states". */
export abstract class Members extends Filters {
  /** "the three largest cantons of Luxembourg that border Germany" */
  protected members(): Expression | null {
    const from = this.at;
    this.take(this.v.all) || this.take(this.v.articles);
    let rank = this.superlative();
    const neighbor = rank === null && this.take(this.v.neighboring);
    let shore = this.coastWord();
    let compound: LevelWord | null = null;
    for (const [word, phrases] of this.v.neighborLevels) if (compound === null && this.take(phrases)) compound = word;
    let shored: LevelWord | null = null;
    for (const [is, table] of [
      ['coastal', this.v.coastLevels],
      ['landlocked', this.v.inlandLevels],
    ] as const) {
      for (const [word, phrases] of table) if (shored === null && this.take(phrases)) [shored, shore] = [word, is];
    }
    const counted = rank === null && compound === null ? this.attempt(() => this.countedLevel()) : null;
    let level: LevelWord | null = compound ?? shored ?? counted?.level ?? this.level('many');
    let single = false;
    if (level === null) {
      this.at = from;
      // "every canton in Luxembourg", "the largest municipality of Liechtenstein"
      const each = this.find(this.v.each);
      const strong = this.isEach();
      this.at = each ?? this.at;
      rank = this.superlative();
      shore = this.coastWord();
      level = this.level('one');
      if (level === null) return null;
      shore ??= this.coastWord();
      rank ??= this.orderBehind(1);
      single = rank?.count === 1;
      if (rank === null && !strong) return null;
    } else {
      shore ??= this.coastWord();
      rank ??= this.orderBehind(counted?.count ?? null);
      if (counted && rank === null) return null;
    }
    shore ??= this.coastWord();
    if (rank && rank.by !== null && !single && rank.single && level !== null && this.isPlural(from)) {
      // "the largest cantons" does not give a number.
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
      const [base] = this.base;
      if (this.take(this.v.of)) {
        this.take(this.v.articles);
        of = { op: 'neighbors', of: this.placeOf(), level, words: this.words(from) };
      } else if (base && this.base.length === 1) {
        // "Schaan et les communes voisines"
        of = { op: 'neighbors', of: base, level, words: this.words(from) };
      } else return null;
    } else if (rank === null && shore === null && counted === null) {
      const places = this.listed(level);
      if (places) return places;
    }
    if (of === null) {
      const container = this.countryBehind() ?? this.containers();
      if (container) {
        if (rank && container.op === 'union')
          this.fail(
            'can mean of each or of all together; put brackets around what belongs together',
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
    const filtered = this.filters(this.shored(of, shore, from), from);
    return rank ? this.ranked(filtered, this.measureBehind(rank), from) : filtered;
  }

  /** Completes a rank with a following "by area" or "by population". */
  private measureBehind(rank: Rank): Rank {
    if (rank.by === 'population') return rank;
    if (this.take(this.v.byPopulation)) return { ...rank, by: 'population' };
    return this.take(this.v.byArea) ? { ...rank, by: 'area' } : rank;
  }

  /** A country as an adjective after a level: "provincias españolas". */
  private countryBehind(): Expression | null {
    if (this.v.language === 'en' || this.v.language === 'de') return null;
    const code = ADJECTIVES[this.v.language].get(this.tokens[this.at]?.folded ?? '');
    if (code === undefined) return null;
    this.at++;
    return { op: 'place', id: `iso:${code}`, words: this.words(this.at - 1) };
  }

  /** Names of one level, listed after it: "die Kantone Wiltz und Clervaux". */
  private listed(level: LevelWord): Expression | null {
    return this.attempt((): Expression | null => {
      const from = this.at;
      const items: Expression[] = [];
      do {
        const at = this.at;
        const end = this.nameAt(this.skipArticle());
        if (end === null || this.isKeyword(this.at, end)) {
          this.at = at;
          return null;
        }
        const name = this.text.slice(this.tokenAt(this.at).from, this.tokenAt(end).to);
        this.at = end + 1;
        items.push({ op: 'place', name, level, words: this.words(at) });
      } while (this.separator());
      return items.length < 2 ? null : { op: 'union', of: items, words: this.words(from) };
    });
  }

  private shored(of: Expression, is: 'coastal' | 'landlocked' | null, from: number): Expression {
    return is === null ? of : { op: 'coast', of, is, words: this.words(from) };
  }

  /** "of Texas and Oklahoma", "in the south of Spain", "Andalusiens". */
  protected containers(): Expression | null {
    return this.attempt(() => {
      const from = this.at;
      // "im Umkreis von" and "within three miles" give a distance, not a container.
      if (this.isDistance()) return null;
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
        // "les cantons de Wiltz et de Clervaux"
        if (this.v.language !== 'en' && this.v.language !== 'de') this.take(this.v.of);
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
      return defined(items[0]);
    });
  }

  protected startsWhole(): boolean {
    return this.find(this.v.whole.filter((phrase) => phrase.length > 1)) !== null;
  }

  protected container(): Expression {
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

  /** A level without "of …": a following distance or border defines the area. */
  protected anywhere(level: LevelWord, from: number): Expression | null {
    return this.attempt((): Expression | null => {
      const near = this.nearby(this.v.within);
      if (near) return { op: 'around', from: near.place, km: near.km, level, words: this.words(from) };
      const of = this.bordered();
      return of && { op: 'neighbors', of, level, words: this.words(from) };
    });
  }

  /** "Spanish provinces", "US states", "EU countries that border Luxembourg" */
  protected adjectiveMembers(): Expression | null {
    const from = this.at;
    this.take(this.v.all) || this.take(this.v.articles);
    const rank = this.superlative();
    const before = this.coastWord();
    const start = this.at;
    const code = ADJECTIVES[this.v.language].get(this.tokens[start]?.folded ?? '');
    const candidates: { readonly end: number; readonly of: Expression }[] = [];
    if (code !== undefined) {
      candidates.push({ end: start + 1, of: { op: 'place', id: `iso:${code}`, words: this.words(start, start) } });
    }
    if (this.v.language === 'en') {
      for (const end of start < this.tokens.length ? spansFrom(this.tokens, start) : []) {
        const text = this.text.slice(this.tokenAt(start).from, this.tokenAt(end).to);
        const words = this.words(start, end);
        const group = groupOf(text);
        if (group) candidates.push({ end: end + 1, of: { op: 'group', name: group.name, words } });
        else if (this.lexicon.has(foldName(text)))
          candidates.push({ end: end + 1, of: { op: 'place', name: text, words } });
      }
    }
    for (const { end, of } of candidates) {
      this.at = end;
      const shore = before ?? this.coastWord();
      const level = this.level(rank?.single ? 'one' : 'many');
      if (level === null) continue;
      const members: Expression = { op: 'children', of, level, words: this.words(from) };
      const filtered = this.filters(this.shored(members, shore, from), from);
      return rank === null ? filtered : this.ranked(filtered, this.measureBehind(rank), from);
    }
    return null;
  }
}
