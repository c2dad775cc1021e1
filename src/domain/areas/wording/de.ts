/** The sentences about an area in German, by their English text (said.ts). */
export const SENTENCES: Readonly<Record<string, string>> = {
  ' (and {0} more)': ' (und {0} weitere)',
  ' (without {0})': ' (ohne {0})',
  ' and ': ' und ',
  '; or ': '; oder ',
  '; or of ': '; oder von ',
  '"{0}"': '„{0}“',
  '"{0}" (character {1}) {2}.': '„{0}“ (Zeichen {1}) {2}.',
  '"boroughs" is read as all counties of Alaska, its boroughs and its census areas':
    '„boroughs“ wird als alle Countys von Alaska gelesen, seine Boroughs und seine Zensusgebiete',
  '"of" and a place are expected': 'erwartet werden „von“ und ein Ort',
  '"{0}" is a river, and no rivers are stored. For the place of that name, write "{1}" without an article.':
    '„{0}“ ist ein Fluss, und Flüsse sind nicht gespeichert. Für den Ort dieses Namens schreiben Sie „{1}“ ohne Artikel.',
  '"{0}" is not understood. {1}': '„{0}“ wird nicht verstanden. {1}',
  '"{0}" is read as "{1}"': '„{0}“ wird als „{1}“ gelesen',
  '"{0}" is read as one list; "and" does not begin another area there':
    '„{0}“ wird als eine Liste gelesen; „und“ beginnt dort kein weiteres Gebiet',
  '"{0}" is read as the state or country, not as the river': '„{0}“ wird als Staat oder Land gelesen, nicht als Fluss',
  '"{0}" is read as those of the country of "{1}"': '„{0}“ wird als die des Landes von „{1}“ gelesen',
  '"{0}, {1}" reads as one place in another, but no {2} in {3} is stored; for both, write "{4} and {5}".':
    '„{0}, {1}“ liest sich als ein Ort in einem anderen, aber in {3} ist kein {2} gespeichert; für beide schreiben Sie „{4} und {5}“.',
  'Descriptions are understood in English, Spanish, German and French; names in any language.':
    'Beschreibungen werden auf Englisch, Spanisch, Deutsch und Französisch verstanden; Namen in jeder Sprache.',
  'Something is missing at the end of "{0}": {1}.': 'Am Ende von „{0}“ fehlt etwas: {1}.',
  'Step {0} ({1})': 'Schritt {0} ({1})',
  'The capital that {0} asks for is not known, or its boundary is not stored. Name it.':
    'Die Hauptstadt, nach der {0} fragt, ist nicht bekannt, oder ihre Grenze ist nicht gespeichert. Nennen Sie ihren Namen.',
  'The codes {0} are not read as places of one kind: {1}. Write the names.':
    'Die Codes {0} werden nicht als Orte einer Art gelesen: {1}. Schreiben Sie die Namen.',
  'The described area is empty.': 'Das beschriebene Gebiet ist leer.',
  'The description has more than {0} words.': 'Die Beschreibung hat mehr als {0} Wörter.',
  'The description is too long or nested too deep. Split it.':
    'Die Beschreibung ist zu lang oder zu tief verschachtelt. Teilen Sie sie.',
  'The description names no place.': 'Die Beschreibung nennt keinen Ort.',
  'The plan compares too many boundaries at {0}. Split it.':
    'Der Plan vergleicht bei {0} zu viele Grenzen. Teilen Sie ihn.',
  'The result has {0} km2, less than one of its parts.': 'Das Ergebnis hat {0} km2, weniger als einer seiner Teile.',
  'The result has {0} km2, more than its parts ({1}).': 'Das Ergebnis hat {0} km2, mehr als seine Teile ({1}).',
  'The {0} of an area that is widened is not known: it is of more than its boundaries.':
    '{0} eines erweiterten Gebiets ist nicht bekannt: es umfasst mehr als seine Grenzen.',
  'Try: {0}{1}': 'Versuchen Sie: {0}{1}',
  'Understood: {0}.': 'Verstanden: {0}.',
  'a city of that name is in it': 'eine Stadt dieses Namens liegt darin',
  'a closing bracket is expected': 'eine schließende Klammer wird erwartet',
  'a coast is a border of a country with no land beyond it; lakes and seas that land encloses do not count':
    'eine Küste ist eine Grenze eines Landes, hinter der kein Land liegt; Seen und von Land umschlossene Meere zählen nicht',
  'a number is expected': 'eine Zahl wird erwartet',
  'a place is expected': 'ein Ort wird erwartet',
  'a place of each name of the list is in it': 'ein Ort jedes Namens der Liste liegt darin',
  'letters of a name are expected': 'Buchstaben eines Namens werden erwartet',
  area: 'die Fläche',
  population: 'die Einwohnerzahl',
  land: 'Die Landfläche',
  water: 'Die Wasserfläche',
  'boundaries of admin level {0}': 'Grenzen der Verwaltungsebene {0}',
  'boundaries that meet it only in single points are not counted; lakes count only where polygons meet':
    'Grenzen, die es nur in Punkten berühren, zählen nicht; Seen zählen nur, wo sich Polygone berühren',
  'can be read as two numbers; write it without separators':
    'kann als zwei Zahlen gelesen werden; schreiben Sie es ohne Trennzeichen',
  'can be read in two ways: write "without" for the place itself, or "that do not border" for what borders it':
    'ist auf zwei Arten lesbar: Schreiben Sie „ohne“ für den Ort selbst oder „die nicht an … grenzen“ für das, was an ihn grenzt',
  '"{0}" is read as without the place itself, not as without what borders it':
    '„{0}“ wird als ohne den Ort selbst gelesen, nicht als ohne das, was an ihn grenzt',
  '"{0}" does not border itself: it stays where it is one of them':
    '„{0}“ grenzt nicht an sich selbst: Es bleibt, wenn es dazugehört',
  'asks for an equal size, which no two places have; write "at least" or "at most" in front':
    'fragt nach gleicher Größe, die keine zwei Orte haben; schreiben Sie „mindestens“ oder „höchstens“ davor',
  '{0} compares with several boundaries; name one.': '{0} vergleicht mit mehreren Grenzen; nennen Sie eine.',
  '"{0}" is left out: "{1}" stands in its place': '„{0}“ ist weggelassen: an seiner Stelle steht „{1}“',
  'words of several languages are read together': 'Wörter mehrerer Sprachen sind zusammen gelesen',
  'can be read in two ways together with what follows it; put brackets around what belongs together':
    'kann mit dem, was folgt, auf zwei Arten gelesen werden; setzen Sie Klammern um das, was zusammengehört',
  'can be read in two ways together with what stands before it; put brackets around what belongs together':
    'kann mit dem, was davor steht, auf zwei Arten gelesen werden; setzen Sie Klammern um das, was zusammengehört',
  'is behind "or", so that one of them may be meant; write "and" for all':
    'steht hinter „oder“, also kann einer davon gemeint sein; schreiben Sie „und“ für alle',
  'can mean of each or of all together; put brackets around what belongs together':
    'kann von jedem einzeln oder von allen zusammen heißen; setzen Sie Klammern um das, was zusammengehört',
  'can mean several of the places before it': 'kann mehrere der Orte davor meinen',
  'does not say how many': 'sagt nicht, wie viele',
  'does not say of which country or region; write "of" and its name behind the level':
    'sagt nicht, von welchem Land oder welcher Region; schreiben Sie „von“ und den Namen hinter die Ebene',
  'does not say what it is a part of: write "the part of … {0}" with the place that contains it, or "{1}" for a part of that place':
    'sagt nicht, wovon es ein Teil ist: schreiben Sie „der Teil von … {0}“ mit dem Ort, der es enthält, oder „{1}“ für einen Teil dieses Ortes',
  'is a level of {0} alone; name that of the place': 'ist eine Ebene, die es nur in {0} gibt; nennen Sie die des Ortes',
  'is nested too deep': 'ist zu tief verschachtelt',
  'is not a distance of up to 1000 km': 'ist keine Entfernung bis 1000 km',
  'is not a place in brackets': 'ist kein Ort in Klammern',
  'is not a valid number of boundaries (a whole number from 1 to 5000)':
    'ist keine gültige Anzahl von Grenzen (eine ganze Zahl von 1 bis 5000)',
  'is not understood': 'wird nicht verstanden',
  'is not understood behind a choice; put brackets around what it belongs to':
    'wird hinter einer Auswahl nicht verstanden; setzen Sie Klammern um das, wozu es gehört',
  'is one place, and "both" asks for two': 'ist ein Ort, und „beide“ fragt nach zweien',
  'it belongs to the area that is described': 'es gehört zum beschriebenen Gebiet',
  'it is the most important of its name': 'es ist das wichtigste seines Namens',
  'it is the nearest to near': 'es liegt near am nächsten',
  'its name is one letter away': 'sein Name weicht um einen Buchstaben ab',
  'needs "by area" or "by population"': 'braucht „nach Fläche“ oder „nach Einwohnern“',
  'others have it only as another name': 'andere haben ihn nur als zweiten Namen',
  'its name is made of that of the place in it': 'sein Name ist aus dem des Ortes darin gebildet',
  'the words around it decide among the places of this code':
    'die Wörter daneben entscheiden zwischen den Orten dieses Codes',
  'the codes of a list are read as places of one kind': 'die Codes einer Liste werden als Orte einer Art gelesen',
  'the largest city of the name is in it': 'die größte Stadt des Namens liegt darin',
  'the others of the list are in its country': 'die anderen der Liste liegen in seinem Land',
  'cut along {0} through the {1} of {2}': 'geschnitten entlang {0} durch {1} von {2}',
  'cut at the middle of the bounding box, along a parallel or a meridian':
    'in der Mitte des umschließenden Rechtecks geschnitten, entlang eines Breiten- oder Längenkreises',
  'the parallel': 'des Breitenkreises',
  'the meridian': 'des Längenkreises',
  'the parallel and the meridian': 'des Breiten- und des Längenkreises',
  'northern end': 'das nördliche Ende',
  'southern end': 'das südliche Ende',
  'eastern end': 'das östliche Ende',
  'western end': 'das westliche Ende',
  'northern and eastern ends': 'das nördliche und das östliche Ende',
  'northern and western ends': 'das nördliche und das westliche Ende',
  'southern and eastern ends': 'das südliche und das östliche Ende',
  'southern and western ends': 'das südliche und das westliche Ende',
  'every point within the distance, to 0.1 %': 'jeder Punkt innerhalb der Entfernung, auf 0,1 % genau',
  'read as {0} of these names': 'gelesen als {0} dieser Namen',
  'the level "{0}"': 'Ebene „{0}“',
  'that place': 'diesem Ort',
  'the city of {0}': 'die Stadt {0}',
  'those without the District of Columbia': 'die ohne den District of Columbia',
  'those without the independent cities': 'die ohne die kreisfreien Städte',
  '{0} (character {1})': '{0} (Zeichen {1})',
  '{0} and others': '{0} und andere',
  '{0} and {1} more': '{0} und {1} weitere',
  '{0} are read as {1}': '{0} wird gelesen als {1}',
  '{0} asks for a distance to a cut area; name whole boundaries.':
    '{0} fragt nach einer Entfernung zu einem geschnittenen Gebiet; nennen Sie ganze Grenzen.',
  '{0} asks for boundaries within a distance; say "{1} within … km of …".':
    '{0} fragt nach Grenzen innerhalb einer Entfernung; schreiben Sie „{1} im Umkreis von … km um …“.',
  '{0} asks for the level "{1}" in {2}, where there are none.':
    '{0} fragt nach der Ebene „{1}“ in {2}, wo es keine gibt.',
  '{0} asks for the {1} that contains {2}': '{0} fragt nach der Ebene „{1}“, die {2} enthält',
  '{0}: none contains it.': '{0}: keine enthält es.',
  '{0}: {1} contain it.': '{0}: {1} enthalten es.',
  '{0} asks for what lies beyond a cut area; name whole boundaries.':
    '{0} fragt nach dem, was jenseits eines geschnittenen Gebiets liegt; nennen Sie ganze Grenzen.',
  '{0} asks for {1} in {2} and in what contains it; name that behind each of them.':
    '{0} fragt nach {1} in {2} und in dem, was es enthält; nennen Sie das hinter jedem davon.',
  '{0} asks for {1} in {2}, where there are none.': '{0} fragt nach {1} in {2}, wo es keine gibt.',
  '{0} asks for {1} in {2}, which is itself one.': '{0} fragt nach {1} in {2}, das selbst dazu gehört.',
  '{0} asks for {1} of {2}.': '{0} fragt nach {1} von {2}.',
  '{0} asks for {1}, but there are {2}.': '{0} fragt nach {1}, es gibt aber {2}.',
  '{0} asks what borders a cut area; name whole boundaries.':
    '{0} fragt, was an ein geschnittenes Gebiet grenzt; nennen Sie ganze Grenzen.',
  '{0} boundaries': '{0} Grenzen',
  '{0} can mean several places: {1}. Say which, as in "Paris, Texas", or give country or near.':
    '{0} kann mehrere Orte meinen: {1}. Sagen Sie, welchen, wie in „Paris, Texas“, oder geben Sie country oder near an.',
  '{0} cities in no county are counted among the counties':
    '{0} Städte, die in keinem County liegen, zählen zu den Countys',
  '{0} is a city in no county, and is counted among the counties':
    '{0} ist eine Stadt, die in keinem County liegt, und zählt zu den Countys',
  '{0} is a city that is in no county': '{0} ist eine Stadt, die in keinem County liegt',
  '{0} is counted among the states': '{0} zählt zu den Bundesstaaten',
  '{0} compares too many boundaries. Describe fewer.': '{0} vergleicht zu viele Grenzen. Beschreiben Sie weniger.',
  '{0} crosses the antimeridian at {1}, which distances cannot do.':
    '{0} überquert bei {1} den 180. Längengrad, was Entfernungen nicht können.',
  '{0} does not say of which level; write it in front.': '{0} sagt nicht, von welcher Ebene; schreiben Sie sie davor.',
  '{0} does not say which level of neighbors.': '{0} sagt nicht, welche Ebene von Nachbarn.',
  '{0} has more than {1} boundaries. Describe fewer.': '{0} hat mehr als {1} Grenzen. Beschreiben Sie weniger.',
  '{0} has no centroid.': '{0} hat keinen Schwerpunkt.',
  '{0} has no extent.': '{0} hat keine Ausdehnung.',
  '{0} has no letters to compare names with.': '{0} hat keine Buchstaben, mit denen Namen verglichen werden.',
  '{0} has no polygon in the stored data.': '{0} hat kein Polygon in den gespeicherten Daten.',
  '{0} has {1} boundaries; at most {2} can be merged. Describe fewer.':
    '{0} hat {1} Grenzen; höchstens {2} können vereinigt werden. Beschreiben Sie weniger.',
  '{0} in {1}': '{0} in {1}',
  '{0} is cut at {1}, the middle of its main part; parts apart from it do not move it':
    '{0} wird bei {1} geschnitten, der Mitte des Hauptteils; Teile abseits davon verschieben sie nicht',
  '{0} is empty: no boundary fits it.': '{0} ist leer: keine Grenze passt dazu.',
  '{0} is empty: the two have no area in common.': '{0} ist leer: die beiden haben keine gemeinsame Fläche.',
  'by its name in the language of the description: {0}': 'nach dem Namen in der Sprache der Beschreibung: {0}',
  'left out by its name in the language of the description: {0}':
    'weggelassen nach dem Namen in der Sprache der Beschreibung: {0}',
  '{0} is left out: it is a condominium': '{0} wird weggelassen: es ist ein Kondominium',
  '{0} is left out: it is a territory, not a country': '{0} wird weggelassen: es ist ein Territorium, kein Land',
  '{0} is none': '{0} ist keiner',
  '{0} is not a known group.': '{0} ist keine bekannte Gruppe.',
  '{0} is not completely stored here: {1} are missing. Import them, or name places that are stored.':
    '{0} ist hier nicht vollständig gespeichert: es fehlen {1}. Importieren Sie sie, oder nennen Sie gespeicherte Orte.',
  '{0} is not found.': '{0} wird nicht gefunden.',
  '{0}: no {1} called "{2}" contains it; did you mean {3}?':
    '{0}: Kein Ort der Ebene „{1}“ mit dem Namen „{2}“ enthält es; meinten Sie {3}?',
  'counted are {0} with a common line on land; below countries, those of the same country':
    'gezählt wird {0} mit gemeinsamer Linie an Land; unterhalb von Ländern im selben Land',
  'no member of {0} is part of {1}': 'kein Mitglied von {0} ist Teil von {1}',
  '{0} is in {1}, or with the longitude first in {2}; write "lat {3} lon {4}" or "lat {5} lon {6}".':
    '{0} liegt in {1} oder, mit der Länge zuerst, in {2}; schreiben Sie „lat {3} lon {4}“ oder „lat {5} lon {6}“.',
  '{0}: no boundary of {1} is stored at {2}, {3}.': '{0}: Bei {2}, {3} ist keine Grenze von {1} gespeichert.',
  'latitude {0}, longitude {1}': 'Breite {0}, Länge {1}',
  '{0}: {1} does not cross it.': '{0}: {1} schneidet es nicht.',
  '{0}: {1} and {2} cross it; say which is meant.': '{0}: {1} und {2} schneiden es; sagen Sie, was gemeint ist.',
  'cut at {0}': 'geschnitten bei {0}',
  'is not a line that has such a side: north and south are of parallels, east and west of meridians':
    'ist keine Linie mit dieser Seite: Norden und Süden haben Breitenkreise, Osten und Westen Meridiane',
  'is not on the globe': 'liegt nicht auf der Erde',
  'is not a point: write its latitude, then its longitude, in degrees':
    'ist kein Punkt: schreiben Sie die Breite und dann die Länge, in Grad',
  'is a box of coordinates, which is not an area of boundaries; write names, or a part of a place, as in "the part of Spain north of 40° N"':
    'ist ein Rechteck aus Koordinaten und kein Gebiet aus Grenzen; schreiben Sie Namen oder einen Teil eines Ortes, wie „der Teil von Spanien nördlich von 40° N“',
  'is a point, and areas are made of boundaries; write the level of the one that it is in, as in "the municipality at {0}"':
    'ist ein Punkt, und Gebiete bestehen aus Grenzen; schreiben Sie die Ebene derjenigen, in der er liegt, wie „die Gemeinde bei {0}“',
  '"{0}" is read as those of {1}, the only country with boundaries of that level':
    '„{0}“ wird als die von {1} gelesen, dem einzigen Land mit Grenzen dieser Ebene',
  '"{0}" is read as those of {1}': '„{0}“ wird als die von {1} gelesen',
  '{0} adds {1}, which is a part of {2} already.': '{0} fügt {1} hinzu, das schon Teil von {2} ist.',
  'left out: {0}': 'weggelassen: {0}',
  '{0} is made of {1}, and those that are stored cover less than a tenth of {2}.':
    '{0} besteht aus {1}, und die gespeicherten decken weniger als ein Zehntel von {2} ab.',
  '{0} is read as {1}': '{0} wird als {1} gelesen',
  '{0} leaves a place out of those that are ranked, or out of the result; write "not counting" for the first, and brackets around the rank for the other.':
    '{0} lässt etwas aus denen weg, die geordnet werden, oder aus dem Ergebnis; schreiben Sie „abgesehen von“ für das Erste, und Klammern um die Rangfolge für das Andere.',
  '{0} takes out {1}, which is left out already; to keep it, write "but with" in front of it.':
    '{0} nimmt {1} heraus, das schon weggelassen ist; schreiben Sie „aber mit“ davor, um es zu behalten.',
  '{0} takes out {1}, which is not part of {2}; to add it, write it in front, or behind "plus".':
    '{0} nimmt {1} heraus, das kein Teil von {2} ist; um es hinzuzufügen, schreiben Sie es davor oder hinter „plus“.',
  '{0} is the place that contains the municipality of that name; for that, write "the municipality of {1}"':
    '{0} ist der Ort um die Gemeinde dieses Namens; für diese schreiben Sie „die Gemeinde {1}“',
  '{0} is not found; did you mean {1}?': '{0} wird nicht gefunden; meinten Sie {1}?',
  '{0} is partly in it': '{0} liegt zum Teil darin',
  '{0} is read as {1}, as what follows in the list': '{0} wird als {1} gelesen, wie das, was in der Liste folgt',
  '{0} is read as {1}, where all of the list are': '{0} wird als {1} gelesen, wo alle der Liste liegen',
  '{0} is read as {1}, where the largest city of that name is':
    '{0} wird als {1} gelesen, wo die größte Stadt dieses Namens liegt',
  '{0} is read as {1}, which is one letter away': '{0} wird als {1} gelesen, das um einen Buchstaben abweicht',
  '{0} is read as {1}; also so called: {2}': '{0} wird als {1} gelesen; auch so heißen: {2}',
  '{0} is too large for a distance around it: the limit is {1} km from its middle. Ask for boundaries within the distance.':
    '{0} ist zu groß für eine Entfernung darum: die Grenze liegt bei {1} km von der Mitte. Fragen Sie nach Grenzen innerhalb der Entfernung.',
  '{0} leaves nothing.': '{0} lässt nichts übrig.',
  '{0} needs a single boundary, which is divided at its centroid.':
    '{0} braucht eine einzige Grenze, die an ihrem Schwerpunkt geteilt wird.',
  '{0} needs the {1} of each, which is unknown for {2} of {3}: {4}.':
    '{0} braucht {1} von jedem, bei {2} von {3} ist sie unbekannt: {4}.',
  '{0} repeats its parts too often. Describe it with fewer steps.':
    '{0} wiederholt seine Teile zu oft. Beschreiben Sie es mit weniger Schritten.',
  '{0} selects whole boundaries, but {1} is cut.': '{0} wählt ganze Grenzen, aber {1} ist geschnitten.',
  '{0} takes out {1} ({2}), which is not part of {3}.': '{0} nimmt {1} ({2}) heraus, das kein Teil von {3} ist.',
  '{0} whose centroid lies {1}, that of {2}': '{0}, deren Schwerpunkt {1} liegt, dem von {2}',
  '{0}, the next below {1}': '{0}, die nächsten unter {1}',
  '{0}: coasts need all countries to be stored; {1} are not ({2}).':
    '{0}: für Küsten müssen alle Länder gespeichert sein; {1} fehlen ({2}).',
  '{0}: excluded, but not part of {1}': '{0}: ausgeschlossen, aber kein Teil von {1}',
  '{0}: nothing of it lies {1}.': '{0}: nichts davon liegt {1}.',
  '{0}: read as {1}; also codes of {2}': '{0}: gelesen als {1}; auch Codes von {2}',
  '{0}: whether {1} touch the sea is not known from the stored data.':
    '{0}: ob {1} am Meer liegen, ist aus den gespeicherten Daten nicht bekannt.',
  '{0}: whether {1} touches the sea is not known from the stored data.':
    '{0}: ob {1} am Meer liegt, ist aus den gespeicherten Daten nicht bekannt.',
  '{0}: within 2 km, but without a common line on land, so not counted':
    '{0}: innerhalb von 2 km, aber ohne gemeinsame Linie an Land, daher nicht gezählt',
  '{0}: within 2 km, from another source, so they share no line':
    '{0}: innerhalb von 2 km, aus einer anderen Quelle, daher ohne gemeinsame Linie',
  '{0}: {1} and {2} are equal.': '{0}: {1} und {2} sind gleich.',
  '{0}: {1} has no stored subdivisions.': '{0}: {1} hat keine gespeicherten Unterteilungen.',
  '{0}° east': '{0}° östlicher Länge',
  '{0}° north': '{0}° nördlicher Breite',
  '{0}° south': '{0}° südlicher Breite',
  '{0}° west': '{0}° westlicher Länge',
  'may be "{0}" in "{1}" or both of them; write "{2} in {3}" or "{4} and {5}"':
    'kann „{0}“ in „{1}“ oder beides sein; schreiben Sie „{2} in {3}“ oder „{4} und {5}“',
  '"{0}" is read as what contains the places before it, not as one more of them':
    '„{0}“ wird als das gelesen, worin die Orte davor liegen, nicht als ein weiterer',
  '{0} is one of them: it is at no distance from itself': '{0} ist dabei: der Abstand zu sich selbst ist null',
  '{0} is a part of {1}, which is in the list, too': '{0} ist ein Teil von {1}, das auch auf der Liste steht',
  '"{0}" is read as one place in another, not as two places':
    '„{0}“ wird als ein Ort in einem anderen gelesen, nicht als zwei Orte',
  '"{0}" is read as {1}': '"{0}" wird als {1} gelesen',
  '"{0}" is read as a place of that name in each': '"{0}" wird als je ein Ort dieses Namens gelesen',
  'the boroughs of {0} are the {1} counties of the city': 'die Boroughs von {0} sind die {1} Countys der Stadt',
  'north of {0}': 'nördlich von {0}',
  'the north of {0}': 'der Norden von {0}',
  'south of {0}': 'südlich von {0}',
  'the south of {0}': 'der Süden von {0}',
  'east of {0}': 'östlich von {0}',
  'the east of {0}': 'der Osten von {0}',
  'west of {0}': 'westlich von {0}',
  'the west of {0}': 'der Westen von {0}',
  'northeast of {0}': 'nordöstlich von {0}',
  'the northeast of {0}': 'der Nordosten von {0}',
  'northwest of {0}': 'nordwestlich von {0}',
  'the northwest of {0}': 'der Nordwesten von {0}',
  'southeast of {0}': 'südöstlich von {0}',
  'the southeast of {0}': 'der Südosten von {0}',
  'southwest of {0}': 'südwestlich von {0}',
  'the southwest of {0}': 'der Südwesten von {0}',
  country: 'Land',
  state: 'Bundesstaat',
  community: 'autonome Gemeinschaft',
  region: 'Region',
  province: 'Provinz',
  county: 'County',
  department: 'Département',
  canton: 'Kanton',
  district: 'Bezirk',
  municipality: 'Gemeinde',
  borough: 'Stadtbezirk',
  'is not understood there': 'wird dort nicht verstanden',
  '{0} is left out: it is not a state': '{0} bleibt außen vor, weil es kein Bundesstaat ist',
  '{0} is read as the country; for a place of that name, write "{1} in {2}"':
    '{0} wird als das Land gelesen; für einen Ort dieses Namens schreiben Sie „{1} in {2}“',
  'Seas and parts of a coast are not stored, only boundaries; for those by the sea, write a level, as in "coastal counties of Texas".':
    'Meere und Teile einer Küste sind nicht gespeichert, nur Grenzen; für die am Meer schreiben Sie eine Ebene, wie in „Küstenbezirke von Texas“.',
  '{0} is read as {1}; other places of that name are not stored':
    '{0} wird als {1} gelesen; andere Orte dieses Namens sind nicht gespeichert',
  '{0} may mean a place that is not stored, or {1}.': '{0} kann ein Ort sein, der nicht gespeichert ist, oder {1}.',
  'populations are those of {0}': 'die Einwohnerzahlen sind die von {0}',
  '{0} and {1} are nearly equal in {2}': '{0} und {1} sind fast gleich ({2})',
  "The model's plan has no step for the words: {0}.": 'Der Plan des Modells hat keinen Schritt für die Wörter: {0}.',
};
