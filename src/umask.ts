/** The umask the program was started with; null until restrictUmask() was called. */
let started: number | null = null;

/**
 * Makes everything this process writes readable by its own user only (umask 077), its threads included: the embedded
 * database creates files with modes of its own choice. main.ts calls it before anything else runs.
 */
export function restrictUmask(): void {
  started ??= process.umask(0o077);
}

/** The mode of a file or folder that a person asked for by name: `mode` under the umask they started the program with. */
export function personMode(mode: number): number {
  return mode & ~(started ?? process.umask());
}
