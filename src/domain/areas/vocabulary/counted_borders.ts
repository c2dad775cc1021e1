import { around, list } from './phrases.ts';
import type { Around, Language, Phrase } from './vocabulary.ts';

// Words of filters by the number of neighbors, in the four languages: "with exactly two neighbors".

interface CountedBorderWords {
  /** In front of the number of neighbors: "that have". */
  readonly has: readonly Phrase[];
  /** In front of the number and a level: "bordered by". The verbs that border a place are others. */
  readonly by: readonly Around[];
  /** In front of the number: "exactly". Bounds are words of comparisons. */
  readonly exactly: readonly Phrase[];
  /** In place of the number: "a single", "no". */
  readonly one: readonly Phrase[];
  readonly none: readonly Phrase[];
  /** Behind the number: "other". */
  readonly other: readonly Phrase[];
  /** Behind the number: "neighbors". */
  readonly neighbors: readonly Phrase[];
  /** In front of a level or behind it: "neighboring". */
  readonly neighboring: readonly Phrase[];
  /** In place of the whole filter: "without neighbors". */
  readonly without: readonly Phrase[];
}

export const COUNTED_BORDERS: Readonly<Record<Language, CountedBorderWords>> = {
  en: {
    has: list('with, that have, which have, that has, which has, having, have, has'),
    by: around('bordered by, that are bordered by, surrounded by, that are surrounded by, that meet, meeting'),
    exactly: list('exactly, only, just, precisely'),
    one: list('a single, one single, a sole, one sole, a'),
    none: list('no'),
    other: list('other, of the other, different, others'),
    neighbors: list('neighbors, neighbours, neighbor, neighbour, bordering countries, land neighbors, land neighbours'),
    neighboring: list('neighboring, neighbouring, adjacent, bordering, adjoining, neighbor, neighbour'),
    without: list('without neighbors, without neighbours, without any neighbors, without any neighbours'),
  },
  es: {
    by: around('rodeadas por, rodeados por'),
    has: list('con, que tienen, que tiene, que tengan, tienen, teniendo'),
    exactly: list('exactamente, solo, sólo, solamente, únicamente, justo'),
    one: list('un solo, una sola, un único, una única, un, una'),
    none: list('ningún, ninguna'),
    other: list('otros, otras, otro, otra, de los otros, de las otras'),
    neighbors: list('vecinos, vecinas, vecino, vecina'),
    neighboring: list('vecinos, vecinas, vecino, vecina, limítrofes, limítrofe, colindantes, fronterizos'),
    without: list('sin vecinos, sin vecinas, que no tienen vecinos, sin ningún vecino'),
  },
  de: {
    by: around('umgeben von, die von _ umgeben sind'),
    has: list('mit, die, welche, haben'),
    exactly: list('genau, nur, exakt, lediglich'),
    one: list(
      'einem einzigen, einen einzigen, eine einzige, einer einzigen, ein einziges, einem, einen, einer, eine, ein',
    ),
    none: list('keine, keinen, keinem'),
    other: list('andere, anderen, anderes, weitere, weiteren'),
    neighbors: list(
      'Nachbarn, Nachbar, Nachbarländer, Nachbarländern, Nachbarland, Nachbarstaaten, Nachbarstaat, Nachbarprovinzen, Nachbarprovinz, Nachbarcountys, Nachbarkantone, Nachbarkantonen, Nachbargemeinden, Nachbargemeinde, Nachbarbundesstaaten',
    ),
    neighboring: list('benachbarten, benachbarte, benachbarter, angrenzenden, angrenzende'),
    without: list('ohne Nachbarn'),
  },
  fr: {
    by: around('entourés de, entourées de, bordés par, bordées par'),
    has: list('avec, ayant, qui ont, qui a, ont, comptant, qui comptent'),
    exactly: list('exactement, seulement, uniquement, précisément'),
    one: list("un seul, une seule, qu'un seul, qu'une seule, un unique, une unique, un, une"),
    none: list('aucun, aucune'),
    other: list('autres, autre, des autres'),
    neighbors: list('voisins, voisines, voisin, voisine'),
    neighboring: list('voisins, voisines, voisin, voisine, limitrophes, limitrophe, frontaliers, frontalier'),
    without: list("sans voisins, sans voisin, qui n'ont pas de voisins, sans aucun voisin"),
  },
};
