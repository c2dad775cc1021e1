import type { Language } from '../../common/languages.ts';
import type { Reader } from '../library/file_entry.ts';
import type { Watched } from '../library/watched.ts';
import type { ActingMember } from '../people/members.ts';

export type { Watched };

/** What a subscription was made for, as its maker gave it. */
export interface About {
  readonly boundary?: string;
  readonly subdivisions?: boolean;
  readonly country?: string;
  readonly file_id?: string;
  readonly admin_level?: number;
}

/** A subscription to changes of boundaries. Times are RFC 3339, UTC. */
export interface Subscription {
  readonly id: string;
  readonly about: About;
  readonly webhook: string | null;
  readonly mail: boolean;
  readonly creator: { readonly id: string; readonly email: string; readonly name: string | null };
  readonly created_at: string;
  /** When the last message was written; null: none yet. */
  readonly sent_at: string | null;
}

/** A subscription to make. */
export interface NewSubscription {
  readonly about: About;
  readonly watched: Watched;
  readonly webhook: string | null;
  readonly mail: boolean;
  /** Language of its mails. */
  readonly language: Language;
}

/** The subscriptions of organizations; owns their table. */
export interface Subscriptions {
  /** Checks that a URL may be called. @throws invalid_input */
  checkWebhook(url: string): Promise<void>;
  /** @throws invalid_input for more than an organization may have; unauthorized */
  create(by: ActingMember, wanted: NewSubscription): Promise<Subscription>;
  /** Those of the caller, or of all members for admins, newest first. */
  list(by: Reader, page: { limit: number; offset: number }): Promise<{ items: Subscription[]; total: number }>;
  /** @throws not_found */
  remove(by: ActingMember, id: string): Promise<void>;
  /**
   * Writes the messages about everything that changed since it last did, to the queues of mail and webhooks; returns how
   * many. Each change is announced once, in the transaction that marks it as announced, whatever process does it.
   */
  announce(signal: AbortSignal): Promise<number>;
  /** Deletes events that are no longer kept. */
  sweep(): Promise<void>;
}
