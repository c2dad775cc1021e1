import { createHash } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ProblemDocument } from '../../errors.ts';
import { PROBLEMS } from '../../errors.ts';
import type { Answer } from '../../invoke.ts';
import type { AnyOp } from '../../op.ts';
import type { Services } from '../../services.ts';
import { isJson } from '../call.ts';
import { exportUrl } from '../http/exports.ts';
import { DRAWN_BYTES, pictureOf } from './picture.ts';

/** So many bytes of an answer go into a conversation; more of it is to be fetched. (About 7,000 tokens.) */
export const ANSWER_BYTES = 20_000;

/** What makes an answer: where the whole of it can be had depends on it. */
export interface ToolCall {
  readonly op: AnyOp;
  readonly input: unknown;
  /** The client asked for structured content (`?structured=1`). */
  readonly structured: boolean;
  /** A picture of the polygon is wanted as well. */
  readonly picture: boolean;
}

type Members = Readonly<Record<string, unknown>>;

const GEOJSON = 'application/geo+json';
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * An answer as a tool gives it: its JSON once, as text or, where the client asked for it, as structured content. One
 * over ANSWER_BYTES is shortened: a Feature keeps everything but its polygon, which is kept as an export and told by its
 * address; a list keeps the most telling members of as many items as there is room for. A picture follows where it is
 * wanted.
 */
export async function toolResult(services: Services, asked: ToolCall, answer: Answer): Promise<CallToolResult> {
  const told = (members: Members): CallToolResult => contentOf(members, asked.structured);
  const contentType = answer.headers['Content-Type'] ?? '';
  const { byteLength: bytes } = answer.bytes;
  if (answer.body !== undefined) return told(shortenList(services, asked, answer.body as Members));
  if (contentType !== GEOJSON && !isJson(contentType)) {
    const how = 'This is a file: fetch it with the credential that this was called with.';
    return told({ content_type: contentType, bytes, url: callUrl(services, asked), how });
  }
  if (contentType === GEOJSON && asked.picture) {
    const result = await toolResult(services, { ...asked, picture: false }, answer);
    return { ...result, content: [...result.content, drawn(answer.bytes)] };
  }
  if (bytes <= ANSWER_BYTES) return told(JSON.parse(Buffer.from(answer.bytes).toString()));
  if (contentType !== GEOJSON)
    return told(shortenList(services, asked, JSON.parse(Buffer.from(answer.bytes).toString())));
  const [, tagged] = /^"([0-9a-f]{64})"$/.exec(answer.headers.ETag ?? '') ?? [];
  const sha256 = tagged ?? createHash('sha256').update(answer.bytes).digest('hex');
  await services.blobs.put(sha256, 'geojson', answer.bytes);
  const url = exportUrl(services.config.BASE_URL, sha256, 'geojson');
  const where = { bytes, url, content_type: contentType };
  const collection = collectionOf(answer.bytes);
  if (collection !== null) return told({ ...collection, features: [], shortened: { ...where, how: WHOLE_COLLECTION } });
  return told(withoutPolygon(headOf(answer.bytes), where));
}

const WHOLE_COLLECTION = 'The areas are at url, a GeoJSON file that needs no key: download it to use it.';

/** The members of a FeatureCollection of ours before its features, which come last; null for a Feature. */
function collectionOf(document: Uint8Array): Members | null {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  if (!bytes.subarray(0, 30).toString().startsWith('{"type":"FeatureCollection"')) return null;
  return JSON.parse(`${bytes.subarray(0, bytes.indexOf(',"features":[{"type":"Feature"')).toString()}}`);
}

/**
 * A Feature of ours without its geometry, which comes last: no megabytes of coordinates are read for the rest. (Inside
 * a string the quotes would be escaped.)
 */
function headOf(feature: Uint8Array): Members {
  const bytes = Buffer.from(feature.buffer, feature.byteOffset, feature.byteLength);
  return JSON.parse(`${bytes.subarray(0, bytes.indexOf(',"geometry":')).toString()}}`);
}

