/** The languages that people are addressed in: by pages, and by sentences about areas. */
export const LANGUAGES = ['en', 'es', 'de', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The first of some language tags, best first, that people are addressed in; else English. */
export function wordingIn(tags: readonly string[]): Language {
  for (const tag of tags) {
    const language = LANGUAGES.find((one) => one === tag.toLowerCase().split('-', 1)[0]);
    if (language) return language;
  }
  return 'en';
}
