import { foldName } from '../../names/fold.ts';

// Words of messages around a description, in all languages, folded: "We're a roofing company and we work in".

const wordsOf = (...lists: readonly string[]): ReadonlySet<string> =>
  new Set(lists.flatMap((text) => text.split(' ').map(foldName)));

/** Who or what is spoken of in front of an area. */
export const SUBJECTS = wordsOf(
  'work sell deliver operate ship trabajo entrego reparto cubro opero vendo liefere arbeite verkaufe travaille livre vends',
  'we i our it this they us company business you me',
  'nosotros yo nuestra nuestro trabajamos entregamos repartimos cubrimos operamos servimos vendemos queremos quiero necesito necesitamos enviamos',
  'wir ich unser unsere unseren es liefern ihr sie',
  'nous on je notre nos vous me',
  'please starting effective urgent mine my she he her his',
  'porfa urgente mi es soy somos',
  'bitte dringend ab mein meine',
  'merci urgent dès mon ma mes c',
);
/** Nouns and participles in front of "in" or "is" and an area: "stores in", "the alert covers", "registered in". */
export const USES = wordsOf(
  'store stores shop shops branch branches office offices outlet outlets client clients customer customers warehouse warehouses site sites facility facilities permit permits license licenses licence licences licensed registered operating active available present based territory territories coverage zone area alert warning ban restriction restrictions quarantine route trip tour campaign contract policy rep reps agent agents region clinic team',
  'tienda tiendas sucursal sucursales oficina oficinas cliente clientes delegación delegaciones permiso permisos licencia registrados registrada territorio cobertura zona alerta aviso ruta gira campaña contrato póliza',
  'filiale filialen laden läden büro büros kunden standort standorte niederlassung niederlassungen zugelassen registriert gebiet warnung sperre tour kampagne vertrag',
  'magasin magasins agence agences bureau bureaux client clients permis licence licences agréés enregistrés territoire zone alerte campagne contrat',
);
/** Headings of a letter in front of its subject, in front of its text, and in front of who signs it. */
export const LETTER_HEADINGS = {
  subject: wordsOf('subject re ref asunto betreff betrifft objet sujet'),
  body: wordsOf('body text message mensaje cuerpo texto nachricht corps'),
  signed: wordsOf('signed firmado firma gezeichnet signé signature'),
};
/** Words with a capital that name no place at the start of a sentence, and days and months. */
export const NO_NAMES = wordsOf(
  'as per can my che on in at is any our do if so for to and or of by no new set add we i us it they their',
  'en de para por mi es son se con a al y o',
  'in im für mit am an wir ich es bei per ab zu und oder',
  'en de dans pour par il on nous je et ou sur au',
);
export const DATES = wordsOf(
  'monday tuesday wednesday thursday friday saturday sunday january february april june july august september october november december',
  'lunes martes miércoles jueves viernes sábado domingo enero febrero abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember',
  'lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août octobre novembre décembre',
);
/** The last word in front of the area. */
export const ENDS = wordsOf(
  'with in to for across throughout through via be is are cover covers serve serves covering serving need want includes service services visit visits handle handles supply supplies insure insures affects affecting',
  'con en a por para es son cubre cubrimos necesito necesitamos quiero queremos sea afecta visitamos atendemos',
  'mit in nach für durch ist sind sei brauchen brauche beliefern bedienen besuchen versorgen umfasst betrifft',
  'avec dans en à au aux sur par pour est couvre couvrons livrons partout faut desservons visitons concerne touche',
);
/** Verbs behind which a purpose may stand in front of the area: "wir brauchen für unsere Spedition". */
export const VERBS = wordsOf(
  'need want cover',
  'necesitamos necesito queremos',
  'brauchen brauche benötigen',
  'voulons cherchons',
);
/** Words in front of an area that say nothing. */
export const FILLERS = wordsOf(
  'so basically ok okay well right anyway pues bueno entonces also nun gut alors donc che oye bon hi hello hey hola hallo salut bonjour',
);
/** Words that choose or are vague, so that nothing that has one is left out. */
export const VAGUE = wordsOf(
  'free near nearby around close next beyond along between outside except only without but most mostly some part parts half north south east west northern southern eastern western don doesn didn won can aren isn cannot t never from if unless lost lose stop stopped left leave closed closing former formerly previously cancelled canceled competitor competitors avoid skip expired lapsed ended revoked moved dropped exempt quit ended used anymore longer rest remaining complement opposite instead rather river rivers lake lakes mountain mountains park parks',
  'cerca alrededor junto entre fuera salvo excepto solo sin pero mayor parte mitad norte sur este oeste nunca tampoco si perdimos dejamos dejado cerrado cerrada cerradas antes antiguo antigua cancelado cancelada competencia competidor evitar evita ya resto río ríos lago lagos montañas parque parques',
  'nahe bei um neben zwischen außerhalb außer nur ohne aber meist teil hälfte nord süd ost west nie wenn falls verloren verlassen geschlossen früher ehemals ehemalige storniert konkurrenz meiden mehr rest statt fluss flüsse see seen berg berge park parks',
  'près autour proche entre hors sauf seulement sans mais plupart partie moitié nord sud est ouest ne jamais si perdu quitté fermé fermée anciennement ancien ancienne annulé annulée concurrent concurrents éviter évitez plus reste rivière rivières lac lacs montagnes parc parcs',
);
/** Prepositions in front of a place, alone at the start of a description. */
export const PLACED = wordsOf('in for of to throughout across en a de para por im für nach von aus dans à vers pour');
/** In front of what an area is for, behind it. */
export const PURPOSES = wordsOf('for as', 'para', 'für als', 'pour comme');
/** In front of a place, behind the words that are left out. */
export const ANCHORS = wordsOf(
  'all the whole entire both every',
  'todo toda todos todas la el las los',
  'ganz alle das die der den ganze',
  'tout toute tous toutes la le les l',
);
