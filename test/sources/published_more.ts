/** Further files as their publishers give them: see published.ts. */

import type { Published } from './published.ts';

type Rest = Omit<Published, 'name' | 'file' | 'columns' | 'rows' | 'expected'>;
type Own = Pick<Published, 'name' | 'file' | 'columns' | 'rows' | 'expected'> & Partial<Rest>;
const of = (rest: Rest, ...all: readonly Own[]): Published[] => all.map((own) => ({ ...rest, ...own }));

const INEGI = of(
  { as: 'shapefile', encoding: { gdal: 'ISO-8859-1', hasCpg: true }, at: [-102, 22], others: ['00l', '00lpr'] },
  {
    name: 'inegi/states',
    file: 'conjunto_de_datos/00ent.shp',
    columns: { CVEGEO: 2, CVE_ENT: 2, NOMGEO: 80 },
    rows: [['01', '01', 'Aguascalientes'], ['15', '15', 'México']], // biome-ignore format: rows
    expected: [
      { sourceId: '01', name: 'Aguascalientes', country: 'MX', adminLevel: 4 },
      { sourceId: '15', name: 'México', country: 'MX', adminLevel: 4 },
    ],
  },
  {
    name: 'inegi/municipalities',
    file: 'conjunto_de_datos/00mun.shp',
    columns: { CVEGEO: 5, CVE_ENT: 2, CVE_MUN: 3, NOMGEO: 80 },
    rows: [['01007', '01', '007', 'Rincón de Romos']],
    expected: [{ sourceId: '01007', name: 'Rincón de Romos', country: 'MX', adminLevel: 6 }],
  },
);

const ISTAT = of(
  { as: 'shapefile', at: [7.7, 45.3] },
  {
    name: 'istat/regions',
    file: 'Limiti01012024_g/Reg01012024_g/Reg01012024_g_WGS84.shp',
    others: ['ProvCM01012024_g_WGS84', 'Com01012024_g_WGS84'],
    columns: { COD_RIP: 0, COD_REG: 0, DEN_REG: 50, Shape_Leng: 0.5, Shape_Area: 0.5 },
    rows: [[1, 1, 'Piemonte', 1235685.47, 25393881930.3], [1, 2, "Valle d'Aosta", 311141.53, 3258838149.2]], // biome-ignore format: rows
    expected: [
      { sourceId: '1', name: 'Piemonte', country: 'IT', adminLevel: 4 },
      { sourceId: '2', name: "Valle d'Aosta", country: 'IT', adminLevel: 4 },
    ],
  },
  {
    name: 'istat/provinces',
    file: 'Limiti01012024_g/ProvCM01012024_g/ProvCM01012024_g_WGS84.shp',
    others: ['Reg01012024_g_WGS84', 'Com01012024_g_WGS84'],
    columns: { COD_RIP: 0, COD_REG: 0, COD_PROV: 0, COD_CM: 0, COD_UTS: 0, DEN_PROV: 50, DEN_CM: 50, DEN_UTS: 50, SIGLA: 2 }, // biome-ignore format: a row
    rows: [[1, 1, 1, 201, 201, '-', 'Torino', 'Torino', 'TO'], [1, 1, 2, 0, 2, 'Vercelli', '-', 'Vercelli', 'VC']], // biome-ignore format: rows
    expected: [
      { sourceId: '201', name: 'Torino', country: 'IT', adminLevel: 6 },
      { sourceId: '2', name: 'Vercelli', country: 'IT', adminLevel: 6 },
    ],
  },
  {
    name: 'istat/municipalities',
    file: 'Limiti01012024_g/Com01012024_g/Com01012024_g_WGS84.shp',
    others: ['Reg01012024_g_WGS84', 'ProvCM01012024_g_WGS84'],
    columns: { COD_REG: 0, COD_UTS: 0, PRO_COM: 0, PRO_COM_T: 6, COMUNE: 100, COMUNE_A: 100, CC_UTS: 0 },
    rows: [[1, 201, 1001, '001001', 'Agliè', null, 0]],
    expected: [{ sourceId: '001001', name: 'Agliè', country: 'IT', adminLevel: 8, codes: ['001001'] }],
  },
);

const N03 = of(
  { as: 'shapefile', encoding: { gdal: 'CP932', hasCpg: false }, at: [141.2, 43] },
  {
    name: 'japan-n03/municipalities',
    file: 'N03-20240101_GML/N03-20240101.shp',
    beside: ['N03-20240101_GML/N03-20240101.geojson', 'N03-20240101_GML/KS-META-N03-20240101.xml'],
    columns: { N03_001: 10, N03_002: 20, N03_003: 20, N03_004: 20, N03_005: 20, N03_007: 5 },
    rows: [
      ['北海道', '石狩振興局', null, '江別市', null, '01217'],
      ['北海道', '石狩振興局', null, '江別市', null, '01217'],
      ['北海道', '石狩振興局', '石狩郡', '当別町', null, '01303'],
    ],
    expected: [
      { sourceId: '01217', name: '江別市', country: 'JP', adminLevel: 7 },
      { sourceId: '01303', name: '当別町', country: 'JP', adminLevel: 7 },
    ],
  },
);

