import { boundsOf, type ComparisonWords, directs, equals } from './comparison_words.ts';
import { cross, list, values } from './phrases.ts';

/** The words of Spanish that compare. */
export const SPANISH_COMPARISONS: ComparisonWords = {
  before: list('que son, que sean, son, es, que es, que tienen, que tengan, que tiene, tienen, con, de'),
  had: {
    area: list(
      'con una superficie, con una superficie de, con superficie, con superficie de, cuya superficie es, cuya superficie sea, de superficie, con una extensión, con una extensión de, cuya extensión es, superficie, extensión',
    ),
    population: list(
      'con una población, con una población de, con población, con población de, cuya población es, cuya población sea, de población, población',
    ),
  },
  sizes: boundsOf({
    more: 'mayor que, más grande que, superior a, mayor de, más de, por encima de',
    less: 'menor que, más pequeña que, inferior a, menor de, menos de, por debajo de',
    at_least: 'no menor que, no inferior a, no menor de',
    at_most: 'no mayor que, no superior a, no mayor de',
  }),
  words: {
    area: list('superficie, área, extensión, extensos, extensas, extenso, extensa'),
    population: list(
      'población, habitantes, gente, personas, poblados, pobladas, poblado, poblada, populosos, populosas',
    ),
  },
  after: [],
  direct: directs([
    [
      cross(
        'más grandes, más grande, mayores, mayor, más extensos, más extensas, más extenso, más extensa',
        'que, en superficie que, de superficie que',
      ),
      'area',
      'more',
    ],
    [
      'más superficie que, más área que, mayor superficie que, mayor extensión que, una superficie mayor que, una superficie superior a, cuya superficie supera',
      'area',
      'more',
    ],
    [
      cross(
        'más pequeños, más pequeñas, más pequeño, más pequeña, más chicos, más chicas, menores, menor, menos extensos, menos extensas, menos extenso, menos extensa',
        'que, en superficie que, de superficie que',
      ),
      'area',
      'less',
    ],
    [
      'menos superficie que, menos área que, menor superficie que, menor extensión que, una superficie menor que, una superficie inferior a',
      'area',
      'less',
    ],
    [
      cross(
        'más poblados, más pobladas, más poblado, más poblada, más populosos, más populosas, más habitantes, más población, más gente, mayor población, una población mayor',
        'que',
      ),
      'population',
      'more',
    ],
    ['una población superior a, cuya población supera', 'population', 'more'],
    [
      cross(
        'menos poblados, menos pobladas, menos poblado, menos poblada, menos habitantes, menos población, menos gente, menor población, una población menor',
        'que',
      ),
      'population',
      'less',
    ],
    ['una población inferior a', 'population', 'less'],
    [cross('no', 'menores, más pequeñas, más pequeños', 'que'), 'area', 'at_least'],
    [cross('no', 'mayores, más grandes', 'que'), 'area', 'at_most'],
  ]),
  bounds: boundsOf({
    more: 'más de, más del, que superan, que superan los, que superan las, que supera los, que superen los, superan los, que exceden de, que exceden los, que sobrepasan los, por encima de, mayor de, mayores de, superior a, superiores a',
    less: 'menos de, menos del, por debajo de, menor de, menores de, inferior a, inferiores a',
    at_least:
      'al menos, por lo menos, como mínimo, no menos de, un mínimo de, mínimo, no inferior a, no menor de, no menores de',
    at_most:
      'como máximo, como mucho, a lo sumo, no más de, un máximo de, máximo, hasta, no superior a, no mayor de, no mayores de',
  }),
  multiples: values({
    doble: 2,
    'el doble': 2,
    'doble de': 2,
    'el doble de': 2,
    triple: 3,
    'el triple': 3,
    'triple de': 3,
    'el triple de': 3,
    'la mitad': 0.5,
    mitad: 0.5,
    'la mitad de': 0.5,
    'un tercio': 1 / 3,
    'un tercio de': 1 / 3,
    'un cuarto': 0.25,
    'un cuarto de': 0.25,
    'dos veces': 2,
    'tres veces': 3,
  }),
  times: list('veces'),
  equal: equals(
    list(
      'tan grandes como, tan grande como, tan extensas como, tan extensos como, grandes que, grande que, la superficie de, la superficie del, de la superficie de, de la superficie del, la extensión de, la extensión del, de la extensión de, de la extensión del, de superficie que',
    ),
    list(
      'tan pobladas como, tan poblados como, tantos habitantes como, la población de, la población del, de la población de, de la población del, habitantes que, de habitantes que, de población que, población que',
    ),
  ),
  that: list('la de, el de, la del, el del'),
  orMore: list('o más, o mayores, o mayor, en adelante'),
  orLess: list('o menos, o menores, o menor'),
  but: list('pero, pero también, y, aunque'),
};
