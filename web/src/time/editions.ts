import { ask } from '../api.ts';

/** A type and level of an edition, as get_data_status lists it. */
export interface EditionLayer {
  readonly valid_from: string;
  readonly source: string;
  readonly name: string;
  readonly admin_level: number | null;
  readonly boundaries: number;
}

/** A source with editions. */
export interface DatedSource {
  readonly id: string;
  readonly name: string;
  /** The dates on which something of it changes, ascending. */
  readonly dates: readonly string[];
  readonly levels: readonly number[];
}

/** The sources that have editions, by name. @throws like ask() */
export async function datedSources(signal: AbortSignal): Promise<readonly DatedSource[]> {
  const { editions } = await ask<{ editions: EditionLayer[] }>('/data-status', { query: { editions: true }, signal });
  const ids = [...new Set(editions.map(({ source }) => source))];
  return ids
    .map((id) => {
      const own = editions.filter(({ source }) => source === id);
      const levels = own.flatMap(({ admin_level }) => (admin_level === null ? [] : [admin_level]));
      return {
        ...{ id, name: own[0]?.name ?? id },
        dates: [...new Set(own.map(({ valid_from }) => valid_from))].sort(),
        levels: [...new Set(levels)].sort((a, b) => a - b),
      };
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** A date of an address, if it is one of the calendar. */
export function dateIn(query: URLSearchParams, name: string): string | null {
  const text = query.get(name) ?? '';
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? null : text;
}
