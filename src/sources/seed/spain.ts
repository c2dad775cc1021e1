import { cleanCoverage, dissolve } from '../../../workers/arcs/clean.ts';
import { TILES } from '../../../workers/arcs/slivers.ts';
import type { Coords } from '../../../workers/contract.ts';
import type { Cleaner } from '../coverage/cleaner.ts';
import { packageVersion } from '../reference.ts';
import { countryBoundary } from './countries.ts';
import { type AtlasArea, boundary, groupBy, readAtlas, type SeedCoverage, subdivisionTable } from './rows.ts';

const FILE = 'es-atlas/es/municipalities.json';

/** Prefix of INE codes of land that several municipalities own in common; other codes start with their province. */
const COMMON_LAND = '53';

/** Prefix of "territory associated with no province": Gibraltar, which has its own ISO code, so it is left out. */
const GIBRALTAR = '54';

/**
 * Spain (admin_level 2), its autonomous communities (4), provinces (6) and municipalities (8) from es-atlas. The
 * municipalities are cleaned; a province is the union of its municipalities and its common lands, a community that of
 * its provinces, the country that of all of them, so they nest exactly. Common lands are not municipalities and only
 * fill their province. Ceuta and Melilla are autonomous cities: a community and a municipality without a province.
 */
export async function seedSpain(clean: Cleaner = cleanCoverage): Promise<SeedCoverage> {
  const [municipalities, provinces, communities] = readAtlas(FILE, [
    'municipalities',
    'provinces',
    'autonomous_regions',
  ]) as [AtlasArea[], AtlasArea[], AtlasArea[]];
  const version = packageVersion(FILE);
  const table = subdivisionTable();
  const { features, repaired } = await clean(municipalities, TILES);
  const cleaned = municipalities.map((area, i) => ({ ...area, rings: features[i]!.rings }));
  const provinceOf = (area: AtlasArea): string | null => {
    const prefix = area.code.slice(0, 2);
    if (prefix === GIBRALTAR || area.rings.length === 0) return null;
    return prefix === COMMON_LAND ? holderOf(area.rings, provinces) : prefix;
  };
  const byProvince = groupBy(cleaned, provinceOf);
  const communityOf = new Map(provinces.map(({ code, rings }) => [code, holderOf(rings, communities)] as const));
  const boundaries = [];
  const skipped: { id: string; reason: string }[] = [];

  const all = [...byProvince.values()].flat();
  boundaries.push(countryBoundary('ES', version, await dissolve(all)));
  for (const { code, name } of communities) {
    const row = table.es_communities[code];
    if (row === undefined) {
      skipped.push({ id: code, reason: `${name}: no part of Spain` });
      continue;
    }
    const parts = [...byProvince].flatMap(([province, areas]) => (communityOf.get(province) === code ? areas : []));
    const { names, relation, iso } = row;
    boundaries.push(
      boundary({
        ...shared(`ccaa-${code}`, name, version),
        relation,
        names,
        codes: [iso],
        adminLevel: 4,
        iso,
        tags: { boundary: 'administrative', 'ISO3166-2': iso, 'ine:ccaa': code },
        rings: await dissolve(parts),
      }),
    );
  }
  for (const { code, name } of provinces) {
    const row = table.es_provinces[code];
    if (row === undefined) continue;
    boundaries.push(
      boundary({
        ...shared(`provincia-${code}`, name, version),
        codes: [code, row.iso],
        adminLevel: 6,
        iso: row.iso,
        tags: { boundary: 'administrative', 'ISO3166-2': row.iso, 'ine:provincia': code },
        rings: await dissolve(byProvince.get(code) ?? []),
      }),
    );
  }
  for (const { code, name, rings } of cleaned) {
    const prefix = code.slice(0, 2);
    if (prefix === COMMON_LAND) skipped.push({ id: code, reason: 'common land of several municipalities' });
    else if (prefix === GIBRALTAR) skipped.push({ id: code, reason: `${name}: no part of Spain` });
    else if (rings.length === 0) skipped.push({ id: code, reason: "nothing is left of it at the atlas's resolution" });
    else {
      boundaries.push(
        boundary({
          ...shared(code, name, version),
          codes: [code],
          adminLevel: 8,
          tags: { boundary: 'administrative', 'ine:municipio': code },
          rings,
        }),
      );
    }
  }
  return {
    source: {
      id: 'es-atlas',
      name: 'es-atlas (Instituto Geográfico Nacional, líneas límite)',
      url: 'https://github.com/martgnz/es-atlas',
      license: 'MIT; data CC BY 4.0',
      attribution: 'Instituto Geográfico Nacional de España (CC BY 4.0)',
      resolution: 'simplified, on a grid of 0.0022 x 0.0016 degrees (about 190 x 180 m)',
    },
    boundaries,
    repairs: repaired.filter((i) => features[i]!.rings.length > 0).length,
    skipped,
  };
}

/** The fields that all areas share. A name in two languages ("Alacant/Alicante") also gives one other name for each. */
function shared(sourceId: string, name: string, version: string) {
  const parts = name.split('/').map((part) => part.trim());
  return {
    sourceId,
    version,
    name,
    country: 'ES',
    otherNames: parts.length > 1 ? parts.map((text) => ({ type: 'alt_name', text })) : [],
  };
}

/** The code of the area that holds a point inside the rings, or null. */
function holderOf(rings: readonly Coords[], areas: readonly AtlasArea[]): string | null {
  const [x, y] = pointInside(rings);
  return areas.find((area) => crossingsWest(area.rings, x, y).length % 2 === 1)?.code ?? null;
}

/** A point inside an area: the middle of its widest stretch on the parallel halfway up. */
function pointInside(rings: readonly Coords[]): [number, number] {
  const ys = rings.flatMap((ring) => Array.from(ring).filter((_, i) => i % 2 === 1));
  const low = ys.reduce((a, b) => Math.min(a, b));
  const high = ys.reduce((a, b) => Math.max(a, b));
  // Vertices are integers, so a parallel at a half touches none.
  const y = Math.floor((low + high) / 2) + 0.5;
  const crossings = crossingsWest(rings, Infinity, y);
  let best: [number, number] = [-Infinity, y];
  let width = -1;
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const [from, to] = [crossings[i]!, crossings[i + 1]!];
    if (to - from > width) {
      width = to - from;
      best = [(from + to) / 2, y];
    }
  }
  return best;
}

/** The x at which edges of rings cross the parallel y, west of `x`, ascending. */
function crossingsWest(rings: readonly Coords[], x: number, y: number): number[] {
  const found: number[] = [];
  for (const ring of rings) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [ax, ay, bx, by] = [ring[i]!, ring[i + 1]!, ring[i + 2]!, ring[i + 3]!];
      if (ay > y === by > y) continue;
      const at = ax + ((y - ay) / (by - ay)) * (bx - ax);
      if (at < x) found.push(at);
    }
  }
  return found.sort((a, b) => a - b);
}