const NATURAL_EARTH = of(
  { as: 'shapefile', at: [1, 42.5] },
  {
    name: 'natural-earth/countries',
    file: 'ne_10m_admin_0_countries.shp',
    beside: ['ne_10m_admin_0_countries.README.html', 'ne_10m_admin_0_countries.VERSION.txt'],
    columns: {
      ...{ featurecla: 20, ADM0_A3: 3, NAME: 30, NAME_LONG: 40, POP_EST: 0.5, ISO_A2: 3, ISO_A2_EH: 3, WIKIDATAID: 8 },
      ...{ NAME_AR: 40, NAME_DE: 40, NAME_EN: 40, NAME_ES: 40, NAME_FR: 40, NAME_JA: 40, NAME_RU: 40, NAME_ZH: 40 },
    },
    rows: [
      ['Admin-0 country', 'AND', 'Andorra', 'Andorra', 77142, 'AD', 'AD', 'Q228', 'أندورا', 'Andorra', 'Andorra', 'Andorra', 'Andorre', 'アンドラ', 'Андорра', '安道尔'], // biome-ignore format: a row
      ['Admin-0 country', 'CYN', 'N. Cyprus', 'Northern Cyprus', 326000, '-99', '-99', 'Q23681', null, null, 'Northern Cyprus', null, null, null, null, null], // biome-ignore format: a row
    ],
    expected: [
      {
        ...{ sourceId: 'AND', name: 'Andorra', iso: 'AD', country: 'AD', adminLevel: 2, wikidata: 'Q228' },
        population: 77142,
        names: { en: 'Andorra', fr: 'Andorre', es: 'Andorra', de: 'Andorra', ar: 'أندورا', zh: '安道尔', ja: 'アンドラ', ru: 'Андорра' }, // biome-ignore format: a row
      },
      { sourceId: 'CYN', name: 'Northern Cyprus', iso: null, country: null, adminLevel: 2, wikidata: 'Q23681' },
    ],
  },
  {
    name: 'natural-earth/states',
    file: 'ne_10m_admin_1_states_provinces.shp',
    columns: { adm1_code: 9, iso_3166_2: 8, wikidataid: 9, iso_a2: 2, name: 44, name_de: 40, name_en: 40, name_es: 40, name_fr: 40 }, // biome-ignore format: a row
    rows: [['AND-1', 'AD-07', 'Q1863', 'AD', 'Andorra la Vella', 'Andorra la Vella', 'Andorra la Vella', 'Andorra la Vieja', 'Andorre-la-Vieille']], // biome-ignore format: a row
    expected: [{ sourceId: 'AND-1', name: 'Andorra la Vella', iso: 'AD-07', country: 'AD', adminLevel: 4, wikidata: 'Q1863', names: { en: 'Andorra la Vella', es: 'Andorra la Vieja', de: 'Andorra la Vella', fr: 'Andorre-la-Vieille' } }], // biome-ignore format: a row
  },
);

const ONS = of(
  { as: 'shapefile', at: [-3.5, 52] },
  {
    name: 'ons/countries',
    file: 'CTRY_DEC_2024_UK_BFC.shp',
    columns: { CTRY24CD: 9, CTRY24NM: 16, CTRY24NMW: 17, BNG_E: 0, BNG_N: 0, LONG: 0.5, LAT: 0.5, GlobalID: 38 },
    rows: [['W92000004', 'Wales', 'Cymru', 263405, 242881, -3.99, 52.06, '{8A}']],
    expected: [{ sourceId: 'W92000004', name: 'Wales', names: { cy: 'Cymru' }, country: 'GB', adminLevel: 4 }],
  },
  {
    name: 'ons/districts',
    file: 'LAD_DEC_24_UK_BFC.gpkg',
    as: 'geopackage',
    packed: false,
    columns: { LAD24CD: 9, LAD24NM: 36, LAD24NMW: 24, BNG_E: 0 },
    rows: [['W06000001', 'Isle of Anglesey', 'Ynys Môn', 245217], ['E06000001', 'Hartlepool', null, 447160]], // biome-ignore format: rows
    expected: [
      { sourceId: 'W06000001', name: 'Isle of Anglesey', names: { cy: 'Ynys Môn' }, country: 'GB', adminLevel: 6 },
      { sourceId: 'E06000001', name: 'Hartlepool', names: {}, country: 'GB', adminLevel: 6 },
    ],
  },
  {
    name: 'ons/wards',
    file: 'WD_DEC_24_UK_BFC.shp',
    columns: { WD24CD: 9, WD24NM: 53, WD24NMW: 40, LAD24CD: 9, LAD24NM: 36 },
    rows: [['W05001513', 'Ardudwy', ' ', 'W06000002', 'Gwynedd'], ['W05001514', 'Arllechwedd', 'Arllechwedd', 'W06000002', 'Gwynedd']], // biome-ignore format: rows
    expected: [
      { sourceId: 'W05001513', name: 'Ardudwy', names: {}, country: 'GB', adminLevel: 10 },
      { sourceId: 'W05001514', name: 'Arllechwedd', names: { cy: 'Arllechwedd' }, country: 'GB', adminLevel: 10 },
    ],
  },
);

