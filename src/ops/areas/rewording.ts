import type { Turns } from '../../common/turns.ts';
import { type ProblemError, problem } from '../../core/errors.ts';
import { clip, DescriptionError, type WithoutContainer } from '../../domain/areas/description_error.ts';
import { inCountry } from '../../domain/areas/in_country.ts';
import { countriesOfLevel } from '../../domain/areas/levels.ts';
import { lexiconOf } from '../../domain/areas/lexicon.ts';
import { isFront } from '../../domain/areas/messages.ts';
import type { NameServices } from '../../domain/areas/names.ts';
import { parseWhole } from '../../domain/areas/parse.ts';
import { restrictionsIn } from '../../domain/areas/restricting.ts';
import { type Lexicon, spansFrom } from '../../domain/areas/spans.ts';
import { MAX_TOKENS, type Token, tokensOf } from '../../domain/areas/tokens.ts';
import { GRAMMAR_WORDS, VOCABULARIES } from '../../domain/areas/vocabulary/languages.ts';
import { PLACED, VAGUE } from '../../domain/areas/vocabulary/messages.ts';
import { inLanguage, joined, type Language, said, term, type Value } from '../../domain/areas/wording/said.ts';
import { foldName } from '../../domain/names/fold.ts';
import type { Unmapped } from './execution/findings.ts';

/** Words of a description that were understood: the name of a place. */
interface Understood {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Parts of a description that are parsed in search of one that is understood, and the tokens of all of them. */
const MOST_PARSED = 24;
const MOST_PARSED_TOKENS = 2 * MAX_TOKENS;
/** A part that begins so many words before the place where another was not understood may be read otherwise. */
const NEAR = 4;
/** Rewordings that are carried out. */
const MOST_TRIED = 2;
/** Names that an error lists. */
const LISTED = 6;

/**
 * A refused description with what helps to write it again: the names that were understood, and a rewording that was
 * carried out, or none. The rewording names the first candidate of each place that is ambiguous or not found; without
 * candidates it is the longest part of the description that is understood and has all of these names, and `left_out` has
 * the other words.
 * @param isMapped whether a description has an area
 * @throws the reason of the signal of `turns`
 */
export async function withRewording(
  error: ProblemError,
  services: NameServices,
  description: string,
  isMapped: (text: string) => Promise<boolean>,
  { turns, language }: { readonly turns: Turns; readonly language: Language },
): Promise<ProblemError> {
  const places = (error.extra.places ?? []) as readonly Unmapped[];
  const lexicon = await lexiconOf(services, description);
  const names = namesIn(description, lexicon);
  const understood = names.filter(
    ({ from, to }) =>
      !places.some((one) => one.candidates.length > 0 && one.from !== null && one.from < to && (one.to ?? 0) > from),
  );
  const without = error.cause instanceof DescriptionError ? error.cause.without : null;
  let found: Rewording | null = null;
  let tried = 0;
  for await (const one of rewordingsOf(description, places, { lexicon, names, turns, without })) {
    if (await isMapped(one.text)) found = one;
    if (found !== null || ++tried === MOST_TRIED) break;
  }
  const rewording = found?.text ?? null;
  const listed = understood.slice(0, LISTED).map(({ text }) => said`"${text}"`);
  const sentences = [
    error.message,
    ...(namesSea(description) ? [inLanguage(NO_SEAS, language)] : []),
    ...(listed.length > 0 ? [inLanguage(said`Understood: ${joined(listed)}.`, language)] : []),
    ...(found === null ? [] : [inLanguage(said`Try: ${found.text}${butWithout(found)}`, language)]),
  ];
  const more = { understood, rewording, left_out: found?.leftOut ?? [] };
  return problem('could_not_map', sentences.join(' '), { ...error.extra, ...more });
}

const NO_SEAS = term(
  'Seas and parts of a coast are not stored, only boundaries; for those by the sea, write a level, as in "coastal counties of Texas".',
);
/** Words for seas and coasts in all languages, folded. */
const SEAS: ReadonlySet<string> = new Set(
  (
    'sea ocean gulf bay coast coasts coastline shore shores shoreline atlantic pacific mediterranean mar oceano golfo bahia costa costas ' +
    'litoral atlantico pacifico mediterraneo cantabrico meer ozean bucht golf kuste kusten ostsee nordsee mittelmeer atlantik pazifik ' +
    'mer ocean golfe baie cote cotes littoral atlantique pacifique mediterranee'
  ).split(' '),
);
/** Words for one boundary of a level in all languages: "Bay County" is a place. */
const LEVELS: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap((v) => [...v.levels.values()].flatMap(({ one }) => one.map(([first]) => first ?? ''))),
);

/** Whether a description names a sea or a coast, not a county of that name. */
function namesSea(description: string): boolean {
  const tokens = tokensOf(description).slice(0, MAX_TOKENS);
  return tokens.some(({ folded }, i) => SEAS.has(folded) && !LEVELS.has(tokens[i + 1]?.folded ?? ''));
}

/** Another wording of a description. */
interface Rewording {
  readonly text: string;
  /** The words before and behind it in the description, if it is a part of that. */
  readonly leftOut: readonly string[];
}

/** The words that a rewording leaves out, as the end of a sentence; empty if there are none. */
function butWithout({ leftOut }: Rewording): Value {
  const quoted = leftOut.map((words) => said`"${clip(words)}"`);
  return leftOut.length === 0 ? '' : said` (without ${joined(quoted, term(' and '))})`;
}

