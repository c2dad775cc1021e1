/**
 * How publishers give their files, by their documentation: the format, the folders in an archive, names and types of
 * layers and columns, encodings and some rows; and what an import has to make of each row, said by hand.
 */

export interface Published {
  /** As `boundary import @NAME` takes it. */
  readonly name: string;
  readonly as: 'geojson' | 'shapefile' | 'geopackage';
  /** The file in its zip, or by itself where `packed` is false. */
  readonly file: string;
  readonly packed?: false | 'zip' | 'gzip';
  /** Of a Shapefile; UTF-8 with a .cpg by default. */
  readonly encoding?: { readonly gdal: string; readonly hasCpg: boolean };
  /** The reference system, where it is not that of the recipe, and whether positions have heights. */
  readonly crs?: string;
  readonly heights?: true;
  /** The crs member of a GeoJSON file. */
  readonly said?: string;
  /** Further layers of the GeoPackage, or Shapefiles of the archive. */
  readonly others?: readonly string[];
  /** Further files of the archive. */
  readonly beside?: readonly string[];
  /** A place in the country: longitude and latitude of the first area. */
  readonly at: readonly [number, number];
  /** Names of columns with a width for texts; 0 for whole numbers, 0.5 for others. */
  readonly columns: Readonly<Record<string, number>>;
  /** Values in the order of the columns; `false` in front: a row without a shape. */
  readonly rows: readonly (readonly (string | number | null | false)[])[];
  /** One for each area that is stored, in the order of the file. */
  readonly expected: readonly Readonly<Record<string, unknown>>[];
}

type Rest = Omit<Published, 'name' | 'file' | 'columns' | 'rows' | 'expected'>;
type Own = Pick<Published, 'name' | 'file' | 'columns' | 'rows' | 'expected'> & Partial<Rest>;
const of = (rest: Rest, ...all: readonly Own[]): Published[] => all.map((own) => ({ ...rest, ...own }));

const GISCO = 'urn:ogc:def:crs:EPSG::4326';
const CRS84 = 'urn:ogc:def:crs:OGC:1.3:CRS84';

const ABS = of(
  { as: 'shapefile', at: [147, -35] },
  {
    name: 'abs/states',
    file: 'STE_2021_AUST_GDA2020.shp',
    columns: { STE_CODE21: 1, STE_NAME21: 50, CHG_FLAG21: 1, CHG_LBL21: 50, AUS_CODE21: 3, AREASQKM21: 0.5 },
    rows: [
      ['1', 'New South Wales', '0', 'No change', 'AUS', 800797.69],
      [false, 'Z', 'Outside Australia', '0', 'No change', 'ZZZ', null],
    ],
    expected: [{ sourceId: '1', name: 'New South Wales', country: 'AU', adminLevel: 4 }],
  },
  {
    name: 'abs/lgas',
    file: 'LGA_2021_AUST_GDA2020.shp',
    columns: { LGA_CODE21: 5, LGA_NAME21: 50, STE_CODE21: 1, STE_NAME21: 50, AREASQKM21: 0.5 },
    rows: [['10050', 'Albury', '1', 'New South Wales', 305.6386]],
    expected: [{ sourceId: '10050', name: 'Albury', country: 'AU', adminLevel: 6 }],
  },
  {
    name: 'abs/suburbs',
    file: 'SAL_2021_AUST_GDA2020.shp',
    columns: { SAL_CODE21: 5, SAL_NAME21: 50, STE_CODE21: 1 },
    rows: [['10001', 'Aarons Pass', '1']],
    expected: [{ sourceId: '10001', name: 'Aarons Pass', country: 'AU', adminLevel: 9 }],
  },
);

