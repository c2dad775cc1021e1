import type { ChangeNames, KindNames } from './en.ts';

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

/** The names of changes between two dates, in French. */
export const changeNames: ChangeNames = {
  'change.created': 'créée',
  'change.ended': 'disparue',
  'change.merged': 'fusionnée',
  'change.split': 'divisée',
  'change.border_moved': 'frontière déplacée',
  'change.moved_parent': 'rattachée ailleurs',
  'change.renamed': 'renommée',
  'change.recoded': 'code changé',
  'change.redrawn': 'retracée',
};
