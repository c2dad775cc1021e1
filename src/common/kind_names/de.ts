import type { KindNames } from './en.ts';

/** The names of kinds of places in German. */
export const kindNames: KindNames = {
  'kind.country': 'Land',
  'kind.state': 'Bundesland',
  'kind.region': 'Region',
  'kind.province': 'Provinz',
  'kind.county': 'Kreis',
  'kind.district': 'Bezirk',
  'kind.municipality': 'Gemeinde',
  'kind.city': 'Stadt',
  'kind.borough': 'Stadtbezirk',
  'kind.ward': 'Wahlbezirk',
  'kind.neighbourhood': 'Stadtviertel',
  'kind.postal_code': 'Postleitzahlgebiet',
};
