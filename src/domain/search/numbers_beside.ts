import { foldName } from '../names/fold.ts';

/** Another form of a query, of which only whole names are meant (Rewrite in noise.ts). */
interface Form {
  readonly q: string;
  readonly ignored: string | null;
  readonly exactly: true;
  readonly called?: string;
}

/** A year or a postcode of five digits at the end, and a postcode at the start. */
const NUMBER_BEHIND =
  /(?<=[\s,])(?:(?:19|20)\d\d|(?:(?:fips|ine|insee|istat|geoid|code)[\s:]*)?\d{5}(?:-\d{4})?|\((?:(?:fips|ine|insee|istat|geoid|code)[\s:]*)?\d{5}\))$/iu;
const NUMBER_IN_FRONT = /^\d{5}(?=\s)/u;
/** A word that is longer than a code. */
const WORD = /\p{L}{4}/u;

/** A query without a year or a postcode: "Novato, CA 94947", "28013 Madrid". Empty if it has none. */
export function withoutNumber(q: string): Form[] {
  const text = q.trim();
  const [number] = NUMBER_BEHIND.exec(text) ?? NUMBER_IN_FRONT.exec(text) ?? [];
  if (number === undefined) return [];
  const name = text.endsWith(number) ? text.slice(0, -number.length) : text.slice(number.length);
  return WORD.test(name) ? [{ q: name, ignored: number, exactly: true }] : [];
}

/** The islands that a plural with an article stands for: "the Caymans". Empty for other queries. */
export function islandsOf(q: string): Form[] {
  const [the = '', name = '', ...more] = q.trim().split(/\s+/);
  const isPlural = the.toLowerCase() === 'the' && more.length === 0 && /^\p{L}{4,}s$/iu.test(name);
  return isPlural ? [{ q: `${name.slice(0, -1)} Islands`, ignored: null, exactly: true, called: foldName(q) }] : [];
}
