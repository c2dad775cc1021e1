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
  const hundreds = units.slice(1).map(([unit, word]) => [100 * unit, `${word} hundred`] as const);
  return mapped(units, teens, tens, all, [[100, 'hundred|one hundred|a hundred']], hundreds, [
    [500_000, 'half a million'],
    [250_000, 'a quarter of a million|quarter of a million|a quarter million'],
    [750_000, 'three quarters of a million'],
    [1_500_000, 'one and a half million|a million and a half'],
    [1_000_000, 'a million'],
    [1_000, 'a thousand'],
  ]);
}

function german() {
  const units = counted(1, 'eins zwei drei vier fünf sechs sieben acht neun');
  const teens = counted(10, 'zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn');
  const tens = tensOf('zwanzig dreißig|dreissig vierzig fünfzig sechzig siebzig achtzig neunzig');
  const all = compounds(tens, units, (ten, unit) => `${unit === 'eins' ? 'ein' : unit}und${ten}`);
  const small = [...units, ...teens, ...tens, ...all];
  const joined = (words: Words, factor: number, ending: string): Words =>
    words.map(([number, word]) => [
      number * factor,
      eachOf(word, ending, (one, end) => `${one === 'eins' ? 'ein' : one}${end}`),
    ]);
  const hundreds = joined(units, 100, 'hundert');
  const thousands = joined([...small, [100, 'hundert'], ...hundreds], 1_000, 'tausend');
  return mapped(small, [[100, 'hundert']], hundreds, thousands, [
    [500_000, 'eine halbe Million|einer halben Million|halbe Million'],
    [1_500_000, 'anderthalb Millionen|eineinhalb Millionen'],
    [1_000_000, 'eine Million|einer Million'],
  ]);
}

function spanish() {
  const units = counted(1, 'uno dos tres cuatro cinco seis siete ocho nueve');
  const behind = counted(1, 'uno|una|un dos tres cuatro cinco seis siete ocho nueve');
  const teens = counted(10, 'diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve');
  const tens = tensOf('veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa');
  const twenties = compounds([[20, 'veinti']], behind, (ten, unit) => `${ten}${unit}`);
  const all = compounds(tens.slice(1), behind, (ten, unit) => `${ten} y ${unit}`);
  const words = 'doscient trescient cuatrocient quinient seiscient setecient ochocient novecient'.split(' ');
  const hundreds: Words = words.map((stem, i) => [100 * (i + 2), `${stem}os|${stem}as`]);
  return mapped(units, teens, tens, twenties, all, [[100, 'cien']], hundreds, [
    [500_000, 'medio millón'],
    [1_500_000, 'un millón y medio|millón y medio'],
    [1_000_000, 'un millón'],
    [1_000, 'mil'],
  ]);
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
    [500_000, 'un demi-million|demi-million'],
    [1_500_000, 'un million et demi'],
    [1_000_000, 'un million'],
    [1_000, 'mille'],
  ];
  const hundreds: Words = units.slice(1).map(([unit, word]) => [100 * unit, `${word} cents|${word} cent`]);
  return mapped(units, teens, tens, compounds(tens, behind, after), seventies, nineties, eighty, hundreds);
}

/** By language, the words for the numbers from 1 to 100 and for round larger ones, folded, with a blank between two of one number. */
export const NUMBER_WORDS = { en: english(), de: german(), es: spanish(), fr: french() };

/** The most words of a number: "three quarters of a million". */
export const MOST_NUMBER_WORDS = 5;
