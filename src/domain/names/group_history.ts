import { foldName } from './fold.ts';
import { beforePhrase, behindPhrase, phraseSet } from './phrases_in.ts';

// Groups as they were: their members in a year, and those that founded them.

/** When the members of a group joined and left it. Codes of ISO 3166-1 are divided by blanks, keys are years. */
export interface GroupHistory {
  /** Source of the years and the founders. */
  readonly source: string;
  /** First year in which the group had its name, or in which its members are known; otherwise that of its first members. */
  readonly since?: number;
  /** Those that founded it; otherwise those of its first year. */
  readonly founders?: string;
  readonly joined?: Readonly<Record<string, string>>;
  readonly left?: Readonly<Record<string, string>>;
}

const codesIn = (text: string | undefined): string[] => text?.split(' ') ?? [];

/** Returns the codes of those that founded a group; null if its history does not say. */
export function foundersOf({ founders, joined }: GroupHistory): readonly string[] | null {
  const [first] = Object.keys(joined ?? {}).sort();
  const codes = founders ?? (first === undefined ? undefined : joined?.[first]);
  return codes === undefined ? null : codesIn(codes);
}

/**
 * Returns the codes of the members at the end of a year; null if there was no such group, or its history does not say: not of a
 * month of a year in which they changed.
 */
export function membersIn(
  { joined, left, since }: GroupHistory,
  { year, isMonth }: MeantYear,
): readonly string[] | null {
  const [first] = Object.keys(joined ?? {}).sort();
  if (isMonth && (joined?.[year] !== undefined || left?.[year] !== undefined)) return null;
  if (first === undefined || year < (since ?? Number(first)) || year > new Date().getFullYear()) return null;
  const until = (table: GroupHistory['joined']): string[] =>
    Object.entries(table ?? {}).flatMap(([at, codes]) => (Number(at) <= year ? codesIn(codes) : []));
  const out = new Set(until(left));
  return until(joined).filter((code) => !out.has(code));
}

/** Words between a group and a year, folded, in the four languages: "as it stood in 2000", "telle quelle etait en 2006". */
const IN_YEAR = phraseSet(
  [
    'as it was in, as it stood in, as it existed in, as it looked in, as it was back in, as they were in, as they stood in',
    'as of, as at, as in, back in, during, in, from, of, in the year, as of the year, at the end of, by the end of',
    'tal como era en, tal y como era en, como era en, tal como estaba en, tal y como estaba en, como estaba en, como existia en',
    'a fecha de, a finales de, en, de, del, en el ano, del ano, de ano',
    'im, im jahr, im jahre, des jahres, stand, im stand von, zum stand von, nach stand, von, in, ende, zum ende von',
    'telle quelle etait en, tels quils etaient en, a la date de, a la fin de, dans sa composition de, de lan, en lan, de lannee',
  ].join(', '),
);
/** The same of the year before. */
const BEFORE_YEAR = phraseSet(
  'before, prior to, before the year, antes de, antes del ano, antes del, vor, vor dem jahr, avant, avant lan',
);
/** Verbs behind the year. */
const VERBS: ReadonlySet<string> = new Set(['bestand', 'existierte', 'war']);
const YEAR = /^\d{4}$/u;

/** The months in the four languages, folded. */
const MONTHS: ReadonlySet<string> = new Set(
  ['en', 'es', 'de', 'fr'].flatMap((language) =>
    Array.from({ length: 12 }, (_, month) =>
      foldName(new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2000, month))),
    ),
  ),
);

/** A year that a text means, or a part of it. */
interface MeantYear {
  readonly year: number;
  /** Only one month of it is meant. */
  readonly isMonth: boolean;
}

