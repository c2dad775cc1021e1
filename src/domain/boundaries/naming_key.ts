import type { Naming } from '../names/languages.ts';

/** Prefix of cache keys for a naming. It is unique because language tags contain no blank. */
export function keyOfNaming({ prefer, names }: Naming): string {
  return `${prefer.join()} ${names === null ? '-' : names === 'all' ? '*' : names.join()} `;
}
