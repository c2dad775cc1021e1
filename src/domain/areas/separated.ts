// Exclusions whose verb is in two parts, with what is left out between them: "leave Wyoming out", "lass Hessen weg".

/** What is left out: no sign that divides, so that both parts are in one clause. */
const BETWEEN = '(?<left>[^,;:.!?()]{2,160}?)';
/** An end of the clause. */
const END = '(?=\\s*(?:$|[,;:.!?)]))';

/** By language: conjunctions and courtesies in front, the first part, the second part, and the word for without. */
const VERBS: readonly (readonly [front: string, first: string, second: string, without: string])[] = [
  ['(?:but|and)\\s+|please\\s+|you\\s+can\\s+', 'leave|take|keep', 'out(?:\\s+of\\s+(?:it|that|this))?', 'less'],
  [
    'aber\\s+|und\\s+|bitte\\s+',
    '(?:lass|lasse|lasst|lassen\\s+sie|nimm|nehmt|nehmen\\s+sie|ziehe?|ziehen\\s+sie)(?:\\s+bitte)?',
    'weg|raus|heraus|außen\\s+vor|aus|ab',
    'ohne',
  ],
  ['pero\\s+|y\\s+|por\\s+favor\\s+', 'deja|deje|dejad|dejen|dejando', 'fuera|aparte', 'sin'],
  ['mais\\s+|et\\s+', 'laisse|laissez|laissant|mets|mettez', 'de\\s+côté|de\\s+cote|dehors', 'sauf'],
];

const PATTERNS = VERBS.map(([front, first, second, without]) => ({
  pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${front})*(?:${first})\\s+${BETWEEN}\\s+(?:${second})${END}`, 'giu'),
  without,
}));

/**
 * A description with the word for without in place of a verb in two parts, so that all offsets stay: "Idaho, but please
 * leave Wyoming out" is "Idaho, less Wyoming".
 */
export function joinExclusions(text: string): string {
  let joined = text;
  for (const { pattern, without } of PATTERNS) {
    joined = joined.replaceAll(pattern, (found, left: string) => {
      const at = found.lastIndexOf(left);
      return without.padEnd(at) + left.padEnd(found.length - at);
    });
  }
  return joined;
}
