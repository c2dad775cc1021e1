import { foldName } from '../names/fold.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';
import type { Phrase } from './vocabulary/vocabulary.ts';

// Data that is pasted in: JSON, `key=value`, and lines of quoted cells, as the lists with headings that the grammar reads.

/** Words that are read as headings: levels, "include" and "exclude". */
const HEADINGS: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap(({ levels, city, include, without }) => {
    const phrases: readonly Phrase[] = [...[...levels.values()].flatMap(({ one, many }) => [...one, ...many]), ...city];
    return [...phrases, ...include, ...without].map((phrase) => phrase.join(' '));
  }),
);

/** The most characters that are read as data. */
const MOST_DATA = 2_000;

const isHeading = (key: string): boolean => HEADINGS.has(foldName(key.replaceAll('_', ' ')));

/** Whether a value of JSON is an object of headings, each with a name or a list of names. */
function isHeaded(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  const isName = (one: unknown): boolean => typeof one === 'string' && one !== '' && !/["\\]/u.test(one);
  return (
    entries.length > 0 &&
    entries.every(
      ([key, of]) => isHeading(key) && (isName(of) || (Array.isArray(of) && of.length > 0 && of.every(isName))),
    )
  );
}

/** The value of a JSON text; undefined if it is none. */
function readJson(text: string): unknown {
  if (text.length > MOST_DATA || !/^\s*\{/u.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** `{"state":"Ohio","counties":["Lake","Geauga"]}` as "state: Ohio; counties: Lake; Geauga", at the same offsets. */
function plainObject(text: string): string {
  let isText = false;
  return text.replaceAll(/["{}[\],]/gu, (sign) => {
    if (sign === '"') isText = !isText;
    if (isText && sign !== '"') return sign;
    return sign === ',' ? ';' : ' ';
  });
}

/** `state=OH;county=Lake`, `county=Lake&state=OH` with colons and semicolons; the text as it is where a key is not a heading. */
function plainPairs(text: string): string {
  const body = text.replace(/^\s*\?/u, (start) => ' '.repeat(start.length));
  const parts = body.split(/[;&\n]|,(?=[^,;&\n=]*=)/u);
  const arePairs = parts.every((part) => {
    const [, key] = /^\s*([^\s=]+)\s*=[^=]*\p{L}[^=]*$/u.exec(part) ?? [];
    return key !== undefined && isHeading(key);
  });
  if (!arePairs) return text;
  return body.replaceAll('=', ':').replaceAll(/[&\n]|,(?=[^,;&\n:]*:)/gu, ';');
}

const QUOTED_LINES = /^\s*"[^"\n]+"(?:\s*,\s*"[^"\n]+")+(?:\s*\n\s*"[^"\n]+"(?:\s*,\s*"[^"\n]+")+)*\s*$/u;

/** A description with pasted data as lists with headings, at the same offsets; the same text without any. */
export function withPlainData(text: string): string {
  if (isHeaded(readJson(text))) return plainObject(text);
  if (text.includes('=') && text.length <= MOST_DATA) return plainPairs(text);
  return text.includes('\n') && text.length <= MOST_DATA && QUOTED_LINES.test(text)
    ? text.replaceAll('"', ' ').replaceAll('\n', ';')
    : text;
}
