import { DownloadError, download } from './download.ts';
import { checkedBox, type RemoteBoundary, record, texts } from './named.ts';
import { userAgent } from './overpass.ts';

/** A search server with Nominatim's protocol (nominatim.org/release-docs, Search). */
export interface SearchServer {
  /** Host and port. */
  readonly name: string;
  /** Finds administrative boundaries and postcode areas by name. @throws SearchError */
  search(q: string, options: { countries?: readonly string[]; signal: AbortSignal }): Promise<RemoteBoundary[]>;
}

/** The server gave no usable answer; `trouble` is a label for metrics. */
export class SearchError extends Error {
  readonly trouble: string;

  constructor(trouble: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SearchError';
    this.trouble = trouble;
  }
}

const MOST = 10;
const MAX_BYTES = 2 ** 20;
const DEADLINE_MS = 10_000;

/** The server at a URL such as https://nominatim.example/search (or without /search). */
export function searchServer(address: string, { contact }: { contact: string | null }): SearchServer {
  const base = new URL(address);
  base.hash = '';
  if (!/\/search\/?$/.test(base.pathname)) base.pathname = `${base.pathname.replace(/(?<!\/)\/+$/, '')}/search`;
  const agent = userAgent(contact);
  return {
    name: base.host,
    async search(q, { countries, signal }) {
      const url = new URL(base);
      const asked = { q, format: 'jsonv2', limit: String(MOST), namedetails: '1', extratags: '1' };
      for (const [key, value] of Object.entries(asked)) url.searchParams.set(key, value);
      if (countries?.length) url.searchParams.set('countrycodes', countries.join().toLowerCase());
      const options = { userAgent: agent, maxBytes: MAX_BYTES, deadlineMs: DEADLINE_MS, signal };
      const { status, body } = await download(url, options).catch((error: unknown) => {
        if (error instanceof DownloadError) throw new SearchError(error.trouble, error.message, error);
        throw error;
      });
      if (status !== 200) throw new SearchError(status === 429 ? 'rate_limited' : 'other_status', `status ${status}`);
      try {
        return readPlaces(JSON.parse(body.toString()));
      } catch (error) {
        throw new SearchError('malformed', 'no list of places', error);
      }
    },
  };
}

/** The boundaries among the places of an answer in format jsonv2. @throws Error for any other answer */
export function readPlaces(answer: unknown): RemoteBoundary[] {
  if (!Array.isArray(answer)) throw new Error('no list');
  return answer.flatMap((entry: unknown) => {
    const place = record(entry);
    const { osm_type: osmType, osm_id: osmId, category, type } = place;
    const isBoundary = category === 'boundary' && (type === 'administrative' || type === 'postal_code');
    if (!isBoundary || (osmType !== 'relation' && osmType !== 'way')) return [];
    if (typeof osmId !== 'number' || !Number.isSafeInteger(osmId) || osmId <= 0) return [];
    const tags: Record<string, string> = { ...texts(place.extratags), ...texts(place.namedetails), boundary: type };
    if (tags.name === undefined && typeof place.name === 'string') tags.name = place.name;
    // The rank of an administrative boundary is twice its level (Nominatim, Customizing: Place ranking).
    const rank = Number(place.place_rank);
    if (type === 'administrative' && tags.admin_level === undefined && rank % 2 === 0 && rank >= 4 && rank <= 24) {
      tags.admin_level = String(rank / 2);
    }
    // south, north, west, east, as texts.
    const [south, north, west, east] = Array.isArray(place.boundingbox) ? place.boundingbox : [];
    return { id: `${osmType[0]}${osmId}`, tags, box: checkedBox([west, south, east, north]) };
  });
}
