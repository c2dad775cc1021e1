import { describe, expect, it } from 'vitest';
import { chooseFile, coverageOf, findRecipe, readCatalog } from '../../src/sources/catalog.ts';
import { checkMap } from '../../src/sources/coverage/properties.ts';

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
