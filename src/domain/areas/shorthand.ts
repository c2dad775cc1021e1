import { foldName } from '../names/fold.ts';
import { isPlaceCode } from '../names/place_names.ts';
import { codeOfPressState } from '../tables/press.ts';
import { withPlainData } from './pasted.ts';

/** What is typed in a hurry, and what it is written out as, of at most its length. */
const SHORT: readonly (readonly [RegExp, string])[] = [
  // "<li>Ohio</li>", "Ohio => Lake, Geauga"
  [/<\/(?:li|td|th|tr|p|option|div)>|<br ?\/?>/giu, ';'],
  [/<\/?[a-z][^<>]{0,200}>/giu, ' '],
  [/(?<=\p{L}\s?)(?:=>|->|→)(?=\s?\p{L})/gu, ':'],
  // "Utah has 29 counties, I need them all"
  [
    /(?<=\p{L}) has(?=(?: the)? (?:\d+|\p{L}+(?:-\p{L}+)?) (?:counties|states|provinces|regions|municipalities|cantons|districts|communities)[,;.])/giu,
    "'s",
  ],
  [
    /(?<=\p{L})[,;.]\s(?:and )?(?:i|we) (?:need|want|would like) (?:them all|all of them|every one(?: of them)?|each of them)\s*[.!]?$/giu,
    '',
  ],
  // "provincias de más de 15.000 km2", "Gallia in Ohio; also Mason County, WV"
  [/(?<=\p{L}\s)de (?=(?:más|menos|plus|moins) (?:de|que) \d)/giu, ''],
  [/(?<=[;,]\s)also (?=\p{Lu})/gu, ''],
  // "U.S. and Canada"
  [/(?<![\p{L}.])(?:U\.\s?S\.|US\.)(?:\s?A\.)?(?!\s(?:Virgin|Minor|Outlying))(?=\s?\S)/gu, 'US'],
  [/(?<=[(\s,;])excl\.?(?=\s\p{L})/giu, 'less'],
  [/(?<![\p{L}\p{N}])w\/o(?![\p{L}\p{N}])/giu, 'but'],
  // "n dakota" is North Dakota.
  [/(?<=\p{L}\s)n(?!\s(?:dakota|carolina|korea|ireland|macedonia|mariana|cyprus)(?!\p{L}))(?=\s\p{L})/gu, '&'],
  [/(?:with |whose )?(?:an )?area (?:is )?>=? ?(?=\d)/giu, 'over '],
  [/(?:with |whose )?(?:an )?area (?:is )?<=? ?(?=\d)/giu, 'under '],
  [/(?<=[\p{Ll})]\s)UNION(?: ALL)?(?=\s\p{Lu}\p{Ll})(?! Count)/gu, 'and'],
  [/(?<=\S)\t(?=\S)/gu, ','],
  [/(?<=[\p{L}\p{N}"]\s?)\|(?=\s?[\p{L}"])/gu, ';'],
  // "Galicia entera"
  [
    /(?<=\p{L}\s)(?:enter[oa]s?|al completo|complet[oa]s?|entier|entière|entiers|entières|komplett|in full|entirely)(?=\s*(?:[,;.)]|$))/giu,
    '',
  ],
  [
    /\((?:all|all of it|entire|whole|complete|full|everything|todo|toda|entero|entera|ganz|alles|komplett|tout|toute|entier|entière)\)/giu,
    '',
  ],
];
/** Codes with dashes or nothing but blanks between them: "OH - PA - WV", "OR-WA-ID", "CT RI MA VT". */
const CODES =
  /(?<![\p{L}\p{N}-]|\p{Lu}\p{Lu}\s)\p{Lu}{2}(?:(?:\s[-–—]\s\p{Lu}{2}){2,}|(?:[-–—]\p{Lu}{2}){2,}|(?: \p{Lu}{2}){2,})(?![\p{L}\p{N}-]| \p{Lu}\p{Lu})/gu;
/** A state as the press shortens it, behind a comma, a bracket or a word for counties, at the end of an item: "Ky.", "N.Y.". */
const PRESS =
  /(?<=[,(]\s?|\b(?:county|counties|cty)\s)(?:\p{Lu}\.\s?\p{L}{1,3}\.|\p{Lu}\p{L}{1,4}\.)(?=\s*(?:$|[,;)&]|and\s))/giu;
/** A code of a state behind a word for counties, at the end of an item: "lane county or". */
const CODE = /(?<=\b(?:county|counties|cty|parish|parishes)\s)[a-z]{2}(?=\s*(?:[,;.&?!]|$))/gu;

/** A description with the abbreviations of people in a hurry written out, at the same offsets. */
export function writtenOut(text: string): string {
  let written = withPlainData(text).replace(CODE, (code) => (isPlaceCode(foldName(code)) ? code.toUpperCase() : code));
  for (const [form, by] of SHORT) written = written.replace(form, (found) => by.padEnd(found.length));
  written = written.replace(PRESS, (state) => (codeOfPressState(state) ?? state).padEnd(state.length));
  return written === written.toUpperCase() && /[\p{Lu}]{3}/u.test(written)
    ? written
    : written.replace(CODES, withCommas);
}

/** Codes of places with commas between them; other words as they are. */
function withCommas(codes: string): string {
  const areCodes = codes.split(/[\s–—-]+/u).every((code) => isPlaceCode(foldName(code)));
  return areCodes
    ? codes
        .replace(/\s[-–—]\s/gu, ' , ')
        .replace(/[-–—]/gu, ',')
        .replace(/(?<=\p{Lu}) (?=\p{Lu})/gu, ',')
    : codes;
}
