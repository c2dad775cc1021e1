import type { WebhookOutcome } from '../delivery/webhooks.ts';
import type { Job } from './job.ts';

/** A job as the statements that read it return it; `read_at` is the time of the database. */
export interface JobRow
  extends Omit<Job, 'creator' | 'webhook_delivery' | 'created_at' | 'started_at' | 'ended_at' | 'running_ms'> {
  account: string;
  email: string;
  account_name: string | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  read_at: Date;
}

/** A job with what became of the calls about its end. */
export function toJob(
  { account, email, account_name, read_at, ...row }: JobRow,
  outcomes: ReadonlyMap<string, WebhookOutcome>,
): Job {
  const { created_at, started_at, ended_at } = row;
  const until = (ended_at ?? read_at).getTime();
  return {
    ...row,
    webhook_delivery: outcomes.get(row.id) ?? null,
    creator: { id: account, email, name: account_name },
    created_at: created_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
    running_ms: started_at === null ? 0 : Math.max(0, until - started_at.getTime()),
  };
}
