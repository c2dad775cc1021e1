import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { leading } from '../setup/elements.ts';

/** An S3-compatible server in this process, with one bucket on disk. */
export interface S3Server {
  /** The value for STORAGE_URL. */
  readonly url: string;
  readonly folder: string;
  close(): Promise<void>;
}

/** Starts it, and sets its credentials where the SDK looks for them. */
export async function startS3(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'boundary-s3-'));
  const configureBuckets = [{ name: 'boundaries' }];
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: folder, configureBuckets });
  renewByCopies(server, folder);
  const { port } = await server.run();
  process.env.AWS_ACCESS_KEY_ID = 'S3RVER';
  process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER';
  return {
    url: `s3://boundaries/some/where?endpoint=http://127.0.0.1:${port}&path_style=true`,
    folder,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** S3 renews LastModified of an object that is copied onto itself; this server leaves it. */
function renewByCopies(server: S3rver, folder: string): void {
  const { store } = server as unknown as { store: { copyObject(...where: string[]): Promise<unknown> } };
  const copy = store.copyObject.bind(store);
  store.copyObject = async (...where) => {
    const [, , bucket, key] = leading(where, 4);
    const now = new Date();
    await utimes(join(folder, bucket, `${key}._S3rver_object`), now, now).catch(() => undefined);
    return copy(...where);
  };
}
