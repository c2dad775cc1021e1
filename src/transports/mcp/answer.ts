import { createHash } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Answer } from '../../core/answer.ts';
import type { ProblemDocument } from '../../core/errors.ts';
import { PROBLEMS } from '../../core/errors.ts';
import type { AnyOp } from '../../core/op.ts';
import type { Services } from '../../services.ts';
import { isJson } from '../call.ts';
import { exportUrl } from '../http/exports.ts';
import { DRAWN_BYTES, pictureOf } from './picture.ts';

/** Maximum size in bytes of an answer in a conversation, about 7,000 tokens. The rest has to be fetched. */
export const ANSWER_BYTES = 20_000;

/** The call that an answer is for; the URL of the whole answer depends on it. */
export interface ToolCall {
  readonly op: AnyOp;
  readonly input: unknown;
  /** Whether the client asked for structured content (`?structured=1`). */
  readonly structured: boolean;
  /** Whether a picture of the polygon is wanted as well. */
  readonly picture: boolean;
}

type Members = Readonly<Record<string, unknown>>;

const GEOJSON = 'application/geo+json';
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * Converts an answer to a tool result: its JSON as text or, if requested, as structured content. An answer over
 * ANSWER_BYTES is shortened: a Feature loses its polygon, which is stored as an export and linked by URL; a list keeps
 * the most telling members of as many items as fit. A requested picture is appended.
 */
export async function toolResult(services: Services, asked: ToolCall, answer: Answer): Promise<CallToolResult> {
  const asContent = (members: Members): CallToolResult => contentOf(members, asked.structured);
  const contentType = answer.headers['Content-Type'] ?? '';
  const { byteLength: bytes } = answer.bytes;
  if (answer.body !== undefined) return asContent(shortenList(services, asked, answer.body as Members));
  if (contentType !== GEOJSON && !isJson(contentType)) {
    const how = 'This is a file: fetch it with the credential of this call.';
    return asContent({ content_type: contentType, bytes, url: callUrl(services, asked), how });
  }
  if (contentType === GEOJSON && asked.picture) {
    const result = await toolResult(services, { ...asked, picture: false }, answer);
    return { ...result, content: [...result.content, drawn(answer.bytes)] };
  }
  if (bytes <= ANSWER_BYTES) return asContent(JSON.parse(Buffer.from(answer.bytes).toString()));
  if (contentType !== GEOJSON)
    return asContent(shortenList(services, asked, JSON.parse(Buffer.from(answer.bytes).toString())));
  const [, tagged] = /^"([0-9a-f]{64})"$/.exec(answer.headers.ETag ?? '') ?? [];
  const sha256 = tagged ?? createHash('sha256').update(answer.bytes).digest('hex');
  if (!answer.isPrivate) await services.blobs.put(sha256, 'geojson', answer.bytes);
  const url = answer.isPrivate ? callUrl(services, asked) : exportUrl(services.config.BASE_URL, sha256, 'geojson');
  const where = { bytes, url, content_type: contentType };
  const collection = collectionOf(answer.bytes);
  if (collection !== null)
    return asContent({
      ...collection,
      features: [],
      shortened: { ...where, left_out: ['features'], how: answer.isPrivate ? PRIVATE : WHOLE_COLLECTION },
    });
  return asContent(withoutPolygon(headOf(answer.bytes), where, answer.isPrivate ? PRIVATE : WITHOUT_POLYGON));
}

const PRIVATE = 'The whole answer is at url, with the credential of this call: areas of sets have no public address.';
const WITHOUT_POLYGON =
  'The polygon is at url, a GeoJSON file that needs no key: download it to use it. A lower detail, or export_boundary ' +
  'in the format you need, makes it smaller.';
const WHOLE_COLLECTION = 'The areas are at url, a GeoJSON file that needs no key: download it to use it.';

/** Parses the members of one of our FeatureCollections before `features`, which comes last; null for a Feature. */
function collectionOf(document: Uint8Array): Members | null {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  if (!bytes.subarray(0, 30).toString().startsWith('{"type":"FeatureCollection"')) return null;
  return JSON.parse(`${bytes.subarray(0, bytes.indexOf(',"features":[{"type":"Feature"')).toString()}}`);
}

/**
 * Parses one of our Features without `geometry`, which comes last, to avoid parsing megabytes of coordinates. (Inside a
 * string the quotes would be escaped.)
 */
function headOf(feature: Uint8Array): Members {
  const bytes = Buffer.from(feature.buffer, feature.byteOffset, feature.byteLength);
  return JSON.parse(`${bytes.subarray(0, bytes.indexOf(',"geometry":')).toString()}}`);
}

/** Returns members as text or as structured content, never both, which would take twice the space in a conversation. */
export function contentOf(members: Members, structured: boolean): CallToolResult {
  if (!structured) return { content: [{ type: 'text', text: JSON.stringify(members) }] };
  return { content: [{ type: 'text', text: 'The answer is in structuredContent.' }], structuredContent: members };
}

/** Draws the polygon of a Feature, or says why there is no picture. */
function drawn(feature: Uint8Array): CallToolResult['content'][number] {
  if (feature.byteLength > DRAWN_BYTES) {
    return { type: 'text', text: 'The polygon is too large for a picture: ask for a lower detail.' };
  }
  const { geometry } = JSON.parse(Buffer.from(feature).toString()) as { geometry: Parameters<typeof pictureOf>[0] };
  const picture = pictureOf(geometry);
  if (picture === null) return { type: 'text', text: 'The area is empty: there is nothing to draw.' };
  return { type: 'image', mimeType: 'image/png', data: Buffer.from(picture).toString('base64') };
}

