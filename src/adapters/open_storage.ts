import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../common/config_error.ts';
import { openFolder } from './folder.ts';
import { optionalPackage } from './optional_package.ts';
import type { Storage } from './storage.ts';

/** Exports up to this size are not synced to disk before they are answered: the same call makes a lost one again. */
const UNSYNCED_EXPORT_BYTES = 2 ** 20;

/**
 * Opens an area of the storage that STORAGE_URL names, or of DATA_DIR when it is null. STORAGE_URL is
 * `file:///srv/boundary` or `s3://bucket/prefix`; stores other than Amazon's add `?endpoint=`, `region=` and
 * `path_style=true`. Credentials are in the SDK's own variables (AWS_ACCESS_KEY_ID …).
 * @throws ConfigError for any other URL
 */
export async function openStorage(
  url: string | null,
  dataDir: string,
  area: 'exports' | 'library' | 'tiles' | 'jobs',
): Promise<Storage> {
  const unsyncedBytes = area === 'exports' ? UNSYNCED_EXPORT_BYTES : 0;
  if (url === null) return openFolder(join(dataDir, area), { unsyncedBytes });
  const { protocol } = new URL(url);
  if (protocol === 'file:') return openFolder(join(folderOf(url), area), { unsyncedBytes });
  // The SDK takes a tenth of a second to load and 22 MB to install, and only a bucket needs it.
  const { openBucket, readBucket } = await optionalPackage(
    'STORAGE_URL',
    '@aws-sdk/client-s3',
    () => import('./bucket.ts'),
  );
  return openBucket(readBucket(url), area, join(dataDir, 'drafts'));
}

function folderOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw new ConfigError('STORAGE_URL must name a folder of this machine, as file:///srv/boundary does');
  }
}
