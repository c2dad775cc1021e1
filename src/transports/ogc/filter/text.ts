import {
  Builder,
  COMPARISONS,
  type Comparison,
  type Expression,
  invalidFilter,
  MOST,
  type Queryable,
} from './expression.ts';

type Token =
  | { readonly kind: 'word' | 'name' | 'text' | 'sign'; readonly text: string; readonly at: number }
  | { readonly kind: 'number'; readonly text: string; readonly at: number };

const TOKEN =
  /\s*(?:(?<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?)|(?<word>[A-Za-z_][\w.:]*)|"(?<name>[^"]*)"|'(?<text>(?:[^'\\]|''|\\'|\\(?!'))*)'|(?<sign><=|>=|<>|[=<>(),]))/iy;

/** The words of CQL2 that are not names of properties. */
const RESERVED = ['AND', 'OR', 'NOT', 'LIKE', 'BETWEEN', 'IN', 'IS', 'NULL', 'TRUE', 'FALSE'];

/**
 * Reads a filter in CQL2 text (OGC 21-065r2, annex B): comparisons of a property with a value, AND, OR, NOT, LIKE,
 * BETWEEN, IN, IS NULL, CASEI, and S_INTERSECTS with a POINT or a BBOX.
 * @throws invalid_input with the position of what cannot be read
 */
export function readCqlText(text: string): Expression {
  if (text.length > MOST.characters) throw invalidFilter(`must have at most ${MOST.characters} characters`);
  return new Reader(tokensOf(text)).read();
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex + (/\S/.exec(text.slice(TOKEN.lastIndex))?.index ?? 0);
    const groups = TOKEN.exec(text)?.groups;
    if (!groups) throw invalidFilter(`cannot be read at character ${from + 1}: ${excerpt(text, from)}`);
    const [kind = 'sign', found = ''] = Object.entries(groups).find(([, value]) => value !== undefined) ?? [];
    const value = kind === 'text' ? found.replace(/''|\\'/g, "'") : found;
    tokens.push({ kind: kind as Token['kind'], text: value, at: from });
  }
  return tokens;
}

const excerpt = (text: string, from: number): string => JSON.stringify(text.slice(from, from + 20).trim());

/** A recursive descent over tokens. */
class Reader {
  private readonly tokens: readonly Token[];
  private readonly build = new Builder();
  private position = 0;
  private depth = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  read(): Expression {
    const expression = this.either();
    const rest = this.tokens[this.position];
    if (rest) throw unexpected(rest, 'AND, OR or the end');
    return expression;
  }

  private either(): Expression {
    const of = [this.all()];
    while (this.takeWord('OR')) of.push(this.all());
    return this.several('or', of);
  }

  private all(): Expression {
    const of = [this.negated()];
    while (this.takeWord('AND')) of.push(this.negated());
    return this.several('and', of);
  }

  private several(op: 'and' | 'or', of: readonly Expression[]): Expression {
    const [first] = of;
    if (of.length === 1 && first) return first;
    this.build.count();
    return { op, of };
  }

  private negated(): Expression {
    if (!this.takeWord('NOT')) return this.predicate();
    this.build.count();
    return this.inside(() => ({ op: 'not', of: this.negated() }));
  }

  private inside<T>(read: () => T): T {
    this.depth++;
    this.build.checkDepth(this.depth);
    const value = read();
    this.depth--;
    return value;
  }

  private predicate(): Expression {
    if (this.takeSign('(')) {
      const expression = this.inside(() => this.either());
      this.needSign(')');
      return expression;
    }
    for (const value of [true, false]) {
      if (this.takeWord(String(value).toUpperCase())) {
        this.build.count();
        return { op: 'boolean', value };
      }
    }
    if (this.takeCall('S_INTERSECTS')) return this.intersects();
    const { property, anyCase } = this.operand();
    return this.condition(property, anyCase);
  }

