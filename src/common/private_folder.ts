import { chmod, mkdir, stat } from 'node:fs/promises';
import { ConfigError } from './config_error.ts';

const PRIVATE = 0o700;
const STICKY = 0o1000;

/**
 * Makes a folder accessible to this process's user only: creates it with mode 0700, or changes an existing one to that,
 * which protects everything below it as well. `name` is what the error calls it (`DATA_DIR`).
 * @throws ConfigError when the folder belongs to another user, or is shared among users (such as /tmp)
 */
export async function privateFolder(path: string, name: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: PRIVATE });
  const { uid, mode } = await stat(path);
  const own = process.getuid?.();
  // A system without user ids has no file modes either.
  if (own === undefined) return;
  if (uid !== own) {
    throw new ConfigError(
      `${name} ${path} belongs to uid ${uid}, and this process runs as uid ${own}: run it as ${uid}`,
    );
  }
  if (mode & STICKY) throw new ConfigError(`${name} ${path} is a folder shared by users: choose a folder inside it`);
  if ((mode & 0o777) !== PRIVATE) await chmod(path, PRIVATE);
}