/** URL of the call by name for read-only operations, which returns the whole answer. */
function callUrl({ config }: Services, { op, input }: ToolCall): string {
  return `${config.BASE_URL}/v1/ops/${op.name}?input=${encodeURIComponent(JSON.stringify(input))}`;
}

function withoutPolygon(feature: Members, where: Members, whole: string): Members {
  const properties = { ...(feature.properties as Members) };
  const leftOut = ['geometry'];
  let how = whole;
  if (sizeOf({ ...feature, geometry: null, properties }) > ANSWER_BYTES) {
    // Other operations list the same entries.
    for (const [name, value] of Object.entries(properties)) {
      if (Array.isArray(value) && sizeOf(value) > ANSWER_BYTES / 10) {
        delete properties[name];
        leftOut.push(`properties.${name}`);
        how += ` ${name} is only there.`;
      }
    }
  }
  return { ...feature, geometry: null, properties, shortened: { ...where, left_out: leftOut, how } };
}

/** Members of which an item that has a name has one. */
const NAMES = ['name', 'title', 'slug', 'email'];
/** Members of an item that distinguish it from others. */
const IDENTIFYING_MEMBERS = [
  'id',
  'name',
  'title',
  'slug',
  'email',
  'kind',
  'status',
  'admin_level',
  'has_geometry',
  'contact',
  'shared_km',
  'origin',
  'common_km2',
];

function shortenList(services: Services, asked: ToolCall, body: Members): Members {
  const bytes = sizeOf(body);
  const { items } = body;
  if (bytes <= ANSWER_BYTES || !Array.isArray(items)) return body;
  const leftOut = new Set<string>();
  const brief = items.map((item: Members) => briefItem(item, leftOut));
  const { members: others, notes } = shortenOthers(body, leftOut);
  const { op } = asked;
  const narrow = Object.keys(op.input.shape).filter((name) => name !== 'limit' && name !== 'offset');
  const rest = 'limit' in op.input.shape ? 'Ask for fewer with limit' : `Narrow it by ${narrow.join(', ')}`;
  const all = op.effect === 'read' ? '; the full answer is at url, with the same credential' : '';
  const members = leftOut.size === 0 ? '' : `Left out of each item: ${[...leftOut].join(', ')}. `;
  const shortened = {
    bytes,
    ...(op.effect === 'read' ? { url: callUrl(services, asked), content_type: 'application/json' } : {}),
    total: items.length,
    left_out: [...leftOut],
    how: `${notes}${members}${rest}${all}.`,
  };
  const shown = fitting(brief, ANSWER_BYTES - sizeOf({ ...others, items: [], shortened }) - 200);
  if (shown.length === brief.length) return { ...others, items: brief, shortened };
  const how = `${shownOf('items', shown.length, items.length)}${shortened.how}`;
  return { ...others, items: shown, shortened: { ...shortened, how } };
}

/** The members that distinguish an item; adds the names of the others to `leftOut`. */
function briefItem(item: Members, leftOut: Set<string>): Members {
  // An item without a name is distinguished by all its members.
  if (!NAMES.some((name) => typeof item[name] === 'string')) return item;
  for (const name of Object.keys(item)) if (!IDENTIFYING_MEMBERS.includes(name)) leftOut.add(name);
  return Object.fromEntries(Object.entries(item).filter(([name]) => IDENTIFYING_MEMBERS.includes(name)));
}

/**
 * The members of an answer; lists among them that are in objects, such as `overlaid` of list_neighbors, brief and with at
 * most a quarter of the room of an answer each. `notes` say how many items they have.
 */
function shortenOthers(body: Members, leftOut: Set<string>): { members: Members; notes: string } {
  let notes = '';
  const members = Object.entries(body).map(([name, value]) => {
    const inner = (value as { readonly items?: unknown } | null)?.items;
    if (!Array.isArray(inner)) return [name, value];
    const shown = fitting(
      inner.map((item: Members) => briefItem(item, leftOut)),
      ANSWER_BYTES / 4,
    );
    if (shown.length < inner.length) notes += shownOf(`items of ${name}`, shown.length, inner.length);
    return [name, { ...(value as Members), items: shown }];
  });
  return { members: Object.fromEntries(members), notes };
}

/** The first items, as many as fit into so many bytes. */
function fitting(items: readonly Members[], bytes: number): readonly Members[] {
  let room = bytes;
  const count = items.findIndex((item) => {
    room -= sizeOf(item) + 1;
    return room < 0;
  });
  return count === -1 ? items : items.slice(0, count);
}

const shownOf = (what: string, shown: number, all: number): string =>
  `The first ${shown} of ${all} ${what} are shown, the other ${all - shown} are left out. `;

/** Converts a problem document to a tool result: the document as text or structured content, and the remedy as text. */
export function problemResult(document: ProblemDocument, structured = false): CallToolResult {
  const text = (content: string) => ({ type: 'text' as const, text: content });
  return {
    isError: true,
    content: [...contentOf(document, structured).content, text(PROBLEMS[document.code].remedy)],
    ...(structured ? { structuredContent: document } : {}),
  };
}
