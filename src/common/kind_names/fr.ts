import type { KindNames } from './en.ts';

/** The names of kinds of places in French. */
export const kindNames: KindNames = {
  'kind.country': 'pays',
  'kind.state': 'État',
  'kind.region': 'région',
  'kind.province': 'province',
  'kind.county': 'comté',
  'kind.district': 'district',
  'kind.municipality': 'commune',
  'kind.city': 'ville',
  'kind.borough': 'arrondissement',
  'kind.ward': 'quartier électoral',
  'kind.neighbourhood': 'quartier',
  'kind.postal_code': 'zone de code postal',
};
