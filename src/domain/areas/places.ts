import { readBoundaryId } from '../boundaries/ids.ts';
import { foldName } from '../names/fold.ts';
import type { Expression, Level, LevelWord } from './algebra.ts';
import { Amounts } from './amounts.ts';
import { groupOf } from './groups.ts';
import { clip } from './misread.ts';
import { foldsOf, isCode, isSmall, spansFrom } from './spans.ts';
import { smallWords } from './vocabulary/vocabulary.ts';

/** Parses names of places: the longest one that the lexicon has, with its level and container. */
export class Places extends Amounts {
  /** Index of the last token of the longest name that starts at a token, or null. */
  protected nameAt(at: number): number | null {
    if (at >= this.tokens.length) return null;
    for (const end of spansFrom(this.tokens, at)) {
      const folded = foldName(this.text.slice(this.tokenAt(at).from, this.tokenAt(end).to));
      if (at === end && isSmall(this.tokenAt(at))) continue;
      if (folded !== '' && this.lexicon.has(folded)) return end;
    }
    return null;
  }

  /** Index of the last token of a German name with genitive s, or null. */
  protected genitive(at: number): number | null {
    if (at >= this.tokens.length) return null;
    for (const end of spansFrom(this.tokens, at)) {
      const [folded] = foldsOf(this.text, this.tokens, at, end);
      if (folded?.endsWith('s') && this.lexicon.has(folded.slice(0, -1))) return end;
    }
    return null;
  }

  protected groupAt(at: number): number | null {
    if (at >= this.tokens.length) return null;
    return (
      spansFrom(this.tokens, at).find(
        (end) => groupOf(this.text.slice(this.tokenAt(at).from, this.tokenAt(end).to)) !== null,
      ) ?? null
    );
  }

  /** Whether a single grammar word is here where a name is expected: "and", "the". */
  protected isKeyword(at: number, end: number): boolean {
    if (at !== end) return false;
    const { v } = this;
    return [smallWords(v), v.half, v.quarter, v.neighbors, v.capital, v.parts].some((phrases) =>
      phrases.some((phrase) => phrase.length === 1 && phrase[0] === this.tokenAt(at).folded),
    );
  }

  protected skipArticle(): number {
    this.take(this.v.articles);
    return this.at;
  }

  /** A place by its name, optionally with its level and container. */
  protected place(qualified = true): Expression | null {
    const from = this.at;
    const group = this.attempt((): Expression | null => {
      for (const skip of [false, true]) {
        if (skip && !this.take(this.v.articles)) return null;
        const end = this.groupAt(this.at);
        if (end === null) continue;
        const found = groupOf(this.text.slice(this.tokenAt(this.at).from, this.tokenAt(end).to));
        this.at = end + 1;
        return { op: 'group', name: found?.name ?? '', words: this.words(from) };
      }
      return null;
    });
    if (group) return group;
    // "Canton Remich" and "La Rioja" are whole names.
    let end = this.nameAt(this.at);
    let level: LevelWord | null = null;
    if (end === null || this.isKeyword(this.at, end)) {
      this.take(this.v.articles);
      end = this.nameAt(this.at);
    }
    if (end === null || this.isKeyword(this.at, end)) {
      const start = this.at;
      level = this.take(this.v.cityOf) ? 'municipality' : this.level('one');
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
      // "province of Seville" may name something other than the province: the level takes precedence.
      const start = this.at;
      const city = this.take(this.v.cityOf);
      const typed = city ? 'municipality' : this.level('one');
      const name = typed !== null && (city || this.take(this.v.of)) ? this.nameAt(this.skipArticle()) : null;
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
      const text = this.text.slice(this.tokenAt(this.at).from, this.tokenAt(genitive).to - 1);
      this.at = genitive + 1;
      return { op: 'place', name: text, words: this.words(from) };
    }
    const name = this.text.slice(this.tokenAt(this.at).from, this.tokenAt(end).to);
    const folded = foldName(name);
    this.at = end + 1;
    if (level === null) {
      const start = this.at;
      level = this.take(this.v.city) ? 'municipality' : this.level('one');
      // "Vaduz region of …" and "Texas county that …" mean something else.
      if (level !== null && this.v.language !== 'en' && level !== 'county' && level !== 'municipality') {
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

  protected id(): Expression | null {
    const token = this.tokens[this.at];
    if (token?.sort !== 'word' || !/^(?:[rw]\d|iso:|wikidata:|relation\/)/i.test(token.text)) return null;
    if (readBoundaryId(token.text) === null) return null;
    this.at++;
    return { op: 'place', id: token.text, words: this.words(this.at - 1) };
  }

  /** ", Texas", "(Texas)", "in Texas" after a name. */
  protected qualifier(folded: string, name: string): string | null {
    return this.attempt(() => {
      const start = this.at;
      if (this.sign('(')) {
        const end = this.nameAt(this.at);
        if (end === null || this.tokens[end + 1]?.folded !== ')') {
          this.at = start;
          this.fail('is not a place in brackets', start, Math.min(start + 1, this.tokens.length - 1));
        }
        const text = this.text.slice(this.tokenAt(this.at).from, this.tokenAt(end as number).to);
        this.at = (end as number) + 2;
        return text;
      }
      const comma = this.sign(',');
      if (!comma && !this.take(this.v.inside)) return null;
      this.take(comma ? [] : this.v.articles);
      const end = this.nameAt(this.at);
      if (end === null) return null;
      const text = this.text.slice(this.tokenAt(this.at).from, this.tokenAt(end).to);
      if (comma) {
        const relation = this.lexicon.relation(folded, foldName(text));
        // "AK, HI" and "Spain, UK and France" are lists; "Springfield, IL" is not, even if neither is stored.
        const coded = isCode(this.tokenAt(end)) && !isCode(this.tokenAt(start - 1)) && !this.isListed(end + 1);
        if (!coded && (relation === null || relation === 'peers')) return null;
        if (relation === 'both' || relation === 'peers') {
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

  /** Words with which no known name starts, read as an unknown place. */
  protected unknownPlace(): Expression {
    const from = this.at;
    const token = this.tokens[this.at];
    if (token === undefined) this.fail('a place is expected');
    if (token.sort !== 'word') this.fail('is not understood', from);
    const stops = [this.v.and, this.v.or, this.v.without];
    while (
      this.at < this.tokens.length &&
      this.tokenAt(this.at).sort !== 'sign' &&
      !stops.some((phrases) => this.find(phrases) !== null)
    ) {
      this.at++;
    }
    if (this.at === from) this.fail('is not understood', from);
    // Counted in words: the language that understands most of a description explains its error best.
    this.unknown += this.at - from;
    const words = this.words(from);
    return { op: 'place', name: words.text.slice(0, 200), words };
  }
}
