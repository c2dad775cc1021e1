/**
 * Type words in the names of places, by language. `before` words precede the name, followed by a space; `after` words
 * follow it; `glued` are suffixes without a space (Chinese, Japanese and Korean script). `links` join the word to the
 * name and are not part of it; `articles` may be part of it. The list has common words of official names and is ours to
 * extend.
 */
export interface TypeWords {
  readonly language: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly glued?: readonly string[];
  readonly links?: readonly string[];
  readonly articles?: readonly string[];
}

const list = (text: string): string[] => text.split(/,\s*/);

export const TYPE_WORDS: readonly TypeWords[] = [
  {
    language: 'en',
    before: list(
      'province, district, region, state, canton, canton of, department of, prefecture of, governorate of, commune of, metropolis of, island of, county, county of, city of, independent city, independent city of, city and county of, city and borough of, town of, township of, village of, ' +
        'municipality of, district of, province of, state of, region of, republic of, kingdom of, commonwealth of, ' +
        'principality of, duchy of, borough of, royal borough of, london borough of, metropolitan borough of, parish of, ' +
        'county borough of, regional municipality of, district municipality of, rural municipality of, the city of',
    ),
    after: list(
      'county, district, municipality, region, province, prefecture, governorate, state, township, charter township, ' +
        'borough, parish, census area, department, division, subdivision, city district, rural district, urban district, ' +
        'municipal district, regional district, district municipality, local municipality, metropolitan municipality, ' +
        'autonomous region, autonomous prefecture, special administrative region, voivodeship, oblast, krai, raion, canton, ' +
        'emirate, atoll, island council, county borough, regional municipality, rural municipality, shire, republic',
    ),
    links: list('of'),
    articles: list('the'),
  },
  {
    language: 'de',
    before: list(
      'provinz, departement, grafschaft, distrikt, verwaltungsbezirk, staat, bundesstaat, departament, landkreis, kreis, stadt, gemeinde, stadtkreis, kreisfreie stadt, bezirk, land, freistaat, kanton, region, ' +
        'markt, marktgemeinde, stadtgemeinde, politische gemeinde, verwaltungsgemeinschaft, samtgemeinde, amt, ' +
        'verbandsgemeinde, ortsteil, stadtteil, freie und hansestadt, freie hansestadt, hansestadt, landeshauptstadt, ' +
        'verwaltungskreis, wahlkreis, regierungsbezirk, einheitsgemeinde, ortsgemeinde, bundesland',
    ),
    after: list(
      'kreis, stadt, landkreis, bundesland, bundesstaat, kanton, provinz, grafschaft, distrikt, bezirk, gemeinde, region',
    ),
  },
  {
    language: 'fr',
    before: list(
      'etat, canton, ville et commune, commune, departement, region, arrondissement, canton, ville, municipalite, comte, province, prefecture, ' +
        'metropole, collectivite, district, territoire, communaute de communes, communaute urbaine, paroisse',
    ),
    after: list('arrondissement, departement, province, comte, etat, canton, commune, region'),
    links: list('de, du, des, d'),
    articles: list('la, le, les, l'),
  },
  {
    language: 'es',
    before: list(
      'condado, isla, cabildo, provincia, municipio, comunidad autonoma, comunidad, comunidad foral, region, departamento, distrito, canton, ' +
        'ciudad, ciudad autonoma, partido, estado, parroquia, concejo, comarca, corregimiento, region metropolitana, principado',
    ),
    after: list(
      'provincia, condado, estado, comunidad autonoma, comunidad, municipio, termino municipal, departamento, distrito, region, comarca, canton',
    ),
    links: list('de, del'),
    articles: list('la, las, el, los'),
  },
  {
    language: 'pt',
    before: list(
      'condado, departamento, comarca, concelho, freguesia, uniao das freguesias, municipio, distrito, estado, regiao, provincia, cidade, regiao autonoma',
    ),
    after: list('concelho, freguesia, municipio, distrito, estado, regiao, provincia, condado, departamento'),
    links: list('do, da, dos, das, de'),
    articles: list('o, a, os, as'),
  },
  {
    language: 'ca',
    before: list('comarca, comunitat, provincia, municipi, ajuntament'),
    links: list('de, del, dels, d'),
    articles: list('els, l'),
  },
  { language: 'gl', before: list('concello, parroquia, provincia'), after: list('concello'), links: list('do, da') },
  {
    language: 'it',
    before: list(
      'contea, stato, cantone, dipartimento, distretto, comune, provincia, regione, citta, citta metropolitana, libero consorzio comunale, municipio, frazione',
    ),
    after: list('provincia, regione, comune, contea, stato, cantone, dipartimento'),
    links: list('di, del, della, dei, delle, dell, d'),
    articles: list('la, il, l'),
  },
  { language: 'ro', before: list('judetul, judet, comuna, municipiul, municipiu, orasul, oras, raionul') },
  {
    language: 'nl',
    before: list(
      'regio, deelstaat, staat, graafschap, district, gemeente, provincie, stad, kanton, arrondissement, waterschap',
    ),
    after: list('provincie, gemeente, graafschap, deelstaat'),
    links: list('van'),
    articles: list('het'),
  },
  { language: 'da', before: list('region'), after: list('kommune, amt, sogn, herred') },
  { language: 'no', after: list('kommune, fylke, fylkeskommune, bydel') },
  { language: 'sv', after: list('kommun, lan, landskommun, stad, distrikt, socken, stadsdelsomrade') },
  { language: 'fi', after: list('kunta, kaupunki, maakunta, laani, seutukunta') },
  { language: 'et', after: list('maakond, vald, linn') },
  { language: 'lv', after: list('novads, pagasts, pilseta, rajons') },
  { language: 'lt', after: list('rajono savivaldybe, miesto savivaldybe, savivaldybe, apskritis, seniunija') },
  {
    language: 'pl',
    before: list('wojewodztwo, powiat, gmina, miasto, gmina miejska, gmina wiejska, dzielnica, osiedle, solectwo'),
    after: list('wojewodztwo, powiat'),
  },
  { language: 'cs', before: list('okres, kraj, obec, hlavni mesto, mesto, spravni obvod'), after: list('kraj') },
  { language: 'sk', before: list('okres, kraj, obec, mesto'), after: list('kraj') },
  { language: 'hu', after: list('megye, varmegye, jaras, kistersege, varos, kozseg, kerulet') },
  { language: 'hr', before: list('grad, opcina, zupanija, kanton'), after: list('zupanija, kanton') },
  {
    language: 'sr',
    before: list('opstina, grad, okrug, општина, град, округ'),
    after: list('okrug, округ, opstina, општина'),
  },
  { language: 'sl', before: list('obcina, mestna obcina') },
  { language: 'sq', before: list('qarku, bashkia, rrethi, komuna, njesia administrative'), links: list('i, e') },
  { language: 'mt', before: list('kunsill lokali') },
  { language: 'ga', before: list('contae'), after: list('contae') },
  { language: 'cy', before: list('sir, dinas'), after: list('sir') },
  { language: 'eu', after: list('probintzia, udalerria') },
  {
    language: 'tr',
    after: list('ili, ilcesi, il, ilce, belediyesi, buyuksehir belediyesi, mahallesi, koyu, bucagi'),
  },
  { language: 'az', after: list('rayonu, rayon, seheri') },
  {
    language: 'ru',
    before: list(
      'город, республика, село, посёлок, деревня, городской округ, муниципальный округ, муниципальный район, сельское поселение, городское поселение',
    ),
    after: list(
      'область, район, край, автономный округ, автономная область, республика, округ, городской округ, муниципальный округ, ' +
        'муниципальный район, сельское поселение, городское поселение, сельсовет, волость, улус',
    ),
  },
  {
    language: 'uk',
    before: list('місто, село'),
    after: list('область, район, громада, міська громада, сільська громада, селищна громада, рада'),
  },
  { language: 'be', after: list('вобласць, раён, сельсавет') },
  { language: 'bg', before: list('област, община, град, район'), after: list('област, община') },
  { language: 'mk', before: list('општина') },
  { language: 'kk', after: list('облысы, ауданы, қаласы') },
  { language: 'mn', after: list('аймаг, сум, дүүрэг') },
  {
    language: 'el',
    before: list('δημος, περιφερεια, περιφερειακη ενοτητα, νομος, επαρχια, κοινοτητα, δημοτικη ενοτητα'),
  },
  { language: 'hy', before: list('համայնք'), after: list('մարզ, համայնք') },
  { language: 'ka', after: list('მუნიციპალიტეტი, მხარე, რაიონი') },
  {
    language: 'ar',
    before: list(
      'محافظة, ولاية, مدينة, بلدية, منطقة, إمارة, جماعة, دائرة, قضاء, ناحية, مديرية, إقليم, عمالة, معتمدية, مركز',
    ),
  },
  { language: 'fa', before: list('استان, شهرستان, بخش, دهستان, شهر, ولایت, ولسوالی') },
  { language: 'ur', after: list('ضلع, تحصیل, ڈویژن') },
  { language: 'he', before: list('מחוז, עיר, נפת, מועצה אזורית, מועצה מקומית, עיריית') },
  { language: 'hi', after: list('ज़िला, जिला, मंडल, तहसील, राज्य') },
  { language: 'bn', after: list('জেলা, বিভাগ, উপজেলা, ইউনিয়ন') },
  { language: 'ta', after: list('மாவட்டம், வட்டம்') },
  { language: 'si', after: list('දිස්ත්‍රික්කය, පළාත') },
  { language: 'ne', after: list('जिल्ला, गाउँपालिका, नगरपालिका, प्रदेश') },
  { language: 'th', before: list('จังหวัด, อำเภอ, ตำบล, เขต, แขวง, เทศบาล') },
  {
    language: 'vi',
    before: list('tinh, thanh pho, quan, huyen, thi xa, thi tran, xa, phuong, dac khu'),
  },
  {
    language: 'id',
    before: list('kabupaten, kota, provinsi, kecamatan, desa, kelurahan, daerah istimewa, daerah khusus ibukota'),
  },
  { language: 'ms', before: list('daerah, negeri, mukim, bandar, jajahan, wilayah persekutuan') },
  { language: 'tl', before: list('lungsod ng, bayan ng, lalawigan ng, barangay, lungsod') },
  {
    language: 'ja',
    after: list('ken, to, fu, ku, shi, gun, cho, machi, mura, son, prefecture'),
    glued: list('都, 道, 府, 県, 縣, 市, 区, 區, 郡, 町, 村'),
  },
  {
    language: 'zh',
    after: list('sheng, shi, xian, qu, zhen, xiang, zizhiqu, zizhizhou, zizhixian'),
    glued: list(
      '省, 市, 县, 縣, 区, 區, 镇, 鎮, 乡, 鄉, 自治区, 自治區, 自治州, 自治县, 特别行政区, 特別行政區, 街道, 地区',
    ),
  },
  {
    language: 'ko',
    after: list('do, si, gun, gu, dong, eup, myeon, teukbyeolsi, gwangyeoksi'),
    glued: list('특별자치도, 특별자치시, 특별시, 광역시, 도, 시, 군, 구, 읍, 면, 동'),
  },
];
