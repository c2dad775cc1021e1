import type { ChangeNames, KindNames } from './en.ts';

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

/** The names of changes between two dates, in Spanish. */
export const changeNames: ChangeNames = {
  'change.created': 'creado',
  'change.ended': 'terminado',
  'change.merged': 'fusionado',
  'change.split': 'dividido',
  'change.border_moved': 'frontera movida',
  'change.moved_parent': 'pasa a otra unidad superior',
  'change.renamed': 'cambia de nombre',
  'change.recoded': 'cambia de código',
  'change.redrawn': 'dibujado de nuevo',
};