const STATCAN = of(
  { as: 'shapefile', encoding: { gdal: 'ISO-8859-1', hasCpg: true }, at: [-72, 46] },
  {
    name: 'statcan/provinces',
    file: 'lpr_000b21a_e.shp',
    columns: { PRUID: 2, DGUID: 21, PRNAME: 100, PRENAME: 50, PRFNAME: 50, PREABBR: 10, PRFABBR: 10, LANDAREA: 0.5 },
    rows: [['24', '2021A000224', 'Quebec / Québec', 'Quebec', 'Québec', 'Que.', 'Qc', 1298599.75]],
    expected: [{ sourceId: '24', name: 'Quebec / Québec', names: { en: 'Quebec', fr: 'Québec' }, country: 'CA', adminLevel: 4 }], // biome-ignore format: a row
  },
  {
    name: 'statcan/divisions',
    file: 'lcd_000b21a_e.shp',
    columns: { CDUID: 4, DGUID: 21, CDNAME: 100, CDTYPE: 3, LANDAREA: 0.5, PRUID: 2 },
    rows: [['2401', '2021A00032401', 'Les Îles-de-la-Madeleine', 'TÉ', 205.4, '24']],
    expected: [{ sourceId: '2401', name: 'Les Îles-de-la-Madeleine', country: 'CA', adminLevel: 6 }],
  },
  {
    name: 'statcan/subdivisions',
    file: 'lcsd000b21a_e.shp',
    columns: { CSDUID: 7, DGUID: 21, CSDNAME: 100, CSDTYPE: 3, LANDAREA: 0.5, PRUID: 2 },
    rows: [['2402005', '2021A00052402005', 'Percé', 'V', 429.3, '24']],
    expected: [{ sourceId: '2402005', name: 'Percé', country: 'CA', adminLevel: 8 }],
  },
);

const STATS_NZ = of(
  { as: 'geopackage', packed: false, at: [174, -36] },
  {
    name: 'stats-nz/regions',
    file: 'regional-council-2023-clipped-generalised.gpkg',
    columns: { REGC2023_V1_00: 2, REGC2023_V1_00_NAME: 50, REGC2023_V1_00_NAME_ASCII: 50, LAND_AREA_SQ_KM: 0.5 },
    rows: [['01', 'Northland Region', 'Northland Region', 12507.13]],
    expected: [{ sourceId: '01', name: 'Northland Region', country: 'NZ', adminLevel: 4, codes: ['01'] }],
  },
  {
    name: 'stats-nz/districts',
    file: 'territorial-authority-2023-clipped-generalised.gpkg',
    columns: { TA2023_V1_00: 3, TA2023_V1_00_NAME: 50, TA2023_V1_00_NAME_ASCII: 50, LAND_AREA_SQ_KM: 0.5 },
    rows: [['001', 'Far North District', 'Far North District', 6684.97], ['013', 'Ōtorohanga District', 'Otorohanga District', 1998]], // biome-ignore format: rows
    expected: [
      { sourceId: '001', name: 'Far North District', country: 'NZ', adminLevel: 6 },
      { sourceId: '013', name: 'Ōtorohanga District', country: 'NZ', adminLevel: 6 },
    ],
  },
);

