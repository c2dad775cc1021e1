/** The names of kinds of places in English: on the pages of the server, and on those of the browser. */
export const kindNames = {
  'kind.country': 'country',
  'kind.state': 'state',
  'kind.region': 'region',
  'kind.province': 'province',
  'kind.county': 'county',
  'kind.district': 'district',
  'kind.municipality': 'municipality',
  'kind.city': 'city',
  'kind.borough': 'borough',
  'kind.ward': 'ward',
  'kind.neighbourhood': 'neighborhood',
  'kind.postal_code': 'postcode area',
} as const;

/** The names of changes between two dates, by their types. */
export const changeNames = {
  'change.created': 'created',
  'change.ended': 'ended',
  'change.merged': 'merged',
  'change.split': 'split',
  'change.border_moved': 'border moved',
  'change.moved_parent': 'moved to another parent',
  'change.renamed': 'renamed',
  'change.recoded': 'code changed',
  'change.redrawn': 'drawn again',
} as const;

export type KindNames = Readonly<Record<keyof typeof kindNames, string>>;
export type ChangeNames = Readonly<Record<keyof typeof changeNames, string>>;
