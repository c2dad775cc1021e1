import { foldName } from '../names/fold.ts';
import { nameIn } from '../names/languages.ts';
import type { CandidateSource } from './candidates.ts';
import { type Candidate, LANGUAGES, type PlaceRow } from './match_rows.ts';

/** Rows that are looked at, and the share of them that must have their name in the language. */
const SAMPLE = 300;
const SHARE = 0.9;
/** Rows from which a column has a language. */
const FROM = 5;

/**
 * The language of a column: the one in which most names of matched boundaries are what is written. Null if the local
 * names are written as often, or no language has most of them.
 */
export async function languageOf(
  source: CandidateSource,
  clear: readonly { readonly row: PlaceRow; readonly id: string }[],
): Promise<string | null> {
  if (clear.length < FROM) return null;
  const step = Math.max(1, Math.floor(clear.length / SAMPLE));
  const some = clear.filter((_, i) => i % step === 0).slice(0, SAMPLE);
  const names = await source.namesOf(
    some.map(({ id }) => id),
    LANGUAGES,
  );
  const counts = new Map<string, number>();
  let local = 0;
  for (const { row, id } of some) {
    const known = names.get(id);
    if (!known) continue;
    const folded = foldName(row.name);
    if (foldName(known.local) === folded) local++;
    for (const language of LANGUAGES) {
      const name = nameIn(known.names, [language]);
      if (name !== null && foldName(name) === folded) counts.set(language, (counts.get(language) ?? 0) + 1);
    }
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return best && best[1] > local && best[1] >= SHARE * some.length ? best[0] : null;
}

/** The one of several candidates that has what is written as its name in a language; null if none or several do. */
export async function namedIn(
  source: CandidateSource,
  row: PlaceRow,
  tied: readonly Candidate[],
  language: string,
): Promise<Candidate | null> {
  const names = await source.namesOf(
    tied.map(({ boundary }) => boundary.id),
    [language],
  );
  const folded = foldName(row.name);
  const fitting = tied.filter(({ boundary }) => {
    const name = nameIn(names.get(boundary.id)?.names ?? {}, [language]);
    return name !== null && foldName(name) === folded;
  });
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}
