import { foldName } from './fold.ts';

/** The languages of CLDR that most names of countries in other languages come from. English is not among them. */
const LANGUAGES =
  'es fr de it pt nl ca gl eu pl cs sk hu ro sv da nb fi et lv lt hr sl sr bg el tr ru uk ar fa he hi id ms vi ja zh ko sw';

/** Importance (names.ts) from which a place has its own name before countries: a division or a town, no village. */
export const KNOWN_PLACE = 4;

let names: ReadonlyMap<string, Intl.DisplayNames> | undefined;
let english: Intl.DisplayNames | undefined;

const displayOf = (language: string): Intl.DisplayNames =>
  new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });

/**
 * Whether a folded text is the name of a country in another language alone: neither its local name, nor its name in its
 * main language, nor its name in English, which is in use everywhere. "Granada" is Grenada in Spanish.
 * @param code ISO 3166-1 alpha-2
 * @param local the local name of the country
 */
export function isExonym(folded: string, code: string, local: string): boolean {
  english ??= displayOf('en');
  names ??= new Map(LANGUAGES.split(' ').map((language) => [language, displayOf(language)]));
  const named = (one: Intl.DisplayNames): string => foldName(one.of(code) ?? '');
  if (isOwnName(folded, local) || named(english) === folded) return false;
  const { language } = new Intl.Locale(`und-${code}`).maximize();
  const languages = [...names].filter(([, one]) => named(one) === folded).map(([tag]) => tag);
  return languages.length > 0 && !languages.includes(language) && named(displayOf(language)) !== folded;
}

const displays = new Map<string, Intl.DisplayNames>();

/**
 * Returns the name of a country in a language, "St." written out: "Irland" for IE in German. Null if it has none there.
 * @param code ISO 3166-1 alpha-2
 */
export function countryNameIn(code: string, language: string): string | null {
  const display = displays.get(language) ?? displayOf(language);
  displays.set(language, display);
  return display.of(code)?.replace(/^St\. /, 'Saint ') ?? null;
}

/** The folded names of a place that people everywhere may type: its local ones, and of a country that in English. */
export function namesInUse({ name, kind, country }: { name: string; kind: string; country: string | null }): string[] {
  english ??= displayOf('en');
  const inEnglish = kind === 'country' && country !== null ? [english.of(country) ?? ''] : [];
  return [name, ...name.split('/'), ...inEnglish].map(foldName);
}

/** Whether a folded text is a local name, or one of two: "Alacant/Alicante". */
export function isOwnName(folded: string, local: string): boolean {
  return foldName(local) === folded || local.split('/').some((part) => foldName(part) === folded);
}

/** The folded halves of a local name of two: "Alacant/Alicante", "Vitoria-Gasteiz"; empty for others. */
export function halvesOf(local: string): string[] {
  const halves = local.split(/[/-]/).map(foldName);
  return halves.length === 2 ? halves : [];
}
