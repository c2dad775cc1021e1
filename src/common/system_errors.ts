/** Errors that a person can act on, by the code of the system. */
const TROUBLES: Readonly<Record<string, string>> = {
  ENOENT: 'File not found',
  EACCES: 'Permission denied',
  EPERM: 'Permission denied',
  EISDIR: 'This is a folder, not a file',
  ENOTDIR: 'A part of the path is not a folder',
  ENOSPC: 'No space left on the disk for',
  EROFS: 'The disk is read-only',
};

/** Codes of Node for a peer that cannot be reached, or that disconnected. */
const NETWORK: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether an error is, or was caused by, a failed network connection: to a server, or to the database. */
export function isNetworkError(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code } = one as NodeJS.ErrnoException;
    if (code !== undefined && (NETWORK.has(code) || code === 'connection_lost')) return true;
  }
  return false;
}

/** An error of the file system, or one caused by it, in words (`File not found: x.pbf`); null for any other error. */
export function fileTrouble(error: unknown): string | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code, path } = one as NodeJS.ErrnoException;
    if (code !== undefined && path !== undefined && Object.hasOwn(TROUBLES, code)) return `${TROUBLES[code]}: ${path}`;
  }
  return null;
}