const VG250 = 'vg250_01-01.utm32s.gpkg.ebenen/vg250_ebenen_0101/DE_VG250.gpkg';
const BKG_COLUMNS = { OBJID: 16, ADE: 0, GF: 0, BSG: 0, ARS: 12, AGS: 8, GEN: 50, BEZ: 50, NUTS: 5 };
const BKG = of(
  { as: 'geopackage', at: [9.5, 54], others: ['vg250_sta', 'vg250_rbz'] },
  {
    name: 'bkg-vg250/states',
    file: VG250,
    columns: BKG_COLUMNS,
    rows: [
      ['DEBKGVG200000M0', 2, 4, 1, '01', '01', 'Schleswig-Holstein', 'Land', 'DEF'],
      ['DEBKGVG200000M1', 2, 2, 1, '01', '01', 'Schleswig-Holstein', 'Land', 'DEF'],
      ['DEBKGVG200000M2', 2, 4, 1, '03', '03', 'Niedersachsen', 'Land', null],
    ],
    expected: [
      { sourceId: '01', name: 'Schleswig-Holstein', country: 'DE', adminLevel: 4, codes: ['01'] },
      { sourceId: '03', name: 'Niedersachsen', country: 'DE', adminLevel: 4 },
    ],
  },
  {
    name: 'bkg-vg250/districts',
    file: VG250,
    columns: BKG_COLUMNS,
    rows: [['DEBKGVG200000A', 4, 4, 1, '01001', '01001', 'Flensburg', 'Kreisfreie Stadt', 'DEF01']],
    expected: [{ sourceId: '01001', name: 'Flensburg', country: 'DE', adminLevel: 6 }],
  },
  {
    name: 'bkg-vg250/municipalities',
    file: VG250,
    columns: BKG_COLUMNS,
    rows: [['DEBKGVG200000B', 6, 4, 1, '010515163003', '01051003', 'Averlak', 'Gemeinde', 'DEF05']],
    expected: [{ sourceId: '01051003', name: 'Averlak', country: 'DE', adminLevel: 8 }],
  },
);

const CBS = of(
  { as: 'geojson', packed: false, said: GISCO, at: [4.8, 52.3] },
  {
    name: 'cbs/provinces',
    file: 'wfs',
    columns: { id: 0, statcode: 4, jrstatcode: 8, statnaam: 40, rubriek: 20 },
    rows: [[1, 'PV20', '2024PV20', 'Groningen', 'provincie']],
    expected: [{ sourceId: 'PV20', name: 'Groningen', country: 'NL', adminLevel: 4 }],
  },
  {
    name: 'cbs/municipalities',
    file: 'wfs',
    columns: { id: 0, statcode: 6, jrstatcode: 10, statnaam: 40, rubriek: 20 },
    rows: [[1, 'GM0363', '2024GM0363', 'Amsterdam', 'gemeente']],
    expected: [{ sourceId: 'GM0363', name: 'Amsterdam', country: 'NL', adminLevel: 8 }],
  },
);

const ETALAB = of(
  { as: 'geojson', packed: 'gzip', at: [9, 42] },
  {
    name: 'etalab/regions',
    file: 'regions-100m.geojson',
    columns: { code: 2, nom: 40 },
    rows: [['01', 'Guadeloupe']],
    expected: [{ sourceId: '01', name: 'Guadeloupe', country: 'FR', adminLevel: 4, codeIds: ['insee-region:01', 'etalab-regions:01'] }], // biome-ignore format: a row
  },
  {
    name: 'etalab/departments',
    file: 'departements-100m.geojson',
    columns: { code: 3, nom: 40, region: 2 },
    rows: [['2A', 'Corse-du-Sud', '94']],
    expected: [{ sourceId: '2A', name: 'Corse-du-Sud', country: 'FR', adminLevel: 6 }],
  },
  {
    name: 'etalab/communes',
    file: 'communes-100m.geojson',
    columns: { code: 5, nom: 60, departement: 3, region: 2, epci: 9 },
    rows: [['01001', "L'Abergement-Clémenciat", '01', '84', null]],
    expected: [{ sourceId: '01001', name: "L'Abergement-Clémenciat", country: 'FR', adminLevel: 8 }],
  },
);

const GEOBOUNDARIES = of(
  { as: 'geojson', packed: false, said: CRS84, at: [8, 47] },
  ...['ADM0', 'ADM1', 'ADM2', 'ADM3', 'ADM4', 'ADM5'].map((level, i): Own => {
    const [iso, name] = i === 0 ? ['CHE', 'Switzerland'] : i === 1 ? ['CH-ZH', 'Zürich'] : [null, `Bezirk ${i}`];
    return {
      name: `geoboundaries/CHE/${level}`,
      file: `geoBoundaries-CHE-${level}.geojson`,
      columns: { shapeName: 40, shapeISO: 6, shapeID: 30, shapeGroup: 3, shapeType: 4 },
      rows: [[name ?? '', i < 2 ? (iso ?? null) : null, `1872B${i}`, 'CHE', level]],
      expected: [
        {
          sourceId: `1872B${i}`,
          name,
          country: 'CH',
          adminLevel: [2, 4, 6, 8, 9, 10][i],
          iso: i === 0 ? 'CH' : i === 1 ? 'CH-ZH' : null,
        },
      ],
    };
  }),
);

