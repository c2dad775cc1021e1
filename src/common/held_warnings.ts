const held: string[] = [];

/**
 * Runs `work`, such as the import of a library that warns when it is loaded, and holds back what it writes with
 * console.warn until takeWarnings().
 */
export async function holdWarnings<T>(work: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = (...parts: unknown[]) => void held.push(parts.map(String).join(' '));
  try {
    return await work();
  } finally {
    console.warn = warn;
  }
}

/** Returns the warnings that were held back, once. */
export function takeWarnings(): string[] {
  return held.splice(0);
}
