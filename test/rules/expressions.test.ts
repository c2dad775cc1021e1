import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { expect, it } from 'vitest';
import { parseAst } from 'vitest/node';

/**
 * Every regular expression of the program, run on texts that make a careless one look at each place again from every
 * other place. A linear one takes a fraction of a millisecond for such a text, a quadratic one a tenth of a second
 * and more: the bound lies far from both.
 */
const LENGTH = 30_000;
const BOUND_MS = 75;
const TOGETHER = 32;

/** Expressions that are put together at run time and cannot be read here, by file: what they are made of. */
const MADE_AT_RUN_TIME: Readonly<Record<string, string>> = {
  'src/domain/names/fold.ts': 'one class of letters',
  'src/common/plain_text.ts': 'one character at a time, with what must stand beside it',
  'src/transports/visible.ts': 'one character at a time',
};

interface Found {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

const files = ['src', 'workers'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path)),
);

/** The expressions in a file, by its syntax tree; one made at run time has no source. */
function expressionsOf(path: string): Found[] {
  const text = readFileSync(path, 'utf8');
  const found: Found[] = [];
  const visit = (node: object): void => {
    const { type, regex, start, callee } = node as {
      type?: string;
      regex?: { pattern: string; flags: string };
      start?: number;
      callee?: { name?: string };
    };
    if (type === 'Literal' && regex) {
      const where = `${path}:${text.slice(0, start ?? 0).split('\n').length}`;
      found.push({ where, source: regex.pattern, flags: regex.flags });
    }
    if (callee?.name === 'RegExp') found.push({ where: path, source: '', flags: '' });
    for (const value of Object.values(node)) if (typeof value === 'object' && value !== null) visit(value);
  };
  if (/[=(,:?&|!{;[]\s*\/|RegExp\(/.test(text)) visit(parseAst(text, { lang: 'ts' }));
  return found;
}

/** What an expression is made of: its words and marks, and one character of each kind there is. */
function piecesOf(source: string): { words: string[]; marks: string[] } {
  const plain = source
    .replace(/\\[pP]\{[^}]*\}|\\[dDwWsSbB]|\(\?(?:[:=!]|<[=!])|\\u\{?[0-9a-f]+\}?|\\x[0-9a-f]{2}|\{[\d,]+\}/gi, '\0')
    .replace(/\\(.)/g, (_whole, one: string) => ({ n: '\n', r: '\r', t: '\t' })[one] ?? one);
  const words = plain.match(/[A-Za-z0-9_:/.@<>=!-]{2,}/g) ?? [];
  const marks = [...plain.replace(/[A-Za-z0-9\0]/g, '')];
  const kinds = ['a', '1', ' ', '\n', 'A', '0', '-', '.', '\u0301', '漢', '\u{1f600}'];
  return { words: [...new Set(words)].slice(0, 5), marks: [...new Set([...kinds.slice(0, 4), ...marks, ...kinds])] };
}

const filled = (piece: string): string => piece.repeat(LENGTH / piece.length);

/** Texts of LENGTH characters: pieces and pairs of pieces repeated, ended so that whoever looks for more fails. */
function* attacks(source: string): Generator<string> {
  const { words, marks } = piecesOf(source);
  for (const piece of words) yield `${piece.repeat(LENGTH / 2)}\0`;
  for (const piece of marks) yield `${filled(piece)}\0`;
  const [before] = words;
  for (const piece of marks) if (before) yield `${before}${filled(piece)}\0`;
  const few = marks.slice(0, 6);
  for (const a of few) {
    for (const b of few) {
      if (a === b) continue;
      yield `${filled(a + b)}\0`;
      yield `${a}${filled(b)}\0${a}`;
    }
  }
}

const context = createContext({ texts: [], expression: /x/ });
const script = new Script(
  `for (const text of texts) expression.global ? text.replace(expression, '') : expression.test(text)`,
);

/** Tries of a text, which have to agree. */
const TRIES = 3;
const PATIENCE_MS = 10_000;

/**
 * Whether the expression in the context takes more than the bound for some texts together, in time of the processor: a busy
 * machine may let this process wait for much longer, and it is given twice the time then.
 */
function isSlow(texts: readonly string[]): boolean {
  context.texts = texts;
  for (let timeout = 2 * BOUND_MS; timeout < PATIENCE_MS; timeout *= 2) {
    const before = process.cpuUsage();
    let stopped = false;
    try {
      script.runInContext(context, { timeout });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      stopped = true;
    }
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1000 > BOUND_MS) return true;
    if (!stopped) return false;
  }
  return true;
}

/** The first text that an expression takes too long for, each time it is tried; null when there is none. */
function slowText({ source, flags }: Pick<Found, 'source' | 'flags'>): string | null {
  context.expression = new RegExp(source, flags);
  const texts = [...attacks(source)];
  // What takes too long for no text does so for few together: a clock for each would cost more than the texts.
  for (let at = 0; at < texts.length; at += TOGETHER) {
    const some = texts.slice(at, at + TOGETHER);
    if (!isSlow(some)) continue;
    for (const text of some) {
      if (Array.from({ length: TRIES }, () => isSlow([text])).every(Boolean)) return `${text.slice(0, 20)}…`;
    }
  }
  return null;
}

it.each([
  ['a run before what is looked for', '[a-z][a-z0-9+.-]*:\\/\\/'],
  ['a run that starts anywhere', '(\\w+:\\/\\/[^\\s:/@]*):'],
  ['two runs of one kind', '^\\d+\\.?\\d*$'],
  ['a run at the end', '\\s+$'],
  ['an opening without an end', '<head\\b[\\s\\S]*?<\\/head>'],
  ['runs in runs', '^(a+)+$'],
])('finds %s to be more than linear', (_what, source) => {
  expect(slowText({ source, flags: '' })).not.toBeNull();
});

it('every regular expression of the program is linear in its text', () => {
  const found = files.flatMap(expressionsOf);
  const made = found.filter(({ source }) => source === '').map(({ where }) => where);
  expect([...new Set(made)].sort()).toEqual(Object.keys(MADE_AT_RUN_TIME).sort());
  const different = new Map(found.map((one) => [`${one.source}/${one.flags}`, one]));
  expect(different.size).toBeGreaterThan(150);
  const slow = [...different.values()].flatMap((one) => {
    const text = one.source === '' ? null : slowText(one);
    return text === null ? [] : [`${one.where} /${one.source}/${one.flags} on ${JSON.stringify(text)}`];
  });
  expect(slow).toEqual([]);
}, 240_000);