const EUROSTAT = of(
  { as: 'geojson', packed: false, said: GISCO, at: [23, 38] },
  {
    name: 'gisco-countries',
    file: 'CNTR_RG_01M_2024_4326.geojson',
    columns: { CNTR_ID: 2, CNTR_NAME: 60, NAME_ENGL: 40, NAME_FREN: 40, ISO3_CODE: 3, SVRG_UN: 30, EU_STAT: 1 },
    rows: [['EL', 'Ελλάδα', 'Greece', 'Grèce', 'GRC', 'UN Member State', 'T']],
    expected: [{ sourceId: 'EL', name: 'Ελλάδα', names: { en: 'Greece' }, country: 'GR', adminLevel: 2 }],
  },
  ...[2, 3, 5, 6].map(
    (adminLevel, i): Own => ({
      name: `nuts/${i}`,
      file: `NUTS_RG_01M_2024_4326_LEVL_${i}.geojson`,
      columns: { NUTS_ID: 5, LEVL_CODE: 0, CNTR_CODE: 2, NAME_LATN: 40, NUTS_NAME: 40, MOUNT_TYPE: 0.5 },
      rows: [['EL301'.slice(0, 2 + i), i, 'EL', 'Attiki', 'Αττική', null]],
      expected: [{ sourceId: 'EL301'.slice(0, 2 + i), name: 'Αττική', country: 'GR', adminLevel }],
    }),
  ),
  {
    name: 'lau',
    file: 'LAU_RG_01M_2023_4326.geojson',
    columns: { GISCO_ID: 12, CNTR_CODE: 2, LAU_ID: 10, LAU_NAME: 60, POP_2023: 0, AREA_KM2: 0.5, YEAR: 0 },
    rows: [['EL_01010101', 'EL', '01010101', 'Αθηναίοι', 643452, 38.96, 2023]],
    expected: [
      { sourceId: 'EL_01010101', name: 'Αθηναίοι', country: 'GR', adminLevel: 8, population: 643452, codes: ['01010101'] }, // biome-ignore format: a row
    ],
  },
);

const IBGE = of(
  { as: 'shapefile', at: [-62, -11] },
  {
    name: 'ibge/states',
    file: 'BR_UF_2022.shp',
    columns: { CD_UF: 2, NM_UF: 50, SIGLA_UF: 2, NM_REGIAO: 20, AREA_KM2: 0.5 },
    rows: [['11', 'Rondônia', 'RO', 'Norte', 237754.172]],
    expected: [{ sourceId: '11', name: 'Rondônia', country: 'BR', adminLevel: 4, codes: ['RO'] }],
  },
  {
    name: 'ibge/municipalities',
    file: 'BR_Municipios_2022.shp',
    columns: { CD_MUN: 7, NM_MUN: 100, SIGLA_UF: 2, AREA_KM2: 0.5 },
    rows: [['1100015', "Alta Floresta D'Oeste", 'RO', 7067.127]],
    expected: [{ sourceId: '1100015', name: "Alta Floresta D'Oeste", country: 'BR', adminLevel: 8 }],
  },
);

const IGN = of(
  { as: 'geopackage', packed: false, crs: 'EPSG:2154', at: [4.9, 46.1], others: ['ARRONDISSEMENT', 'EPCI'] },
  {
    name: 'ign-admin-express/regions',
    file: 'ADE-COG.gpkg',
    columns: { ID: 24, NOM_M: 35, NOM: 35, INSEE_REG: 2 },
    rows: [['REGION__0001', 'LA RÉUNION', 'La Réunion', '04']],
    expected: [{ sourceId: '04', name: 'La Réunion', country: 'FR', adminLevel: 4 }],
  },
  {
    name: 'ign-admin-express/departments',
    file: 'ADE-COG.gpkg',
    columns: { ID: 24, NOM_M: 30, NOM: 30, INSEE_DEP: 3, INSEE_REG: 2 },
    rows: [['DEPARTEM_0001', 'AIN', 'Ain', '01', '84']],
    expected: [{ sourceId: '01', name: 'Ain', country: 'FR', adminLevel: 6, codes: ['01'] }],
  },
  {
    name: 'ign-admin-express/communes',
    file: 'ADE-COG.gpkg',
    columns: { ID: 24, NOM: 50, INSEE_COM: 5, STATUT: 26, POPULATION: 0, INSEE_DEP: 3, SIREN_EPCI: 20 },
    rows: [['COMMUNE_0001', 'Ambérieu-en-Bugey', '01004', 'Commune simple', 14288, '01', null]],
    expected: [{ sourceId: '01004', name: 'Ambérieu-en-Bugey', country: 'FR', adminLevel: 8 }],
  },
);

export const EUROPE_AND_MORE: readonly Published[] = [
  ...ABS,
  ...BKG,
  ...CBS,
  ...ETALAB,
  ...GEOBOUNDARIES,
  ...EUROSTAT,
  ...IBGE,
  ...IGN,
];
