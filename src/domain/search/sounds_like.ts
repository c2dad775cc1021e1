import { setImmediate as nextTurn } from 'node:timers/promises';
import { cityOfSound, largeAmericanCities, largeCitiesLike, namesTown } from '../names/city_names.ts';
import { codesOfDivision } from '../names/division_names.ts';
import { foldName, stripTypeWords } from '../names/fold.ts';
import { indicSpellings } from '../names/indic.ts';
import { codesOfJoinedInitials } from '../names/joined_initials.ts';
import { latinOf } from '../names/latin.ts';
import { compactCode, isShortDivisionCode } from '../names/names.ts';
import { codesAroundRegion } from '../names/region_names.ts';
import { codeOfShortName } from '../names/short_names.ts';
import { codeOfSound, SHORTEST_SOUND } from '../names/sounds.ts';
import { codeBesideName } from './beside_name.ts';
import { type Candidate, FUZZY_STEP, PREFIX_STEP } from './candidates.ts';
import type { Lookups } from './lookups.ts';
import { formsInScript } from './query_words.ts';
import { citiesBeside } from './search_cities.ts';
import { LARGE } from './slips.ts';

/** Step of a place by a short or former name: after other names, before codes. */
const SHORT_STEP = 1.5;
/** Step of a name that sounds like the query: of a name with one letter wrong. */
const SOUND_STEP = FUZZY_STEP + 0.11;
/** Rows looked up for a code. */
const CODE_ROWS = 50;

/**
 * The large divisions, countries and cities whose name a folded text sounds like, however many letters differ: "kentuki",
 * "misisipi", "filadelfia". A text in another script is read in Latin letters: "γενοβα" is Genova.
 */
export async function soundingLike(lookups: Lookups, text: string): Promise<Candidate[]> {
  const latin = latinOf(text);
  const folded = latin ?? text;
  const written = latin === null ? [] : await writtenSo(lookups, latin);
  if (written.length > 0) return written;
  const code = codeOfSound(folded);
  const found: Candidate[] =
    code === null ? [] : [...(await placesOfCode(lookups, code))].filter(({ weight }) => weight >= LARGE);
  const city = cityOfSound(folded);
  if (city !== null && city !== folded) found.push(...(await citiesBeside(lookups, city)));
  return found.map((one) => ({ ...one, step: SOUND_STEP, whole: false, name_type: null }));
}

/** The large divisions and countries, or else the towns, that are written like a text of another script in Latin letters. */
async function writtenSo(lookups: Lookups, latin: string): Promise<Candidate[]> {
  const codes = [...new Set([latin, ...stripTypeWords(latin)])].flatMap(codesOfDivision);
  const places = (await Promise.all(codes.map((code) => placesOfCode(lookups, code)))).flat();
  const large = places.filter(({ weight }) => weight >= LARGE);
  const found = large.length === 0 && namesTown(latin) ? await citiesBeside(lookups, latin) : large;
  return found.map((one) => ({ ...one, step: SOUND_STEP, whole: false, name_type: null }));
}

/** Reads the tables of sounds and of misspelled cities in turns of their own: the first call to need them would wait for it. */
export async function readSounds(): Promise<void> {
  await nextTurn();
  codeOfSound(' '.repeat(SHORTEST_SOUND));
  await nextTurn();
  cityOfSound(' '.repeat(SHORTEST_SOUND));
  await nextTurn();
  largeCitiesLike(' '.repeat(SHORTEST_SOUND));
  await nextTurn();
  largeAmericanCities('');
  await nextTurn();
  codesAroundRegion('');
}

