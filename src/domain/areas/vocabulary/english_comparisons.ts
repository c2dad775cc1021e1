import { boundsOf, type ComparisonWords, directs, equals } from './comparison_words.ts';
import { cross, list, values } from './phrases.ts';

/** The words of English that compare. */
export const ENGLISH_COMPARISONS: ComparisonWords = {
  before: list(
    'that are, which are, are, is, that is, which is, that have, which have, have, has, having, with, of, being, that cover, covering',
  ),
  had: {
    area: list(
      'with an area, with an area of, with areas, with areas of, whose area is, having an area, having an area of, of an area, that have an area, that have an area of, with a surface, with a surface area, area, areas, surface area, with area',
    ),
    population: list(
      'with a population, with a population of, with populations, with populations of, whose population is, having a population, having a population of, that have a population, that have a population of, with a number of inhabitants, population, populations, with population',
    ),
  },
  sizes: boundsOf({
    more: 'larger than, bigger than, greater than, higher than, more than, above, over, exceeding',
    less: 'smaller than, lower than, less than, fewer than, below, under',
    at_least: 'not smaller than, no smaller than, not less than, no less than, not below',
    at_most: 'not larger than, no larger than, not more than, no more than, not above, not exceeding',
  }),
  words: {
    area: list('area, areas, surface, land, size'),
    population: list('population, populations, people, inhabitants, residents, populous, populated'),
  },
  after: [],
  direct: directs([
    [
      cross('larger, bigger, greater, more extensive', 'than, in area than, by area than, in size than'),
      'area',
      'more',
    ],
    [
      'more area than, more land than, a larger area than, a bigger area than, whose area exceeds, an area larger than, an area greater than',
      'area',
      'more',
    ],
    [cross('smaller, less extensive', 'than, in area than, by area than, in size than'), 'area', 'less'],
    ['less area than, less land than, a smaller area than, an area smaller than', 'area', 'less'],
    [
      cross(
        'more populous, more populated, larger by population, bigger by population, larger in population, bigger in population',
        'than',
      ),
      'population',
      'more',
    ],
    [
      cross(
        'more people, more inhabitants, more residents, a larger population, a higher population, a bigger population, a greater population',
        'than',
      ),
      'population',
      'more',
    ],
    ['whose population exceeds, a population larger than, a population greater than', 'population', 'more'],
    [
      cross('less populous, less populated, smaller by population, smaller in population', 'than'),
      'population',
      'less',
    ],
    [
      cross(
        'fewer people, fewer inhabitants, fewer residents, less people, less inhabitants, less residents, a smaller population, a lower population',
        'than',
      ),
      'population',
      'less',
    ],
    [cross('not, no', 'smaller', 'than, in area than'), 'area', 'at_least'],
    [cross('not, no', 'larger, bigger', 'than, in area than'), 'area', 'at_most'],
    [cross('not, no', 'less populous, less populated', 'than'), 'population', 'at_least'],
    [cross('not, no', 'more populous, more populated', 'than'), 'population', 'at_most'],
  ]),
  bounds: boundsOf({
    more: 'more than, over, above, exceeding, that exceed, which exceed, that exceeds, surpassing, that surpass, in excess of, greater than, upwards of',
    less: 'less than, fewer than, under, below, not quite',
    at_least:
      'at least, no less than, no fewer than, not less than, not fewer than, not under, not below, a minimum of, minimum, min',
    at_most:
      'at most, no more than, not more than, not over, not above, not exceeding, up to, a maximum of, maximum, max',
  }),
  multiples: values({
    twice: 2,
    'two times': 2,
    'three times': 3,
    thrice: 3,
    half: 0.5,
    'one and a half times': 1.5,
    'a third': 1 / 3,
    'one third': 1 / 3,
    'a quarter': 0.25,
    'one quarter': 0.25,
    'a fourth': 0.25,
    'a tenth': 0.1,
    double: 2,
    triple: 3,
  }),
  times: list('times, x'),
  equal: equals(
    list(
      'as large as, as big as, as extensive as, the size of, the area of, of the size of, of the area of, as large in area as, the land area of',
    ),
    list(
      'as populous as, as populated as, as many people as, as many inhabitants as, as many residents as, the population of, of the population of, the inhabitants of',
    ),
  ),
  that: list('that of'),
  orMore: list(
    'or more, or larger, or bigger, or greater, and more, and up, or above, and above, or over, and over, plus',
  ),
  orLess: list('or less, or fewer, or smaller, or under, or below, and below'),
  but: list('but, but also, and, yet'),
};
