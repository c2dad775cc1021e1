/** The sentences about an area in French, by their English text (said.ts). */
export const SENTENCES: Readonly<Record<string, string>> = {
  ' (and {0} more)': ' (et {0} autres)',
  ' (without {0})': ' (sans {0})',
  ' and ': ' et ',
  '; or ': '; ou ',
  '; or of ': '; ou de ',
  '"{0}"': '« {0} »',
  '"{0}" (character {1}) {2}.': '« {0} » (caractère {1}) {2}.',
  '"boroughs" is read as all counties of Alaska, its boroughs and its census areas':
    '« boroughs » est lu comme tous les comtés d’Alaska, ses « boroughs » et ses zones de recensement',
  '"of" and a place are expected': '« de » et un lieu sont attendus',
  '"{0}" is a river, and no rivers are stored. For the place of that name, write "{1}" without an article.':
    '« {0} » est un fleuve, et aucun fleuve n’est enregistré. Pour le lieu de ce nom, écrivez « {1} » sans article.',
  '"{0}" is not understood. {1}': '« {0} » n’est pas compris. {1}',
  '"{0}" is read as "{1}"': '« {0} » est lu comme « {1} »',
  '"{0}" is read as one list; "and" does not begin another area there':
    '« {0} » est lu comme une seule liste ; « et » n’y commence pas une autre zone',
  '"{0}" is read as the state or country, not as the river':
    '« {0} » est lu comme l’État ou le pays, non comme le fleuve',
  '"{0}" is read as those of the country of "{1}"': '« {0} » est lu comme ceux du pays de « {1} »',
  '"{0}, {1}" reads as one place in another, but no {2} in {3} is stored; for both, write "{4} and {5}".':
    '« {0}, {1} » se lit comme un lieu dans un autre, mais aucun {2} n’est enregistré dans {3} ; pour les deux, écrivez « {4} et {5} ».',
  'Descriptions are understood in English, Spanish, German and French; names in any language.':
    'Les descriptions sont comprises en anglais, espagnol, allemand et français ; les noms, dans toute langue.',
  'Something is missing at the end of "{0}": {1}.': 'Il manque quelque chose à la fin de « {0} » : {1}.',
  'Step {0} ({1})': 'L’étape {0} ({1})',
  'The capital that {0} asks for is not known, or its boundary is not stored. Name it.':
    'La capitale que demande {0} n’est pas connue, ou sa limite n’est pas enregistrée. Écrivez son nom.',
  'The codes {0} are not read as places of one kind: {1}. Write the names.':
    'Les codes {0} ne se lisent pas comme des lieux d’un même type : {1}. Écrivez les noms.',
  'The described area is empty.': 'La zone décrite est vide.',
  'The description has more than {0} words.': 'La description a plus de {0} mots.',
  'The description is too long or nested too deep. Split it.':
    'La description est trop longue ou trop imbriquée. Divisez-la.',
  'The description names no place.': 'La description ne nomme aucun lieu.',
  'The plan compares too many boundaries at {0}. Split it.': 'Le plan compare trop de limites à {0}. Divisez-le.',
  'The result has {0} km2, less than one of its parts.': 'Le résultat a {0} km2, moins qu’une de ses parties.',
  'The result has {0} km2, more than its parts ({1}).': 'Le résultat a {0} km2, plus que ses parties ({1}).',
  'The {0} of an area that is widened is not known: it is of more than its boundaries.':
    'On ne connaît pas {0} d’une zone élargie : elle comprend plus que ses limites.',
  'Try: {0}{1}': 'Essayez : {0}{1}',
  'Understood: {0}.': 'Compris : {0}.',
  'a city of that name is in it': 'une ville de ce nom s’y trouve',
  'a closing bracket is expected': 'une parenthèse fermante est attendue',
  'a coast is a border of a country with no land beyond it; lakes and seas that land encloses do not count':
    'une côte est une frontière d’un pays sans terre au-delà ; les lacs et les mers entourés de terre ne comptent pas',
  'a number is expected': 'un nombre est attendu',
  'a place is expected': 'un lieu est attendu',
  'a place of each name of the list is in it': 'un lieu de chaque nom de la liste s’y trouve',
  'letters of a name are expected': 'des lettres d’un nom sont attendues',
  area: 'la superficie',
  population: 'la population',
  land: 'la terre',
  water: 'l’eau',
  'boundaries of admin level {0}': 'limites de niveau administratif {0}',
  'boundaries that meet it only in single points are not counted; lakes count only where polygons meet':
    'les limites qui ne le touchent qu’en des points ne comptent pas ; les lacs ne comptent que là où des polygones se touchent',
  'can be read as two numbers; write it without separators':
    'peut se lire comme deux nombres ; écrivez-le sans séparateurs',
  'can be read in two ways: write "without" for the place itself, or "that do not border" for what borders it':
    'peut se lire de deux façons : écrivez « sans » pour le lieu lui-même, ou « qui ne touchent pas » pour ce qui le touche',
  '"{0}" is read as without the place itself, not as without what borders it':
    '« {0} » est lu comme sans le lieu lui-même, et non comme sans ce qui le touche',
  '"{0}" does not border itself: it stays where it is one of them':
    '« {0} » ne se touche pas lui-même : il reste s’il en fait partie',
  'asks for an equal size, which no two places have; write "at least" or "at most" in front':
    'demande une taille égale, que deux lieux n’ont jamais ; écrivez devant « au moins » ou « au plus »',
  '{0} compares with several boundaries; name one.': '{0} compare avec plusieurs limites ; nommez-en une.',
  '"{0}" is left out: "{1}" stands in its place': '« {0} » est laissé de côté : « {1} » est à sa place',
  'words of several languages are read together': 'des mots de plusieurs langues sont lus ensemble',
  'can be read in two ways together with what follows it; put brackets around what belongs together':
    'peut se lire de deux façons avec ce qui suit ; mettez entre parenthèses ce qui va ensemble',
  'can be read in two ways together with what stands before it; put brackets around what belongs together':
    'peut se lire de deux façons avec ce qui précède ; mettez entre parenthèses ce qui va ensemble',
  'is behind "or", so that one of them may be meant; write "and" for all':
    'suit « ou », donc un seul peut être voulu ; écrivez « et » pour tous',
  'can mean of each or of all together; put brackets around what belongs together':
    'peut signifier de chacun ou de tous ensemble ; mettez entre parenthèses ce qui va ensemble',
  'can mean several of the places before it': 'peut désigner plusieurs des lieux qui précèdent',
  'does not say how many': 'ne dit pas combien',
  'does not say of which country or region; write "of" and its name behind the level':
    'ne dit pas de quel pays ou de quelle région ; écrivez « de » et son nom derrière le niveau',
  'does not say what it is a part of: write "the part of … {0}" with the place that contains it, or "{1}" for a part of that place':
    'ne dit pas de quoi c’est une partie : écrivez « la partie de … {0} » avec le lieu qui la contient, ou « {1} » pour une partie de ce lieu',
  'is a level of {0} alone; name that of the place': 'n’est un niveau que de : {0} ; nommez celui du lieu',
  'is nested too deep': 'est trop imbriqué',
  'is not a distance of up to 1000 km': 'n’est pas une distance d’au plus 1000 km',
  'is not a place in brackets': 'n’est pas un lieu entre parenthèses',
  'is not a valid number of boundaries (a whole number from 1 to 5000)':
    'n’est pas un nombre valable de limites (un nombre entier de 1 à 5000)',
  'is not understood': 'n’est pas compris',
  'is not understood behind a choice; put brackets around what it belongs to':
    'n’est pas compris derrière un choix ; mettez entre parenthèses ce à quoi il se rapporte',
  'is one place, and "both" asks for two': 'est un seul lieu, et « les deux » en demande deux',
  'it belongs to the area that is described': 'il appartient à la zone décrite',
  'it is the most important of its name': 'c’est le plus important de ce nom',
  'it is the nearest to near': 'c’est le plus proche de near',
  'its name is one letter away': 'son nom diffère d’une lettre',
  'needs "by area" or "by population"': 'demande « par superficie » ou « par population »',
  'others have it only as another name': 'd’autres ne l’ont que comme second nom',
  'its name is made of that of the place in it': 'son nom est formé de celui du lieu qu’il contient',
  'the words around it decide among the places of this code': 'les mots autour décident entre les lieux de ce code',
  'the codes of a list are read as places of one kind':
    'les codes d’une liste se lisent comme des lieux d’un même type',
  'the largest city of the name is in it': 'la plus grande ville de ce nom s’y trouve',
  'the others of the list are in its country': 'les autres de la liste sont dans son pays',
  'cut along {0} through the {1} of {2}': 'coupé le long {0} passant par {1} de {2}',
  'cut at the middle of the bounding box, along a parallel or a meridian':
    'coupé au milieu du rectangle englobant, le long d’un parallèle ou d’un méridien',
  'the parallel': 'du parallèle',
  'the meridian': 'du méridien',
  'the parallel and the meridian': 'du parallèle et du méridien',
  'northern end': 'l’extrémité nord',
  'southern end': 'l’extrémité sud',
  'eastern end': 'l’extrémité est',
  'western end': 'l’extrémité ouest',
  'northern and eastern ends': 'les extrémités nord et est',
  'northern and western ends': 'les extrémités nord et ouest',
  'southern and eastern ends': 'les extrémités sud et est',
  'southern and western ends': 'les extrémités sud et ouest',
  'every point within the distance, to 0.1 %': 'tout point à cette distance au plus, à 0,1 % près',
  'read as {0} of these names': 'lu comme {0} de ces noms',
  'the level "{0}"': 'le niveau « {0} »',
  'that place': 'ce lieu',
  'the city of {0}': 'la ville de {0}',
  'those without the District of Columbia': 'ceux sans le district de Columbia',
  'those without the independent cities': 'ceux sans les villes indépendantes',
  '{0} (character {1})': '{0} (caractère {1})',
  '{0} and others': '{0} et d’autres',
  '{0} and {1} more': '{0} et {1} autres',
  '{0} are read as {1}': '{0} est lu comme {1}',
  '{0} asks for a distance to a cut area; name whole boundaries.':
    '{0} demande une distance à une zone coupée ; nommez des limites entières.',
  '{0} asks for boundaries within a distance; say "{1} within … km of …".':
    '{0} demande des limites à une certaine distance ; dites « {1} à moins de … km de … ».',
  '{0} asks for the level "{1}" in {2}, where there are none.':
    '{0} demande le niveau « {1} » dans {2}, où il n’y en a pas.',
  '{0} asks for the {1} that contains {2}': '{0} demande le niveau « {1} » qui contient {2}',
  '{0}: none contains it.': '{0} : aucun ne le contient.',
  '{0}: {1} contain it.': '{0} : {1} le contiennent.',
  '{0} asks for what lies beyond a cut area; name whole boundaries.':
    '{0} demande ce qui est au-delà d’une zone coupée ; nommez des limites entières.',
  '{0} asks for {1} in {2} and in what contains it; name that behind each of them.':
    '{0} demande {1} dans {2} et dans ce qui le contient ; nommez cela derrière chacun.',
  '{0} asks for {1} in {2}, where there are none.': '{0} demande {1} dans {2}, où il n’y en a pas.',
  '{0} asks for {1} in {2}, which is itself one.': '{0} demande {1} dans {2}, qui en est un lui-même.',
  '{0} asks for {1} of {2}.': '{0} en demande {1} sur {2}.',
  '{0} asks for {1}, but there are {2}.': '{0} en demande {1}, mais il y en a {2}.',
  '{0} asks what borders a cut area; name whole boundaries.':
    '{0} demande ce qui borde une zone coupée ; nommez des limites entières.',
  '{0} boundaries': '{0} limites',
  '{0} can mean several places: {1}. Say which, as in "Paris, Texas", or give country or near.':
    '{0} peut désigner plusieurs lieux : {1}. Dites lequel, comme dans « Paris, Texas », ou indiquez country ou near.',
  '{0} cities in no county are counted among the counties':
    '{0} villes qui ne sont dans aucun comté sont comptées parmi les comtés',
  '{0} is a city in no county, and is counted among the counties':
    '{0} est une ville qui n’est dans aucun comté, et est comptée parmi les comtés',
  '{0} is a city that is in no county': '{0} est une ville qui n’est dans aucun comté',
  '{0} is counted among the states': '{0} est compté parmi les États',
  '{0} compares too many boundaries. Describe fewer.': '{0} compare trop de limites. Décrivez-en moins.',
  '{0} crosses the antimeridian at {1}, which distances cannot do.':
    '{0} traverse l’antiméridien à {1}, ce que les distances ne peuvent pas.',
  '{0} does not say of which level; write it in front.': '{0} ne dit pas de quel niveau ; écrivez-le devant.',
  '{0} does not say which level of neighbors.': '{0} ne dit pas quel niveau de voisins.',
  '{0} has more than {1} boundaries. Describe fewer.': '{0} a plus de {1} limites. Décrivez-en moins.',
  '{0} has no centroid.': '{0} n’a pas de centroïde.',
  '{0} has no extent.': '{0} n’a pas d’étendue.',
  '{0} has no letters to compare names with.': '{0} n’a pas de lettres à comparer aux noms.',
  '{0} has no polygon in the stored data.': '{0} n’a pas de polygone dans les données enregistrées.',
  '{0} has {1} boundaries; at most {2} can be merged. Describe fewer.':
    '{0} a {1} limites ; on peut en réunir {2} au plus. Décrivez-en moins.',
  '{0} in {1}': '{0} ({1})',
  '{0} is cut at {1}, the middle of its main part; parts apart from it do not move it':
    '{0} est coupé à {1}, le milieu de sa partie principale ; les parties séparées ne le déplacent pas',
  '{0} is empty: no boundary fits it.': '{0} est vide : aucune limite n’y correspond.',
  '{0} is empty: the two have no area in common.': '{0} est vide : les deux n’ont pas de surface commune.',
  'by its name in the language of the description: {0}': 'par son nom dans la langue de la description : {0}',
  'left out by its name in the language of the description: {0}':
    'laissé de côté par son nom dans la langue de la description : {0}',
  '{0} is left out: it is a condominium': '{0} est laissé de côté : c’est un condominium',
  '{0} is left out: it is a territory, not a country': '{0} est laissé de côté : c’est un territoire, non un pays',
  '{0} is none': '{0} n’en est pas un',
  '{0} is not a known group.': '{0} n’est pas un groupe connu.',
  '{0} is not completely stored here: {1} are missing. Import them, or name places that are stored.':
    '{0} n’est pas entièrement enregistré ici : il manque {1}. Importez-les, ou nommez des lieux enregistrés.',
  '{0} is not found.': '{0} est introuvable.',
  '{0}: no {1} called "{2}" contains it; did you mean {3}?':
    '{0} : aucun lieu du niveau « {1} » nommé « {2} » ne le contient ; vouliez-vous dire {3} ?',
  'counted are {0} with a common line on land; below countries, those of the same country':
    'sont comptés : {0} avec une ligne commune sur terre ; au-dessous des pays, dans le même pays',
  'no member of {0} is part of {1}': 'aucun membre de {0} ne fait partie de {1}',
  '{0} is in {1}, or with the longitude first in {2}; write "lat {3} lon {4}" or "lat {5} lon {6}".':
    '{0} est dans {1} ou, avec la longitude d’abord, dans {2} ; écrivez « lat {3} lon {4} » ou « lat {5} lon {6} ».',
  '{0}: no boundary of {1} is stored at {2}, {3}.': '{0} : aucune limite du {1} n’est enregistrée à {2}, {3}.',
  'latitude {0}, longitude {1}': 'latitude : {0}, longitude : {1}',
  '{0}: {1} does not cross it.': '{0} : {1} ne le traverse pas.',
  '{0}: {1} and {2} cross it; say which is meant.': '{0} : {1} et {2} le traversent ; dites lequel.',
  'cut at {0}': 'coupé à {0}',
  'is not a line that has such a side: north and south are of parallels, east and west of meridians':
    'n’est pas une ligne qui a ce côté : le nord et le sud sont ceux des parallèles, l’est et l’ouest ceux des méridiens',
  'is not on the globe': 'n’est pas sur le globe',
  'is not a point: write its latitude, then its longitude, in degrees':
    'n’est pas un point : écrivez sa latitude, puis sa longitude, en degrés',
  'is a box of coordinates, which is not an area of boundaries; write names, or a part of a place, as in "the part of Spain north of 40° N"':
    'est un rectangle de coordonnées, qui n’est pas une zone faite de limites ; écrivez des noms, ou une partie d’un lieu, comme « la partie de l’Espagne au nord de 40° N »',
  'is a point, and areas are made of boundaries; write the level of the one that it is in, as in "the municipality at {0}"':
    'est un point, et les zones sont faites de limites ; écrivez le niveau de celle qui le contient, comme « la commune à {0} »',
  '"{0}" is read as those of {1}, the only country with boundaries of that level':
    '« {0} » est lu comme ceux de {1}, le seul pays avec des limites de ce niveau',
  '"{0}" is read as those of {1}': '« {0} » est lu comme ceux de {1}',
  '{0} adds {1}, which is a part of {2} already.': '{0} ajoute {1}, qui fait déjà partie de {2}.',
  'left out: {0}': 'omis : {0}',
  '{0} is made of {1}, and those that are stored cover less than a tenth of {2}.':
    '{0} se compose de {1}, et ceux qui sont enregistrés couvrent moins d’un dixième de {2}.',
  '{0} is read as {1}': '{0} est lu comme {1}',
  '{0} leaves a place out of those that are ranked, or out of the result; write "not counting" for the first, and brackets around the rank for the other.':
    '{0} enlève quelque chose de ce qui est classé, ou du résultat ; écrivez « sans compter » pour le premier cas, et des parenthèses autour du classement pour l’autre.',
  '{0} takes out {1}, which is left out already; to keep it, write "but with" in front of it.':
    '{0} retire {1}, déjà exclu ; pour le garder, écrivez « mais avec » devant.',
  '{0} takes out {1}, which is not part of {2}; to add it, write it in front, or behind "plus".':
    '{0} exclut {1}, qui ne fait pas partie de {2} ; pour l’ajouter, écrivez-le devant, ou derrière « plus ».',
  '{0} is the place that contains the municipality of that name; for that, write "the municipality of {1}"':
    '{0} est le lieu qui contient la commune de ce nom ; pour celle-ci, écrivez « la commune de {1} »',
  '{0} is not found; did you mean {1}?': '{0} est introuvable ; vouliez-vous dire {1} ?',
  '{0} is partly in it': '{0} y est en partie',
  '{0} is read as {1}, as what follows in the list': '{0} est lu comme {1}, ainsi que ce qui suit dans la liste',
  '{0} is read as {1}, where all of the list are': '{0} est lu comme {1}, où sont tous ceux de la liste',
  '{0} is read as {1}, where the largest city of that name is':
    '{0} est lu comme {1}, où se trouve la plus grande ville de ce nom',
  '{0} is read as {1}, which is one letter away': '{0} est lu comme {1}, qui diffère d’une lettre',
  '{0} is read as {1}; also so called: {2}': '{0} est lu comme {1} ; s’appellent aussi ainsi : {2}',
  '{0} is too large for a distance around it: the limit is {1} km from its middle. Ask for boundaries within the distance.':
    '{0} est trop grand pour une distance autour : la limite est à {1} km de son milieu. Demandez les limites à cette distance.',
  '{0} leaves nothing.': '{0} ne laisse rien.',
  '{0} needs a single boundary, which is divided at its centroid.':
    '{0} demande une seule limite, qui est divisée à son centroïde.',
  '{0} needs the {1} of each, which is unknown for {2} of {3}: {4}.':
    '{0} demande {1} de chacun, inconnue pour {2} sur {3} : {4}.',
  '{0} repeats its parts too often. Describe it with fewer steps.':
    '{0} répète ses parties trop souvent. Décrivez-le en moins d’étapes.',
  '{0} selects whole boundaries, but {1} is cut.': '{0} choisit des limites entières, mais {1} est coupé.',
  '{0} takes out {1} ({2}), which is not part of {3}.': '{0} retire {1} ({2}), qui ne fait pas partie de {3}.',
  '{0} whose centroid lies {1}, that of {2}': '{0} dont le centroïde est {1}, celui de {2}',
  '{0}, the next below {1}': '{0}, le niveau suivant sous {1}',
  '{0}: coasts need all countries to be stored; {1} are not ({2}).':
    '{0} : pour les côtes, tous les pays doivent être enregistrés ; il en manque {1} ({2}).',
  '{0}: excluded, but not part of {1}': '{0} : exclu, mais ne fait pas partie de {1}',
  '{0}: nothing of it lies {1}.': '{0} : rien n’en est {1}.',
  '{0}: read as {1}; also codes of {2}': '{0} : lu comme {1} ; aussi codes de {2}',
  '{0}: whether {1} touch the sea is not known from the stored data.':
    '{0} : les données enregistrées ne disent pas si {1} touchent la mer.',
  '{0}: whether {1} touches the sea is not known from the stored data.':
    '{0} : les données enregistrées ne disent pas si {1} touche la mer.',
  '{0}: within 2 km, but without a common line on land, so not counted':
    '{0} : à moins de 2 km, mais sans ligne commune sur terre, donc non comptés',
  '{0}: within 2 km, from another source, so they share no line':
    '{0} : à moins de 2 km, d’une autre source, donc sans ligne commune',
  '{0}: {1} and {2} are equal.': '{0} : {1} et {2} sont égaux.',
  '{0}: {1} has no stored subdivisions.': '{0} : {1} n’a pas de subdivisions enregistrées.',
  '{0}° east': '{0}° est',
  '{0}° north': '{0}° nord',
  '{0}° south': '{0}° sud',
  '{0}° west': '{0}° ouest',
  'may be "{0}" in "{1}" or both of them; write "{2} in {3}" or "{4} and {5}"':
    'peut être « {0} » dans « {1} » ou les deux ; écrivez « {2} dans {3} » ou « {4} et {5} »',
  '"{0}" is read as what contains the places before it, not as one more of them':
    '« {0} » est lu comme ce qui contient les lieux qui précèdent, non comme un de plus',
  '{0} is one of them: it is at no distance from itself': '{0} en fait partie : sa distance à lui-même est nulle',
  '{0} is a part of {1}, which is in the list, too': '{0} fait partie de {1}, qui est aussi dans la liste',
  '"{0}" is read as one place in another, not as two places':
    '« {0} » est lu comme un lieu dans un autre, non comme deux lieux',
  '"{0}" is read as {1}': '"{0}" est lu comme {1}',
  '"{0}" is read as a place of that name in each': '"{0}" est lu comme un lieu de ce nom dans chacun',
  'the boroughs of {0} are the {1} counties of the city': 'les arrondissements de {0} sont les {1} comtés de la ville',
  'north of {0}': 'au nord de {0}',
  'the north of {0}': 'le nord de {0}',
  'south of {0}': 'au sud de {0}',
  'the south of {0}': 'le sud de {0}',
  'east of {0}': 'à l’est de {0}',
  'the east of {0}': 'l’est de {0}',
  'west of {0}': 'à l’ouest de {0}',
  'the west of {0}': 'l’ouest de {0}',
  'northeast of {0}': 'au nord-est de {0}',
  'the northeast of {0}': 'le nord-est de {0}',
  'northwest of {0}': 'au nord-ouest de {0}',
  'the northwest of {0}': 'le nord-ouest de {0}',
  'southeast of {0}': 'au sud-est de {0}',
  'the southeast of {0}': 'le sud-est de {0}',
  'southwest of {0}': 'au sud-ouest de {0}',
  'the southwest of {0}': 'le sud-ouest de {0}',
  country: 'pays',
  state: 'État',
  community: 'communauté autonome',
  region: 'région',
  province: 'province',
  county: 'comté',
  department: 'département',
  canton: 'canton',
  district: 'district',
  municipality: 'commune',
  borough: 'arrondissement municipal',
  'is not understood there': "n'est pas compris à cet endroit",
  '{0} is left out: it is not a state': "{0} est exclu, car ce n'est pas un État",
  '{0} is read as the country; for a place of that name, write "{1} in {2}"':
    '{0} est lu comme le pays ; pour un lieu de ce nom, écrivez « {1} en {2} »',
  'Seas and parts of a coast are not stored, only boundaries; for those by the sea, write a level, as in "coastal counties of Texas".':
    'Les mers et les parties de côte ne sont pas stockées, seulement les limites ; pour celles qui bordent la mer, écrivez un niveau, comme dans « comtés côtiers du Texas ».',
  '{0} is read as {1}; other places of that name are not stored':
    '{0} est lu comme {1} ; les autres lieux de ce nom ne sont pas enregistrés',
  '{0} may mean a place that is not stored, or {1}.': '{0} peut être un lieu qui n’est pas enregistré, ou {1}.',
  'populations are those of {0}': 'les populations sont celles de {0}',
  '{0} and {1} are nearly equal in {2}': '{0} et {1} sont presque égaux ({2})',
  "The model's plan has no step for the words: {0}.": 'Le plan du modèle n’a pas d’étape pour les mots : {0}.',
};
