import { boundsOf, type ComparisonWords, directs, equals } from './comparison_words.ts';
import { cross, list, values } from './phrases.ts';

/** The words of German that compare. */
export const GERMAN_COMPARISONS: ComparisonWords = {
  before: list('die, welche, das, der, sind, ist, haben, mit, von'),
  had: {
    area: list('deren Fläche, mit einer Fläche, mit einer Fläche von, die eine Fläche von, mit Fläche, Fläche'),
    population: list(
      'deren Bevölkerung, deren Einwohnerzahl, mit einer Bevölkerung, mit einer Bevölkerung von, mit einer Einwohnerzahl, mit einer Einwohnerzahl von, Bevölkerung, Einwohnerzahl',
    ),
  },
  sizes: boundsOf({
    more: 'größer als, größer ist als, mehr als, über, höher als, höher ist als',
    less: 'kleiner als, kleiner ist als, weniger als, unter, niedriger als, geringer als',
    at_least: 'nicht kleiner als, nicht unter',
    at_most: 'nicht größer als, nicht über',
  }),
  words: {
    area: list('Fläche, Flächen, flächengrößer, flächenmäßig'),
    population: list(
      'Bevölkerung, Einwohner, Einwohnern, Menschen, Einwohnerzahl, bevölkerungsreicher, bevölkerungsärmer, einwohnerreicher, einwohnerärmer, einwohnerstärker, einwohnerschwächer, bevölkerungsreich',
    ),
  },
  after: list('sind, ist, haben, hat, aufweisen, aufweist, beträgt, übersteigt'),
  direct: directs([
    [
      cross('größer, größere, größeren, flächengrößer, flächenmäßig größer, ausgedehnter', 'als, sind als, ist als'),
      'area',
      'more',
    ],
    [
      cross(
        'mehr Fläche, größerer Fläche, größere Fläche, einer größeren Fläche, eine größere Fläche',
        'als, haben als, hat als',
      ),
      'area',
      'more',
    ],
    [cross('kleiner, kleinere, kleineren, flächenmäßig kleiner', 'als, sind als, ist als'), 'area', 'less'],
    [
      cross(
        'weniger Fläche, kleinerer Fläche, kleinere Fläche, einer kleineren Fläche, eine kleinere Fläche',
        'als, haben als, hat als',
      ),
      'area',
      'less',
    ],
    [
      cross(
        'bevölkerungsreicher, einwohnerreicher, einwohnerstärker, dichter bevölkert an Menschen, nach Einwohnern größer',
        'als, sind als, ist als',
      ),
      'population',
      'more',
    ],
    [
      cross(
        'mehr Einwohner, mehr Einwohnern, mehr Menschen, mehr Bevölkerung, größerer Bevölkerung, einer größeren Bevölkerung, eine größere Bevölkerung, höherer Einwohnerzahl',
        'als, haben als, hat als',
      ),
      'population',
      'more',
    ],
    [cross('bevölkerungsärmer, einwohnerärmer, einwohnerschwächer', 'als, sind als, ist als'), 'population', 'less'],
    [
      cross(
        'weniger Einwohner, weniger Einwohnern, weniger Menschen, weniger Bevölkerung, kleinerer Bevölkerung, einer kleineren Bevölkerung, eine kleinere Bevölkerung, geringerer Einwohnerzahl',
        'als, haben als, hat als',
      ),
      'population',
      'less',
    ],
    [cross('nicht kleiner', 'als, sind als'), 'area', 'at_least'],
    [cross('nicht größer', 'als, sind als'), 'area', 'at_most'],
  ]),
  bounds: boundsOf({
    more: 'mehr als, über, oberhalb von, größer als',
    less: 'weniger als, unter, unterhalb von, kleiner als',
    at_least: 'mindestens, wenigstens, nicht weniger als, nicht unter, zumindest, ab, min',
    at_most: 'höchstens, maximal, nicht mehr als, nicht über, bis zu, bis, max',
  }),
  multiples: values({
    doppelt: 2,
    zweimal: 2,
    dreimal: 3,
    dreifach: 3,
    viermal: 4,
    halb: 0.5,
    'ein drittel': 1 / 3,
    'die hälfte': 0.5,
  }),
  times: list('mal, x'),
  equal: equals(
    list(
      'so groß wie, so groß sind wie, so groß ist wie, so gross wie, so ausgedehnt wie, die Fläche von, der Fläche von',
    ),
    list(
      'so bevölkerungsreich wie, so viele Einwohner wie, so viele Einwohner haben wie, so vielen Einwohnern wie, so viele Menschen wie, die Bevölkerung von, der Bevölkerung von',
    ),
  ),
  that: list('die von, der von, das von'),
  orMore: list('übersteigen, überschreiten, oder mehr, oder größer, und mehr, und größer'),
  orLess: list('oder weniger, oder kleiner'),
  but: list('aber, aber auch, und, jedoch'),
};
