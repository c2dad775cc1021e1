import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { chooseFile, readCatalog } from '../../src/sources/catalog.ts';
import { readCoverage } from '../../src/sources/coverage/read.ts';
import { proposalOf } from '../../src/sources/proposal/proposal.ts';
import { square } from '../formats/support.ts';
import { REAL_DATA_DIR } from './coverage_support.ts';

const folder = mkdtempSync(join(tmpdir(), 'boundary-proposal-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Middles of countries. */
const AT: Readonly<Record<string, readonly [number, number]>> = {
  ...{
    ES: [-4, 40],
    CH: [8, 47],
    FR: [2, 47],
    DE: [10, 51],
    US: [-100, 40],
    JP: [138.2, 36.3],
    CA: [-106, 55],
    MX: [-102, 24],
  },
  ...{ BR: [-52, -10], IT: [12.5, 42.8], GB: [-1.5, 52.5], NL: [5.6, 52.2], AU: [134, -25], NZ: [175.5, -39] },
  ...{ BE: [4.7, 50.6], GH: [-1.2, 7.9] },
};

type Properties = Readonly<Record<string, unknown>>;

/** A file of areas side by side in a country. */
function file(name: string, rows: readonly Properties[], country = 'CH', ids: readonly unknown[] = []): string {
  const path = join(folder, name);
  const [x, y] = AT[country] as readonly [number, number];
  const features = rows.map((properties, i) => ({
    type: 'Feature',
    ...(ids[i] === undefined ? {} : { id: ids[i] }),
    properties,
    geometry: { type: 'Polygon', coordinates: [square(x + 0.02 * i, y, 0.01)] },
  }));
  writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features }));
  return path;
}

const propose = (path: string, given: object = {}) =>
  proposalOf(path, { fileName: path.slice(folder.length + 1), ...given }, {});