/** What is known of the words of a description, and the turns of the call. */
interface Known {
  readonly lexicon: Lexicon;
  readonly names: readonly Understood[];
  readonly turns: Turns;
  /** The level that says of no place, if that is why it was refused. */
  readonly without: WithoutContainer | null;
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
  known: Known,
): AsyncGenerator<Rewording, void> {
  const chosen = withCandidates(description, places, ({ name, parents }) => {
    const parent = parents.at(-1)?.name;
    return parent === undefined ? name : `${name} (${parent})`;
  });
  // "Georgia (country)" where the name alone is not enough.
  const leveled = withCandidates(description, places, ({ name, kind, parents }) => {
    const where = kind === 'country' ? kind : parents.at(-1)?.name;
    return where === undefined ? name : `${name} (${where})`;
  });
  const exact = withCandidates(description, places, ({ id }) => id);
  for (const text of new Set([chosen, leveled, exact])) if (text !== null) yield { text, leftOut: [] };
  if (places.some(({ candidates }) => candidates.length > 0)) return;
  if (known.without !== null) yield* inCountries(description, known.without);
  yield* partsOf(description, places, known);
}

/** A description with a country behind a level that says of no place: "states in the United States whose name starts with New". */
function* inCountries(description: string, { level, at, language }: WithoutContainer): Generator<Rewording, void> {
  for (const code of countriesOfLevel(level)) {
    const text = `${description.slice(0, at)} ${inCountry(code, language)}${description.slice(at)}`;
    yield { text, leftOut: [] };
  }
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
    if (from === null || to === null || !first || restrictionsIn(text.slice(from, to), false).length > 0) return null;
    text = text.slice(0, from) + write(first) + text.slice(to);
  }
  return places.length === 0 ? null : text;
}

/**
 * Parts of a description that the grammar understands, the longest first. A part has all its names, lacks only words that
 * choose nothing (restricting.ts), has none that are not known, and does not go on behind the place where another part that
 * begins as it does was not understood.
 */
async function* partsOf(
  description: string,
  places: readonly Unmapped[],
  { lexicon, names, turns }: Known,
): AsyncGenerator<Rewording, void> {
  if (names.length === 0) return;
  const tokens = tokensOf(description).slice(0, MAX_TOKENS);
  // Nor may it lack words that choose.
  const choices = restrictionsIn(description, true);
  const chosenBefore = Math.min(...choices.map(({ to }) => to));
  const chosenBehind = Math.max(...choices.map(({ from }) => from));
  // A part without one of the names would be another area: "counties of Ohio" of "counties of Ohio: Lake and Portr".
  const [named, behind] = [names[0]?.from ?? 0, Math.max(...names.map(({ to }) => to))];
  // Words that hold no known name fail wherever a part begins. Others may only be left over: "rich provinces of Galicia"
  // ends at "of", "provinces of Galicia" does not.
  const unknown = places.filter(({ from, to }) => !names.some((one) => one.from >= (from ?? 0) && one.to <= (to ?? 0)));
  const failures = places.flatMap(({ from }) => (from === null ? [] : { start: tokens[0]?.from, at: from }));
  const isFaulty = (start: number, from: number, to: number): boolean =>
    unknown.some((one) => one.from !== null && one.to !== null && from <= one.from && one.to <= to) ||
    failures.some(
      (one) =>
        from < one.at && one.at < to && (from === one.start || (tokens[start + NEAR]?.from ?? Infinity) < one.at),
    );
  // "On Ohio and Iowa, the counties" is not the two states as well.
  const fronts = new Map<number, boolean>();
  const isBehindPreposition = (start: number): boolean => {
    const before = tokens[start - 1]?.folded ?? '';
    const known = fronts.get(start);
    const is =
      known ??
      ((PLACED.has(before) || GRAMMAR_WORDS.has(before)) && isFront(description, tokens.slice(start), lexicon));
    fronts.set(start, is);
    return is;
  };
  let [parsed, read] = [0, 0];
  for (let length = tokens.length - 1; length > 0; length--) {
    if (turns.spend(tokens.length - length)) await turns.next();
    for (let start = 0; start + length <= tokens.length; start++) {
      const [first, last] = [tokens[start], tokens[start + length - 1]];
      if (!first || !last || first.sort === 'sign' || last.sort === 'sign') continue;
      if (first.from > named || last.to < behind) continue;
      if (first.from >= chosenBefore || last.to <= chosenBehind) continue;
      if (isFaulty(start, first.from, last.to)) continue;
      if (isBehindPreposition(start)) continue;
      read += length;
      if (++parsed > MOST_PARSED || read > MOST_PARSED_TOKENS) return;
      const part = description.slice(first.from, last.to);
      const understood = await parseWhole(part, lexicon, turns).catch((error: unknown) => {
        if (error instanceof DescriptionError) failures.push({ start: first.from, at: first.from + error.words.from });
        else if (!(error instanceof RangeError)) throw error;
        return null;
      });
      if (understood?.unknown === 0) {
        const rest = description.slice(last.to);
        const others = [description.slice(0, first.from), rest].map((words) => words.trim());
        const leftOut = others.filter((words) => /[\p{L}\p{N}]/u.test(words));
        // "Closed states: Ohio, Iowa" are not the two states.
        if (tokensOf(others[0] ?? '').some(({ folded }) => VAGUE.has(folded))) continue;
        yield { text: endedList(part, rest), leftOut };
      }
    }
  }
}

/** A list whose last item is left out, with "and" before the new last one: "Utah and Nevada" of "Utah, Nevada and Zorgland". */
function endedList(part: string, rest: string): string {
  const [and = ''] = tokensOf(rest).map(({ text }) => text);
  const comma = part.lastIndexOf(',');
  return comma < 0 || !AND.has(foldName(and)) ? part : `${part.slice(0, comma)} ${and}${part.slice(comma + 1)}`;
}

/** Words for "and" in all languages. */
const AND: ReadonlySet<string> = new Set(VOCABULARIES.flatMap((v) => v.and.map((phrase) => phrase.join(' '))));
