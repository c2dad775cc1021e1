/** The sentences about an area in Spanish, by their English text (said.ts). */
export const SENTENCES: Readonly<Record<string, string>> = {
  ' (and {0} more)': ' (y {0} más)',
  ' (without {0})': ' (sin {0})',
  ' and ': ' y ',
  '; or ': '; o ',
  '; or of ': '; o de ',
  '"{0}"': '«{0}»',
  '"{0}" (character {1}) {2}.': '«{0}» (carácter {1}) {2}.',
  '"boroughs" is read as all counties of Alaska, its boroughs and its census areas':
    '«boroughs» se lee como todos los condados de Alaska, sus «boroughs» y sus áreas censales',
  '"of" and a place are expected': 'se espera «de» y un lugar',
  '"{0}" is a river, and no rivers are stored. For the place of that name, write "{1}" without an article.':
    '«{0}» es un río, y no hay ríos guardados. Para el lugar de ese nombre, escriba «{1}» sin artículo.',
  '"{0}" is not understood. {1}': '«{0}» no se entiende. {1}',
  '"{0}" is read as "{1}"': '«{0}» se lee como «{1}»',
  '"{0}" is read as one list; "and" does not begin another area there':
    '«{0}» se lee como una sola lista; la «y» no empieza ahí otra área',
  '"{0}" is read as the state or country, not as the river': '«{0}» se lee como el estado o el país, no como el río',
  '"{0}" is read as those of the country of "{1}"': '«{0}» se lee como los del país de «{1}»',
  '"{0}, {1}" reads as one place in another, but no {2} in {3} is stored; for both, write "{4} and {5}".':
    '«{0}, {1}» se lee como un lugar dentro de otro, pero no hay ningún {2} guardado en {3}; para los dos, escriba «{4} y {5}».',
  'Descriptions are understood in English, Spanish, German and French; names in any language.':
    'Las descripciones se entienden en inglés, español, alemán y francés; los nombres, en cualquier idioma.',
  'Something is missing at the end of "{0}": {1}.': 'Falta algo al final de «{0}»: {1}.',
  'Step {0} ({1})': 'El paso {0} ({1})',
  'The capital that {0} asks for is not known, or its boundary is not stored. Name it.':
    'La capital que pide {0} no se conoce, o su límite no está guardado. Escriba su nombre.',
  'The codes {0} are not read as places of one kind: {1}. Write the names.':
    'Los códigos {0} no se leen como lugares de un mismo tipo: {1}. Escriba los nombres.',
  'The described area is empty.': 'El área descrita está vacía.',
  'The description has more than {0} words.': 'La descripción tiene más de {0} palabras.',
  'The description is too long or nested too deep. Split it.':
    'La descripción es demasiado larga o está demasiado anidada. Divídala.',
  'The description names no place.': 'La descripción no nombra ningún lugar.',
  'The plan compares too many boundaries at {0}. Split it.': 'El plan compara demasiados límites en {0}. Divídalo.',
  'The result has {0} km2, less than one of its parts.': 'El resultado tiene {0} km2, menos que una de sus partes.',
  'The result has {0} km2, more than its parts ({1}).': 'El resultado tiene {0} km2, más que sus partes ({1}).',
  'The {0} of an area that is widened is not known: it is of more than its boundaries.':
    'No se conoce {0} de un área ampliada: abarca más que sus límites.',
  'Try: {0}{1}': 'Pruebe: {0}{1}',
  'Understood: {0}.': 'Entendido: {0}.',
  'a city of that name is in it': 'contiene una ciudad de ese nombre',
  'a closing bracket is expected': 'se espera un paréntesis de cierre',
  'a coast is a border of a country with no land beyond it; lakes and seas that land encloses do not count':
    'una costa es una frontera de un país sin tierra al otro lado; los lagos y los mares rodeados de tierra no cuentan',
  'a number is expected': 'se espera un número',
  'a place is expected': 'se espera un lugar',
  'a place of each name of the list is in it': 'contiene un lugar de cada nombre de la lista',
  'letters of a name are expected': 'se esperan letras de un nombre',
  area: 'la superficie',
  population: 'la población',
  land: 'la tierra',
  water: 'el agua',
  'boundaries of admin level {0}': 'límites de nivel administrativo {0}',
  'boundaries that meet it only in single points are not counted; lakes count only where polygons meet':
    'no cuentan los límites que solo lo tocan en puntos; los lagos solo cuentan donde se tocan los polígonos',
  'can be read as two numbers; write it without separators':
    'se puede leer como dos números; escríbalo sin separadores',
  'can be read in two ways: write "without" for the place itself, or "that do not border" for what borders it':
    'puede leerse de dos maneras: escriba «sin» para el lugar mismo, o «que no limitan con» para lo que limita con él',
  '"{0}" is read as without the place itself, not as without what borders it':
    '«{0}» se lee como sin el lugar mismo, no como sin lo que limita con él',
  '"{0}" does not border itself: it stays where it is one of them':
    '«{0}» no limita consigo mismo: se queda si es uno de ellos',
  'asks for an equal size, which no two places have; write "at least" or "at most" in front':
    'pide un tamaño igual, que no tienen dos lugares; escriba delante "al menos" o "como máximo"',
  '{0} compares with several boundaries; name one.': '{0} compara con varios límites; nombre uno.',
  '"{0}" is left out: "{1}" stands in its place': '"{0}" se deja fuera: en su lugar está "{1}"',
  'words of several languages are read together': 'se leen juntas palabras de varios idiomas',
  'can be read in two ways together with what follows it; put brackets around what belongs together':
    'se puede leer de dos maneras con lo que sigue; ponga entre paréntesis lo que va junto',
  'can be read in two ways together with what stands before it; put brackets around what belongs together':
    'se puede leer de dos maneras con lo que hay delante; ponga entre paréntesis lo que va junto',
  'is behind "or", so that one of them may be meant; write "and" for all':
    'está detrás de «o», y puede referirse a uno solo; escriba «y» para todos',
  'can mean of each or of all together; put brackets around what belongs together':
    'puede significar de cada uno o de todos juntos; ponga entre paréntesis lo que va junto',
  'can mean several of the places before it': 'puede referirse a varios de los lugares anteriores',
  'does not say how many': 'no dice cuántos',
  'does not say of which country or region; write "of" and its name behind the level':
    'no dice de qué país o región; escriba «de» y su nombre detrás del nivel',
  'does not say what it is a part of: write "the part of … {0}" with the place that contains it, or "{1}" for a part of that place':
    'no dice de qué es parte: escriba «la parte de … {0}» con el lugar que lo contiene, o «{1}» para una parte de ese lugar',
  'is a level of {0} alone; name that of the place': 'es un nivel que solo tiene {0}; nombre el del lugar',
  'is nested too deep': 'está demasiado anidado',
  'is not a distance of up to 1000 km': 'no es una distancia de hasta 1000 km',
  'is not a place in brackets': 'no es un lugar entre paréntesis',
  'is not a valid number of boundaries (a whole number from 1 to 5000)':
    'no es un número válido de límites (un número entero de 1 a 5000)',
  'is not understood': 'no se entiende',
  'is not understood behind a choice; put brackets around what it belongs to':
    'no se entiende detrás de una selección; ponga entre paréntesis aquello a lo que pertenece',
  'is one place, and "both" asks for two': 'es un solo lugar, y «ambos» pide dos',
  'it belongs to the area that is described': 'pertenece al área descrita',
  'it is the most important of its name': 'es el más importante de su nombre',
  'it is the nearest to near': 'es el más cercano a near',
  'its name is one letter away': 'su nombre difiere en una letra',
  'needs "by area" or "by population"': 'necesita «por superficie» o «por población»',
  'others have it only as another name': 'otros lo tienen solo como segundo nombre',
  'its name is made of that of the place in it': 'su nombre está formado con el del lugar que contiene',
  'the words around it decide among the places of this code':
    'las palabras que lo rodean deciden entre los lugares de este código',
  'the codes of a list are read as places of one kind':
    'los códigos de una lista se leen como lugares de un mismo tipo',
  'the largest city of the name is in it': 'contiene la mayor ciudad de ese nombre',
  'the others of the list are in its country': 'los demás de la lista están en su país',
  'cut along {0} through the {1} of {2}': 'cortado a lo largo {0} por {1} de {2}',
  'cut at the middle of the bounding box, along a parallel or a meridian':
    'cortado por la mitad del rectángulo envolvente, a lo largo de un paralelo o un meridiano',
  'the parallel': 'del paralelo',
  'the meridian': 'del meridiano',
  'the parallel and the meridian': 'del paralelo y del meridiano',
  'northern end': 'el extremo norte',
  'southern end': 'el extremo sur',
  'eastern end': 'el extremo este',
  'western end': 'el extremo oeste',
  'northern and eastern ends': 'los extremos norte y este',
  'northern and western ends': 'los extremos norte y oeste',
  'southern and eastern ends': 'los extremos sur y este',
  'southern and western ends': 'los extremos sur y oeste',
  'every point within the distance, to 0.1 %': 'todo punto dentro de la distancia, con un 0,1 % de precisión',
  'read as {0} of these names': 'se lee como {0} de estos nombres',
  'the level "{0}"': 'el nivel «{0}»',
  'that place': 'ese lugar',
  'the city of {0}': 'la ciudad de {0}',
  'those without the District of Columbia': 'los que no incluyen el Distrito de Columbia',
  'those without the independent cities': 'los que no incluyen las ciudades independientes',
  '{0} (character {1})': '{0} (carácter {1})',
  '{0} and others': '{0} y otros',
  '{0} and {1} more': '{0} y {1} más',
  '{0} are read as {1}': '{0} se lee como {1}',
  '{0} asks for a distance to a cut area; name whole boundaries.':
    '{0} pide una distancia a un área cortada; nombre límites enteros.',
  '{0} asks for boundaries within a distance; say "{1} within … km of …".':
    '{0} pide límites dentro de una distancia; diga «{1} a menos de … km de …».',
  '{0} asks for the level "{1}" in {2}, where there are none.': '{0} pide el nivel «{1}» en {2}, donde no hay ninguno.',
  '{0} asks for the {1} that contains {2}': '{0} pide el nivel «{1}» que contiene {2}',
  '{0}: none contains it.': '{0}: ninguno lo contiene.',
  '{0}: {1} contain it.': '{0}: lo contienen {1}.',
  '{0} asks for what lies beyond a cut area; name whole boundaries.':
    '{0} pide lo que hay más allá de un área cortada; nombre límites enteros.',
  '{0} asks for {1} in {2} and in what contains it; name that behind each of them.':
    '{0} pide {1} en {2} y en lo que lo contiene; nombre eso detrás de cada uno.',
  '{0} asks for {1} in {2}, where there are none.': '{0} pide {1} en {2}, donde no hay ninguno.',
  '{0} asks for {1} in {2}, which is itself one.': '{0} pide {1} en {2}, que ya es uno.',
  '{0} asks for {1} of {2}.': '{0} pide {1} de {2}.',
  '{0} asks for {1}, but there are {2}.': '{0} pide {1}, pero hay {2}.',
  '{0} asks what borders a cut area; name whole boundaries.':
    '{0} pide lo que limita con un área cortada; nombre límites enteros.',
  '{0} boundaries': '{0} límites',
  '{0} can mean several places: {1}. Say which, as in "Paris, Texas", or give country or near.':
    '{0} puede referirse a varios lugares: {1}. Diga cuál, como en «París, Texas», o indique country o near.',
  '{0} cities in no county are counted among the counties':
    '{0} ciudades que no están en ningún condado se cuentan entre los condados',
  '{0} is a city in no county, and is counted among the counties':
    '{0} es una ciudad que no está en ningún condado, y se cuenta entre los condados',
  '{0} is a city that is in no county': '{0} es una ciudad que no está en ningún condado',
  '{0} is counted among the states': '{0} se cuenta entre los estados',
  '{0} compares too many boundaries. Describe fewer.': '{0} compara demasiados límites. Describa menos.',
  '{0} crosses the antimeridian at {1}, which distances cannot do.':
    '{0} cruza el antimeridiano en {1}, lo que las distancias no pueden hacer.',
  '{0} does not say of which level; write it in front.': '{0} no dice de qué nivel; escríbalo delante.',
  '{0} does not say which level of neighbors.': '{0} no dice qué nivel de vecinos.',
  '{0} has more than {1} boundaries. Describe fewer.': '{0} tiene más de {1} límites. Describa menos.',
  '{0} has no centroid.': '{0} no tiene centroide.',
  '{0} has no extent.': '{0} no tiene extensión.',
  '{0} has no letters to compare names with.': '{0} no tiene letras con las que comparar nombres.',
  '{0} has no polygon in the stored data.': '{0} no tiene polígono en los datos guardados.',
  '{0} has {1} boundaries; at most {2} can be merged. Describe fewer.':
    '{0} tiene {1} límites; se pueden unir {2} como máximo. Describa menos.',
  '{0} in {1}': '{0} en {1}',
  '{0} is cut at {1}, the middle of its main part; parts apart from it do not move it':
    '{0} se corta a {1}, la mitad de su parte principal; las partes separadas de ella no la desplazan',
  '{0} is empty: no boundary fits it.': '{0} está vacío: no le corresponde ningún límite.',
  '{0} is empty: the two have no area in common.': '{0} está vacío: los dos no tienen área en común.',
  'by its name in the language of the description: {0}': 'por su nombre en el idioma de la descripción: {0}',
  'left out by its name in the language of the description: {0}':
    'queda fuera por su nombre en el idioma de la descripción: {0}',
  '{0} is left out: it is a condominium': '{0} queda fuera: es un condominio',
  '{0} is left out: it is a territory, not a country': '{0} queda fuera: es un territorio, no un país',
  '{0} is none': '{0} no es ninguno',
  '{0} is not a known group.': '{0} no es un grupo conocido.',
  '{0} is not completely stored here: {1} are missing. Import them, or name places that are stored.':
    '{0} no está guardado entero aquí: faltan {1}. Impórtelos, o nombre lugares guardados.',
  '{0} is not found.': '{0} no se encuentra.',
  '{0}: no {1} called "{2}" contains it; did you mean {3}?':
    '{0}: no lo contiene ningún lugar del nivel «{1}» llamado «{2}»; ¿quería decir {3}?',
  'counted are {0} with a common line on land; below countries, those of the same country':
    'se cuentan {0} con una línea común en tierra; por debajo de los países, las del mismo país',
  'no member of {0} is part of {1}': 'ningún miembro de {0} forma parte de {1}',
  '{0} is in {1}, or with the longitude first in {2}; write "lat {3} lon {4}" or "lat {5} lon {6}".':
    '{0} está en {1} o, con la longitud primero, en {2}; escriba «lat {3} lon {4}» o «lat {5} lon {6}».',
  '{0}: no boundary of {1} is stored at {2}, {3}.': '{0}: no hay ningún límite guardado de {1} en {2}, {3}.',
  'latitude {0}, longitude {1}': 'latitud {0}, longitud {1}',
  '{0}: {1} does not cross it.': '{0}: {1} no lo cruza.',
  '{0}: {1} and {2} cross it; say which is meant.': '{0}: lo cruzan {1} y {2}; diga cuál.',
  'cut at {0}': 'cortado en {0}',
  'is not a line that has such a side: north and south are of parallels, east and west of meridians':
    'no es una línea con ese lado: norte y sur son de los paralelos, este y oeste de los meridianos',
  'is not on the globe': 'no está en el globo',
  'is not a point: write its latitude, then its longitude, in degrees':
    'no es un punto: escriba su latitud y después su longitud, en grados',
  'is a box of coordinates, which is not an area of boundaries; write names, or a part of a place, as in "the part of Spain north of 40° N"':
    'es un rectángulo de coordenadas, que no es un área de límites; escriba nombres, o una parte de un lugar, como en «la parte de España al norte de 40° N»',
  'is a point, and areas are made of boundaries; write the level of the one that it is in, as in "the municipality at {0}"':
    'es un punto, y las áreas se componen de límites; escriba el nivel del que lo contiene, como en «el municipio en {0}»',
  '"{0}" is read as those of {1}, the only country with boundaries of that level':
    '«{0}» se lee como los de {1}, el único país con límites de ese nivel',
  '"{0}" is read as those of {1}': '«{0}» se lee como los de {1}',
  '{0} adds {1}, which is a part of {2} already.': '{0} añade {1}, que ya forma parte de {2}.',
  'left out: {0}': 'omitido: {0}',
  '{0} is made of {1}, and those that are stored cover less than a tenth of {2}.':
    '{0} se compone de {1}, y los que están almacenados cubren menos de una décima parte de {2}.',
  '{0} is read as {1}': '{0} se lee como {1}',
  '{0} leaves a place out of those that are ranked, or out of the result; write "not counting" for the first, and brackets around the rank for the other.':
    '{0} quita algo de lo que se ordena, o del resultado; escriba «sin contar» para lo primero, y ponga entre paréntesis lo ordenado para lo otro.',
  '{0} takes out {1}, which is left out already; to keep it, write "but with" in front of it.':
    '{0} quita {1}, que ya está excluido; para conservarlo, escriba «pero con» delante.',
  '{0} takes out {1}, which is not part of {2}; to add it, write it in front, or behind "plus".':
    '{0} excluye {1}, que no forma parte de {2}; para añadirlo, escríbalo delante, o detrás de «más».',
  '{0} is the place that contains the municipality of that name; for that, write "the municipality of {1}"':
    '{0} es el lugar que contiene el municipio de ese nombre; para este, escriba «el municipio de {1}»',
  '{0} is not found; did you mean {1}?': '{0} no se encuentra; ¿quería decir {1}?',
  '{0} is partly in it': '{0} está en parte dentro',
  '{0} is read as {1}, as what follows in the list': '{0} se lee como {1}, igual que lo que sigue en la lista',
  '{0} is read as {1}, where all of the list are': '{0} se lee como {1}, donde están todos los de la lista',
  '{0} is read as {1}, where the largest city of that name is':
    '{0} se lee como {1}, donde está la mayor ciudad de ese nombre',
  '{0} is read as {1}, which is one letter away': '{0} se lee como {1}, que difiere en una letra',
  '{0} is read as {1}; also so called: {2}': '{0} se lee como {1}; también se llaman así: {2}',
  '{0} is too large for a distance around it: the limit is {1} km from its middle. Ask for boundaries within the distance.':
    '{0} es demasiado grande para una distancia a su alrededor: el máximo son {1} km desde su centro. Pida los límites dentro de la distancia.',
  '{0} leaves nothing.': '{0} no deja nada.',
  '{0} needs a single boundary, which is divided at its centroid.':
    '{0} necesita un solo límite, que se divide por su centroide.',
  '{0} needs the {1} of each, which is unknown for {2} of {3}: {4}.':
    '{0} necesita {1} de cada uno, que se desconoce para {2} de {3}: {4}.',
  '{0} repeats its parts too often. Describe it with fewer steps.':
    '{0} repite sus partes demasiadas veces. Descríbalo con menos pasos.',
  '{0} selects whole boundaries, but {1} is cut.': '{0} elige límites enteros, pero {1} está cortado.',
  '{0} takes out {1} ({2}), which is not part of {3}.': '{0} quita {1} ({2}), que no es parte de {3}.',
  '{0} whose centroid lies {1}, that of {2}': '{0} cuyo centroide está {1}, el de {2}',
  '{0}, the next below {1}': '{0}, lo siguiente por debajo de {1}',
  '{0}: coasts need all countries to be stored; {1} are not ({2}).':
    '{0}: para las costas tienen que estar guardados todos los países; faltan {1} ({2}).',
  '{0}: excluded, but not part of {1}': '{0}: excluido, pero no es parte de {1}',
  '{0}: nothing of it lies {1}.': '{0}: nada queda {1}.',
  '{0}: read as {1}; also codes of {2}': '{0}: se lee como {1}; también son códigos de {2}',
  '{0}: whether {1} touch the sea is not known from the stored data.':
    '{0}: los datos guardados no dicen si {1} dan al mar.',
  '{0}: whether {1} touches the sea is not known from the stored data.':
    '{0}: los datos guardados no dicen si {1} da al mar.',
  '{0}: within 2 km, but without a common line on land, so not counted':
    '{0}: a menos de 2 km, pero sin línea común en tierra, así que no cuentan',
  '{0}: within 2 km, from another source, so they share no line':
    '{0}: a menos de 2 km, de otra fuente, así que no comparten línea',
  '{0}: {1} and {2} are equal.': '{0}: {1} y {2} son iguales.',
  '{0}: {1} has no stored subdivisions.': '{0}: {1} no tiene subdivisiones guardadas.',
  '{0}° east': '{0}° este',
  '{0}° north': '{0}° norte',
  '{0}° south': '{0}° sur',
  '{0}° west': '{0}° oeste',
  'may be "{0}" in "{1}" or both of them; write "{2} in {3}" or "{4} and {5}"':
    'puede ser «{0}» en «{1}» o los dos; escriba «{2} en {3}» o «{4} y {5}»',
  '"{0}" is read as what contains the places before it, not as one more of them':
    '«{0}» se lee como lo que contiene los lugares anteriores, no como uno más',
  '{0} is one of them: it is at no distance from itself':
    '{0} está entre ellos: no está a ninguna distancia de sí mismo',
  '{0} is a part of {1}, which is in the list, too': '{0} es parte de {1}, que también está en la lista',
  '"{0}" is read as one place in another, not as two places':
    '«{0}» se lee como un lugar dentro de otro, no como dos lugares',
  '"{0}" is read as {1}': '"{0}" se lee como {1}',
  '"{0}" is read as a place of that name in each': '"{0}" se lee como un lugar de ese nombre en cada una',
  'the boroughs of {0} are the {1} counties of the city': 'los distritos de {0} son los {1} condados de la ciudad',
  'north of {0}': 'al norte de {0}',
  'the north of {0}': 'el norte de {0}',
  'south of {0}': 'al sur de {0}',
  'the south of {0}': 'el sur de {0}',
  'east of {0}': 'al este de {0}',
  'the east of {0}': 'el este de {0}',
  'west of {0}': 'al oeste de {0}',
  'the west of {0}': 'el oeste de {0}',
  'northeast of {0}': 'al noreste de {0}',
  'the northeast of {0}': 'el noreste de {0}',
  'northwest of {0}': 'al noroeste de {0}',
  'the northwest of {0}': 'el noroeste de {0}',
  'southeast of {0}': 'al sureste de {0}',
  'the southeast of {0}': 'el sureste de {0}',
  'southwest of {0}': 'al suroeste de {0}',
  'the southwest of {0}': 'el suroeste de {0}',
  country: 'país',
  state: 'estado',
  community: 'comunidad autónoma',
  region: 'región',
  province: 'provincia',
  county: 'condado',
  department: 'departamento',
  canton: 'cantón',
  district: 'distrito',
  municipality: 'municipio',
  borough: 'barrio',
  'is not understood there': 'no se entiende ahí',
  '{0} is left out: it is not a state': '{0} queda fuera: no es un estado',
  '{0} is read as the country; for a place of that name, write "{1} in {2}"':
    '{0} se lee como el país; para un lugar de ese nombre, escriba «{1} en {2}»',
  'Seas and parts of a coast are not stored, only boundaries; for those by the sea, write a level, as in "coastal counties of Texas".':
    'Los mares y las partes de una costa no están guardados, solo los límites; para los que dan al mar, escriba un nivel, como en «condados costeros de Texas».',
  '{0} is read as {1}; other places of that name are not stored':
    '{0} se lee como {1}; otros lugares de ese nombre no están guardados',
  '{0} may mean a place that is not stored, or {1}.': '{0} puede ser un lugar que no está guardado, o {1}.',
  'populations are those of {0}': 'las poblaciones son las de {0}',
  '{0} and {1} are nearly equal in {2}': '{0} y {1} son casi iguales en {2}',
  "The model's plan has no step for the words: {0}.": 'El plan del modelo no tiene paso para las palabras: {0}.',
};
