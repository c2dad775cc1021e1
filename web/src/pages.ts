/** The pages of the header, with their labels. */
export const PAGES: readonly (readonly [path: string, label: string])[] = [
  ['/', 'Map'],
  ['/select', 'Select'],
  ['/union', 'Merge'],
  ['/area', 'Area in words'],
  ['/figures', 'Figures'],
  ['/map', 'Dates'],
  ['/library', 'Library'],
  ['/coverage', 'Data'],
  ['/pricing', 'Pricing'],
  ['/feedback', 'Feedback'],
  ['/reviews', 'Reviews'],
];
