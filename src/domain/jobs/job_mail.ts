import type { PlainWords } from '../../common/texts/tables.ts';
import { inSubject, type MailContent } from '../delivery/outbox.ts';

/** What the mail about the end of a job says. */
export interface EndedJob {
  readonly id: string;
  readonly name: string;
  /** Address of its file; null if it made none. */
  readonly url: string | null;
  /** Why it failed; null if it did not. */
  readonly reason: string | null;
}

/** The mail about the end of a job. */
export function endOfJob({ id, name, url, reason }: EndedJob, words: PlainWords): MailContent {
  const subject = words(reason === null ? 'mail.job.ready' : 'mail.job.notMade', { name: inSubject(name) });
  const done = words('mail.job.done', { id });
  const file = [`${done} ${words('mail.job.file')}`, '', url, '', words('mail.job.opening')];
  const failed = [words('mail.job.failed', { id, reason: reason ?? '' }), '', words('mail.job.free')];
  const lines = reason !== null ? failed : url === null ? [done] : file;
  return { subject, text: `${lines.join('\n')}\n` };
}
