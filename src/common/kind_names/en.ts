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

export type KindNames = Readonly<Record<keyof typeof kindNames, string>>;
