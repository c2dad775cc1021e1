import { ANY_CALL } from '../../core/declared.ts';
import { PROBLEMS, type ProblemCode, type ProblemDocument, problem, toProblemDocument } from '../../core/errors.ts';
import type { AnyOp } from '../../core/op.ts';

/** A sample detail for each code, with the members that the code adds. */
const SAMPLES: Readonly<Record<ProblemCode, readonly [detail: string, extra?: Readonly<Record<string, unknown>>]>> = {
  invalid_input: [
    'limit: must be at most 40',
    { issues: [{ path: 'limit', code: 'too_big', message: 'must be at most 40' }] },
  ],
  invalid_json: ['The body is not valid JSON.'],
  invalid_id: [
    '"Vaduz" looks like a name. Search for it (search_boundaries) and use the id it returns.',
    {
      candidates: [
        {
          id: 'r1155956',
          name: 'Vaduz',
          parents: [{ id: 'r1155955', name: 'Liechtenstein', kind: 'country', admin_level: 2 }],
        },
      ],
    },
  ],
  no_children: ['r1255427 (1010) is a postcode area: it has no subdivisions.'],
  too_many_boundaries: ['Too many boundaries: 51 given, at most 50 per call.'],
  access_denied: ['The person declined.'],
  expired_token: ['The device code expired before it was approved.'],
  invalid_grant: ['The device code is unknown or was already used.'],
  unauthorized: ['This operation needs an API key: send Authorization: Bearer <API_KEY>.'],
  invalid_key: ['The key does not exist or was revoked.'],
  invalid_token: ['The access token is invalid or expired.'],
  quota_exceeded: [
    "This call costs 2 units; 999 of the month's 1000 are used. The quota resets on the 1st.",
    { used: 999, limit: 1000 },
  ],
  not_found: ['No boundary r1.'],
  no_geometry: ['r1 (Openland) has no polygon: its ways do not form closed rings near 40.0,-20.0.'],
  unknown_op: ['There is no operation named "find".'],
  method_not_allowed: ['GET is not supported here; use POST.'],
  too_many_keys: ['The account has 20 active keys, the maximum. Revoke one first.'],
  too_large: ['The body is over 65536 bytes.'],
  could_not_map: ['"the old town" was not found in Vaduz.'],
  authorization_pending: ['The code is not approved yet.', { interval: 5 }],
  rate_limited: [
    'More than 60 requests in this minute. A key or a higher plan has a higher limit.',
    { retry_after: 17 },
  ],
  internal_error: ['Something failed on our side.'],
  areas_unavailable: ['The service that reads area descriptions did not answer. Retry in a minute.'],
  geometry_pending: ['r1 is being fetched from the upstream source.', { retry_after: 3 }],
  upstream_busy: ['The upstream source is too busy to answer.', { retry_after: 5 }],
  upstream_unavailable: ['The upstream source did not answer.', { retry_after: 30 }],
};

/** A sample problem document. */
export function sampleProblem(code: ProblemCode, baseUrl: string): ProblemDocument {
  const [detail, extra] = SAMPLES[code];
  return toProblemDocument(problem(code, detail, extra), 'req_01JD0000000000000000000000', baseUrl);
}

/** Problem codes by status that an operation may return over HTTP: its own and those of every call. */
export function problemsOf(op: Pick<AnyOp, 'errors'>): ReadonlyMap<number, readonly ProblemCode[]> {
  const byStatus = new Map<number, ProblemCode[]>();
  const codes = new Set<ProblemCode>([...ANY_CALL, ...op.errors]);
  for (const code of Object.keys(PROBLEMS) as ProblemCode[]) {
    if (!codes.has(code)) continue;
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}
