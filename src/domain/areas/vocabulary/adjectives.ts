import { foldName } from '../../fold.ts';

/** Countries by the adjectives of descriptions, folded: "Canadian", "Spanish". ISO 3166-1 alpha-2. */
export const ADJECTIVES: ReadonlyMap<string, string> = new Map(
  (
    [
      ['American', 'US'],
      ['Austrian', 'AT'],
      ['Belgian', 'BE'],
      ['British', 'GB'],
      ['Canadian', 'CA'],
      ['Danish', 'DK'],
      ['Dutch', 'NL'],
      ['French', 'FR'],
      ['German', 'DE'],
      ['Italian', 'IT'],
      ['Japanese', 'JP'],
      ['Luxembourgish', 'LU'],
      ['Maltese', 'MT'],
      ['Mexican', 'MX'],
      ['Moroccan', 'MA'],
      ['Norwegian', 'NO'],
      ['Polish', 'PL'],
      ['Portuguese', 'PT'],
      ['Russian', 'RU'],
      ['Spanish', 'ES'],
      ['Swedish', 'SE'],
      ['Swiss', 'CH'],
    ] as const
  ).map(([word, code]) => [foldName(word), code]),
);
