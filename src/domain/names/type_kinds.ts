import type { Kind } from '../../core/schemas.ts';
import { foldName } from './fold.ts';

const list = (text: string): string[] => text.split(/,\s*/);

/** Kinds that a type word of any language may mean. A word in several rows has the kinds of all, in row order. */
const ROWS: readonly (readonly [kinds: readonly Kind[], words: string])[] = [
  [
    ['country'],
    'country, nation, pais, pays, paese, republic, kingdom, republica, republique, republik, repubblica, королевство, республика, principality, emirate',
  ],
  [
    ['state', 'region', 'province'],
    'stan, stát, staten, osavaltio, állam, eyaleti, eyalet, vilayeti, vilayet, wilaya, mohafazah, voivodship, statul, delstat, delstaten, щат, πολιτεία, ایالت, राज्य, bundesstaates, bundesstaats, bundeslandes, staates, stanu, statu, statului, savezna drzava, savezne drzave, штата, штату, πολιτειας, negara bagian, tiểu bang, estat, state, territory, edo, estado, etat, bundesland, bundesstaat, staat, deelstaat, land, freistaat, stato, staat, штат, 州, emirate, commonwealth, sheng, 省, 省份',
  ],
  [
    ['region', 'state', 'province', 'district'],
    'region, conseil regional, xunta, junta, generalitat, regio, regione, regiao, ccaa, comunidad, comunitat, autonoma, oblast, krai, kraj, область, край, comarca, regions, voivodeship, wojewodztwo, wojewodztwa, regionu, kraje, области, края, региона, регион, області, регіону, регіон, principado, governorate',
  ],
  [['country', 'region', 'province', 'state'], 'islands, islas, inseln, îles, isole, ilhas, eilanden, wyspy'],
  [
    ['county', 'country', 'region', 'province', 'state', 'municipality'],
    'island, isle, insel, isla, île, isola, ilha, eiland, wyspa',
  ],
  [
    ['province', 'state', 'region', 'county'],
    'tartomany, kormanyzosag, vilajet, valiligi, emirligi, emirat, emirato, emirado, wilayah, wilaja, gouvernorat, gouvernement, gobernacion, governadoria, muhafaza, muhafazah, prefektura, prefektorlugu, okreg, obwod, obszar, terytorium, departmani, kraj zwiazkowy, forbundslandet, estado federado, stato federato, etat federe, voivodato, voivodia, voivodie, valiato, propinsi, bang, tinh, thanh pho, departementet, κρατιδιο, νομος, περιφερεια, επαρχια, территория, федеральная земля, земля, префектура, губернаторство, мухафаза, воеводство, эмират, вилайет, प्रांत, জেলা, province, prov, pcia, diputacion, provincia, provincie, provinz, província, provintzia, probintzia, provincie, provinciei, prowincja, prowincji, pokrajina, pokrajine, провинция, провинции, провінція, провінції, επαρχιας, νομου, 省, 道, 도, prefecture, préfecture, 県, 府, 都, ken, fu, governorate, maakunta, voivodeship, ili, il',
  ],
  [
    ['county', 'district', 'province'],
    'county, co, cnty, cty, lkr, dept, dep, dpto, departament, graafschap, comte, condado, contea, contae, grafschaft, megye, varmegye, grevskapet, grevskap, comitat, comitato, comitado, kontlugu, komitat, judet, judetul, zupanija, fylke, lan, maakond, hrabstwo, hrabstwa, countys, comitatul, comitatului, judetului, zupanije, графство, графства, κομητεια, κομητειας, apskritis, department, departement, departamento, dipartimento, departements, departamentu, departementu, департамент, департамента, conseil departemental, conseil general, 县, 縣, parish, shire, sir, borough, census area, par, bor, countie, coun, cou, boro, brgh, prsh',
  ],
  [
    ['district', 'county', 'state', 'region', 'borough'],
    'district, lk, kreisverwaltung, landratsamt, distrikt, verwaltungsbezirk, distrito, distretto, landkreis, kreis, bezirk, arrondissement, canton, kanton, cantone, kt, raion, rajon, rayon, район, района, району, округ, округа, округу, okres, okresu, powiatu, landkreises, kreises, bezirks, bezirkes, distrikts, kantons, kantonu, cantonul, cantonului, кантон, кантона, кантону, καντονι, okrug, powiat, division, subdivision, 区, 區, 区域, gu, qu, rrethi, qarku, concelho, regierungsbezirk, ilce, ilcesi, partido, xian',
  ],
  [
    ['municipality', 'city', 'borough', 'district'],
    'municipality, mun, prefeitura, mairie, hotel de ville, ayuntamiento, ayto, ajuntament, concello, camara municipal, gemeindeverwaltung, municipio, municipi, municipiul, municipiu, commune, comune, comuna, gemeinde, gemeente, kommune, kommun, township, town, village, concello, concejo, obec, obce, obcina, obcine, opcina, opcine, gminy, comunei, municipiului, коммуна, коммуны, громада, громади, δημου, opstina, gmina, kunta, vald, ayuntamiento, ajuntament, parroquia, freguesia, markt, udalerria, köy, local, kunsill, 町, 村, 镇, 鎮, 乡, 鄉, 面, 읍, 면, xiang, zhen, termino municipal, termino, terme municipal, localidad, poblacion, localite, localita, localidade, aldea, aldeia, hamlet, poble, pueblo, villa, vila, bourg, bourgade, dorf, dorp, ort, ortschaft, paese, borgo',
  ],
  [
    ['city', 'municipality', 'borough', 'county', 'province'],
    'city, independent city, citta indipendente, ciudad independiente, ville independante, cidade independente, unabhangige stadt, niezalezne miasto, kreisfreie stadt, krfr stadt, sk, rathaus, stadtverwaltung, metropolis, ville, stadt, ciudad, citta, cidade, ciutat, stad, stadtkreis, kaupunki, linn, pilseta, miesto, miasto, miasta, mesto, mesta, varos, grad, grada, orasului, города, міста, oras, orasul, город, місто, 市, 시, shi, ci, by, dinas, metropole, capital, landeshauptstadt, hauptstadt',
  ],
  [
    ['borough', 'ward', 'district', 'neighbourhood'],
    'borough, ward, bydel, dzielnica, ortsteil, stadtteil, quartier, barrio, bairro, mahallesi, 동, dong',
  ],
];

