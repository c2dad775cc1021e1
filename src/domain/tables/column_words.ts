import type { Kind } from '../../core/schemas.ts';

// Words in the names of columns, folded, in English, Spanish, French, German, Italian, Portuguese, Dutch and Russian, with
// some in Chinese and Japanese.

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** For names of any place. */
export const NAMES = words(
  'name names place placename location locality nombre lugar localidad nom lieu localite ort ortsname bezeichnung area ' +
    'toponym jurisdiction jurisdiccion geography nome luogo localita lugar naam plaats название наименование 名称 地名 ' +
    'libgeo where ubicacion poblacion residencia endroit residence naissance standort wohnort wohnsitz geburtsort heimatort ' +
    'libcom born nato nata nacido nacida geboren reiseziel dove destinazione residenza destination destino zielort herkunftsort birthplace hometown 地域 地方',
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

/** For what people are, and for things with names of their own: their names are those of places as well. */
export const OF_OTHERS = words(
  'coach trainer entrenador entrenadora entraineur allenatore treinador player jugador spieler joueur giocatore jogador captain ' +
    'capitan capitano kapitan agent agente rep representative seller salesperson vendedor vendeur verkaufer venditore author ' +
    'autor auteur autore director direttore direktor directeur doctor physician medico arzt medecin teacher principal profesor ' +
    'lehrer professeur employee empleado mitarbeiter employe dipendente customer client cliente kunde driver conductor fahrer ' +
    'chauffeur judge juez richter officer inspector supervisor chair chairman artist artista kunstler artiste actor student ' +
    'patient paciente winner ganador sieger gagnant vincitore laureate founder contacto kontakt leiter chef boss jefe ' +
    'river rio fluss fleuve fiume lake lago lac brand marca marke marque model modelo modell modele modello product producto ' +
    'produkt produit prodotto produto color farbe couleur colore cor ship schiff barco bateau nave street strasse calle ' +
    'rue via rua currency moneda wahrung devise valuta language idioma sprache langue lingua month mes monat mois mese',
);
/** For teams, whose names are those of cities, and of countries that they play for. */
export const OF_TEAMS = words('club team equipo equipe squadra mannschaft verein clube time side');

export const CODES = words(
  'code codes codigo cod clave kennung kennziffer schluessel schlussel ags rs insee ine fips geoid nuts iso isocode key ' +
    'kode kod wikidata codice istat ibge codgeo lau gisco',
);

/** Those of CODES that only offices use, for places. */
export const OF_OFFICIAL_CODES = words(
  'ags rs insee ine fips geoid nuts iso isocode wikidata istat ibge codgeo lau gisco',
);

/** Words for places that firms use for their own divisions. */
export const OF_FIRMS = words(
  'region regional regione regiao district distrito distretto territory territorio territoire territorium department departement ' +
    'departamento dipartimento dept dep dpt dpto depto bezirk state',
);

/** Those of KINDS_OF_PLACES that are for places of any sort as well: "Territorio" of communes. */
export const OF_ANY_SORT = words('territory territorio territoire territorium');

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
      'department departement dep departamento province provincia provinz dept dpto depto dpt prov prefecture prefectura prafektur ' +
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