  private condition(property: Queryable, anyCase: boolean): Expression {
    if (this.takeWord('IS')) {
      const not = this.takeWord('NOT');
      if (!this.takeWord('NULL')) throw this.missing('NULL');
      return this.perhapsNot(not, this.build.isNull(property));
    }
    const not = this.takeWord('NOT');
    if (this.takeWord('LIKE')) return this.perhapsNot(not, this.build.like(property, this.value(), anyCase));
    if (this.takeWord('BETWEEN')) {
      const low = this.value();
      if (!this.takeWord('AND')) throw this.missing('AND');
      return this.perhapsNot(not, this.build.between(property, low, this.value()));
    }
    if (this.takeWord('IN')) {
      this.needSign('(');
      const values = [this.value()];
      while (this.takeSign(',')) values.push(this.value());
      this.needSign(')');
      return this.perhapsNot(not, this.build.oneOf(property, values, anyCase));
    }
    const by = this.tokens[this.position];
    if (not || by?.kind !== 'sign' || !isComparison(by.text)) {
      throw this.missing(not ? 'LIKE, BETWEEN or IN' : 'a comparison, LIKE, BETWEEN, IN or IS NULL');
    }
    this.position++;
    return this.build.compare(property, by.text, this.value(), anyCase);
  }

  private perhapsNot(not: boolean, of: Expression): Expression {
    return not ? { op: 'not', of } : of;
  }

  /** A property, perhaps in CASEI. */
  private operand(): { property: Queryable; anyCase: boolean } {
    const anyCase = this.takeCall('CASEI');
    const property = this.build.property(this.name());
    if (anyCase) this.needSign(')');
    return { property, anyCase };
  }

  private name(): string {
    const token = this.tokens[this.position];
    const reserved = token?.kind === 'word' && RESERVED.includes(token.text.toUpperCase());
    if (reserved || (token?.kind !== 'word' && token?.kind !== 'name')) throw this.missing('the name of a property');
    this.position++;
    return token.text;
  }

  /** A text or a number; CASEI of a text is the text, as CASEI of the property says all. */
  private value(): string | number {
    const anyCase = this.takeCall('CASEI');
    const token = this.tokens[this.position];
    if (token?.kind !== 'text' && token?.kind !== 'number') throw this.missing('a text in single quotes or a number');
    this.position++;
    if (anyCase) this.needSign(')');
    return token.kind === 'number' ? Number(token.text) : token.text;
  }

  private intersects(): Expression {
    const property = this.name();
    this.needSign(',');
    const point = this.takeCall('POINT');
    if (!point && !this.takeCall('BBOX')) throw this.missing('POINT(x y) or BBOX(west, south, east, north)');
    const numbers = [this.number()];
    if (point) numbers.push(this.number());
    else while (this.takeSign(',')) numbers.push(this.number());
    if (!point && numbers.length !== 4) throw this.missing('four numbers in BBOX');
    this.needSign(')');
    this.needSign(')');
    return this.build.intersects(property, numbers);
  }

  private number(): number {
    const token = this.tokens[this.position];
    if (token?.kind !== 'number') throw this.missing('a number');
    this.position++;
    return Number(token.text);
  }

  private takeWord(word: string): boolean {
    const token = this.tokens[this.position];
    const found = token?.kind === 'word' && token.text.toUpperCase() === word;
    if (found) this.position++;
    return found;
  }

  /** Takes the name of a function with the parenthesis after it. */
  private takeCall(name: string): boolean {
    const next = this.tokens[this.position + 1];
    if (next?.kind !== 'sign' || next.text !== '(' || !this.takeWord(name)) return false;
    this.position++;
    return true;
  }

  private takeSign(sign: string): boolean {
    const token = this.tokens[this.position];
    const found = token?.kind === 'sign' && token.text === sign;
    if (found) this.position++;
    return found;
  }

  private needSign(sign: string): void {
    if (!this.takeSign(sign)) throw this.missing(sign);
  }

  private missing(wanted: string) {
    const token = this.tokens[this.position];
    return token ? unexpected(token, wanted) : invalidFilter(`ends where ${wanted} should follow`);
  }
}

const isComparison = (text: string): text is Comparison => COMPARISONS.some((one) => one === text);

const unexpected = ({ text, at }: Token, wanted: string) =>
  invalidFilter(`has ${JSON.stringify(text.slice(0, 40))} at character ${at + 1} where ${wanted} should be`);