const KINDS: ReadonlyMap<string, readonly Kind[]> = (() => {
  const kinds = new Map<string, Kind[]>();
  for (const [row, words] of ROWS) {
    for (const word of list(words).map(foldName)) {
      kinds.set(word, [...new Set([...(kinds.get(word) ?? []), ...row])]);
    }
  }
  return kinds;
})();

/**
 * Returns the kinds that the type words around a name mean, the likeliest first; of several words, the first known one
 * counts. Empty if they mean nothing specific.
 * @param words what a query has besides the name, folded: "county of", "市"
 */
export function kindsOfTypeWords(words: string): readonly Kind[] {
  const whole = KINDS.get(words);
  if (whole) return whole;
  if (!words.includes(' ')) return [];
  for (const word of words.split(' ')) {
    const kinds = KINDS.get(word);
    if (kinds) return kinds;
  }
  return [];
}

/** Whether a folded text is a type word as a whole: "kreisfreie stadt". */
export const isTypeWord = (folded: string): boolean => KINDS.has(folded);

/** Returns the kinds of all type words that start with a folded text: "mun" may become "municipality". */
export function kindsOfPartialTypeWord(start: string): readonly Kind[] {
  const begun = [...KINDS].filter(([word]) => word.startsWith(start));
  return [...new Set(begun.flatMap(([, kinds]) => kinds))];
}

/** The admin_level of counties where some cities are in none, and stand beside them: independent cities, kreisfreie Städte. */
const LEVELS_OF_COUNTIES: Readonly<Record<string, number>> = { US: 6, DE: 6, PL: 6 };

/**
 * Whether a boundary counts as a county without being one: a city that is in no county. It is one of the counties of its
 * state to statistics, but "Richmond County" is not Richmond city.
 */
export function isIndependentCity(one: {
  readonly kind: Kind;
  readonly admin_level: number | null;
  readonly country: string | null;
}): boolean {
  return one.kind === 'city' && one.admin_level !== null && LEVELS_OF_COUNTIES[one.country ?? ''] === one.admin_level;
}
