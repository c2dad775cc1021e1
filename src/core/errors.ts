/** What a code means: HTTP status, when it happens, what helps, and the exit code of the command line. */
export interface ProblemKind {
  readonly status: number;
  /** One sentence for the error page: when this happens. */
  readonly condition: string;
  /** What the caller can do about it. */
  readonly remedy: string;
  /** 1 server fault, 2 bad request, 3 credentials, 4 not found, 5 out of units, 6 try later, 7 conflicts with state. */
  readonly exit: 1 | 2 | 3 | 4 | 5 | 6 | 7;
}

/** Every code (docs/contract.md, Errors). The title of a problem is its code. */
export const PROBLEMS = {
  invalid_input: {
    status: 400,
    condition: 'Validation failed: a field is missing, unknown, of the wrong type or out of range.',
    remedy: 'Fix the request as detail and issues say.',
    exit: 2,
  },
  invalid_json: {
    status: 400,
    condition: 'The body or ?input= is not a JSON object, or the body has another content type.',
    remedy: 'Send a JSON object with Content-Type: application/json, or URL-encode the JSON in ?input=.',
    exit: 2,
  },
  invalid_id: {
    status: 400,
    condition: 'The boundary id cannot be read.',
    remedy:
      'Use one of r62422, w123, R62422, relation/62422, -62422, an openstreetmap.org URL, wikidata:Q64 or iso:DE-BE; candidates, if there, lists what a name may mean.',
    exit: 2,
  },
  no_children: {
    status: 400,
    condition: 'The boundary is a postcode area or of another kind that is not administrative.',
    remedy: 'Call list_children on an administrative boundary.',
    exit: 2,
  },
  too_many_boundaries: {
    status: 400,
    condition: 'A union names more boundaries than one call allows.',
    remedy: 'Split the union, or union the parents.',
    exit: 2,
  },
  access_denied: {
    status: 400,
    condition: 'Sign-in from the command line: the person declined the device code.',
    remedy: 'Start the sign-in again.',
    exit: 3,
  },
  expired_token: {
    status: 400,
    condition: 'Sign-in from the command line: the device code expired before it was approved.',
    remedy: 'Start the sign-in again.',
    exit: 3,
  },
  invalid_grant: {
    status: 400,
    condition: 'Sign-in from the command line: the device code is unknown or was already used.',
    remedy: 'Start the sign-in again.',
    exit: 3,
  },
  unauthorized: {
    status: 401,
    condition: 'The operation needs a key, or a key with more access.',
    remedy: 'Send a valid key (Authorization: Bearer <API_KEY>), or one with the access that detail names.',
    exit: 3,
  },
  invalid_key: {
    status: 401,
    condition: 'The key does not exist or was revoked.',
    remedy: 'Create a new key.',
    exit: 3,
  },
  invalid_token: {
    status: 401,
    condition: 'The OAuth access token is invalid or expired.',
    remedy: 'Sign in again.',
    exit: 3,
  },
  quota_exceeded: {
    status: 402,
    condition: "The month's units of the plan are used up; used and limit say how far.",
    remedy: 'Upgrade, or wait for the 1st of the month; free calls keep working.',
    exit: 5,
  },
  not_found: {
    status: 404,
    condition: 'There is no such boundary, key, path or other resource, or none that you may see.',
    remedy: 'Check the id.',
    exit: 4,
  },
  no_geometry: {
    status: 404,
    condition: 'The boundary exists but its source has no usable polygon for it.',
    remedy: 'Use its parent, or describe the area with create_area.',
    exit: 4,
  },
  unknown_op: {
    status: 404,
    condition: 'No operation has that name.',
    remedy: 'GET /v1 lists the operations.',
    exit: 4,
  },
  method_not_allowed: {
    status: 405,
    condition: 'The path does not answer this method; an operation that changes state was called with GET.',
    remedy: 'Use one of the methods in the Allow header (POST for /v1/ops/<op>).',
    exit: 2,
  },
  too_many_keys: {
    status: 409,
    condition: 'The account has the maximum number of active keys.',
    remedy: 'Revoke a key you do not use.',
    exit: 7,
  },
  too_large: {
    status: 413,
    condition: 'The request body or the result is too big for one call, or it would take too long to compute.',
    remedy: 'Ask for lower detail, or export the boundaries one by one.',
    exit: 7,
  },
  could_not_map: {
    status: 422,
    condition:
      'The description of an area could not be turned into a validated polygon; detail lists each place that is not found or ambiguous, places has the words, their position and candidates, understood the names that were understood, and rewording a description that has an area, or null, which lacks the words in left_out.',
    remedy: 'Make the wording more specific, or split it.',
    exit: 7,
  },
  authorization_pending: {
    status: 428,
    condition: 'Sign-in from the command line: the device code is not approved yet.',
    remedy: 'Keep polling at the interval given.',
    exit: 6,
  },
  rate_limited: {
    status: 429,
    condition: 'Too many requests in this window, or the server is at capacity; retry_after gives the seconds to wait.',
    remedy: 'Wait retry_after seconds; detail says whether a key or a higher plan has a higher limit.',
    exit: 6,
  },
  internal_error: {
    status: 500,
    condition: 'Something failed on our side.',
    remedy: 'Retry with increasing pauses; quote request_id if it persists.',
    exit: 1,
  },
  areas_unavailable: {
    status: 502,
    condition: 'The service that reads area descriptions did not answer.',
    remedy: 'Retry in a minute.',
    exit: 6,
  },
  geometry_pending: {
    status: 503,
    condition: "Another request is fetching this boundary's polygon from the upstream source right now.",
    remedy: 'Retry after a few seconds; it is then served from the cache.',
    exit: 6,
  },
  upstream_busy: {
    status: 503,
    condition: 'The upstream source is limiting our rate, so a boundary we do not hold cannot be fetched this second.',
    remedy: 'Retry after a few seconds; boundaries we hold are unaffected.',
    exit: 6,
  },
  upstream_unavailable: {
    status: 503,
    condition: 'The upstream source is down or timing out, or the database, disk or file store of the server is.',
    remedy: 'Retry later; boundaries we hold keep working while only the upstream source is down.',
    exit: 6,
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One field that failed validation. `path` is dotted (`include.3`), empty for the input as a whole. */
export interface Issue {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** A failure reported to the caller: a code of the table, its own sentence, and the members that code adds. */
export class ProblemError extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(code: ProblemCode, detail: string, extra: Readonly<Record<string, unknown>> = {}) {
    super(detail);
    this.name = 'ProblemError';
    this.code = code;
    this.status = PROBLEMS[code].status;
    this.extra = extra;
  }
}

/** Makes the error to throw: `throw problem('not_found', 'no boundary r1')`. `extra` adds members to the document. */
export function problem(code: ProblemCode, detail: string, extra?: Readonly<Record<string, unknown>>): ProblemError {
  return new ProblemError(code, detail, extra);
}

/** invalid_input from a list of issues; the detail names the first few of them. */
export function invalidInput(issues: readonly Issue[]): ProblemError {
  const shown = issues.slice(0, 3).map((issue) => (issue.path ? `${issue.path}: ${issue.message}` : issue.message));
  const more = issues.length > 3 ? ` (and ${issues.length - 3} more)` : '';
  return new ProblemError('invalid_input', shown.join('; ') + more, { issues });
}

/**
 * The failure as a problem, or null when it is the server's fault. A full queue (of the database or of the worker
 * pool), a database without a free connection, and a turn that did not come in time mean that the server is at
 * capacity: the caller should retry.
 */
export function asProblem(error: unknown): ProblemError | null {
  if (error instanceof ProblemError) return error;
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : null;
  if (code === 'queue_full' || code === 'waited' || code === 'too_many_connections') return atCapacity();
  return null;
}

/**
 * Codes of errors of a database that is away (db/database_error.ts), of one that takes no writes (as after a failover),
 * and of a full disk: SQLSTATE and errno.
 */
const AWAY = ['connection_lost', 'closed'];
const READ_ONLY = '25006';
const DISK_FULL = ['53100', 'ENOSPC', 'EDQUOT'];
/** The code of a StorageError (adapters/storage.ts). */
const STORE_AWAY = 'store_away';

/**
 * The failure as the problem of a server whose database, disk or file store is out of order, or null. Of the contract's codes with
 * the status 503 upstream_unavailable is the one that names a source of the service that is down. Unlike those of
 * asProblem(), such a failure is logged.
 */
export function asOutage(error: unknown): ProblemError | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    const code = String((one as Error & { code?: unknown }).code);
    if (AWAY.includes(code)) {
      return problem('upstream_unavailable', 'The database of the server does not answer.', { retry_after: 5 });
    }
    if (code === STORE_AWAY) {
      return problem('upstream_unavailable', 'The file store of the server does not answer.', { retry_after: 5 });
    }
    if (code === READ_ONLY) {
      return problem('upstream_unavailable', 'The database of the server takes no writes now.', { retry_after: 5 });
    }
    if (DISK_FULL.includes(code)) {
      const detail = 'The server has no disk space left. What this call would store is not stored.';
      return problem('upstream_unavailable', detail, { retry_after: 60 });
    }
  }
  return null;
}

