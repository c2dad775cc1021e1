import type { Key } from './texts/en.ts';

/** The pages of the header, with their labels. */
export const PAGES: readonly (readonly [path: string, label: Key])[] = [
  ['/', 'page.map'],
  ['/select', 'page.select'],
  ['/union', 'page.union'],
  ['/area', 'page.area'],
  ['/figures', 'page.figures'],
  ['/map', 'page.dates'],
  ['/library', 'page.library'],
  ['/coverage', 'page.data'],
  ['/pricing', 'page.pricing'],
  ['/feedback', 'page.feedback'],
  ['/reviews', 'page.reviews'],
];
