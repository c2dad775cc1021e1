import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { ConfigError } from '../common/config_error.ts';
import { newDraft, openDrafts } from './folder.ts';
import { isBlobName, type Storage, StorageError, type Stored } from './storage.ts';

/** The parts of an s3: URL. */
export interface Bucket {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  /** The bucket is the first segment of the path, not part of the host name. */
  readonly pathStyle: boolean;
}

/** Parses `s3://bucket/prefix?endpoint=…&region=…&path_style=true`. @throws ConfigError */
export function readBucket(url: string): Bucket {
  const { hostname: bucket, pathname, searchParams } = new URL(url);
  const wrong = (what: string) => new ConfigError(`STORAGE_URL ${what}, as in s3://bucket/prefix?endpoint=https://…`);
  if (bucket === '') throw wrong('must name a bucket');
  for (const name of searchParams.keys()) {
    if (!['endpoint', 'region', 'path_style'].includes(name)) throw wrong(`has an unknown parameter ${name}`);
  }
  const endpoint = searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !(URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol))) {
    throw wrong('must have an http or https endpoint');
  }
  const prefix = pathname.split('/').filter((part) => part !== '');
  return {
    bucket,
    prefix: prefix.map((part) => `${decodeURIComponent(part)}/`).join(''),
    endpoint,
    region: searchParams.get('region') ?? undefined,
    pathStyle: searchParams.get('path_style') === 'true',
  };
}

/** Milliseconds within which bytes are not marked as used again, because marking copies them in place. */
const FRESH_MS = 3_600_000;
const CONNECT_MS = 5_000;
const REQUEST_MS = 30_000;

/**
 * Storage in a bucket of an S3-compatible store, `prefix/area/abcdef….kml`. LastModified is the time of the last use; a
 * copy of an object onto itself renews it. S3 makes a put atomic. `drafts` is a local folder.
 */
export function openBucket({ bucket: Bucket, prefix, ...where }: Bucket, area: string, drafts: string): Storage {
  const client = new S3Client({
    endpoint: where.endpoint,
    // Stores other than Amazon's mostly have no regions, but the SDK requires one.
    region: where.region ?? (where.endpoint === undefined ? undefined : 'us-east-1'),
    forcePathStyle: where.pathStyle,
    // Stores other than Amazon's may not support the newer checksums that the SDK sends by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: REQUEST_MS },
  });
  /** @throws StorageError for every failure but a missing object */
  const send = (async (command: Parameters<typeof client.send>[0]) => {
    try {
      return await client.send(command);
    } catch (error) {
      throw isMissing(error) ? error : new StorageError(error);
    }
  }) as typeof client.send;
  const folder = `${prefix}${area}/`;
  const objectOf = (name: string) => {
    if (!isBlobName(name)) throw new Error(`${name.slice(0, 80)} is not a name of a blob`);
    return { Bucket, Key: folder + name };
  };

  async function renew(name: string, modified: Date | undefined): Promise<void> {
    if (Date.now() - (modified?.getTime() ?? 0) < FRESH_MS) return;
    const { Key } = objectOf(name);
    const source = `${Bucket}/${Key.split('/').map(encodeURIComponent).join('/')}`;
    await send(new CopyObjectCommand({ Bucket, Key, CopySource: source, MetadataDirective: 'REPLACE' }));
  }

  const look = (name: string) => nullIfMissing(() => send(new HeadObjectCommand(objectOf(name))));

  return {
    async put(name, bytes) {
      await send(new PutObjectCommand({ ...objectOf(name), Body: bytes, ContentLength: bytes.byteLength }));
    },
    async get(name) {
      const found = await nullIfMissing(() => send(new GetObjectCommand(objectOf(name))));
      if (!found?.Body) return null;
      return found.Body.transformToByteArray();
    },
    async draft() {
      await openDrafts(drafts);
      return newDraft(drafts, async (name, path) => {
        const { size: ContentLength } = await stat(path);
        await send(new PutObjectCommand({ ...objectOf(name), Body: createReadStream(path), ContentLength }));
      });
    },
    async read(name, range) {
      const Range = range && `bytes=${range.from}-${range.to}`;
      const { Body } = await send(new GetObjectCommand({ ...objectOf(name), Range }));
      return Body as unknown as AsyncIterable<Uint8Array>;
    },
    async touch(name) {
      const found = await look(name);
      if (found) await nullIfMissing(() => renew(name, found.LastModified));
      return found !== null;
    },
    size: async (name) => (await look(name))?.ContentLength ?? null,
    async remove(name) {
      await send(new DeleteObjectCommand(objectOf(name)));
    },
    async *list(): AsyncGenerator<Stored> {
      let ContinuationToken: string | undefined;
      do {
        const page = await send(new ListObjectsV2Command({ Bucket, Prefix: folder, ContinuationToken }));
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
          const name = Key.slice(folder.length);
          if (isBlobName(name)) yield { name, size: Size, usedAt: LastModified?.getTime() ?? 0 };
        }
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },
  };
}

/** Whether an object does not exist (any more), in a bucket that does. */
function isMissing(error: unknown): boolean {
  const { $metadata, name } = error as { $metadata?: { httpStatusCode?: number }; name?: string };
  return name !== 'NoSuchBucket' && $metadata?.httpStatusCode === 404;
}

/** Runs `work`; null for an object that does not exist (any more). */
async function nullIfMissing<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
