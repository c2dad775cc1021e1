/** Words that lists of countries abbreviate, in English, Spanish, French and German. */
const LONG: Readonly<Record<string, readonly string[]>> = {
  rep: ['republic', 'república', 'république', 'republik'],
  dem: ['democratic', 'democrática', 'démocratique', 'demokratische'],
  fed: ['federated', 'federal', 'federation'],
  sts: ['states'],
  is: ['islands'],
  arab: ['arab', 'arabische', 'árabe'],
  pdr: ["People's Democratic Republic"],
  dpr: ["Democratic People's Republic"],
  rb: ['Bolivarian Republic of'],
  fyr: ['Former Yugoslav Republic of', 'the former Yugoslav Republic of'],
  sar: ['Special Administrative Region'],
  nct: ['National Capital Territory'],
  vr: ['Volksrepublik'],
  ...{ st: ['Saint', 'Sankt'], ste: ['Sainte'], sta: ['Santa'], sto: ['Santo'], s: ['San', 'Santa', 'Santo', "Sant'"] },
};
/** Spellings of one name that are looked up. */
const MOST = 24;

/** A text with its abbreviated words written out, in one language at a time. */
function writtenOut(text: string): string[] {
  // "S.ta" is a word, and "S.Maria" are two.
  const words = text.replaceAll(/(?<!\p{L})S\.(t[aoe])(?!\p{L})/giu, 'S$1').replaceAll(/(?<=\p{L}\.)(?=\p{L})/gu, ' ');
  const texts = [0, 1, 2, 3].map((at) =>
    words
      .replaceAll(/(?<![\p{L}'’])(\p{L}+)\.?/gu, (word, letters: string) => {
        const long = LONG[letters.toLowerCase()];
        return long?.[Math.min(at, long.length - 1)] ?? word;
      })
      .replaceAll("Sant' ", "Sant'"),
  );
  return [...new Set(texts)];
}

/** Links between a word for a kind and a name, and none. */
const JOINED = [' ', ' of ', ' of the ', ' de ', ' du '];
const AND = ['and', 'und', 'et', 'y', 'e', 'en', 'i', 'og', 'och'];

/** A name and what lists put behind it so that it sorts: "Coruña, A", "Korea, Rep.", "Micronesia (Fed. States of)". */
function behindIn(name: string): readonly [name: string, behind: string] | null {
  const [first = '', second, ...more] = name.split(/[,()]/);
  const isOne = name.includes(',') ? more.length === 0 : more.length === 1 && more[0]?.trim() === '';
  return second === undefined || !isOne || second.trim() === '' || first.trim() === ''
    ? null
    : [first.trim(), second.trim()];
}

/** What is between the two names of one place: "Elche/Elx", "Elche o Elx", "Elx - Elche"; a hyphen may be in a name. */
const BETWEEN_NAMES = [/\//, /\s(?:o|ou|or|oder|e|y)\s/, /\s[-–]\s/, /(?<=\p{L}{3})-(?=\p{L}{3})/u];

/** A name and another one in brackets behind it: "Myanmar (Burma)". */
const IN_BRACKETS = /^([^()[\]]+)[([]([^()[\]]+)[)\]]$/;

/** The two names that a text may have for one place, in brackets or with a sign between them; null if it has one. */
export function bothNamesIn(text: string): readonly [string, string] | null {
  const [, one, other] = IN_BRACKETS.exec(text.trim()) ?? [];
  return one === undefined || other === undefined ? twoNamesIn(text) : [one, other];
}

/** The two names of one place. */
function twoNamesIn(name: string): readonly [string, string] | null {
  for (const between of BETWEEN_NAMES) {
    const [one = '', other = '', ...more] = name.split(between).map((part) => part.trim());
    if (more.length === 0 && one !== '' && other !== '') return [one, other];
  }
  return null;
}

/** A short word that has lost its apostrophe: "ST MAURICE D ETELAN", as French letters are addressed. */
const ELIDED = /(?<![\p{L}'’])([dl])\s(?=[aeiouyhàâéèêëîïôœ])/giu;

/**
 * Other spellings of a name as lists and tables have them, the likeliest first: what is behind a comma or in parentheses
 * in front, both names of a place in the other order, common abbreviations written out. They are looked up as whole
 * names: "Dallas, Texas" gives "Texas Dallas", which no place has. At most MOST.
 */
export function otherOrders(name: string): string[] {
  const spellings: string[] = [];
  const inverted = behindIn(name);
  if (inverted !== null) {
    const [first, behind] = inverted;
    // "L'" is put in front as it is; "Rep." needs a link.
    const links = /['’]$/.test(behind) ? [''] : JOINED;
    for (const text of writtenOut(behind)) {
      for (const link of links) spellings.push(`${text}${link}${first}`);
    }
  }
  const names = twoNamesIn(name);
  if (names !== null) spellings.push(`${names[1]}/${names[0]}`, `${names[0]}/${names[1]}`);
  if (/^the\s/i.test(name)) spellings.push(name.slice(4));
  spellings.push(...writtenOut(name).filter((text) => text !== name));
  const elided = name.replaceAll(ELIDED, "$1'");
  if (elided !== name) spellings.push(elided, ...writtenOut(elided));
  if (name.includes('&')) spellings.push(...AND.map((word) => name.replaceAll('&', ` ${word} `)));
  return [...new Set(spellings)].slice(0, MOST);
}

/** First words of names that are written with a blank behind them and without: "De Witt", "LaSalle", "McLean". */
const PARTICLES = ['de', 'la', 'le', 'mc', 'mac', 'san', 'du', 'van', 'el'];
/** Letters of what follows them. */
const REST_FROM = 3;

/** A folded name with the blank behind its first word taken away, or put in, where people write it either way. */
export function otherBlanks(folded: string): readonly string[] {
  const space = folded.indexOf(' ');
  if (space > 0) return PARTICLES.includes(folded.slice(0, space)) ? [folded.replace(' ', '')] : [];
  return PARTICLES.filter((word) => folded.startsWith(word) && folded.length >= word.length + REST_FROM).map(
    (word) => `${word} ${folded.slice(word.length)}`,
  );
}

/** Articles that names begin with, and that lists leave out. */
const ARTICLES = ['El ', 'La ', 'Los ', 'Las ', "L'", 'Els ', 'Les ', 'Le ', 'A ', 'O ', 'As ', 'Os ', 'Es ', 'Sa '];
/** Letters of a name that may have lost its article: "Paz" is also a word. */
const ARTICLE_FROM = 4;

/** A name with each article in front that it may have lost: "Rochelle". None for names of few letters. */
export const withArticles = (name: string): string[] =>
  name.trim().length < ARTICLE_FROM ? [] : ARTICLES.map((article) => article + name);
