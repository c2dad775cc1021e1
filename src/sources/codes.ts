import { codeIdsOf } from '../common/code_ids.ts';
import type { SourceBoundary } from './types.ts';

/** The schemes of codes that OpenStreetMap has under keys of their own (OSM wiki, Key:ref and the pages of countries). */
const SCHEMES: ReadonlyMap<string, string> = new Map([
  ['de:amtlicher_gemeindeschluessel', 'ags'],
  ['de:regionalschluessel', 'ars'],
  ['nist:fips_code', 'fips'],
  ['nist:state_fips', 'fips'],
  ['ine:municipio', 'ine'],
  ['ine:provincia', 'ine'],
  ['ine:ccaa', 'ine-ccaa'],
]);

/** The scheme of the codes under a key: that of `ref:INSEE` is insee, that of `ref:nuts:3` nuts; null for other keys. */
function schemeOf(key: string): string | null {
  const known = SCHEMES.get(key);
  if (known !== undefined) return known;
  const [, scheme = null] = /^ref:([a-z][a-z0-9_-]*)(?::\d+)?$/.exec(key.toLowerCase()) ?? [];
  return scheme;
}

/** All codes of a boundary with their schemes: those that its source states, and those in its tags; each once. */
export function allCodeIds({ codeIds = [], tags }: Pick<SourceBoundary, 'codeIds' | 'tags'>): string[] {
  const found = [...codeIds];
  for (const [key, text] of Object.entries(tags)) {
    const scheme = schemeOf(key);
    if (scheme !== null) found.push(...codeIdsOf(scheme, text));
  }
  const seen = new Set<string>();
  return found.filter((id) => {
    const key = id.toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}
