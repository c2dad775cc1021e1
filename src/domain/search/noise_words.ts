import { foldName } from '../names/fold.ts';

const fold = (text: string): string[] => text.split(',').map(foldName);

/** Words for a map, a border, a shape or a file, and questions where something is, in the languages of most queries. */
export const NOISE: ReadonlySet<string> = new Set(
  fold(
    'map,maps,a map,mapa,mapas,carte,cartes,la carte,karte,karten,landkarte,landkarten,mappa,cartina,kaart,kaarten,landkaart,kart,karta,kort,kartta,mapy,haritası,harita,карта,карты,мапа,harta,hartă,hranice,meje,zemljevid,térkép,térképe,χάρτης,žemėlapis,peta,bản đồ,แผนที่,नक्शा,mapu,кордони,кордон,rajat,robeža,地図,地图,地圖,지도,خريطة,' +
      'plan,plano,fond de carte,on the map,on a map,street map,plan de ville,plattegrond,plattegronden,stadtplan,lageplan,übersichtskarte,piantina,croquis,harita,χάρτη,' +
      'boundary line,boundary lines,border line,border lines,county line,county lines,state line,state lines,city limits,town lines,' +
      'boundary,boundaries,border,borders,borderline,limit,limits,outline,outlines,shape,shapes,contour,contours,perimeter,polygon,polygons,multipolygon,silhouette,' +
      'límite,límites,límites municipales,límites provinciales,límites administrativos,linde,lindes,frontera,fronteras,contorno,contornos,perímetro,polígono,polígonos,silueta,' +
      'grenze,grenzen,umriss,umrisse,umrisskarte,umrisskarten,grenzverlauf,umring,landesgrenze,landesgrenzen,staatsgrenze,staatsgrenzen,' +
      'stadtgrenze,stadtgrenzen,gemeindegrenze,gemeindegrenzen,kreisgrenze,kreisgrenzen,verwaltungsgrenze,verwaltungsgrenzen,' +
      'limite,limites,limites communales,limites départementales,limites administratives,frontière,frontières,polygone,polygones,périmètre,tracé,' +
      'confine,confini,confini comunali,confini provinciali,confini amministrativi,poligono,poligoni,perimetro,fronteira,fronteiras,grens,omtrek,granica,granice,sınırı,sınırları,граница,границы,' +
      'gräns,gränser,grense,grenser,grænse,grænser,kommungränser,kommunegrenser,gemeentegrens,gemeentegrenzen,provinciegrens,provinciegrenzen,határ,határai,obrys,kontur,frontiera,frontiere,' +
      'shapefile,shapefiles,shape file,shp,geojson,geo json,json,topojson,kml,kmz,gpkg,geopackage,geoparquet,flatgeobuf,wkt,gml,svg,csv,gis,gis data,file,fichier,archivo,datei,download,data,vector,vector data,' +
      'coordinates,coords,image,picture,png,pdf,dataset,descargar,herunterladen,télécharger,scaricare,where in the world is,' +
      'administrative,admin,administrative boundary,administrative boundaries,official,free,printable,blank,interactive,satellite,detailed,' +
      'where is,wheres,where is the,where,where can i find,where do i find,where are,where to find,located,situated,location,location of,find,show,show me,please,por favor,bitte,sil vous plaît,per favore,can you show me,looking for,busco,quiero ver,get,get me,give me,search,look up,lookup,google maps,openstreetmap,osm,' +
      'dónde está,dónde queda,ubicación,wo ist,wo liegt,où est,où se trouve,où se situe,dove si trova,dovè,onde fica,onde está,waar is,waar ligt,gdzie jest,где,где находится,' +
      'hvor ligger,hvor er,hvor finnes,hvor findes,var ligger,var är,var finns,missä on,missä sijaitsee,kus asub,kus on,kur yra,kur atrodas,gdzie leży,gdzie znajduje się,kde je,kde leží,kde sa nachádza,' +
      'kde se nachází,kje je,kje leži,gdje je,gdje se nalazi,gde je,unde este,unde se află,hol van,hol található,nerede,nerededir,ku ndodhet,πού είναι,πού βρίσκεται,де,де знаходиться,где расположен,къде е,къде се намира,' +
      'контурная карта,карта границ,политическая карта,физическая карта,территория,slepá mapa,mapa konturowa,mapa polityczna,mapa fizyczna,mapa administracyjna,límite municipal,límites del municipio,σύνορα,حدود,مرز,کشور,גבולות,межі,граници,границе,granițele,robežas,sienos,piirid,kufijtë,国境,국경,negara,nước,metro,metro area,metropolitan area,metro map,msa,city boundary,city boundaries,city limit,city map,municipal boundary,municipal boundaries,geography,topo map,state outline,clipart,clip art,all counties,county list,counties list,list of counties,county boundaries,assessor,county assessor,tax assessor,property appraiser,sheriff,courthouse,clerk,county clerk,gis map,parcels,zoning,zoning map,precincts,health department,school district,school districts,state abbreviation,downtown,callejero,callejero de,casco urbano,centro urbano,casco antiguo,código postal,códigos postales,code postal,codes postaux,postleitzahl,postleitzahlen,plz,cap,zip code,zip codes,zipcode,' +
      'population,población,habitantes,habitants,einwohner,einwohnerzahl,popolazione,abitanti,inwoners,superficie,superficie,fläche,cadastre,catastro,catasto,kataster,territoire,territorio,gebiet,' +
      'di mana,dimana,ở đâu,อยู่ที่ไหน,อยู่ไหน,在哪里,在哪裡,在哪,どこ,どこですか,어디,어디에 있나요,कहाँ है,أين,أين تقع,איפה,on és,on està,non dago,onde queda,dove si trovano,où sont,wo befindet sich,waar liggen,où est situé,où est située,où sont situés,wo befinden sich,está situado,wikipedia,wiki,' +
      'how big is,how large is,how far does,how wide is,how many square miles is,what does,look like,look like on a map,size of,size,area of,extent,extent of,bounding box,bbox,' +
      'jurisdiction,im looking for,i am looking for,im searching for,could you draw,can you draw,could you show,for me,zoom to,siyasi haritası,haritaları,malha,malha de,linderos,batas,peta wilayah,biên giới,ranh giới,limiti amministrativi,pianta,zarys,kontury,domborzati térkép,politikai térkép,όρια,política mapa,מפת,the great state of,great state of,confine comunale,confine provinciale,confine regionale,limiti,limiti comunali,limiti provinciali,en qué parte está,in che parte è,où se trouvent,navigate to,locate,overview of,zeig mir,zeige mir,muéstrame,muestra,montre moi,montrez moi,mostrami,pokaż,' +
      'county for,county of record,qué tamaño tiene,cómo es de grande,wie groß ist,境界,边界,邊界,경계,सीमा,نقشه,quelle est la superficie de,quelle taille fait',
  ),
);
/** Words that say what kind of map is meant, beside a word for a map: "Ohio road map". */
export const DESCRIBING: ReadonlySet<string> = new Set(
  fold(
    'area,road,street,highway,political,physical,topographic,topographical,relief,terrain,tourist,travel,base,simple,large,small,color,colored,labeled,labelled,unlabeled,editable,online,high resolution,hd,showing,black and white,for kids,' +
      'político,física,físico,mudo,topográfico,turístico,carreteras,de carreteras,para imprimir,para colorear,mapa mudo,' +
      'politique,physique,routière,touristique,muette,vierge,à imprimer,à télécharger,' +
      'politische,physische,stumme,stumm,topografische,kostenlos,zum ausdrucken,politica,fisica,stradale,muta,turistica',
  ),
);
/** Words in a phrase of noise. */
export const MOST_WORDS = Math.max(...[...NOISE].map((phrase) => phrase.split(' ').length));
/** Words between noise and a name. */
export const LINKS: ReadonlySet<string> = new Set(
  fold(
    'of,for,the,in,as,from,to,with,and,a,an,de,del,de la,la,el,los,las,en,du,des,d,l,le,les,von,der,des,die,das,vom,di,della,dell,do,da,dos,dei,degli,delle,dello,nel,van,van de,van den,het,на,της,του,των,over,över,av,af,på,pour,para,als,por,zu,zum,dari',
  ),
);

/** Articles that may belong to a name: "La Rioja", "The Bronx". */
export const ARTICLES: ReadonlySet<string> = new Set(
  fold('the,la,el,los,las,le,les,der,die,das,het,il,lo,gli,o,os,as,els,a'),
);

const firstOf = (phrase: string): string => phrase.split(' ', 1)[0] ?? '';
const lastOf = (phrase: string): string => phrase.slice(phrase.lastIndexOf(' ') + 1);

/** The first words of the phrases of a list, and the last ones. */
const ENDS: ReadonlyMap<ReadonlySet<string>, readonly ReadonlySet<string>[]> = new Map(
  [NOISE, DESCRIBING, LINKS].map((list) => [list, [firstOf, lastOf].map((end) => new Set([...list].map(end)))]),
);

/** Whether some phrase of a list of this file begins (`front`) or ends with a folded word: most words end none. */
export function isEndOf(list: ReadonlySet<string>, word: string, front: boolean): boolean {
  const [first, last] = ENDS.get(list) ?? [];
  return (front ? first?.has(firstOf(word)) : last?.has(lastOf(word))) ?? false;
}
