import type { ChangeNames, KindNames } from './en.ts';

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

/** The names of changes between two dates, in German. */
export const changeNames: ChangeNames = {
  'change.created': 'entstanden',
  'change.ended': 'aufgelöst',
  'change.merged': 'vereinigt',
  'change.split': 'geteilt',
  'change.border_moved': 'Grenze verschoben',
  'change.moved_parent': 'anders zugeordnet',
  'change.renamed': 'umbenannt',
  'change.recoded': 'Code geändert',
  'change.redrawn': 'neu gezeichnet',
};
