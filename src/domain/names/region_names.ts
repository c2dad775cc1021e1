import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';

let regions: ReadonlyMap<string, readonly string[]> | undefined;

/** Reads data/region_names.json, made by scripts/make_region_names.ts. */
function load(): ReadonlyMap<string, readonly string[]> {
  if (regions) return regions;
  const { regions: lists } = JSON.parse(readFileSync(join(packageRoot(), 'data', 'region_names.json'), 'utf8')) as {
    readonly regions: Readonly<Record<string, string>>;
  };
  const found = new Map<string, string[]>();
  for (const [code, list] of Object.entries(lists)) {
    for (const name of list.split(';')) {
      const others = found.get(name);
      if (others) others.push(code);
      else found.set(name, [code]);
    }
  }
  regions = found;
  return found;
}

/**
 * Returns the ISO 3166 codes of the divisions or countries that a region, coast or island of a folded name is in: US-NY for
 * "long island", FR for "elsass". Empty for other texts.
 */
export const codesAroundRegion = (folded: string): readonly string[] => load().get(folded) ?? [];
