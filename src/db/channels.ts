/**
 * Channels of NOTIFY that sessions listen on. A session that announces something itself hears of it before its commit
 * returns. Announcements get lost where a connection breaks, behind a pooler that hands connections around and on a
 * replica: who relies on one has to look by itself from time to time.
 */
export const CHANNELS = ['boundary_data', 'boundary_callers'] as const;

export type Channel = (typeof CHANNELS)[number];

/** Statements that make a session listen. */
export const LISTEN: readonly string[] = CHANNELS.map((channel) => `listen ${channel}`);

/** Told of an announcement; null: some may have been lost. */
export type Announced = (channel: string | null) => void;
