/** Names of the color schemes of maps, which people with any kind of color vision can tell apart. */
export const SCHEMES = [
  'blues',
  'greens',
  'oranges',
  'purples',
  'ylgnbu',
  'ylorrd',
  'brbg',
  'prgn',
  'puor',
  'rdbu',
  'rdylbu',
  'viridis',
  'cividis',
] as const;
export type Scheme = (typeof SCHEMES)[number];
