import { foldName } from '../../names/fold.ts';

// Words of messages around a description, in all languages, folded: "We're a roofing company and we work in".

const wordsOf = (...lists: readonly string[]): ReadonlySet<string> =>
  new Set(lists.flatMap((text) => text.split(' ').map(foldName)));

/** Who or what is spoken of in front of an area. */
export const SUBJECTS = wordsOf(
  'we i our it this they us company business you me',
  'nosotros yo nuestra nuestro trabajamos entregamos repartimos cubrimos operamos servimos vendemos queremos quiero necesito necesitamos enviamos',
  'wir ich unser unsere unseren es liefern ihr sie',
  'nous on je notre nos vous me',
);
/** The last word in front of the area. */
export const ENDS = wordsOf(
  'with in to for across throughout be is are cover covers serve serves covering serving need want includes',
  'con en a por es son cubre cubrimos necesito necesitamos quiero queremos sea',
  'mit in nach für ist sind sei brauchen beliefern bedienen',
  'avec dans en à au aux sur est couvre couvrons livrons partout',
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
  'so basically ok okay well right anyway pues bueno entonces also nun gut alors donc hi hello hey hola hallo salut bonjour',
);
/** Words that choose or are vague, so that nothing that has one is left out. */
export const VAGUE = wordsOf(
  'near nearby around close next beyond along between outside except only without but most mostly some part parts half north south east west northern southern eastern western don doesn didn won can aren isn cannot t never from if unless',
  'cerca alrededor junto entre fuera salvo excepto solo sin pero mayor parte mitad norte sur este oeste nunca tampoco si',
  'nahe bei um neben zwischen außerhalb außer nur ohne aber meist teil hälfte nord süd ost west nie wenn falls',
  'près autour proche entre hors sauf seulement sans mais plupart partie moitié nord sud est ouest ne jamais si',
);
/** In front of what an area is for, behind it. */
export const PURPOSES = wordsOf('for as', 'para', 'für als', 'pour comme');
/** In front of a place, behind the words that are left out. */
export const ANCHORS = wordsOf(
  'all the whole entire both every',
  'todo toda todos todas la el las los',
  'ganz alle das die der den ganze',
  'tout toute tous toutes la le les l',
);
