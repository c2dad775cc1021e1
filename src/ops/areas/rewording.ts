import { type ProblemError, problem } from '../../core/errors.ts';
import { lexiconOf } from '../../domain/areas/lexicon.ts';
import type { NameServices } from '../../domain/areas/names.ts';
import { parseDescription } from '../../domain/areas/parse.ts';
import { type Lexicon, spansFrom } from '../../domain/areas/spans.ts';
import { MAX_TOKENS, type Token, tokensOf } from '../../domain/areas/tokens.ts';
import { foldName } from '../../domain/names/fold.ts';
import type { Unmapped } from './execution/findings.ts';

/** Words of a description that were understood: the name of a place. */
interface Understood {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Parts of a description that are parsed in search of one that is understood, and rewordings that are carried out. */
const MOST_PARSED = 24;
const MOST_TRIED = 3;
/** Names that an error lists. */
const LISTED = 6;

/**
 * A refused description with what helps to write it again: the names that were understood, and a rewording that was
 * carried out, or none. The rewording names the first candidate of each place that is ambiguous or not found; without
 * candidates it is the longest part of the description that is understood.
 * @param isMapped whether a description has an area
 */
export async function withRewording(
  error: ProblemError,
  services: NameServices,
  description: string,
  isMapped: (text: string) => Promise<boolean>,
): Promise<ProblemError> {
  const places = (error.extra.places ?? []) as readonly Unmapped[];
  const lexicon = await lexiconOf(services, description);
  const understood = namesIn(description, lexicon).filter(
    ({ from, to }) =>
      !places.some((one) => one.candidates.length > 0 && one.from !== null && one.from < to && (one.to ?? 0) > from),
  );
  let rewording: string | null = null;
  let tried = 0;
  for await (const text of rewordingsOf(description, places, lexicon)) {
    if (++tried > MOST_TRIED) break;
    if (!(await isMapped(text))) continue;
    rewording = text;
    break;
  }
  const names = understood.slice(0, LISTED).map(({ text }) => `"${text}"`);
  const sentences = [
    error.message,
    ...(names.length > 0 ? [`Understood: ${names.join(', ')}.`] : []),
    ...(rewording === null ? [] : [`Try: ${rewording}`]),
  ];
  return problem('could_not_map', sentences.join(' '), { ...error.extra, understood, rewording });
}

/** The longest known names of a description, from the left. */
function namesIn(description: string, lexicon: Lexicon): Understood[] {
  const tokens = tokensOf(description).slice(0, MAX_TOKENS);
  const names: Understood[] = [];
  for (let i = 0; i < tokens.length; ) {
    const end = spansFrom(tokens, i).find((last) => isName(description, tokens, i, last, lexicon));
    const [first, last] = [tokens[i], end === undefined ? undefined : tokens[end]];
    if (first && last) names.push({ text: description.slice(first.from, last.to), from: first.from, to: last.to });
    i = (end ?? i) + 1;
  }
  return names;
}

/** Whether tokens are a known name that is written as one: with a capital, or the only word. */
function isName(text: string, tokens: readonly Token[], start: number, end: number, lexicon: Lexicon): boolean {
  const [first, last] = [tokens[start], tokens[end]];
  if (!first || !last || !/^\p{Lu}/u.test(first.text)) return false;
  return lexicon.has(foldName(text.slice(first.from, last.to)));
}

/** Other wordings of a description, the likeliest first; none has been tried. */
async function* rewordingsOf(
  description: string,
  places: readonly Unmapped[],
  lexicon: Lexicon,
): AsyncGenerator<string, void> {
  const chosen = withCandidates(description, places, ({ name, parents }) => {
    const parent = parents.at(-1)?.name;
    return parent === undefined ? name : `${name} (${parent})`;
  });
  const exact = withCandidates(description, places, ({ id }) => id);
  if (chosen !== null) yield chosen;
  if (exact !== null) yield exact;
  if (places.some(({ candidates }) => candidates.length > 0)) return;
  yield* partsOf(description, lexicon);
}

/** A description with the first candidate in place of the words at fault; null unless all places have one. */
function withCandidates(
  description: string,
  places: readonly Unmapped[],
  write: (candidate: Unmapped['candidates'][number]) => string,
): string | null {
  let text = description;
  for (const { from, to, candidates } of places.toSorted((a, b) => (b.from ?? 0) - (a.from ?? 0))) {
    const [first] = candidates;
    if (from === null || to === null || !first) return null;
    text = text.slice(0, from) + write(first) + text.slice(to);
  }
  return places.length === 0 ? null : text;
}

/** Parts of a description that the grammar understands, the longest first. */
async function* partsOf(description: string, lexicon: Lexicon): AsyncGenerator<string, void> {
  const tokens = tokensOf(description).slice(0, MAX_TOKENS);
  let parsed = 0;
  for (let length = tokens.length - 1; length > 0; length--) {
    for (let start = 0; start + length <= tokens.length; start++) {
      const [first, last] = [tokens[start], tokens[start + length - 1]];
      if (!first || !last || first.sort === 'sign' || last.sort === 'sign') continue;
      const part = description.slice(first.from, last.to);
      if (namesIn(part, lexicon).length === 0) continue;
      if (++parsed > MOST_PARSED) return;
      const read = await parseDescription(part, lexicon).catch(() => null);
      if (read !== null && read.unknown === 0) yield part;
    }
  }
}
