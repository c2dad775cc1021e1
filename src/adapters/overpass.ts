import { pageText } from '../common/page_text.ts';
import { readVersion } from '../common/version.ts';
import { type Download, DownloadError, type DownloadTrouble, download } from './download.ts';

/** All outcomes of a query except a whole answer (troubleOf has the server's own messages). */
export type OverpassTrouble =
  | DownloadTrouble
  /** 429: the slots of our address are in use or cooling down. */
  | 'rate_limited'
  /** 504 of the server itself: its time or space is used up. */
  | 'overloaded'
  /** 502, 503 or 504 of a proxy in front of the server. */
  | 'gateway'
  /** 401, 403, 406: the server refuses our address or our User-Agent. */
  | 'blocked'
  /** 400, or a parse error: our query is wrong. */
  | 'bad_query'
  /** 3xx: never followed. */
  | 'redirect'
  | 'other_status'
  /** 200, but not JSON. */
  | 'not_json'
  /** 200 and a remark: the query ran out of time or memory, or failed otherwise; its data is incomplete. */
  | 'query_timeout'
  | 'out_of_memory'
  | 'remark'
  /** 200 and JSON, but not a whole answer. */
  | 'malformed';

/** A query without a whole answer. Nothing of the data may be used. */
export class OverpassError extends Error {
  readonly trouble: OverpassTrouble;
  /** Bytes received over the wire. */
  readonly bytes: number;

  constructor(trouble: OverpassTrouble, message: string, bytes: number, cause?: unknown) {
    super(message, { cause });
    this.name = 'OverpassError';
    this.trouble = trouble;
    this.bytes = bytes;
  }
}

/** A whole answer: JSON with a list of elements and without a remark. The elements were not checked. */
export interface OverpassAnswer {
  readonly elements: readonly unknown[];
  /** The parsed document, including the elements. */
  readonly document: Readonly<Record<string, unknown>>;
  /** Bytes over the wire. */
  readonly bytes: number;
}

/** The slots of our address, as /api/status reports them. */
export interface SlotStatus {
  /** Slots at once; 0: unlimited. */
  readonly rateLimit: number;
  readonly free: number;
  /** Seconds until further slots are free, ascending. */
  readonly waits: readonly number[];
}

/** One Overpass server. */
export interface OverpassServer {
  /** Host and port, as the name in logs, metrics and tables. */
  readonly name: string;
  /** Sends one query to the interpreter. @throws OverpassError */
  ask(query: string, bounds: { maxBytes: number; signal?: AbortSignal }): Promise<OverpassAnswer>;
  /** The slots, or null when the server does not report them. @throws OverpassError when it cannot be reached */
  status(signal?: AbortSignal): Promise<SlotStatus | null>;
}

/** Seconds that the server may work on a query: it admits small requests sooner. */
export const QUERY_SECONDS = 25;
/** The server holds a query for up to 15 s until a slot is free; then the answer has to be transferred. */
const DEADLINE_MS = (QUERY_SECONDS + 15 + 20) * 1000;
const STATUS_DEADLINE_MS = 5_000;
const STATUS_BYTES = 64 * 1024;

/**
 * The server at a URL such as https://overpass.example/api/interpreter (or without /interpreter). `contact` goes into
 * the User-Agent.
 */
export function overpassServer(
  address: string,
  { contact, deadlineMs = DEADLINE_MS }: { contact: string | null; deadlineMs?: number },
): OverpassServer {
  const base = new URL(address);
  base.pathname = base.pathname.replace(/\/interpreter\/?$|(?<!\/)\/+$/, '');
  base.search = '';
  base.hash = '';
  const at = (path: string): URL => new URL(`${base.href.replace(/\/$/, '')}/${path}`);
  const agent = userAgent(contact);
  return {
    name: base.host,
    async ask(query, { maxBytes, signal }) {
      const options = { form: { data: query }, userAgent: agent, maxBytes, deadlineMs, signal };
      return readAnswer(await download(at('interpreter'), options).catch(asOverpassError));
    },
    async status(signal) {
      const options = {
        userAgent: agent,
        maxBytes: STATUS_BYTES,
        deadlineMs: Math.min(deadlineMs, STATUS_DEADLINE_MS),
        signal,
      };
      const { status, body } = await download(at('status'), options).catch(asOverpassError);
      return status === 200 ? readStatus(body.toString()) : null;
    },
  };
}

