import { problem } from '../../../core/errors.ts';
import type { Level } from '../../../domain/areas/algebra.ts';
import type { Candidate } from '../../../domain/areas/names.ts';
import { inLanguage, type Language, type Sentence, said } from '../../../domain/areas/wording/said.ts';

/** What a step was found to mean, as the answer shows it. */
export interface StepResult {
  /** Number of boundaries in the step's result. */
  readonly members: number;
  /** The boundary of a place step. */
  readonly place?: { readonly id: string; readonly name: string; readonly within: string | null };
  /** The level that was meant, where the step has another. */
  readonly level?: Level;
  /** Other boundaries that the name may mean, and why this one was chosen. */
  readonly rivals?: readonly Candidate[];
  readonly because?: Sentence;
  readonly notes?: readonly Sentence[];
}

/** A part of a description that was not found, or that is ambiguous. */
export interface Unmapped {
  readonly text: string;
  /** Offsets of its first character and of the one after its last; null when the caller gave the plan. */
  readonly from: number | null;
  readonly to: number | null;
  readonly reason: Sentence;
  readonly candidates: readonly Candidate[];
}

/** could_not_map with every part that is at fault, in a language. */
export function couldNotMap(places: readonly Unmapped[], language: Language) {
  const written = places.map((place) => ({ ...place, reason: inLanguage(place.reason, language) }));
  const shown = written.slice(0, 10).map(({ reason }) => reason);
  const more = places.length > 10 ? inLanguage(said` (and ${places.length - 10} more)`, language) : '';
  return problem('could_not_map', shown.join(' ') + more, { places: written.slice(0, 100) });
}
