import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { TAR_BLOCK, tarHeader, tarPadding } from './tar.ts';

const compress = promisify(gzip);

/** A gzipped tar archive of a few small texts by name. */
export function bundle(texts: Readonly<Record<string, string>>): Promise<Buffer> {
  const at = new Date();
  const members = Object.entries(texts).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    const size = content.byteLength;
    return [tarHeader({ name, size }, at), content, Buffer.alloc(tarPadding(size))];
  });
  return compress(Buffer.concat([...members, Buffer.alloc(2 * TAR_BLOCK)]));
}
