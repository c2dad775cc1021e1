import { boundsOf, type ComparisonWords, directs, equals } from './comparison_words.ts';
import { cross, list, values } from './phrases.ts';

/** The words of French that compare. */
export const FRENCH_COMPARISONS: ComparisonWords = {
  before: list('qui sont, qui soient, sont, ont, qui est, qui ont, ayant, avec, de, d, comptant'),
  had: {
    area: list(
      "dont la superficie est, dont la surface est, d'une superficie, d'une superficie de, d'une superficie d, avec une superficie, avec une superficie de, ayant une superficie, ayant une superficie de, superficie",
    ),
    population: list(
      "dont la population est, d'une population, d'une population de, d'une population d, avec une population, avec une population de, ayant une population, ayant une population de, population",
    ),
  },
  sizes: boundsOf({
    more: 'plus grande que, plus grande qu, supérieure à, supérieure au, plus élevée que',
    less: 'plus petite que, plus petite qu, inférieure à, inférieure au, moins élevée que',
    at_least: 'au moins égale à, au moins égale au',
    at_most: 'au plus égale à, au plus égale au',
  }),
  words: {
    area: list('superficie, surface, étendus, étendues, vastes'),
    population: list('population, habitants, monde, personnes, peuplés, peuplées, peuplé, peuplée'),
  },
  after: [],
  direct: directs([
    [
      cross(
        'plus grands, plus grandes, plus grand, plus grande, plus vastes, plus vaste, plus étendus, plus étendues, plus étendu, plus étendue',
        'que, qu, en superficie que, en superficie qu',
      ),
      'area',
      'more',
    ],
    [cross('plus de superficie, plus de surface, une superficie plus grande', 'que, qu'), 'area', 'more'],
    [
      cross("d'une superficie, une superficie, de superficie, dont la superficie est", 'supérieure', 'à, au, aux'),
      'area',
      'more',
    ],
    ['dont la superficie dépasse', 'area', 'more'],
    [
      cross(
        'plus petits, plus petites, plus petit, plus petite, moins vastes, moins étendus, moins étendues, moins grands, moins grandes',
        'que, qu, en superficie que, en superficie qu',
      ),
      'area',
      'less',
    ],
    [cross('moins de superficie, moins de surface, une superficie plus petite', 'que, qu'), 'area', 'less'],
    [
      cross("d'une superficie, une superficie, de superficie, dont la superficie est", 'inférieure', 'à, au, aux'),
      'area',
      'less',
    ],
    [
      cross(
        "plus peuplés, plus peuplées, plus peuplé, plus peuplée, plus d'habitants, plus de monde, plus de population, une population plus grande",
        'que, qu',
      ),
      'population',
      'more',
    ],
    [
      cross("d'une population, une population, de population, dont la population est", 'supérieure', 'à, au, aux'),
      'population',
      'more',
    ],
    [
      cross(
        "moins peuplés, moins peuplées, moins peuplé, moins peuplée, moins d'habitants, moins de monde, moins de population, une population plus petite",
        'que, qu',
      ),
      'population',
      'less',
    ],
    [
      cross("d'une population, une population, de population, dont la population est", 'inférieure', 'à, au, aux'),
      'population',
      'less',
    ],
    [cross("d'une superficie, une superficie", 'au moins égale', 'à, au, aux'), 'area', 'at_least'],
    [cross("d'une superficie, une superficie", 'au plus égale', 'à, au, aux'), 'area', 'at_most'],
    [cross("d'une population, une population", 'au moins égale', 'à, au, aux'), 'population', 'at_least'],
    [cross("d'une population, une population", 'au plus égale', 'à, au, aux'), 'population', 'at_most'],
  ]),
  bounds: boundsOf({
    more: 'plus de, plus du, plus d, dépassant, dépassant les, qui dépassent, qui dépassent les, qui dépasse les, excédant, qui excèdent, au-dessus de, supérieure à, supérieur à, supérieures à, supérieurs à',
    less: 'moins de, moins du, moins d, au-dessous de, en dessous de, inférieure à, inférieur à, inférieures à, inférieurs à',
    at_least: 'au moins, au minimum, pas moins de, un minimum de, minimum, à partir de, min',
    at_most: "au plus, au maximum, pas plus de, un maximum de, maximum, jusqu'à, tout au plus, max",
  }),
  multiples: values({
    'deux fois': 2,
    'le double de': 2,
    double: 2,
    'le double': 2,
    'trois fois': 3,
    'le triple de': 3,
    'la moitié de': 0.5,
    'la moitié': 0.5,
    'le tiers de': 1 / 3,
    'un tiers de': 1 / 3,
    'le quart de': 0.25,
    'un quart de': 0.25,
  }),
  times: list('fois'),
  equal: equals(
    list(
      'aussi grands que, aussi grandes que, aussi grand que, aussi grande que, aussi vastes que, aussi étendus que, aussi étendues que, plus grands que, plus grandes que, la superficie de, la superficie du, la superficie d, la taille de, la taille du, la taille d',
    ),
    list(
      "aussi peuplés que, aussi peuplées que, plus peuplés que, plus peuplées que, autant d'habitants que, la population de, la population du, la population d",
    ),
  ),
  that: list('celle de, celle du, celle d, celui de, celui du, celui d'),
  orMore: list('ou plus, et plus'),
  orLess: list('ou moins, et moins'),
  but: list('mais, mais aussi, et'),
};
