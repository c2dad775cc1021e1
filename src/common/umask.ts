/** The umask the program was started with; null until restrictUmask() was called. */
let started: number | null = null;

/**
 * Makes everything that this process and its threads write accessible to its own user only (umask 077), because the
 * embedded database chooses its own file modes. main.ts calls it before anything else runs.
 */
export function restrictUmask(): void {
  started ??= process.umask(0o077);
}

/** Runs `work` under the umask the program was started with, which processes that it starts inherit. */
export function underPersonUmask<T>(work: () => T): T {
  const own = process.umask();
  process.umask(started ?? own);
  try {
    return work();
  } finally {
    process.umask(own);
  }
}

/** The mode of a file or folder that a person asked for by name: `mode` under the umask they started the program with. */
export function personMode(mode: number): number {
  return mode & ~(started ?? process.umask());
}