/** Divides a folded text into a group and the year that is meant: "eu as of 2003", "eu 2003". Null without a year. */
export function readYear(folded: string): (MeantYear & { readonly name: string }) | null {
  const words = folded.split(' ');
  if (VERBS.has(words.at(-1) ?? '')) words.pop();
  const year = words.pop() ?? '';
  if (!YEAR.test(year)) return null;
  // "en enero de 2024"
  if (words.at(-1) === 'de' && MONTHS.has(words.at(-2) ?? '')) words.pop();
  const isMonth = MONTHS.has(words.at(-1) ?? '');
  if (isMonth) words.pop();
  const before = beforePhrase(words, BEFORE_YEAR);
  const name = before ?? beforePhrase(words, IN_YEAR) ?? words;
  if (name.length === 0 || (before !== null && isMonth)) return null;
  return { name: name.join(' '), year: Number(year) - (before === null ? 0 : 1), isMonth };
}

const joins = (subjects: string, verbs: string): string =>
  subjects
    .split('|')
    .flatMap((subject) => verbs.split('|').map((verb) => `${subject} ${verb}`))
    .join(', ');

/** Words for those that joined a group, folded, in front of its name. */
const JOINED = phraseSet(
  [
    joins(
      'countries|states|nations',
      'that joined|which joined|that joined the|which joined the|that entered the|joining the',
    ),
    joins(
      'paises que|estados que',
      'entraron en|entraron en la|ingresaron en|ingresaron en la|se incorporaron a la|se unieron a la',
    ),
    joins('pays|etats', 'entres dans|qui sont entres dans|qui ont rejoint|ayant rejoint|qui ont adhere a'),
  ].join(', '),
);
/** The same behind its name. */
const WHO_JOINED = phraseSet(
  joins(
    'members|countries|member states|states',
    'that joined|which joined|who joined|that entered|joining|that acceded|to join',
  ),
);
const IN = phraseSet('in, en');

/** Divides a folded text into a group and the year in which those that are meant joined it. Null for another text. */
export function readJoined(folded: string): { readonly name: string; readonly year: string } | null {
  const words = folded.split(' ');
  const year = words.pop() ?? '';
  const rest = YEAR.test(year) ? beforePhrase(words, IN) : null;
  const name = rest && (behindPhrase(rest, JOINED) ?? beforePhrase(rest, WHO_JOINED));
  return name ? { name: withoutArticle(name), year } : null;
}

/** The text of words without an article, and the "l" that an apostrophe joined to a French name. */
function withoutArticle(words: readonly string[]): string {
  const name = (behindPhrase(words, ARTICLES) ?? words).join(' ');
  return name.replace(/^[ld](?=ue$|union |otan$|onu$)/u, '');
}
const ARTICLES = phraseSet('the, la, el, los, las, le, les, l, der, die, das, des');

/** Returns the codes of those that joined a group in a year; null if none did. */
export const joinedIn = ({ joined }: GroupHistory, year: string): readonly string[] | null => {
  const codes = joined?.[year];
  return codes === undefined ? null : codesIn(codes);
};

const MEMBERS = 'members|member states|member countries|states|countries|nations';
/** Words for those that founded a group, folded, in front of its name and behind it. */
const FOUNDED = phraseSet(
  [
    joins('founding|founder|original', MEMBERS.replaceAll(/(?=\||$)/gu, ' of')),
    'founders of, original six of, original seven of, original twelve of',
    joins('paises|estados|miembros|estados miembros|paises miembros', 'fundadores de|fundadores del'),
    'fundadores de, fundadores del',
    joins(
      'grundungsmitglieder|grundungsstaaten|grundungslander|grunderstaaten|grundermitglieder|grundungsmitgliedstaaten',
      'der|des|von',
    ),
    joins('pays|etats|membres|etats membres|pays membres', 'fondateurs de|fondateurs du|fondateurs des'),
    'fondateurs de, fondateurs du',
  ].join(', '),
);
const FOUNDERS = phraseSet(
  `${joins('founding|founder|original', MEMBERS)}, founders, grundungsmitglieder, grundungsstaaten, grundungslander`,
);

/** The name of the group of whose founders a folded text speaks: "founding members of nato". Null for another text. */
export function readFounded(folded: string): string | null {
  const words = folded.split(' ');
  const name = behindPhrase(words, FOUNDED) ?? beforePhrase(words, FOUNDERS);
  return name === null ? null : withoutArticle(name);
}
