import { around, list } from './phrases.ts';
import type { Around, Language, Phrase } from './vocabulary.ts';

// Words that leave out of a set what is in a place or a group, in the four languages: "die nicht in der EU sind".

interface OutsideWords {
  /** Around the place or the group. */
  readonly forms: readonly Around[];
  /** Between two of them. */
  readonly or: readonly Phrase[];
  /** In front of a group and a level: "non-EU countries". */
  readonly non: readonly Phrase[];
}

export const OUTSIDE: Readonly<Record<Language, OutsideWords>> = {
  en: {
    forms: around(
      'outside, outside of, not in, not part of, not members of, not a member of, not belonging to, that are not in, that are not part of, that are not members of, that are not a member of, that are not, that are outside, that are outside of, that aren t in, that aren t part of, that aren t members of, that aren t, that lie outside, that lie outside of, that do not belong to, that don t belong to, which are not in, which are not part of, which are not members of, which are not, which are outside, which are outside of, which aren t in, which aren t members of, which aren t, which lie outside, which do not belong to, which don t belong to, non members of, that are in neither, that are neither in, which are in neither, in neither, that belong to neither, that are neither, which are neither, neither',
    ),
    or: list('or, nor, nor in'),
    non: list('non, not'),
  },
  es: {
    forms: around(
      'fuera de, de fuera de, situados fuera de, situadas fuera de, que están fuera de, que no están en, que no estén en, que no son de, que no sean de, que no son miembros de, que no sean miembros de, que no pertenecen a, que no pertenezcan a, que no forman parte de, que no formen parte de, no pertenecientes a, no miembros de, ajenos a, que no son, que no sean, que no están ni en, que no son ni de, que no pertenecen ni a',
    ),
    or: list('o, ni, ni en, ni de, ni a'),
    non: list('no'),
  },
  de: {
    forms: around(
      'außerhalb, außerhalb von, die außerhalb _ liegen|sind, die außerhalb von _ liegen|sind, die nicht in _ liegen|sind, die nicht im _ liegen|sind, die nicht zu _ gehören|zählen, die nicht zur _ gehören|zählen, die nicht zum _ gehören|zählen, die nicht Mitglied in _ sind, die nicht Mitglied von _ sind, die nicht Mitglied _ sind, die nicht Mitglieder _ sind, die kein Mitglied _ sind, die keine Mitglieder _ sind, die keine _ sind, die nicht Teil von _ sind, die nicht Teil _ sind, die nicht _ angehören, die weder in _ liegen|sind, die weder zu _ gehören, die weder zur _ gehören',
    ),
    or: list('oder, noch, und, oder in, oder zu, noch in, noch zu, noch zur, noch zum'),
    non: list('nicht, non'),
  },
  fr: {
    forms: around(
      "hors de, hors du, hors d, hors, en dehors de, en dehors du, en dehors d, situés hors de, situées hors de, situés en dehors de, situées en dehors de, qui ne sont pas en, qui ne sont pas dans, qui ne sont pas situés en, qui ne sont pas situées en, qui ne se trouvent pas en, qui ne se trouvent pas dans, qui ne sont pas membres de, qui ne sont pas membres du, qui ne font pas partie de, qui ne font pas partie du, qui n'appartiennent pas à, qui n'appartiennent pas au, qui ne sont pas, qui ne sont ni en, qui ne sont ni dans, n'appartenant pas à, ne faisant pas partie de, non membres de, non membres du, non situées en, non situés en",
    ),
    or: list('ou, ni, ni en, ni de, ni à, ni dans'),
    non: list('non'),
  },
};
