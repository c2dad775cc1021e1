import { readFileSync } from 'node:fs';

/** Number that a file of messages begins with, in the byte order of the machine that wrote it. */
const MAGIC = 0x950412de;

/**
 * Reads translations from a compiled file of GNU gettext (.mo), of a machine with the lowest byte first.
 * @returns translations by the text that they translate
 * @throws Error if the file is not one
 */
export function readMessages(path: string): Map<string, string> {
  const bytes = readFileSync(path);
  if (bytes.readUInt32LE(0) !== MAGIC) throw new Error(`${path} has no messages of gettext.`);
  const [count, originals, translations] = [bytes.readUInt32LE(8), bytes.readUInt32LE(12), bytes.readUInt32LE(16)];
  const textAt = (table: number, i: number): string => {
    const [length, from] = [bytes.readUInt32LE(table + 8 * i), bytes.readUInt32LE(table + 8 * i + 4)];
    return bytes.subarray(from, from + length).toString('utf8');
  };
  return new Map(
    Array.from({ length: count }, (_, i) => [textAt(originals, i), textAt(translations, i)] as [string, string]),
  );
}
