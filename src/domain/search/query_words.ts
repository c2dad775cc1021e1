// Words for kinds of places that people write in queries, folded.
import { foldName } from '../names/fold.ts';

/** Type words after a name in queries only. In names they would remove half of the name: "Kansas City". */
export const QUERY_TYPE_WORDS: ReadonlySet<string> = new Set(
  (
    'termino terme judet judetul pcia provinsen mairie countie coun cou boro brgh prsh island isle insel isla isola ilha country nation city town village commune municipality metro ciudad ville stadt citta cidade capital co cnty cty ' +
    'par bor twp dist prov dept departement mun municipio gemeinde territory sar обл респ штат islands islas inseln iles isole ilhas eilanden eyaleti eyalet vilayeti vilayet wilaya mohafazah voivodship komitat tartomany kormanyzosag regio vilajet valiligi emirligi emirat wilayah departmani prefektorlugu kontlugu obszar terytorium вилоят территория земля प्रांत জেলা allam राज्य'
  ).split(' '),
);

const PREFIX_WORDS: readonly string[] = (
  'autonome gemeinschaft,autonome region,autonome provinz,communaute autonome,region autonome,comunita autonoma,comunidade autonoma,autonome gemeenschap,' +
  'autonomous community,autonomous region,autonomous republic,autonomous province,free state,federal state,department,' +
  'prefecture,governorate,voivodeship,metropolitan city,commune,municipality,state,province,comunitat autonoma,' +
  'isole,islas,iles,ilhas,inseln,wyspy,insel,isla,ile,isola,ilha,eiland,wyspa,island,isle,mairie,hotel de ville,excmo ayuntamiento,ayuntamiento,ajuntament,concello,camara municipal,camara,junta de freguesia,' +
  'excma diputacion provincial,excma diputacion,diputacion provincial,diputacion foral,diputacion,gobierno,xunta,generalitat,rathaus,stadtverwaltung,gemeindeverwaltung,' +
  'kreisverwaltung,gemeente,landratsamt,prefettura,conseil departemental,conseil general,conseil regional,junta,' +
  'citta indipendente,ciudad independiente,ville independante,cidade independente,unabhangige stadt,niezalezne miasto,' +
  'prefeitura municipal,prefeitura,jud,judetul,demarcacio,einwohnergemeinde,ciutat,' +
  'ayto,pais,pays,paese,country,county,cty,cnty,co,prov,pcia,dep,dept,dpto,mun,edo,kreis,lkr,lk,sk,kt,krfr stadt,fylke,' +
  'town,village,hamlet,termino municipal,termino,terme municipal,localidad,pueblo,villa,aldea,poblacion,poble,vila,' +
  'tartomany,kormanyzosag,vilajet,emirat,emirato,emirado,wilayah,wilaja,gouvernorat,gouvernement,gobernacion,governadoria,muhafaza,muhafazah,' +
  'prefektura,okreg,obwod,kraj zwiazkowy,forbundslandet,delstat,estado federado,stato federato,etat federe,grevskapet,grevskap,comitat,comitato,comitado,' +
  'voivodato,voivodia,voivodie,valiato,vilayet,propinsi,bang,tinh,thanh pho,departementet,republika,republik,republique,κρατιδιο,νομος,περιφερεια,επαρχια,' +
  'территория,федеральная земля,земля,префектура,губернаторство,мухафаза,воеводство,эмират,вилайет,' +
  'komitat,wilaya,mohafazah,gubernia,' +
  'stan,stat,staten,osavaltio,statul,щат,πολιτεια,negara bagian,tieu bang,estat,г,гор,респ,delstaten,provinsen,provins,regionen,kommunen,fylket,lanet,' +
  // In the genitive, behind a word for a map: "mapa stanu Iowa".
  'bundesstaates,bundesstaats,bundeslandes,kantons,landkreises,kreises,bezirks,bezirkes,departements,distrikts,staates,countys,' +
  'hrabstwo,hrabstwa,stanu,wojewodztwa,powiatu,gminy,miasta,regionu,prowincji,prowincja,kantonu,departamentu,' +
  'statu,kraje,okresu,obce,mesta,provincie,departementu,zupanije,opcine,grada,pokrajina,pokrajine,obcine,savezna drzava,savezne drzave,' +
  'statului,judetului,comunei,orasului,municipiului,provinciei,provincia,comitatul,comitatului,cantonului,cantonul,' +
  'округ,штата,области,округа,района,города,провинции,провинция,республики,региона,регион,кантона,кантон,департамента,департамент,коммуны,коммуна,края,графства,графство,' +
  'штату,штат,округу,області,району,міста,провінції,провінція,республіки,регіону,регіон,кантону,громади,громада,' +
  'πολιτειας,νομου,δημου,επαρχιας,κομητειας,κομητεια,καντονι,' +
  'localite,bourgade,bourg,dorf,ortschaft,ort,borgo,localita,aldeia,localidade,dorp'
)
  .split(',')
  .map(foldName);

/**
 * Words in front of a name in queries only: administrations, abbreviated type words, and words for a town, which in
 * names belong to the name: "Villa Rica". By their first letter, in the order in which they are tried.
 */
export const QUERY_PREFIX_WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  PREFIX_WORDS.map((word) => word.charAt(0)).map((letter) => [
    letter,
    PREFIX_WORDS.filter((word) => word.startsWith(letter)),
  ]),
);

/** Words for a country, a state and a province in Thai, which stand in front of a name without a space. */
const THAI_KINDS = ['ประเทศ', 'รัฐ', 'จังหวัด', 'แคว้น'].map(foldName);
const THAI_PROVINCE = foldName('จังหวัด');
const THAI = /^\p{Script=Thai}[\p{Script=Thai}\p{M}]{3,}$/u;
/** A name of three ideographs or more, or in katakana, with a word for a state or a country behind it. */
const HAN_KIND = /^(\p{Script=Han}{3,}|[\p{Script=Katakana}\u30fc]{2,})[州省邦国県]$/u;

/** A name without a word for its kind, and words that the names of divisions have behind them: "오사카" is 오사카부. */
const HAN = /^\p{Script=Han}{2,}$/u;
const HANGUL = /^\p{Script=Hangul}{2,}$/u;
const HAN_KINDS = ['省', '州', '县', '府', '市', '区', '大区', '道', '都'].map(foldName);
const HANGUL_KINDS = ['현', '부', '도', '주', '성', '시', '군', '구', '특별시', '광역시'].map(foldName);

/** Other forms of a folded name in Thai and Chinese: without the word for its kind, or a Thai one with that for a province. */
export function formsInScript(folded: string): string[] {
  const [, name] = HAN_KIND.exec(folded) ?? [];
  if (name !== undefined) return [name];
  if (HAN.test(folded)) return HAN_KINDS.map((word) => folded + word);
  if (HANGUL.test(folded)) return HANGUL_KINDS.map((word) => folded + word);
  if (!THAI.test(folded)) return [];
  const kind = THAI_KINDS.find((word) => folded.startsWith(word) && folded.length > word.length + 1);
  return [kind === undefined ? THAI_PROVINCE + folded : folded.slice(kind.length)];
}