/** An answer in one form: an answer in both would fill twice the room of a conversation. */
export function contentOf(members: Members, structured: boolean): CallToolResult {
  if (!structured) return { content: [{ type: 'text', text: JSON.stringify(members) }] };
  return { content: [{ type: 'text', text: 'The answer is in structuredContent.' }], structuredContent: members };
}

/** A picture of the polygon of a Feature, or why there is none. */
function drawn(feature: Uint8Array): CallToolResult['content'][number] {
  if (feature.byteLength > DRAWN_BYTES) {
    return { type: 'text', text: 'The polygon is too large for a picture: ask for a lower detail.' };
  }
  const { geometry } = JSON.parse(Buffer.from(feature).toString()) as { geometry: Parameters<typeof pictureOf>[0] };
  const picture = pictureOf(geometry);
  if (picture === null) return { type: 'text', text: 'The area is empty: there is nothing to draw.' };
  return { type: 'image', mimeType: 'image/png', data: Buffer.from(picture).toString('base64') };
}

/** The address of a call by name, for operations that only read: its answer is whole. */
function callUrl({ config }: Services, { op, input }: ToolCall): string {
  return `${config.BASE_URL}/v1/ops/${op.name}?input=${encodeURIComponent(JSON.stringify(input))}`;
}

function withoutPolygon(feature: Members, where: Members): Members {
  const properties = { ...(feature.properties as Members) };
  let how =
    'The polygon is at url, a GeoJSON file that needs no key: download it to use it. A lower detail, or export_boundary ' +
    'in the format that is wanted, makes it smaller.';
  if (sizeOf({ ...feature, geometry: null, properties }) > ANSWER_BYTES) {
    // Lists inside a Feature are what other operations list as well.
    for (const [name, value] of Object.entries(properties)) {
      if (Array.isArray(value) && sizeOf(value) > ANSWER_BYTES / 10) {
        delete properties[name];
        how += ` ${name} is only there.`;
      }
    }
  }
  return { ...feature, geometry: null, properties, shortened: { ...where, how } };
}

/** Members of an item that tell it from others, in the order in which they are given up. */
const TELLING = [
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
];

function shortenList(services: Services, asked: ToolCall, body: Members): Members {
  const bytes = sizeOf(body);
  const { items } = body;
  if (bytes <= ANSWER_BYTES || !Array.isArray(items)) return body;
  const brief = items.map((item: Members) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => TELLING.includes(name))),
  );
  const { op } = asked;
  const narrow = Object.keys(op.input.shape).filter((name) => name !== 'limit' && name !== 'offset');
  const rest = 'limit' in op.input.shape ? 'Ask for fewer with limit' : `Narrow it by ${narrow.join(', ')}`;
  const all = op.effect === 'read' ? '; the whole answer is at url, with the same credential' : '';
  const shortened = {
    bytes,
    ...(op.effect === 'read' ? { url: callUrl(services, asked), content_type: 'application/json' } : {}),
    total: items.length,
    how: `Items hold only what tells them apart. ${rest}${all}.`,
  };
  let room = ANSWER_BYTES - sizeOf({ ...body, items: [], shortened }) - 200;
  const count = brief.findIndex((item) => {
    room -= sizeOf(item) + 1;
    return room < 0;
  });
  if (count === -1) return { ...body, items: brief, shortened };
  const how = `The first ${count} of ${items.length} items are shown. ${shortened.how}`;
  return { ...body, items: brief.slice(0, count), shortened: { ...shortened, how } };
}

/** A problem document as a tool answers it: as text or structured content, and what helps as text beside it. */
export function problemResult(document: ProblemDocument, structured = false): CallToolResult {
  const text = (content: string) => ({ type: 'text' as const, text: content });
  return {
    isError: true,
    content: [...contentOf(document, structured).content, text(PROBLEMS[document.code].remedy)],
    ...(structured ? { structuredContent: document } : {}),
  };
}
