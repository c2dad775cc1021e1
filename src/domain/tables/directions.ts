import { foldName } from '../names/fold.ts';

/** A direction in English, Spanish, French, German, Italian or Portuguese, folded, also two in one word: "sureste". */
const DIRECTION =
  /^(?:cent(?:er|re|ro|ral)|(?:(?:north|south|east|west)(?:ern)?|nor(?=o?este)|nord|norte|sud|sued|sur|sul|ost|este?|oeste|ouest|ovest|leste)+(?:en)?)$/;
/** Words for other parts of a country that firms divide it into. */
const PARTS = new Set(
  (
    'zentral mitte mid middle midwest mezzogiorno oriente oriental occidente occidental ' +
    'meridional septentrional levante islands isole islas iles inseln ilhas coast coastal costa kuste cote mountain mountains ' +
    'pacific atlantic interior inland'
  ).split(' '),
);

/**
 * Whether a text is a direction or the like, which is the name of a province in some countries, and that of a part of any
 * other: "North", "Sud-Est", "Centro".
 */
export function isDirection(text: string): boolean {
  const words = foldName(text).split(' ');
  return words.every((word) => PARTS.has(word) || DIRECTION.test(word));
}
