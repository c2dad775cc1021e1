/** What one transaction changed of a boundary of today. */
import { type PlainWords, plainWordsIn } from '../../common/texts/tables.ts';

/** What is recorded of a boundary before and after a transaction. */
export interface BoundaryFacts {
  readonly name: string;
  readonly admin_level: number | null;
  readonly codes: readonly string[] | null;
  readonly km2: number | null;
  /** A hash of the full shape; null: none. */
  readonly shape: string | null;
}

/** `reshaped`: its polygon changed; the past shape is not kept, so that nothing says who gained and who lost. */
export const EVENT_TYPES = ['created', 'ended', 'renamed', 'recoded', 'reshaped'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** A change, as messages and the feed of changes have it. */
export interface BoundaryEvent {
  readonly id: string;
  readonly name: string;
  readonly types: EventType[];
  /** The name before, if it changed. */
  readonly name_before?: string;
  readonly km2_before?: number | null;
  readonly km2?: number | null;
}

/** The facts as they are stored; null: there was no such boundary. */
type Stored = Readonly<Record<string, unknown>> | null;

/** Describes a change from what is stored of it. */
export function eventOf(id: string, stored: { readonly before: Stored; readonly after: Stored }): BoundaryEvent {
  const [before, after] = [stored.before as BoundaryFacts | null, stored.after as BoundaryFacts | null];
  const name = (after ?? before)?.name ?? id;
  if (before === null) return { id, name, types: ['created'], km2: after?.km2 ?? null };
  if (after === null) return { id, name, types: ['ended'], km2_before: before.km2 };
  const isRenamed = before.name !== after.name;
  const isReshaped = before.shape !== after.shape;
  const isRecoded =
    String(before.codes ?? '') !== String(after.codes ?? '') || before.admin_level !== after.admin_level;
  const types: EventType[] = [];
  if (isRenamed) types.push('renamed');
  if (isRecoded) types.push('recoded');
  if (isReshaped) types.push('reshaped');
  return {
    ...{ id, name, types },
    ...(isRenamed ? { name_before: before.name } : {}),
    ...(isReshaped ? { km2_before: before.km2, km2: after.km2 } : {}),
  };
}

/** A change as a line of text; in English, unless in other words. */
export function eventInWords(
  { id, name, types, name_before = '', km2_before, km2 }: BoundaryEvent,
  words: PlainWords = plainWordsIn('en'),
): string {
  const areaOf = (value: number | null | undefined): string =>
    typeof value === 'number' ? `${value.toLocaleString(words.language, AREA)} km2` : words('mail.changes.noArea');
  const said = types.map((type) => {
    if (type === 'renamed') return words('mail.changes.renamed', { before: name_before });
    if (type === 'recoded') return words('mail.changes.recoded');
    if (type !== 'reshaped') return words(`change.${type}`);
    return words('mail.changes.reshaped', { before: areaOf(km2_before), after: areaOf(km2) });
  });
  return `${name} (${id}): ${said.join(', ')}`;
}

/** Areas have two digits after the point. */
const AREA = { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false } as const;
