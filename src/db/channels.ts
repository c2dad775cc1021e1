/**
 * NOTIFY channels that sessions listen on. A session receives its own announcements before its commit returns.
 * Announcements get lost when a connection breaks, behind a pooler that shares connections, and on a replica: code that
 * relies on one must also poll from time to time.
 */
export const CHANNELS = ['boundary_data', 'boundary_callers'] as const;

export type Channel = (typeof CHANNELS)[number];

/** Statements that make a session listen. */
export const LISTEN: readonly string[] = CHANNELS.map((channel) => `listen ${channel}`);

/** Receives an announcement; null: some may have been lost. */
export type AnnouncementListener = (channel: string | null) => void;