describe('the meaning of columns', () => {
  const cases: readonly (readonly [string, string, readonly Properties[], object])[] = [
    [
      'communes.geojson',
      'BE',
      [
        { OBJECTID: 1, CD_MUN_INS: '25005', T_MUN_NL: 'Bevekom', NOM: 'Beauvechain', Shape_Area: 38.7 },
        { OBJECTID: 2, CD_MUN_INS: '25014', T_MUN_NL: 'Eigenbrakel', NOM: "Braine-l'Alleud", Shape_Area: 52.1 },
      ],
      { source: 'be-communes', map: { id: 'CD_MUN_INS', name: 'NOM' }, adminLevel: 8, country: 'BE' },
    ],
    [
      'ghana-regions.geojson',
      'GH',
      [
        {
          fid: 1,
          region_code: 'GH01',
          region: 'Ashanti',
          name_fr: 'Achanti',
          POPULATION: 5_440_463,
          wikidata: 'Q212429',
        },
        { fid: 2, region_code: 'GH02', region: 'Bono', name_fr: 'Bono', POPULATION: 1_208_649, wikidata: 'Q56816285' },
      ],
      {
        map: {
          id: 'region_code',
          name: 'region',
          'name:fr': 'name_fr',
          population: 'POPULATION',
          wikidata: 'wikidata',
        },
        country: 'GH',
        adminLevel: 4,
      },
    ],
    [
      'areas.geojson',
      'FR',
      [
        { code_insee: '01001', libelle: 'Ars', niveau: 3, admin_level: 8 },
        { code_insee: '01002', libelle: 'Bey', niveau: 3, admin_level: 8 },
      ],
      {
        map: { id: 'code_insee', name: 'libelle', admin_level: 'admin_level', 'code:insee': 'code_insee' },
        country: 'FR',
      },
    ],
    [
      'gemeinden.geojson',
      'DE',
      [
        { ags: '09162000', bezeichnung: 'Stadt', name: 'München', iso_a2: 'DE' },
        { ags: '09163000', bezeichnung: 'Stadt', name: 'Rosenheim', iso_a2: 'DE' },
      ],
      { map: { id: 'ags', name: 'name', country: 'iso_a2', 'code:ags': 'ags' }, adminLevel: 8 },
    ],
    [
      'countries.geojson',
      'CH',
      [
        { iso3: 'CHE', name: 'Switzerland' },
        { iso3: 'LIE', name: 'Liechtenstein' },
      ],
      { map: { id: 'iso3', name: 'name', country: 'iso3', iso: 'iso3' }, adminLevel: 2 },
    ],
  ];
  it.each(cases)('is read from %s', async (name, country, rows, expected) => {
    const { recipe, coverage, lacksLevel } = await propose(file(name, rows, country));
    expect([recipe, lacksLevel]).toEqual([null, false]);
    expect(coverage).toMatchObject(expected);
    expect(coverage.map).toEqual((expected as { map: object }).map);
  });

  it.each([
    ['ES', 'POBLACION'],
    ['ES', 'pob_total_2023'],
    ['ES', 'Población'],
    ['MX', 'POBTOT'],
    ['BR', 'populacao'],
    ['IT', 'Popolazione residente'],
    ['IT', 'POPOLAZION'],
    ['NL', 'Aantal inwoners'.slice(7)],
    ['DE', 'Bevölkerung_gesamt'],
    ['DE', 'EinwohnerTotal'],
    ['DE', 'EINWOHNERZ'],
    ['US', 'POP2020'],
    ['US', 'TOTPOP'],
    ['CH', 'POPULATION_EST'],
  ])('reads in %s the population from %s', async (country, name) => {
    const rows = [
      { code: 'A1', name: 'One', [name]: 12_345 },
      { code: 'A2', name: 'Two', [name]: 0 },
    ];
    const { coverage } = await propose(file('municipalities.geojson', rows, country));
    expect(coverage.map).toEqual({ id: 'code', name: 'name', population: name });
  });

  it('does not take some of the people, a share of them, a date or names of towns for a population', async () => {
    const others = {
      pop_mujeres: 5,
      POP_DENSITY: 31.5,
      population_change: -3,
      households: 9,
      POBLACION: 'Ronda',
      popup: 1,
    };
    const rows = [
      { code: 'A1', name: 'One', ...others },
      { code: 'A2', name: 'Two', ...others, POBLACION: 'Osuna' },
    ];
    const { coverage } = await propose(file('municipalities.geojson', rows, 'ES'));
    expect(coverage.map).not.toHaveProperty('population');
  });

  it('takes the latest of several populations', async () => {
    const years = { POP2010: 1, POP2020: 2, POP2000: 3 };
    const rows = [
      { code: 'A1', name: 'One', ...years },
      { code: 'A2', name: 'Two', ...years },
    ];
    const { coverage } = await propose(file('municipalities.geojson', rows, 'US'));
    expect(coverage.map).toHaveProperty('population', 'POP2020');
  });

  it('takes ids of the features, and names for ids and ids for names where there is nothing else, and says so', async () => {
    const named = [{ name: 'One' }, { name: 'Two' }];
    const own = await propose(file('counties.geojson', named, 'CH', ['27119', '27120']));
    expect([own.coverage.map, own.notes]).toEqual([
      { name: 'name' },
      expect.arrayContaining(['ids are those of the features']),
    ]);
    const names = await propose(file('counties.geojson', named));
    expect([names.coverage.map, names.notes[0]]).toEqual([
      { id: 'name', name: 'name' },
      'no column has ids: the names stand for them',
    ]);
    const ids = await propose(
      file('cantons.geojson', [
        { id: 1, name: null },
        { id: 2, name: null },
      ]),
    );
    expect([ids.coverage.map, ids.notes[0]]).toEqual([
      { id: 'id', name: 'id' },
      'no column has names: the ids stand for them',
    ]);
    expect(ids.coverage.adminLevel).toBe(4);
  });

  it('is a file of the catalog for its own areas, not for coarser ones that its rows name', async () => {
    const three = [1, 2, 3];
    const communes = three.map((n) => ({
      ...{ ID: `COMMUNE_${n}`, NOM: `Ville ${n}`, NOM_M: `VILLE ${n}`, INSEE_COM: `0100${n}`, INSEE_CAN: '08' },
      ...{ INSEE_ARR: '2', INSEE_DEP: '01', INSEE_REG: '84', POPULATION: n, SIREN_EPCI: '200', STATUT: 'Commune' },
    }));
    expect((await propose(file('COMMUNE.geojson', communes, 'FR'))).recipe?.name).toBe('ign-admin-express/communes');
    // Of an edition whose columns no recipe has; they name the states of the recipe.
    const governments = three.map((n) => ({
      ...{ LGA_CODE24: `1005${n}`, LGA_NAME24: `Albury ${n}`, STE_CODE21: '1', STE_NAME21: 'New South Wales' },
    }));
    const { recipe, coverage } = await propose(file('lga.geojson', governments, 'AU'));
    expect([recipe, coverage.map?.id, coverage.map?.name]).toEqual([null, 'LGA_CODE24', 'LGA_NAME24']);
  });

  it('is the file of the catalog that its name or layer says, where several have its columns', async () => {
    const three = [1, 2, 3];
    const germany = three.map((n) => ({
      AGS: `0900${n}`,
      ARS: `0900${n}`,
      GEN: `Kreis ${n}`,
      BEZ: 'Landkreis',
      SN_L: '09',
      GF: 4,
    }));
    for (const [name, part] of [
      ['VG250_KRS', 'districts'],
      ['VG250_LAN', 'states'],
      ['vg250_gem', 'municipalities'],
    ])
      expect((await propose(file(`${name}.geojson`, germany, 'DE'))).recipe?.name).toBe(`bkg-vg250/${part}`);
    const counties = three.map((n) => ({ STATEFP: '48', GEOID: `4800${n}`, NAME: `C${n}`, NAMELSAD: `C${n} County` }));
    const { recipe } = await propose(file('tl_2023_us_county.geojson', counties, 'US'));
    expect(recipe?.name).toBe('us-census/counties');
  });

  it('is refused where no column tells areas apart, with what there is', async () => {
    const rows = [
      { KTNR: 1, OBJECTID: 1 },
      { KTNR: 1, OBJECTID: 2 },
      { KTNR: 1, OBJECTID: 3 },
    ];
    await expect(propose(file('districts.geojson', rows))).rejects.toThrow(
      /no column has an id of each of its 3 areas: KTNR \(1 values in 3 rows\), OBJECTID .*--map id=COLUMN/,
    );
  });

  it('leaves to the person what the person says, and asks for a level that nothing tells', async () => {
    const path = file('x.geojson', [
      { a_code: '1', b_code: '2', name: 'N' },
      { a_code: '3', b_code: '4', name: 'M' },
    ]);
    expect(await propose(path)).toMatchObject({ lacksLevel: true, coverage: { map: { id: 'a_code' } } });
    const said = await propose(path, { map: { id: 'b_code' }, adminLevel: 6, country: 'LI' });
    expect(said).toMatchObject({
      lacksLevel: false,
      coverage: { map: { id: 'b_code', name: 'name' }, adminLevel: 6, country: 'LI' },
    });
  });

  it('never names a column that a flag cannot name', async () => {
    const rows = [
      { 'name=x': 'One', 'a,id': 1, name: 'Un', id: 1 },
      { 'name=x': 'Two', 'a,id': 2, name: 'Deux', id: 2 },
    ];
    expect((await propose(file('communes.geojson', rows))).coverage.map).toEqual({ id: 'id', name: 'name' });
  });
});

