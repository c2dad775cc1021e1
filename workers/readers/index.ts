import type { Format } from '../contract.ts';
import { type ReadDocument, Unreadable } from './model.ts';

/** The formats that can be read: all but pictures. */
export const READABLE = ['geojson', 'kml', 'wkt', 'gml'] as const satisfies readonly Format[];
export type Readable = (typeof READABLE)[number];

/** Each reader with the packages it needs, loaded when it is wanted. */
const READERS: Readonly<Record<Readable, () => Promise<(text: string) => ReadDocument>>> = {
  geojson: async () => (await import('./geojson.ts')).readGeojson,
  kml: async () => (await import('./kml.ts')).readKml,
  wkt: async () => (await import('./wkt.ts')).readWkt,
  gml: async () => (await import('./gml.ts')).readGml,
};

/** Reads a file in UTF-8 (a byte order mark is skipped). Throws Unreadable. */
export async function readDocument(format: Readable, bytes: Uint8Array): Promise<ReadDocument> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Unreadable('it is not text in UTF-8');
  }
  if (text.trim() === '') throw new Unreadable('it is empty');
  const read = await READERS[format]();
  return read(text);
}
