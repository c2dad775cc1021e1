import type { Kind } from '../../core/schemas.ts';

// Words in the names of columns, folded, in English, Spanish, French, German, Italian, Portuguese, Dutch and Russian, with
// some in Chinese and Japanese.

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** For names of any place. */
export const NAMES = words(
  'name names place placename location locality nombre lugar localidad nom lieu localite ort ortsname bezeichnung area ' +
    'toponym jurisdiction jurisdiccion geography nome luogo localita lugar naam plaats название наименование 名称 地名 ' +
    'libgeo where ubicacion poblacion residencia endroit residence naissance standort wohnort wohnsitz geburtsort heimatort ' +
    'dove destinazione residenza destination destino zielort herkunftsort birthplace hometown 地域 地方',
);

/** Those of NAMES that people, firms and goods have as well. */
export const OF_ANYTHING = words('name names nombre nom nome naam bezeichnung название наименование 名称');

/** For what only people have: a name beside them is that of a person. */
export const OF_PERSONS = words(
  'vorname nachname firstname lastname surname prenom apellido apellidos cognome achternaam voornaam sobrenome email mail ' +
    'gender sex sexe sexo sesso geschlecht birthdate geburtsdatum nacimiento naissance nascita geboortedatum nationality',
);

/** For people in an office, who are not a place: "Head of state". */
export const OF_OFFICES = words(
  'head president mayor governor minister senator alcalde alcaldesa presidente gobernador maire gouverneur prefet ' +
    'burgermeister buergermeister landrat sindaco governatore prefeito burgemeester candidate candidato owner manager contact',
);

export const CODES = words(
  'code codes codigo cod clave kennung kennziffer schluessel schlussel ags rs insee ine fips geoid nuts iso isocode key ' +
    'kode kod wikidata codice istat codigo ibge codgeo',
);

/** For ids of any kind: a column of them has codes only if it has ids of boundaries. */
export const IDS = words('id ids');

export const TYPES = words('type kind tipo clase genre art typ nivel niveau ebene level adminlevel stufe');

/** For codes of mail, and of what is around the place of a row. */
export const OF_MAIL = words('postal post postcode zip zipcode plz postleitzahl postalcode cp cap cep region regional');

/** Words for places of a sort, with the kinds that such a place is not. */
interface WordsOfPlaces {
  readonly words: ReadonlySet<string>;
  readonly others: readonly Kind[];
}

const OUTER: readonly Kind[] = ['country', 'state', 'region', 'province', 'county'];
const INNER: readonly Kind[] = ['municipality', 'city', 'borough', 'ward', 'neighbourhood', 'postal_code'];

/** From the innermost to the outermost. */
export const KINDS_OF_PLACES: readonly WordsOfPlaces[] = [
  {
    words: words('borough ward barrio quartier stadtteil ortsteil neighbourhood neighborhood bairro quartiere wijk'),
    others: OUTER,
  },
  {
    words: words(
      'city town village municipality concelho ciudad municipio localidad pueblo ville commune municipalite stadt gemeinde kommune ' +
        'comune comuni citta cidade gemeente stad gemeinden stadte город муниципалитет 市町村 市区町村 城市',
    ),
    others: OUTER,
  },
  {
    words: words(
      'county condado comte landkreis kreis landkreise kreise bezirk parish contea district distrito arrondissement comarca ' +
        'distretto район',
    ),
    others: ['country', 'ward', 'neighbourhood', 'postal_code'],
  },
  {
    words: words(
      'department departement dep departamento province provincia provinz dept dpto dpt prov prefecture prefectura prafektur ' +
        'governorate gobernacion gouvernorat gouvernement oblast voivodeship voivodia voievodie woiwodschaft provincie ' +
        'provinzen prefettura provincies dipartimento область 省 省份 都道府県',
    ),
    others: ['country', ...INNER],
  },
  {
    words: words(
      'state region estado comunidad ccaa etat bundesland bundeslander kanton kantone canton territory territorio ' +
        'territoire territorium regione regioni regiao stato uf entidad регион субъект край',
    ),
    others: INNER,
  },
  {
    words: words('country pais pays land lander staat staaten nation nazione paese paesi страна 国家 国 国名 economy'),
    others: ['county', 'district', ...INNER],
  },
];