describe('several levels in one file', () => {
  const gadm = [1, 2, 3].map((n) => ({
    ...{ GID_0: 'CHE', COUNTRY: 'Switzerland', GID_1: 'CHE.1_1', NAME_1: 'Aargau', TYPE_1: 'Canton' },
    ...{ GID_2: `CHE.1.${n}_1`, NAME_2: `District ${n}`, HASC_2: `CH.AG.${n}` },
  }));
  it.each([
    [
      'GADM',
      gadm,
      [
        [2, 'GID_0', 'COUNTRY'],
        [4, 'GID_1', 'NAME_1'],
        [6, 'GID_2', 'NAME_2'],
      ],
    ],
    [
      'OCHA',
      [1, 2].map((n) => ({
        ADM2_EN: `D ${n}`,
        ADM2_PCODE: `GH01${n}`,
        ADM1_EN: 'Ashanti',
        ADM1_PCODE: 'GH01',
        ADM0_EN: 'Ghana',
        ADM0_PCODE: 'GH',
      })),
      [
        [2, 'ADM0_PCODE', 'ADM0_EN'],
        [4, 'ADM1_PCODE', 'ADM1_EN'],
        [6, 'ADM2_PCODE', 'ADM2_EN'],
      ],
    ],
  ])('as in %s become several', async (_, rows, expected) => {
    const path = file('levels.geojson', rows);
    const { coverage, lacksLevel } = await propose(path);
    expect(lacksLevel).toBe(false);
    expect(coverage.levels?.map(({ adminLevel, id, name }) => [adminLevel, id, name])).toEqual(expected);
    const { boundaries } = await readCoverage(path, coverage);
    expect(boundaries).toHaveLength(2 + rows.length);
    expect((await propose(path, { onlyLevels: [4] })).coverage.levels).toHaveLength(1);
    await expect(propose(path, { onlyLevels: [8] })).rejects.toThrow(
      'it has no admin_level 8; its columns are of 2, 4, 6',
    );
  });
});

