import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../db/root.ts';

/** An answer that an operation gave to the input of one of its examples, shortened. */
export interface Sample {
  readonly status: number;
  /** The first two items of each list, the beginning of each long text. */
  readonly body: unknown;
}

/** Where the samples are kept: written by test/docs/examples.test.ts with RECORD_SAMPLES=1, from the seed data. */
export const SAMPLES = 'data/samples.json';

/** What stands for the address of the service in them. */
export const SAMPLE_BASE = 'https://maps.example/base';

let read: Readonly<Record<string, Sample>> | undefined;

/** The sample of an operation, with the addresses of this service; null where it has none. Reads data/samples.json once. */
export function sampleOf(name: string, baseUrl: string): Sample | null {
  read ??= JSON.parse(readFileSync(join(packageRoot(), SAMPLES), 'utf8')) as Readonly<Record<string, Sample>>;
  const found = read[name];
  if (!found) return null;
  return { ...found, body: JSON.parse(JSON.stringify(found.body).replaceAll(SAMPLE_BASE, baseUrl)) as unknown };
}
