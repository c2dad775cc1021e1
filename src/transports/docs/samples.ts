import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';

/** A recorded and shortened answer of an operation to the input of one of its examples. */
export interface Sample {
  readonly status: number;
  /** The answer, with the first two items of each list and the beginning of each long text. */
  readonly body: unknown;
}

/** The samples file, recorded from the seed data by test/docs/examples.test.ts with RECORD_SAMPLES=1. */
export const SAMPLES = 'data/samples.json';

/** Placeholder for the service's base URL in the samples. */
const SAMPLE_BASE = 'https://maps.example/base';

let read: Readonly<Record<string, Sample>> | undefined;

/** The sample of an operation with the URLs of this service; null if it has none. Reads data/samples.json once. */
export function sampleOf(name: string, baseUrl: string): Sample | null {
  read ??= JSON.parse(readFileSync(join(packageRoot(), SAMPLES), 'utf8')) as Readonly<Record<string, Sample>>;
  const found = read[name];
  if (!found) return null;
  return { ...found, body: JSON.parse(JSON.stringify(found.body).replaceAll(SAMPLE_BASE, baseUrl)) as unknown };
}