describe('recipes of the catalog', () => {
  const catalog = readCatalog();
  /** A file of areas for each; a name that says which of several parts it is. */
  const names = catalog.flatMap((recipe) =>
    recipe.files.flatMap((one) => {
      if (one.map === undefined) return [];
      const country = one.country ?? 'ES';
      const part = one.part.replace('{iso2}', country).replace('{iso3}', 'ESP');
      return [[part === '' ? recipe.name : `${recipe.name}/${part}`, country] as const];
    }),
  );
  it.each(names)('%s is recognized by its columns, or named among those that have the same', async (name, country) => {
    const { file: chosen } = chooseFile(name, catalog);
    const row: Record<string, unknown> = {};
    const put = (column: string, value: string): void => {
      const [outer = '', inner] = column.split('.');
      row[outer] = inner === undefined ? value : { [inner]: value };
    };
    for (const [key, column] of Object.entries(chosen.map ?? {})) put(column, key === 'country' ? country : `${key} 1`);
    for (const [column, [one = '']] of Object.entries(chosen.where ?? {})) put(column, one);
    const base = chosen.address?.split('/').at(-1)?.replace(/\..*/, '') ?? '';
    const [source] = name.split('/');
    const path = file(`${base === '' ? source : base}-${chosen.part.split('/').at(-1)}.geojson`, [row], country);
    const found = await propose(path).then(
      ({ recipe }) => recipe?.name ?? 'no recipe',
      (error: Error) => error.message,
    );
    expect(found.toLowerCase()).toContain(name.toLowerCase());
  });

  it('tells parts with the same columns apart by what is in them, else asks', async () => {
    const row = { shapeID: '1', shapeName: 'A', shapeGroup: 'ESP', shapeISO: 'ES-A' };
    const said = file('geoBoundaries-ESP.geojson', [{ ...row, shapeType: 'ADM1' }], 'ES');
    expect((await propose(said)).recipe?.name).toBe('geoboundaries/ESP/ADM1');
    await expect(propose(file('x.geojson', [row], 'ES'))).rejects.toThrow(
      /its columns are those of @geoboundaries\/ESP\/ADM0, @geoboundaries\/ESP\/ADM1.*boundary import @geoboundaries\/ESP\/ADM0 --from FILE/,
    );
  });

  it('never takes a file of a country for that of another', async () => {
    const rows = [
      { code: '01', nom: 'Un' },
      { code: '02', nom: 'Deux' },
    ];
    expect((await propose(file('communes.geojson', rows, 'FR'))).recipe?.name).toBe('etalab/communes');
    expect((await propose(file('communes.geojson', rows, 'CH'))).recipe).toBeNull();
  });
});

it('refuses a reference system that comes after the features it is about, as an import does', async () => {
  const path = file('late.geojson', [{ id: 1 }, { id: 2 }]);
  const crs = { type: 'name', properties: { name: 'EPSG:4301' } };
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), crs }));
  await expect(propose(path)).rejects.toThrow('Tokyo comes after its features: name it with --crs EPSG:4301');
});

describe.skipIf(!REAL_DATA_DIR)('editions of Switzerland', () => {
  const editions = [
    '2010',
    '2013',
    '2015',
    '2018',
    '2020',
    '2021',
    '2021-04',
    '2021-07',
    '2022-05',
    '2024',
    '2025',
    '2026',
  ];
  it.each(editions)('%s is understood without a flag', async (edition) => {
    for (const [level, what] of [
      [4, 'cantons'],
      [6, 'districts'],
      [8, 'municipalities'],
    ] as const) {
      const path = join(REAL_DATA_DIR ?? '', 'editions', 'switzerland', edition, `${what}.shp`);
      const { coverage, notes } = await proposalOf(path, { fileName: `${what}.shp` }, {});
      const isNamed = edition < '2025';
      // The newest districts have neither numbers nor names.
      const id = isNamed || level !== 6 ? 'id' : '@row';
      expect(coverage).toMatchObject({
        ...{ source: `ch-${what}`, adminLevel: level, country: 'CH', map: { id, name: isNamed ? 'name' : id } },
      });
      expect(notes.some((note) => /numbers of the rows stand for them/.test(note))).toBe(id === '@row');
      expect(notes.includes('no column has names: the ids stand for them')).toBe(!isNamed);
    }
  });
});
