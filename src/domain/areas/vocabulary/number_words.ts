import { foldName } from '../../names/fold.ts';

/** By number, its words; those with the same meaning are separated by "|", the words of one by blanks. */
type Words = readonly (readonly [number: number, words: string])[];

/** Words for consecutive numbers, starting at `from`. */
const counted = (from: number, text: string): Words => text.split(' ').map((words, i) => [from + i, words]);

/** All of `tens` with each of `units` behind it, or in front of it. */
const compounds = (tens: Words, units: Words, join: (ten: string, unit: string) => string): Words =>
  tens.flatMap(([ten, tenWords]) => units.map(([unit, words]) => [ten + unit, eachOf(tenWords, words, join)] as const));

const eachOf = (tens: string, units: string, join: (ten: string, unit: string) => string): string =>
  tens
    .split('|')
    .flatMap((ten) => units.split('|').map((unit) => join(ten, unit)))
    .join('|');

/** Maps the folded words of numbers to them: "twenty one". */
const mapped = (...lists: readonly Words[]): ReadonlyMap<string, number> =>
  new Map(lists.flat().flatMap(([number, words]) => words.split('|').map((one) => [foldName(one), number] as const)));

const TENS = [20, 30, 40, 50, 60, 70, 80, 90];
const tensOf = (text: string): Words => text.split(' ').map((words, i) => [TENS[i] as number, words]);

function english() {
  const units = counted(1, 'one two three four five six seven eight nine');
  const teens = counted(10, 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen');
  const tens = tensOf('twenty thirty forty fifty sixty seventy eighty ninety');
  const all = compounds(tens, units, (ten, unit) => `${ten} ${unit}`);
  return mapped(units, teens, tens, all, [[100, 'hundred|one hundred|a hundred']]);
}

function german() {
  const units = counted(1, 'eins zwei drei vier fünf sechs sieben acht neun');
  const teens = counted(10, 'zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn');
  const tens = tensOf('zwanzig dreißig|dreissig vierzig fünfzig sechzig siebzig achtzig neunzig');
  const all = compounds(tens, units, (ten, unit) => `${unit === 'eins' ? 'ein' : unit}und${ten}`);
  return mapped(units, teens, tens, all, [[100, 'hundert|einhundert']]);
}

function spanish() {
  const units = counted(1, 'uno dos tres cuatro cinco seis siete ocho nueve');
  const behind = counted(1, 'uno|una|un dos tres cuatro cinco seis siete ocho nueve');
  const teens = counted(10, 'diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve');
  const tens = tensOf('veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa');
  const twenties = compounds([[20, 'veinti']], behind, (ten, unit) => `${ten}${unit}`);
  const all = compounds(tens.slice(1), behind, (ten, unit) => `${ten} y ${unit}`);
  return mapped(units, teens, tens, twenties, all, [[100, 'cien']]);
}

function french() {
  const units = counted(1, 'un deux trois quatre cinq six sept huit neuf');
  const behind: Words = [[1, 'et un|et une'], ...units.slice(1)];
  const teens = counted(10, 'dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf');
  const tens = tensOf('vingt trente quarante cinquante soixante septante huitante|octante nonante');
  const after = (ten: string, unit: string): string => `${ten} ${unit}`;
  const seventies = compounds([[60, 'soixante']], [[11, 'et onze'], ...teens], after);
  const nineties = compounds([[80, 'quatre-vingt']], [[1, 'un|une'], ...units.slice(1), ...teens], after);
  const eighty: Words = [
    [80, 'quatre-vingts|quatre-vingt'],
    [100, 'cent'],
  ];
  return mapped(units, teens, tens, compounds(tens, behind, after), seventies, nineties, eighty);
}

/** By language, the words for the numbers from 1 to 100, folded, with a blank between two of one number. */
export const NUMBER_WORDS = { en: english(), de: german(), es: spanish(), fr: french() };

/** The most words of a number: "quatre-vingt dix-neuf". */
export const MOST_NUMBER_WORDS = 4;
