/** The kinds of boundary (docs/contract.md, Boundaries), coarse to fine. */
export const KINDS = [
  'country',
  'state',
  'region',
  'province',
  'county',
  'district',
  'municipality',
  'city',
  'borough',
  'ward',
  'neighbourhood',
  'postal_code',
] as const;
export type Kind = (typeof KINDS)[number];