/** A word that an article before a vowel may be missing in front of, in French, Catalan and Italian: "Hospitalet". */
const UNELIDED = /^[aeiouh]\p{L}{3,}$/u;
/** Rows for a name with its article. */
const ARTICLE_ROWS = 20;
/** Articles of names in Galician, Catalan and Spanish, of which one is missing or another is written: "Saviñao", "El Porriño". */
const ARTICLES = 'o a os as el la els les los las'.split(' ');
const OTHER_ARTICLE = /^(?:el|la|los|las|o|a|os|as|els|les) (?=\p{L}{4})/u;
/** Letters and words of a name whose article may be missing. */
const [NAMED_FROM, NAMED_WORDS] = [5, 3];

/** The places whose name, or whose first word, is a folded text with an article before it: "Aquila" is L'Aquila, "Masnou" El Masnou. */
export async function withArticle(lookups: Lookups, folded: string): Promise<Candidate[]> {
  const bare = folded.replace(OTHER_ARTICLE, '');
  const isName = bare.length >= NAMED_FROM && bare.split(' ').length <= NAMED_WORDS;
  const forms = isName ? ARTICLES.map((article) => `${article} ${bare}`).filter((form) => form !== folded) : [];
  const exact = forms.length === 0 ? [] : await lookups.exact(forms, null, ARTICLE_ROWS);
  const found = exact.map((row): Candidate => ({ ...row, step: PREFIX_STEP, whole: true }));
  if (!UNELIDED.test(folded)) return found;
  const name = `l${folded}`;
  const wanted = { name, code: ` ${name}`, id: null, completesCodes: false, within: null, most: ARTICLE_ROWS };
  const rows = await lookups.names(wanted);
  return [
    ...found,
    ...rows.filter(({ step, whole, name_type }) => step <= PREFIX_STEP && whole && name_type !== 'code'),
  ];
}

/** The countries and divisions of an ISO 3166 code. */
export async function placesOfCode(lookups: Lookups, code: string): Promise<Candidate[]> {
  const wanted = { name: ' ', code: compactCode(code), id: null, completesCodes: false, within: null, most: CODE_ROWS };
  // "ES-T" is not Estonia, whose code of three letters is "EST".
  const isDivision = isShortDivisionCode(code);
  return (await lookups.names(wanted)).filter(
    ({ type, name_type, kind }) =>
      type === 'administrative' && name_type === 'code' && !(isDivision && kind === 'country'),
  );
}

/** Weights of a country with many people and of a large division: "J&K", but no brand or genre ("H&M", "R&B"). */
const [PEOPLED, WIDE] = [14, 7.7];

/** The large countries and divisions of two names whose initials a query is: "J&K". */
async function ofInitials(lookups: Lookups, q: string): Promise<Candidate[]> {
  const found = await Promise.all(
    codesOfJoinedInitials(q).map(async (code) => {
      const isCountry = !code.includes('-');
      return (await placesOfCode(lookups, code)).filter(
        ({ kind, weight }) => (kind === 'country') === isCountry && weight >= (isCountry ? PEOPLED : WIDE),
      );
    }),
  );
  return found.flat().map((one) => ({ ...one, step: 0, whole: true, name_type: 'alias' }));
}

/** The country or division that a query is short for, or has another name of: "VAE", "Haute-Volta", "ಕರ್ನಾಟಕ". */
export async function placesCalled(lookups: Lookups, q: string): Promise<Candidate[]> {
  // "New York (NY)" is the state.
  const own = codeBesideName(q);
  if (own !== null) return (await placesOfCode(lookups, own)).map((one) => ({ ...one, step: 0, name_type: 'alias' }));
  const code = codeOfShortName(q);
  const folded = foldName(q);
  const written = code === null ? [folded, ...formsInScript(folded)].flatMap(codesOfDivision) : [code];
  const codes = written.length > 0 ? written : indicSpellings(folded).flatMap(codesOfDivision);
  if (codes.length === 0) return ofInitials(lookups, q);
  const found = await Promise.all(codes.map((one) => placesOfCode(lookups, one)));
  return found.flat().map((one) => ({ ...one, step: SHORT_STEP, name_type: 'alias' }));
}
