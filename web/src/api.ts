/** Calls the public operations of the service, with the session of this browser if there is one. */

import type { Operations } from '../../clients/js/client.d.ts';
import { t } from './language.ts';

/** The absolute URL of a path below the base path of the service. */
export const at = (path: string): string => new URL(path, document.baseURI).href;

/** A failure reported by the service or by the network. */
export class Failure extends Error {
  readonly code: string;
  readonly status: number;
  /** Whether the message is not in the language of the page: that of the service, or of a reader of files. */
  readonly isEnglish: boolean;
  /** Whether the server refuses whoever asks, and not this caller for what it did. */
  readonly isAtCapacity: boolean;
  readonly requestId: string | null;
  /** Seconds until the call may be retried; null when the service does not say. */
  readonly retryAfter: number | null;
  /** The invalid fields, with reasons. */
  readonly issues: readonly { readonly path: string; readonly message: string }[];
  /** The words of a description that were not understood. */
  readonly places: readonly unknown[];
  /** Another wording of the description, which has an area. */
  readonly rewording: string | null;
  /** The words of the description that it leaves out. */
  readonly leftOut: readonly string[];

  constructor(
    message: string,
    about: {
      code: string;
      status?: number;
      isEnglish?: boolean;
      isAtCapacity?: boolean;
      requestId?: string | null;
      retryAfter?: number | null;
      issues?: readonly { readonly path: string; readonly message: string }[];
      places?: readonly unknown[];
      rewording?: string | null;
      leftOut?: readonly string[];
    },
  ) {
    super(message);
    this.code = about.code;
    this.status = about.status ?? 0;
    this.isEnglish = about.isEnglish ?? false;
    this.isAtCapacity = about.isAtCapacity ?? false;
    this.requestId = about.requestId ?? null;
    this.retryAfter = about.retryAfter ?? null;
    this.issues = about.issues ?? [];
    this.places = about.places ?? [];
    this.rewording = about.rewording ?? null;
    this.leftOut = about.leftOut ?? [];
  }
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** A body that is not JSON, in place of `body`. */
  readonly file?: { readonly type: string; readonly content: string | Blob };
  readonly signal?: AbortSignal;
}

/** `v1/…` with its query, relative to the base path. */
export function pathOf(path: string, query: Call['query'] = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string | number | boolean] => {
    return entry[1] !== undefined && entry[1] !== '';
  });
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `v1${path}${search === '' ? '' : `?${search.replaceAll('%3A', ':').replaceAll('%2C', ',')}`}`;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Detail of a rate_limited that is not about the caller: the server refuses whoever asks. */
const AT_CAPACITY = 'server at capacity';
/** Statuses of proxies, and of a server that is starting or stopping. */
const UNAVAILABLE = [502, 503, 504];

async function failureOf(response: Response): Promise<Failure> {
  const document: unknown = await response.json().catch(() => null);
  const problem = (typeof document === 'object' && document !== null ? document : {}) as Record<string, unknown>;
  const wait = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const detail = text(problem.detail);
  const otherwise = UNAVAILABLE.includes(response.status) ? 'error.unavailable' : 'error.status';
  return new Failure(detail ?? t(otherwise, { status: String(response.status) }), {
    code: text(problem.code) ?? `http_${response.status}`,
    isAtCapacity: detail === AT_CAPACITY,
    status: response.status,
    isEnglish: detail !== null,
    requestId: text(problem.request_id) ?? response.headers.get('X-Request-Id'),
    retryAfter: Number.isFinite(wait) ? wait : null,
    issues: Array.isArray(problem.issues) ? problem.issues : [],
    places: Array.isArray(problem.places) ? problem.places : [],
    rewording: text(problem.rewording),
    leftOut: Array.isArray(problem.left_out) ? problem.left_out.filter((one) => typeof one === 'string') : [],
  });
}

/** Sends a call. @throws Failure, or AbortError if it is aborted */
export async function send(path: string, { method = 'GET', query, body, file, signal }: Call = {}): Promise<Response> {
  let response: Response;
  const type = file?.type ?? (body === undefined ? null : 'application/json');
  try {
    response = await fetch(at(pathOf(path, query)), {
      method,
      signal,
      headers: {
        Accept: 'application/json, application/geo+json, */*;q=0.5',
        ...(type === null ? {} : { 'Content-Type': type }),
      },
      body: file?.content ?? (body === undefined ? undefined : JSON.stringify(body)),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Failure(t(navigator.onLine ? 'error.unreachable' : 'error.offline'), {
      code: navigator.onLine ? 'unreachable' : 'offline',
    });
  }
  if (!response.ok) throw await failureOf(response);
  return response;
}

/** The response body as JSON; undefined if there is none. @throws like send() */
export async function ask<T>(path: string, call: Call = {}): Promise<T> {
  const response = await send(path, call);
  if (response.status === 204) return undefined as T;
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (call.signal?.aborted) throw error;
    throw new Failure(t('error.cutOff'), {
      code: 'unreachable',
      requestId: response.headers.get('X-Request-Id'),
    });
  }
}

/** A file of a response: its name as the service gives it, else `otherwise`. @throws like send() */
export async function fetchFile(
  path: string,
  call: Call,
  otherwise: string,
): Promise<{ name: string; blob: Blob; leftOut: number }> {
  const response = await send(path, call);
  const disposition = response.headers.get('Content-Disposition') ?? '';
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? [];
  const [, leftOut = '0'] = /left_out=(\d+)/.exec(response.headers.get('Boundary-Collection') ?? '') ?? [];
  return {
    name: encoded ? decodeURIComponent(encoded) : otherwise,
    blob: await response.blob(),
    leftOut: Number(leftOut),
  };
}

/** Saves bytes as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * Saves the response as a file. Returns how many of the selected boundaries are not in it.
 * @throws like send()
 */
export async function save(path: string, call: Call, otherwise: string): Promise<number> {
  const { name, blob, leftOut } = await fetchFile(path, call, otherwise);
  saveBlob(blob, name);
  return leftOut;
}

/** The answer of an operation; the types are made from the declarations of operations. */
export type Answer<Op extends keyof Operations> = Operations[Op][1];

export type Parent = Boundary['parents'][number];

export type Box = NonNullable<Boundary['bbox']>;

/** A boundary as it appears in every response. */
export type Boundary = Answer<'list_children'>['items'][number];

/** What is at a point. */
export type AtPoint = Answer<'reverse_boundaries'>;
/** A boundary at a point. */
export type BoundaryAtPoint = AtPoint['items'][number];

export type Hit = Answer<'search_boundaries'>['items'][number];

export type Place = Answer<'get_boundary'>['properties'] & { readonly bbox: Box | null };

export type Children = Answer<'list_children'>;

export type Neighbor = Neighbors['items'][number];

export type Neighbors = Answer<'list_neighbors'>;

export type Shape = GeoJSON.Feature<GeoJSON.Polygon | GeoJSON.MultiPolygon>;

/** A boundary and its polygon at low detail. */
export async function place(id: string, signal: AbortSignal): Promise<{ place: Place; shape: Shape }> {
  const query = { detail: 'low', names: 'all' };
  type Answer = Shape & { readonly properties: Place };
  const shape = await ask<Answer>(`/boundaries/${encodeURIComponent(id)}`, { query, signal });
  const [west, south, east, north] = shape.bbox ?? [];
  const bbox = west === undefined ? null : { west, south, east, north };
  return { place: { ...shape.properties, bbox: bbox as Box | null }, shape };
}