const SWISS = 'swissBOUNDARIES3D_1_5_LV95_LN02.gpkg';
const SWISSTOPO = of(
  { as: 'geopackage', heights: true, crs: 'EPSG:2056+5728', at: [8.4, 47.2], others: ['tlm_landesgebiet'] },
  {
    name: 'swisstopo/cantons',
    file: SWISS,
    columns: { uuid: 38, kantonsnummer: 0, name: 40, icc: 2, kantonsflaeche: 0 },
    rows: [['{1}', 1, 'Zürich', 'CH', 172894], ['{2}', 25, 'Genève', 'CH', 28247], ['{3}', 25, 'Genève', 'CH', null]], // biome-ignore format: rows
    expected: [
      { sourceId: '1', name: 'Zürich', country: 'CH', adminLevel: 4 },
      { sourceId: '25', name: 'Genève', country: 'CH', adminLevel: 4 },
    ],
  },
  {
    name: 'swisstopo/districts',
    file: SWISS,
    columns: { uuid: 38, bezirksnummer: 0, kantonsnummer: 0, name: 40, icc: 2 },
    rows: [['{1}', 101, 1, 'Affoltern', 'CH']],
    expected: [{ sourceId: '101', name: 'Affoltern', country: 'CH', adminLevel: 6 }],
  },
  {
    name: 'swisstopo/municipalities',
    file: SWISS,
    columns: { uuid: 38, bfs_nummer: 0, bezirksnummer: 0, name: 60, icc: 2, einwohnerzahl: 0 },
    rows: [['{1}', 1, 101, 'Aeugst am Albis', 'CH', 2066]],
    expected: [{ sourceId: '1', name: 'Aeugst am Albis', country: 'CH', adminLevel: 8 }],
  },
);

const CENSUS = of(
  { as: 'shapefile', at: [-86, 33] },
  {
    name: 'us-census/states',
    file: 'cb_2023_us_state_500k.shp',
    columns: { STATEFP: 2, STATENS: 8, GEOIDFQ: 11, GEOID: 2, STUSPS: 2, NAME: 100, LSAD: 2, ALAND: 0, AWATER: 0 },
    rows: [['01', '01779775', '0400000US01', '01', 'AL', 'Alabama', '00', 131185042550, 4582333181]],
    expected: [{ sourceId: '01', name: 'Alabama', country: 'US', adminLevel: 4, codes: ['AL', '01'] }],
  },
  {
    name: 'us-census/counties',
    file: 'cb_2023_us_county_500k.shp',
    columns: { STATEFP: 2, COUNTYFP: 3, GEOIDFQ: 14, GEOID: 5, NAME: 100, NAMELSAD: 100, STUSPS: 2, ALAND: 0 },
    rows: [['01', '003', '0500000US01003', '01003', 'Baldwin', 'Baldwin County', 'AL', 4117605847]],
    expected: [{ sourceId: '01003', name: 'Baldwin County', country: 'US', adminLevel: 6 }],
  },
  {
    name: 'us-census/places',
    file: 'cb_2023_us_place_500k.shp',
    columns: { STATEFP: 2, PLACEFP: 5, GEOID: 7, NAME: 100, NAMELSAD: 100, STUSPS: 2 },
    rows: [['01', '00100', '0100100', 'Abanda', 'Abanda CDP', 'AL']],
    expected: [{ sourceId: '0100100', name: 'Abanda', country: 'US', adminLevel: 8 }],
  },
  {
    name: 'us-census/tracts',
    file: 'cb_2023_us_tract_500k.shp',
    columns: { STATEFP: 2, COUNTYFP: 3, TRACTCE: 6, GEOID: 11, NAME: 100, NAMELSAD: 100 },
    rows: [['01', '001', '020100', '01001020100', '201', 'Census Tract 201']],
    expected: [{ sourceId: '01001020100', name: 'Census Tract 201', country: 'US', adminLevel: 10 }],
  },
  {
    name: 'us-census/zctas',
    file: 'cb_2020_us_zcta520_500k.shp',
    columns: { ZCTA5CE20: 5, AFFGEOID20: 14, GEOID20: 5, NAME20: 5, LSAD20: 2, ALAND20: 0 },
    rows: [['00601', '860Z200US00601', '00601', '00601', 'Z5', 166847909]],
    expected: [{ sourceId: '00601', name: '00601', country: 'US', adminLevel: null, codes: ['00601'] }],
  },
);

const WOF = of(
  { as: 'shapefile', at: [-8, 40] },
  ...(['region', 'county', 'locality'] as const).map((type, i): Own => {
    const stem = (one: string): string => `whosonfirst-data-admin-pt-${one}-polygon`;
    return {
      name: `whosonfirst/PT/${['regions', 'counties', 'localities'][i]}`,
      file: `${stem(type)}.shp`,
      others: ['region', 'county', 'locality'].filter((one) => one !== type).map(stem),
      columns: { id: 0, parent_id: 0, name: 80, placetype: 20, country: 2, lat: 0.5, lon: 0.5, population: 0 },
      rows: [[1108691867 + i, -1, 'Évora', type, 'PT', 38.57, -7.91, null]],
      expected: [{ sourceId: String(1108691867 + i), name: 'Évora', country: 'PT', adminLevel: [4, 6, 8][i] }],
    };
  }),
);

export const OTHERS: readonly Published[] = [
  ...INEGI,
  ...ISTAT,
  ...N03,
  ...NATURAL_EARTH,
  ...ONS,
  ...STATCAN,
  ...STATS_NZ,
  ...SWISSTOPO,
  ...CENSUS,
  ...WOF,
];
