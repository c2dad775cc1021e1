/** Words of columns that count people, folded, in languages of publishers. */
const PEOPLE = new Set(
  (
    'pop population populations poblacion poblacio pob populacao populacion popolazione poblatia populatie populatia ' +
    'einwohner einwohnerzahl einwohnerinnen ewz ew bevoelkerung bevolkerung bevolking inwoners habitants habitantes ' +
    'hab inhabitants residents residentes residenti abitanti befolkning befolkningstal folkmangd folkemengde folketall folketal ' +
    'invanare innbyggere indbyggere vaesto vakiluku asukkaat asukasluku ludnosc obyvatel obyvatelstvo obyvatelia pocetobyv ' +
    'lakossag nepesseg nufus nufusu stanovnistvo prebivalstvo prebivalci naselenie naselennia gyventojai iedzivotaji ' +
    'rahvaarv elanikke penduduk jumlahpenduduk danso'
  ).split(' '),
);

/** Words beside them that count the same people: all of them, in a census or a year. */
const SAME = new Set(
  (
    'total tot totale totales ttl sum gesamt insgesamt totaal est estimate estimated estimation census cens censo padron ' +
    'recensement zensus residente resident residenta residentes legal legale legales municipal municipale de del der of the la le ' +
    'des do da di dello count num number no nr nb nbre anzahl numero numeros nombre zahl n y year ano anno annee jahr max'
  ).split(' '),
);

/** Letters of a column of dBASE: names that were cut there are the beginnings of words. */
const CUT = 10;

/** The words of a column's name, folded, without its digits: `POB_TOTAL2021`, `popTotal`. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[øØ]/g, 'o')
    .replace(/[łŁ]/g, 'l')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');

/** A word of people with "total" before or after it: `POBTOT`, `totpop`. */
function isPeople(word: string, isCut: boolean): boolean {
  const plain = word.replace(/^tot(?:al)?(?=.{3})|(?<=.{3})tot(?:al)?$/g, '');
  if (PEOPLE.has(plain)) return true;
  return isCut && word.length >= 6 && [...PEOPLE].some((one) => one.startsWith(word));
}

/**
 * Whether the name of a column says that it counts all people of an area: POBLACION, `Einwohnerzahl 2023`, `POP2020`,
 * and not some of them (`pop_female`) or a share of them (`pop_density`).
 */
export function countsPeople(name: string): boolean {
  const words = wordsOf(name);
  const cut = name.length === CUT ? words.at(-1) : undefined;
  const people = words.filter((word) => isPeople(word, word === cut));
  const rest = words.filter((word) => !people.includes(word));
  return people.length > 0 && rest.every((word) => SAME.has(word));
}
