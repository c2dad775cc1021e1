import type { JsonSchema, Reference } from './components.ts';

/** A reference to a component of the description. */
export const ref = (kind: string, name: string): Reference => ({ $ref: `#/components/${kind}/${name}` });

const text = (description: string, more: JsonSchema = {}) => ({ description, schema: { type: 'string', ...more } });
const count = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } });

/** The headers of answers, by name. */
export const HEADERS = {
  'X-Request-Id': text('Names this request in our logs; sent back when the client gives one.'),
  'RateLimit-Limit': count('Requests a minute; absent where they are not limited.'),
  'RateLimit-Remaining': count('Requests left in this minute.'),
  'RateLimit-Reset': count('Seconds until the minute ends.'),
  'Retry-After': count('Seconds to wait.'),
  'WWW-Authenticate': text('How to authenticate, and where the metadata of the authorization server is (RFC 9728).'),
  'Cache-Control': text('Who can cache the answer.'),
  ETag: text('Tag of these bytes in this content coding; send it back as If-None-Match.'),
  Vary: text('What the answer depends on besides its URL.'),
  'Content-Encoding': text('gzip or br, where the client accepts it.'),
  Location: text('URL of the created resource.', { format: 'uri' }),
  'Content-Location': text('Permanent URL of these bytes.', { format: 'uri' }),
  'Content-Disposition': text('A file name.'),
  'Content-Crs': text('The reference system of the coordinates, as a URI in angle brackets.'),
  'Areas-Left-Out': count('Areas of a large set that the tile does not show; zoom in to see them.'),
  Link: text('rel=license: the license of the data.'),
  'Boundary-Loading': text(
    'Data that the server is still loading and answers may lack. Absent when all data is loaded.',
  ),
  'Boundary-Collection': text(
    'What is in the file and what is not: count, tolerance_m, left_out, left_out_ids; of cells resolution, full, edge (RFC 9651).',
  ),
  'Boundary-Data': text(
    'The moment from which on the data of the answer could be read. A request that has it is answered from that data; absent where it changed meanwhile.',
    { format: 'date-time' },
  ),
  'Boundary-Match': text(
    'Numbers of rows (rows, distinct, matched, ambiguous, not_found), and what the whole table decided: country, admin_level, within, language, and the columns that were read: name_column, code_column, within_columns (RFC 9651; names percent-encoded).',
  ),
};

const ALWAYS = [
  'X-Request-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Cache-Control',
  'Boundary-Loading',
];

/** References to the headers of an answer: those of every answer, and `names`. */
export const headers = (...names: readonly string[]): Record<string, Reference> =>
  Object.fromEntries([...ALWAYS, ...names].map((name) => [name, ref('headers', name)]));
