import { z } from 'zod';
import { kind } from '../../core/schemas.ts';
import { type Decision, MATCHES, type MatchedRow } from '../../domain/tables/match_rows.ts';
import { canonicalId } from '../boundaries/schema.ts';

const place = z.object({
  id: canonicalId,
  name: z.string(),
  kind,
  admin_level: z.int().nullable(),
  parents: z.array(z.object({ id: canonicalId, name: z.string() })).describe('Outermost first.'),
});

const matchedSchema = z.object({
  match: z.enum(MATCHES).describe('How the row was matched. ambiguous and not_found have no boundary.'),
  boundary: place.nullable(),
  confidence: z.number().describe('0 to 1: fixed figures for each kind of match, not a probability.'),
  decided_by: z.enum(['column']).nullable().describe('column: the other rows decided between the candidates.'),
  candidates: z.array(place).describe('Other boundaries that the row may mean, at most 5.'),
});

/** The answer of match_names to rows, and to a dry run. */
export const answerSchema = z.object({
  columns: z
    .object({
      name: z.string().nullable(),
      code: z.string().nullable(),
      within: z.array(z.string()).describe('The innermost first.'),
      type: z.string().nullable(),
    })
    .optional()
    .describe('With dry_run: the columns that were found.'),
  decided: z
    .object({
      country: z.string().nullable(),
      admin_level: z.int().nullable(),
      within: z.object({ id: canonicalId, name: z.string() }).nullable(),
      language: z.string().nullable(),
    })
    .describe('What the whole column says, where it decides between candidates; null: nothing.'),
  counts: z.object({
    rows: z.int(),
    distinct: z.int().describe('Different rows: each is matched once.'),
    matched: z.int(),
    ambiguous: z.int(),
    not_found: z.int(),
  }),
  rows: z.array(matchedSchema).describe('In the order of the input; with dry_run, the first ten.'),
});
export type MatchAnswer = z.input<typeof answerSchema>;

/** The decision as answers say it. */
export const decided = ({ country, adminLevel, within, language }: Decision): MatchAnswer['decided'] => ({
  ...{ country, admin_level: adminLevel, within, language },
});

const placeOf = ({ id, name, kind: of, admin_level, parents }: NonNullable<MatchedRow['boundary']>) => ({
  ...{ id, name, kind: of, admin_level },
  parents: parents.map((parent) => ({ id: parent.id, name: parent.name })),
});

/** A row as answers say it. */
export const shown = ({
  match,
  boundary,
  confidence,
  decidedBy,
  candidates,
}: MatchedRow): MatchAnswer['rows'][number] => ({
  match,
  boundary: boundary && placeOf(boundary),
  confidence,
  decided_by: decidedBy,
  candidates: candidates.map(placeOf),
});
