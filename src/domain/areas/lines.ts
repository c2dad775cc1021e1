import type { Direction } from './algebra.ts';
import type { Parser } from './parser.ts';
import { LINES } from './vocabulary/lines.ts';

// Rules for parallels and meridians by their number: "the 40th parallel", "100° W".

/** A parallel or a meridian: degrees north or east if `signed`, else those of either hemisphere. */
export interface Line {
  readonly at: number;
  readonly signed: boolean;
}

/** Tokens of the longest line: "the line of latitude 40 degrees north". */
const MOST_TOKENS = 9;
const NUMBER = /^\d{1,3}(?:[.,]\d{1,9})?$/u;

/**
 * The line that is here, for what lies on a side of it. Null if there is none.
 * @throws DescriptionError for a meridian where the side needs a parallel, or beyond the poles
 */
export function parseLine(p: Parser, direction: Direction): Line | null {
  return p.attempt((): Line | null => {
    const from = p.at;
    const { latitude, longitude, beside, equator, sides } = LINES[p.v.language];
    let [number, side, isLatitude, isLongitude, isNegative, hasSign] = [
      null as number | null,
      null as string | null,
      false,
      false,
      false,
      false,
    ];
    p.take(p.v.articles);
    for (; p.at < Math.min(p.tokens.length, from + MOST_TOKENS); p.at++) {
      const { sort, folded, text } = p.tokenAt(p.at);
      if (sort === 'number' && number === null && NUMBER.test(text)) number = Number(text.replace(',', '.'));
      else if (sort === 'sign' && /^[-−–]$/u.test(folded) && number === null) isNegative = true;
      else if (text === '°' || text === 'º') hasSign = true;
      else if (folded === '.' && p.v.language === 'de' && number !== null && p.tokens[p.at + 1]?.sort === 'word')
        continue;
      else if (number === null && equator.has(text)) [number, isLatitude] = [0, true];
      else if (latitude.has(folded)) isLatitude = true;
      else if (longitude.has(folded)) isLongitude = true;
      else if (number !== null && side === null && sides.has(folded)) side = sides.get(folded) ?? null;
      else if (!beside.has(folded)) break;
    }
    if (number === null || !(isLatitude || isLongitude || hasSign || side !== null)) return null;
    const isNorthern = /^(?:north|south)$/.test(direction);
    const isWrong = isNorthern
      ? isLongitude || /east|west/.test(side ?? '')
      : isLatitude || /north|south/.test(side ?? '');
    if (isWrong || !/^(?:north|south|east|west)$/.test(direction))
      p.fail(
        'is not a line that has such a side: north and south are of parallels, east and west of meridians',
        from,
        p.at - 1,
      );
    if (number > (isNorthern ? 90 : 180)) p.fail('is not on the globe', from, p.at - 1);
    const isSouthern = isNegative || side === 'south' || side === 'west';
    return { at: isSouthern ? -number : number, signed: isNegative || side !== null || number === 0 };
  });
}
