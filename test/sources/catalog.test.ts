import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { chooseFile, coverageOf, findRecipe, readCatalog } from '../../src/sources/catalog.ts';
import { checkMap } from '../../src/sources/coverage/properties.ts';
import { readCoverage } from '../../src/sources/coverage/read.ts';

const catalog = readCatalog();

describe('the catalog of sources', () => {
  it('has recipes that fit their schema, each with a part of its own', () => {
    expect(catalog.length).toBeGreaterThanOrEqual(20);
    for (const { name, files } of catalog) {
      expect(name).toMatch(/^[a-z0-9][a-z0-9-]{0,39}$/);
      expect(new Set(files.map(({ part }) => part.toLowerCase())).size, name).toBe(files.length);
    }
  });

  it('maps to what an import knows, and says a level for every area', () => {
    for (const { name, files } of catalog) {
      for (const { map, values = {}, admin_level: level, type } of files) {
        if (map === undefined) continue;
        checkMap(map);
        expect(map, name).toHaveProperty('id');
        for (const key of Object.keys(values)) expect(map, name).toHaveProperty(key);
        expect(level !== undefined || type === 'postal_code' || map.admin_level !== undefined, name).toBe(true);
      }
    }
  });

  it.each([
    ['nuts/3', /LEVL_3\.geojson$/, { source: 'nuts', adminLevel: 6 }],
    ['NUTS/3', /LEVL_3\.geojson$/, { source: 'nuts' }],
    ['geoboundaries/che/adm1', /gbOpen\/CHE\/ADM1\/$/, { source: 'geoboundaries', adminLevel: 4 }],
    ['geoboundaries/CH/ADM1', /gbOpen\/CHE\/ADM1\/$/, { source: 'geoboundaries' }],
    ['whosonfirst/Pt/counties', /admin-pt-latest\.zip$/, { layer: 'whosonfirst-data-admin-pt-county-polygon' }],
    ['lau', /LAU_RG/, { adminLevel: 8 }],
    // Their ids are those of other files: 10001 is a county of Delaware and a ZIP code of New York.
    ['us-census/counties', /county/, { source: 'us-census', map: { 'code:fips': 'GEOID' } }],
    ['us-census/zctas', /zcta/, { source: 'us-census-zctas' }],
    ['etalab/regions', /regions/, { source: 'etalab-regions' }],
  ])('finds %s', (text, address, options) => {
    const chosen = chooseFile(text, catalog);
    expect(chosen.file.address).toMatch(address);
    expect(coverageOf(chosen)).toMatchObject(options);
  });

  it('reads files of OpenStreetMap as such, of continents and countries', () => {
    const chosen = chooseFile('osm-extract/europe/great-britain', catalog);
    expect(chosen.file.address).toBe('https://download.geofabrik.de/europe/great-britain-latest.osm.pbf');
    expect(coverageOf(chosen)).toBeNull();
    expect(chooseFile('overture/no', catalog).file.where).toEqual({ class: ['land'], country: ['NO'] });
  });

  it.each([
    ['nuts', /nuts has no file without a name; its files are nuts\/0, nuts\/1, nuts\/2, nuts\/3\.$/],
    ['nuts/4', /nuts has no file 4; its files are/],
    ['geoboundaries/XYZ/ADM1', /has no file XYZ\/ADM1; its files are geoboundaries\/\{iso3\}\/ADM0/],
    ['osm-extract/../../etc', /has no file/],
    ['osm-extract/europe/spain?x=http://a', /has no file/],
    ['nowhere/1', /There is no source nowhere; the sources are abs, /],
  ])('says what there is in place of %s', (text, message) => {
    expect(() => chooseFile(text, catalog)).toThrow(message);
  });

  it('finds a recipe by its name', () => {
    expect(findRecipe('Us-Census').publisher).toBe('United States Census Bureau');
  });
});

/** What a column holds in a made file, by what it is mapped to. */
const MADE: Readonly<Record<string, string>> = {
  ...{ id: 'X1', name: 'Made place', short_name: 'Made', official_name: 'The Made place', code: 'M1', country: 'ES' },
  ...{ iso: 'ES', wikidata: 'Q1', population: '1234', admin_level: '4' },
};

/** Properties by name; a dot leads into an object. */
function nested(values: ReadonlyMap<string, string>): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, value] of values) {
    const [outer = '', inner] = name.split('.');
    made[outer] = inner === undefined ? value : { [inner]: value };
  }
  return made;
}

describe('a file with the columns of a recipe', () => {
  const folder = mkdtempSync(join(tmpdir(), 'boundary-catalog-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const words = { iso2: 'ES', iso3: 'ESP', path: 'europe' };
  const names = catalog.flatMap((recipe) =>
    recipe.files.flatMap(({ part, map }) => {
      const named = part.replace(/\{(iso2|iso3|path)\}/g, (_, key: keyof typeof words) => words[key]);
      return map === undefined ? [] : [named === '' ? recipe.name : `${recipe.name}/${named}`];
    }),
  );

  it.each(names)('%s is read as the recipe says', async (name) => {
    const chosen = chooseFile(name, catalog);
    const { map = {}, values = {}, where = {}, admin_level: level, country, type } = chosen.file;
    const columns = new Map<string, string>();
    const expected: Record<string, string> = {};
    for (const [key, column] of Object.entries(map)) {
      const [first] = Object.entries(values[key] ?? {});
      const own = columns.get(column) ?? first?.[0] ?? MADE[key] ?? `${key} ${column}`;
      columns.set(column, own);
      expected[key] = values[key]?.[own] ?? own;
    }
    for (const [column, [one = '']] of Object.entries(where)) columns.set(column, one);
    const square = [[0, 40], [1, 40], [1, 41], [0, 41], [0, 40]]; // biome-ignore format: a ring
    const feature = (change: Record<string, unknown>) => ({
      type: 'Feature',
      properties: { ...nested(columns), ...change },
      geometry: { type: 'Polygon', coordinates: [square] },
    });
    const [[other] = []] = Object.entries(where);
    const features = [feature({}), ...(other === undefined ? [] : [feature({ [other]: 'another' })])];
    const path = join(folder, 'made.geojson');
    writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features }));
    const options = coverageOf(chosen);
    if (!options) throw new Error(`${name} has no map`);
    const { layer: _, ...given } = options;
    const { boundaries, notices } = await readCoverage(path, given);
    expect(boundaries).toHaveLength(1);
    const [one] = boundaries;
    expect(one).toMatchObject({
      sourceId: expected.id,
      name: expected.name,
      country: expected.country ?? country,
      adminLevel:
        type === 'postal_code' ? null : expected.admin_level === undefined ? level : Number(expected.admin_level),
    });
    for (const [key, value] of Object.entries(expected)) {
      if (key.startsWith('name:')) expect(one?.names).toHaveProperty(key.slice(5), value);
    }
    if (other !== undefined) expect(notices.join()).toContain(`1 features are not read: only those with ${other}`);
  });
});
