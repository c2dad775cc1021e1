import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package_root.ts';

export const SERVICE = 'boundary-lookup';

/** The version in package.json. */
export function readVersion(): string {
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;
}
