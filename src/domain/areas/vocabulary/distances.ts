import { list } from './phrases.ts';
import type { Language, Phrase } from './vocabulary.ts';

// Words around a distance that is bounded, in the four languages: "that are 20 km or less from Burgos".

interface DistanceWords {
  /** In front of the distance or its bound: "located at". */
  readonly lying: readonly Phrase[];
  /** Behind it: "at most". "Or less" is a word of comparisons. */
  readonly bound: readonly Phrase[];
  /** Behind the place: "entfernt liegen". */
  readonly end: readonly Phrase[];
}
const words = (lying: string, bound: string, end = ''): DistanceWords => ({
  ...{ lying: list(lying), bound: list(bound), end: list(end) },
});

export const DISTANCE_WORDS: Readonly<Record<Language, DistanceWords>> = {
  en: words(
    'that are, which are, that lie, which lie, lying, located, situated, that are located, which are located, at a distance of, at a distance, at, no farther than, no further than, not farther than, not further than',
    'at most, at the most, maximum, max, tops',
  ),
  es: words(
    'que están, que están a, que estén a, que se encuentran a, que quedan a, situados a, situadas a, situado a, situada a, a una distancia de, a una distancia, a',
    'como máximo, como mucho, máximo, máx, a lo sumo',
  ),
  de: words(
    'die, welche, die in, in, im Abstand von, in einer Entfernung von, nicht weiter als, die nicht weiter als',
    'maximal, höchstens, max',
    'entfernt sind, entfernt liegen, entfernt ist, entfernt liegt, weg sind, weg liegen, entfernt, weg, liegen',
  ),
  fr: words(
    'qui sont à, qui se trouvent à, qui se situent à, situés à, situées à, situé à, située à, se trouvant à, distants de, distantes de, à une distance de, à une distance, à',
    'maximum, au maximum, au plus, max, tout au plus',
  ),
};
