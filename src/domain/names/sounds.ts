import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';
import { foldName } from './fold.ts';

/** Letters from which a word that sounds like a name is meant for it. */
export const SHORTEST_SOUND = 6;

/** Spellings of the same sound in the languages that write Latin letters, applied in this order. */
const SAME: readonly (readonly [pattern: RegExp, sound: string])[] = [
  [/ph/g, 'f'],
  [/sch|sh/g, 'ch'],
  [/c(?=[eiy])/g, 's'],
  [/ck|qu?|c(?!h)/g, 'k'],
  [/(?<!c)h/g, ''],
  [/x/g, 'ks'],
  [/z/g, 's'],
  [/y|ee/g, 'i'],
  [/oo|ou/g, 'u'],
  [/w/g, 'v'],
  [/(\p{L})\1+/gu, '$1'],
];

let last: readonly [folded: string, sound: string] = ['', ''];

/** How a folded text in Latin letters sounds, roughly: "kentucky" and "kentuki" are the same. */
export function soundOf(folded: string): string {
  // One text is asked for twice: as a division, and as a city.
  if (last[0] !== folded)
    last = [folded, SAME.reduce((text, [pattern, sound]) => text.replace(pattern, sound), folded)];
  return last[1];
}

const LATIN = /^[a-z ]+$/;

/** ISO 3166 codes by sound; null where several places sound so. */
let codes: ReadonlyMap<string, string | null> | undefined;

/** Reads the names of data/place_names.json by their sounds. */
function load(): ReadonlyMap<string, string | null> {
  if (codes) return codes;
  const { names } = JSON.parse(readFileSync(join(packageRoot(), 'data', 'place_names.json'), 'utf8')) as {
    readonly names: Readonly<Record<string, string>>;
  };
  const found = new Map<string, string | null>();
  for (const [code, list] of Object.entries(names)) {
    for (const text of list.split(';')) {
      const folded = foldName(text);
      if (folded.length < SHORTEST_SOUND || !LATIN.test(folded)) continue;
      const sound = soundOf(folded);
      const other = found.get(sound);
      found.set(sound, other === undefined || other === code ? code : null);
    }
  }
  codes = found;
  return found;
}

/**
 * The ISO 3166 code of the only country or first-level division that a folded text of six letters or more sounds like, in any
 * language: "kentuki" is US-KY. Null if there is none.
 */
export function codeOfSound(folded: string): string | null {
  return folded.length < SHORTEST_SOUND || !LATIN.test(folded) ? null : (load().get(soundOf(folded)) ?? null);
}
