import type { KindNames } from './en.ts';

/** The names of kinds of places in Spanish. */
export const kindNames: KindNames = {
  'kind.country': 'país',
  'kind.state': 'estado',
  'kind.region': 'región',
  'kind.province': 'provincia',
  'kind.county': 'condado',
  'kind.district': 'distrito',
  'kind.municipality': 'municipio',
  'kind.city': 'ciudad',
  'kind.borough': 'distrito urbano',
  'kind.ward': 'barrio electoral',
  'kind.neighbourhood': 'barrio',
  'kind.postal_code': 'zona de código postal',
};