/** rate_limited because the server is at capacity, whoever asks. */
export function atCapacity(): ProblemError {
  return problem('rate_limited', 'server at capacity', { retry_after: 1 });
}

/** RFC 9457 document; codes may add members (`used`, `limit`, `retry_after`, `issues`, …). */
export interface ProblemDocument {
  [member: string]: unknown;
  type: string;
  title: ProblemCode;
  status: number;
  detail: string;
  code: ProblemCode;
  request_id: string;
}

/**
 * The problem document for a failure. An invalid_input about no single field has one issue, with an empty path. An
 * error that is neither known nor an outage becomes internal_error without its message: a message of the runtime or of a
 * driver may contain a query, a path or a value that no one should see.
 */
export function toProblemDocument(error: unknown, requestId: string, baseUrl: string): ProblemDocument {
  const known = asProblem(error) ?? asOutage(error) ?? problem('internal_error', 'Something failed on our side.');
  const whole =
    known.code === 'invalid_input' ? { issues: [{ path: '', code: 'invalid', message: known.message }] } : {};
  return {
    ...whole,
    ...known.extra,
    type: `${baseUrl}/docs/errors#${known.code}`,
    title: known.code,
    status: known.status,
    detail: known.message,
    code: known.code,
    request_id: requestId,
  };
}
