import { foldName } from '../names/fold.ts';
import type { Rewrite } from './noise.ts';

/** A year or a postcode of five digits behind words, and a postcode in front of them. */
const NUMBER_BEHIND = /^(?<name>.*\p{L}{4}.*?)[\s,]+(?<number>(?:19|20)\d\d|\d{5}(?:-\d{4})?)\s*$/u;
const NUMBER_IN_FRONT = /^\s*(?<number>\d{5})\s+(?<name>\D*\p{L}\D*)$/u;

/** A query without a year or a postcode: "Novato, CA 94947", "28013 Madrid". Empty if it has none. */
export function withoutNumber(q: string): Rewrite[] {
  const { name, number } = (NUMBER_BEHIND.exec(q) ?? NUMBER_IN_FRONT.exec(q))?.groups ?? {};
  return name === undefined || number === undefined ? [] : [{ q: name, ignored: number, exactly: true }];
}

/** The islands that a plural with an article stands for: "the Caymans". Empty for other queries. */
export function islandsOf(q: string): Rewrite[] {
  const [, name = ''] = /^\s*the\s+(\p{L}{4,})s\s*$/iu.exec(q) ?? [];
  return name === '' ? [] : [{ q: `${name} Islands`, ignored: null, exactly: true, called: foldName(q) }];
}
