/** Blobs of a written OpenStreetMap file. */
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { PbfBytes } from './pbf_bytes.ts';

/** The content of an OSMHeader blob of a sorted file. */
export function header(): Uint8Array {
  const out = new PbfBytes(1024);
  const text = (field: number, value: string) => out.message(field, () => out.raw(Buffer.from(value)));
  text(4, 'OsmSchema-V0.6');
  text(4, 'DenseNodes');
  text(5, 'Sort.Type_then_ID');
  out.uint(32, 1_700_000_000);
  return out.done();
}

const pack = promisify(deflate) as (bytes: Uint8Array) => Promise<Buffer>;

/** A compressed blob with its header. */
export async function frame(type: string, body: Uint8Array): Promise<Uint8Array> {
  const packed = await pack(body);
  const blob = new PbfBytes(packed.length + 64);
  blob.uint(2, body.length);
  blob.message(3, () => blob.raw(packed));
  const content = blob.done();
  const head = new PbfBytes(64);
  head.message(1, () => head.raw(Buffer.from(type)));
  head.uint(3, content.length);
  const headBytes = head.done();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(headBytes.length);
  return Buffer.concat([length, headBytes, content]);
}