/** The User-Agent that operators of servers ask for: `boundary-lookup/1.2.3 (+mail@example.org)`. */
export function userAgent(contact: string | null): string {
  const shown = contact?.replace(/[^\x20-\x7e]+|[()\\]/g, ' ').trim();
  return `boundary-lookup/${readVersion()}${shown ? ` (+${shown})` : ''}`;
}

function asOverpassError(error: unknown): never {
  if (error instanceof DownloadError) throw new OverpassError(error.trouble, error.message, error.bytes, error);
  throw error;
}

/** The JSON of an answer. @throws OverpassError for everything that is not a whole answer */
export function readAnswer({ status, contentType, body, bytes }: Download): OverpassAnswer {
  const fail = (trouble: OverpassTrouble, message: string, cause?: unknown): never => {
    throw new OverpassError(trouble, message, bytes, cause);
  };
  // Error pages are XHTML, whatever format was requested.
  const looksLikePage =
    contentType.includes('html') || body.subarray(0, 64).toString('latin1').trimStart().startsWith('<');
  if (status !== 200 || looksLikePage) {
    const said = printable(body.subarray(0, 16 * 1024).toString());
    fail(troubleOf(status, said), `status ${status}${said === '' ? '' : `: ${said.slice(0, 200)}`}`);
  }
  let document: unknown;
  try {
    document = JSON.parse(body.toString());
  } catch (error) {
    // The engine's message may quote the text; its length says more about a cut connection.
    const begun = body[0] === 0x7b;
    fail(begun ? 'truncated' : 'not_json', begun ? `the JSON ends after ${body.length} bytes` : 'no JSON', error);
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    return fail('malformed', 'no object');
  const { remark, elements } = document as Record<string, unknown>;
  if (remark !== undefined) {
    const said = String(remark).trim().slice(0, 300);
    const memory = /out of memory/i.test(said);
    fail(memory ? 'out_of_memory' : /timed? ?out/i.test(said) ? 'query_timeout' : 'remark', said);
  }
  if (!Array.isArray(elements)) return fail('malformed', 'no list of elements');
  return { elements, document: document as Record<string, unknown>, bytes };
}

/** The dispatcher's words (Overpass API, web_query.cc) count before the status: some servers send them with 200. */
function troubleOf(status: number, said: string): OverpassTrouble {
  if (status === 429 || /::rate_limited|rate[ _]limited/i.test(said)) return 'rate_limited';
  if (/Dispatcher_Client[\w:]{0,100}timeout|server is probably too busy/i.test(said)) return 'overloaded';
  if (status === 400 || /parse error|static error/i.test(said)) return 'bad_query';
  if (status === 401 || status === 403 || status === 406) return 'blocked';
  if (status === 502 || status === 503 || status === 504) return 'gateway';
  if (status >= 300 && status < 400) return 'redirect';
  return status === 200 ? 'not_json' : 'other_status';
}

const printable = (page: string): string => pageText(page.replace(/[^\x20-\x7e]+/g, ' '));

/** Parses /api/status by how its lines start: their number and order differ between servers. Null without a limit. */
export function readStatus(text: string): SlotStatus | null {
  const limit = /^Rate limit: (\d+)/m.exec(text);
  if (!limit) return null;
  const free = /^(\d+) slots? available now/m.exec(text);
  const waits = [...text.matchAll(/^Slot available after: .*?, in (-?\d+) seconds?/gm)].map(([, seconds]) =>
    Math.max(0, Number(seconds)),
  );
  const rateLimit = Number(limit[1]);
  return { rateLimit, free: free ? Number(free[1]) : 0, waits: waits.sort((a, b) => a - b) };
}
