import { foldName } from '../../names/fold.ts';
import type { Language } from './vocabulary.ts';

// Words of parallels and meridians, and of points, in the four languages, folded.

type Side = 'north' | 'south' | 'east' | 'west';

interface LineWords {
  readonly latitude: ReadonlySet<string>;
  readonly longitude: ReadonlySet<string>;
  /** Between the number and the words, and glued to it: "th", "degrees". */
  readonly beside: ReadonlySet<string>;
  /** As it is written: with a capital it is a country in Spanish and French. */
  readonly equator: ReadonlySet<string>;
  readonly sides: ReadonlyMap<string, Side>;
}

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(' ').map(foldName));
const words = (
  latitude: string,
  longitude: string,
  beside: string,
  equator: string,
  sides: Readonly<Record<Side, string>>,
): LineWords => ({
  ...{ latitude: setOf(latitude), longitude: setOf(longitude), beside: setOf(beside) },
  equator: new Set(equator.split(' ')),
  sides: new Map(Object.entries(sides).flatMap(([side, text]) => [...setOf(text)].map((word) => [word, side as Side]))),
});

export const LINES: Readonly<Record<Language, LineWords>> = {
  en: words(
    'parallel latitude lat',
    'meridian longitude lon lng long',
    'th st nd rd degree degrees deg of the line º',
    'equator Equator',
    {
      north: 'n north northern',
      south: 's south southern',
      east: 'e east eastern',
      west: 'w west western',
    },
  ),
  es: words('paralelo latitud lat', 'meridiano longitud lon lng', 'o º grado grados de del el la', 'ecuador', {
    north: 'n norte',
    south: 's sur',
    east: 'e este',
    west: 'w oeste',
  }),
  de: words(
    'breitengrad breitengrads breitengrades breitenkreis breitenkreises breite latitude lat',
    'längengrad längengrads längengrades meridian meridians länge longitude lon lng',
    'grad º der des',
    'Äquator Äquators äquator äquators',
    {
      north: 'n nord nördlicher nördliche',
      south: 's süd südlicher südliche',
      east: 'e ost östlicher östliche',
      west: 'w west westlicher westliche',
    },
  ),
  fr: words('parallèle latitude lat', 'méridien longitude lon', 'e ème eme º degré degrés de du le la', 'équateur', {
    north: 'n nord',
    south: 's sud',
    east: 'est',
    west: 'w o ouest',
  }),
};
