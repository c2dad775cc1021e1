import { foldName } from '../names/fold.ts';

/** Words for a map or a border in languages that put the name behind or before them in the genitive. */
const DECLINING: ReadonlySet<string> = new Set(
  (
    'mapa,mapy,mape,mapu,granica,granice,granicy,hranice,hranica,карта,карты,граница,границы,кордон,кордони,мапа,граници,' +
    'карте,kartta,rajat,karta,karte,harta,hartă,χάρτης,σύνορα,žemėlapis,robeža,kaart,zemljevid,meja,meje'
  )
    .split(',')
    .map(foldName),
);

/**
 * Endings of genitives with those that the nominative may have, in Slavic and Baltic languages, Greek, Finnish and
 * Romanian: "polski" of "polska", "россии" of "россия".
 */
const WRITTEN: readonly (readonly [genitive: string, nominatives: readonly string[]])[] = [
  ['iei', ['ia']],
  ['ei', ['a', 'ea']],
  ['ijos', ['ija']],
  ['os', ['a']],
  ['ии', ['ия']],
  ['ей', ['я', 'и']],
  ['ої', ['а']],
  ['и', ['я', 'а', 'ь']],
  ['ы', ['а']],
  ['у', ['']],
  ['а', ['', 'о']],
  ['я', ['й', 'ь', 'е']],
  ['ой', ['ая']],
  ['i', ['a', 'ia', '']],
  ['y', ['a']],
  ['u', ['', 'o']],
  ['a', ['o', '']],
  ['e', ['a']],
  ['n', ['', 'i']],
  ['s', ['']],
  ['ας', ['α']],
  ['ου', ['ος', 'ο']],
];
const ENDINGS = WRITTEN.map(([genitive, others]) => [foldName(genitive), others.map(foldName)] as const);
/** Words for a kind in the genitive, with their nominative, in languages that decline the adjective beside one. */
const KINDS: ReadonlyMap<string, string> = new Map(
  (
    'области:область,края:край,республики:республика,района:район,округа:округ,губернии:губерния,області:область,краю:край,' +
    'району:район,округу:округ,вобласці:вобласць,województwa:województwo,powiatu:powiat,kraje:kraj,kraja:kraj,' +
    'okresu:okres,županije:županija,pokrajine:pokrajina,apskrities:apskritis,rajono:rajonas,novada:novads,megyei:megye'
  )
    .split(',')
    .map((pair) => {
      const [genitive = '', nominative = ''] = pair.split(':');
      return [foldName(genitive), foldName(nominative)] as const;
    }),
);
/** Endings of adjectives in the genitive, with those of the nominative. */
const ADJECTIVES: readonly (readonly [genitive: string, nominatives: readonly string[]])[] = [
  ['ской', ['ская']],
  ['цкой', ['цкая']],
  ['ного', ['ный']],
  ['кого', ['кий']],
  ['ської', ['ська']],
  ['цької', ['цька']],
  ['ського', ['ський']],
  ['скай', ['ская']],
  ['kiego', ['kie', 'ki']],
  ['ckeho', ['cky']],
  ['skeho', ['sky']],
  ['ske', ['ska']],
  ['cke', ['cka']],
];
const DECLINED = ADJECTIVES.map(([genitive, others]) => [foldName(genitive), others.map(foldName)] as const);

/** Letters that a stem has at least. */
const SHORTEST = 3;
/** Forms of one name, each of which is one more search. */
const MOST = 4;

/** What two words may be the genitive of, one for a kind and an adjective: "калужской области" of "калужская область". */
function phrasesOf(words: readonly string[]): string[] {
  const at = words.findIndex((word) => KINDS.has(word));
  const [kind, adjective = ''] = [KINDS.get(words[at] ?? ''), words[1 - at]];
  if (words.length !== 2 || kind === undefined) return [];
  const forms = DECLINED.flatMap(([ending, others]) =>
    adjective.endsWith(ending) ? others.map((other) => adjective.slice(0, -ending.length) + other) : [],
  );
  return forms.map((form) => (at === 0 ? `${kind} ${form}` : `${form} ${kind}`)).slice(0, MOST);
}

/** Whether folded words have one for a map in a language whose names are declined. */
export const isDeclining = (ignored: string): boolean => ignored.split(' ').some((word) => DECLINING.has(word));

/**
 * Returns what a folded word may be the genitive of, the likeliest first; at most four forms. A plural without an ending has one
 * again: "włoch" of "włochy".
 */
export function nominativesOf(folded: string): string[] {
  if (folded.includes(' ')) return phrasesOf(folded.split(' '));
  const forms = ENDINGS.flatMap(([ending, others]) =>
    folded.endsWith(ending) && folded.length - ending.length >= SHORTEST
      ? others.map((other) => folded.slice(0, -ending.length) + other)
      : [],
  );
  const plural = /[^aeiouyаеиоуыэюя]$/u.test(folded) ? [`${folded}y`] : [];
  return [...new Set([...forms, ...plural])].slice(0, MOST);
}
