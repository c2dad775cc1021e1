/** What a message about changes says. */
import type { PlainWords } from '../../common/texts/tables.ts';
import { inSubject, type MailContent } from '../delivery/outbox.ts';
import type { Change } from '../history/changes.ts';
import { type BoundaryEvent, eventInWords } from '../history/events.ts';
import type { About } from './subscription.ts';

/** Mails about one subscription in a day; the last one says that it is. */
export const MOST_MAILS_A_DAY = 24;

/** What one transaction changed: boundaries of today, or an edition of a source that is valid from a date. */
export interface Batch {
  readonly id: number;
  readonly started_at: Date;
  readonly source: string | null;
  readonly valid_from: string | null;
}

/** What a subscription gets of a batch. */
export interface Noticed {
  readonly subscription: string;
  readonly about: About;
  readonly batch: Batch;
  /** Boundaries that changed, of which the lists have the first. */
  readonly total: number;
  readonly events: readonly BoundaryEvent[];
  readonly changes: readonly Change[];
}

/** The event of a webhook: the changes of today's boundaries, and those of an edition as list_changes has them. */
export function payloadOf({ subscription, about, batch, total, events, changes }: Noticed, baseUrl: string) {
  const { source, valid_from } = batch;
  return {
    type: 'boundaries.changed',
    subscription: { id: subscription, about },
    change: { id: `chg_${batch.id}`, recorded_at: batch.started_at.toISOString(), source, valid_from },
    ...{ total, events, changes, more: Math.max(0, total - Math.max(events.length, changes.length)) },
    url: urlOf(batch, baseUrl),
  };
}

/** The mail about it; `number`: of the mails about this subscription today. */
export function mailAbout(
  { about, batch, total, events, changes, subscription }: Noticed,
  { baseUrl, number, words }: { readonly baseUrl: string; readonly number: number; readonly words: PlainWords },
): MailContent {
  const { source, valid_from } = batch;
  const what = about.boundary ?? about.country ?? words('mail.changes.file', { id: String(about.file_id) });
  const lines = [
    ...events.map((event) => eventInWords(event, words)),
    ...changes.map((change) => changeInWords(change, words)),
  ];
  const more = Math.max(0, total - lines.length);
  const edition = source === null ? [] : [words('mail.changes.edition', { source, date: String(valid_from) }), ''];
  const text = [
    ...edition,
    ...lines.map((line) => `- ${line}`),
    ...(more > 0 ? [words('mail.changes.more', { n: more })] : []),
    '',
    words('mail.changes.list', { url: urlOf(batch, baseUrl) }),
    '',
    ...(number >= MOST_MAILS_A_DAY ? [words('mail.changes.last'), ''] : []),
    words('mail.changes.why', { id: subscription, operation: 'delete_subscription' }),
    '',
  ].join('\n');
  const key = total === 1 ? 'mail.changes.subjectOfOne' : 'mail.changes.subject';
  return { subject: words(key, { what: inSubject(what), n: total }), text };
}

/** Where all of a batch is listed: the comparison with the day before an edition, or the feed of changes. */
function urlOf({ source, valid_from }: Batch, baseUrl: string): string {
  if (source === null || valid_from === null) return `${baseUrl}/v1/changes.atom`;
  const from = new Date(Date.parse(valid_from) - 86_400_000).toISOString().slice(0, 10);
  return `${baseUrl}/v1/changes?from=${from}&to=${valid_from}&source=${encodeURIComponent(source)}`;
}

function changeInWords(
  { type, id, name, from, to, predecessors = [], successors = [] }: Change,
  words: PlainWords,
): string {
  const others = [...predecessors, ...successors].filter((one) => one.id !== id).map((one) => one.name);
  const n = others.length - 5;
  const shown = n > 0 ? [...others.slice(0, 5), words('mail.changes.others', { n })] : others;
  const none = words('mail.changes.none');
  const change = words(`change.${type}`);
  const said =
    from === undefined ? change : words('mail.changes.values', { change, from: from ?? none, to: to ?? none });
  return `${name} (${id}): ${said}${shown.length > 0 ? ` (${shown.join(', ')})` : ''}`;
}
