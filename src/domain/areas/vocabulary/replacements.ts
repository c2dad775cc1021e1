import { phrasesOf } from '../words_of.ts';

// How people take a place back, in the four languages, as folded phrases.

/** By language: in front of a place that is not meant, words behind that which say more, and in front of the one that is. */
export const NOT_BUT = [
  {
    not: phrasesOf('not, definitely not, certainly not'),
    only: phrasesOf('only, just, merely'),
    but: phrasesOf('but, but rather, but instead'),
    also: phrasesOf('also'),
  },
  {
    not: phrasesOf('no'),
    only: phrasesOf('solo, solamente, únicamente'),
    but: phrasesOf('sino'),
    also: phrasesOf('también, que'),
  },
  { not: phrasesOf('nicht'), only: phrasesOf('nur, allein, bloß'), but: phrasesOf('sondern'), also: phrasesOf('auch') },
  {
    not: phrasesOf('non pas, pas, non'),
    only: phrasesOf('seulement, uniquement'),
    but: phrasesOf('mais, mais plutôt'),
    also: phrasesOf('aussi, également'),
  },
] as const;

/** Between the place that is meant and the one that is not. */
export const INSTEAD = phrasesOf(
  'instead of, rather than, in place of, as opposed to, in lieu of',
  'en vez de, en lugar de, en lugar del, en vez del',
  'anstatt, statt, anstelle von, an Stelle von',
  'au lieu de, au lieu du, à la place de, à la place du, plutôt que',
);

/** Behind a sign: what was said before is taken back. */
export const MARKS = phrasesOf(
  'my bad, my mistake, no wait, wait no, oh wait, wait, hold on, ah no, oh no, i mean, i meant, correction, my correction, scratch that, strike that, make that, or rather, sorry, oops, actually, or better, better, sorry i meant, sorry i mean',
  'digo, ah no, ay no, uy no, quiero decir, quería decir, perdón, perdona, mejor dicho, o mejor, mejor, corrijo, corrección, rectifico',
  'ach nein, ah nein, oh nein, ich meine, ich meinte, korrektur, besser gesagt, quatsch, moment, vielmehr, doch lieber, lieber, pardon, entschuldigung',
  'je veux dire, je voulais dire, euh non, ah non, oh non, enfin, enfin non, ou plutôt, plutôt, non pardon',
);
/** The same only between two signs. */
export const SHORT_MARKS = phrasesOf('no, nein, non');
/** Words behind such a mark that nothing else is meant. */
export const ONLY = phrasesOf('only, just', 'solo, solamente, únicamente', 'nur', 'seulement, uniquement, juste');
/** Words behind such a mark that leave something out. */
export const LEAVING_OUT = phrasesOf(
  'not, no, without, except, sin, salvo, excepto, ohne, außer, nicht, sans, sauf, pas, non, excluding, minus, menos, moins',
);

/** In front of a place that is taken back, and behind it, in front of the other one. */
export const TAKEN_BACK = [
  {
    before: phrasesOf('scratch, forget, strike, skip, drop, ignore, disregard'),
    between: phrasesOf(
      'use, take, make it, go with, it should be, i need, we need, i want, we want, i only want, i only need, i just want, i just need, we only want, we only need, we just need, only need, just need, it is only, it s only, give me, and use, and take, just use',
    ),
  },
  {
    before: phrasesOf('i said, we said, i wrote, i asked for'),
    between: phrasesOf('but i need, but i meant, but i mean, but i want, but we need, but it should be, but it is'),
  },
  { before: phrasesOf('not, neither'), between: phrasesOf('just, only') },
  { before: phrasesOf('ni'), between: phrasesOf('solo, solamente, sino') },
  { before: phrasesOf('weder'), between: phrasesOf('nur, sondern, sondern nur') },
  { before: phrasesOf('ni'), between: phrasesOf('seulement, uniquement, mais, mais seulement') },
  {
    before: phrasesOf('olvida, olvidad, olvide, tacha, borra'),
    between: phrasesOf(
      'usa, pon, ponga, mejor, y usa, y pon, quiero, solo quiero, solo necesito, quiero solo, necesito solo, solo queremos, necesito',
    ),
  },
  {
    before: phrasesOf('vergiss, vergesst, streiche'),
    between: phrasesOf(
      'nimm, nehmt, nehmen sie, und nimm, ich brauche, ich brauche nur, ich will nur, ich möchte nur, wir brauchen nur, wir wollen nur',
    ),
  },
  {
    before: phrasesOf('oublie, oubliez'),
    between: phrasesOf(
      'prends, prenez, mets, mettez, et prends, je veux, je veux seulement, je veux juste, il me faut seulement, il me faut juste, nous voulons seulement',
    ),
  },
] as const;

/** "replace Utah with Nevada in": the verb, and the words between the two places. */
export const REPLACE = [
  {
    verb: phrasesOf('replace, swap, substitute, exchange, change, please replace, please change'),
    by: phrasesOf('with, by, for, to'),
  },
  { verb: phrasesOf('cambia, cambie, sustituye, sustituya, reemplaza, reemplace'), by: phrasesOf('por') },
  { verb: phrasesOf('ersetze, ersetzen sie, tausche'), by: phrasesOf('durch, gegen') },
  { verb: phrasesOf('remplace, remplacez'), by: phrasesOf('par') },
] as const;
/** In front of the list in which a place is replaced. */
export const IN_LIST = phrasesOf('in, in the list, in this list, en, en la lista, in der liste, dans, dans la liste');
