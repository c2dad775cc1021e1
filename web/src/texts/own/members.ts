/** Texts for adding members to territories, in all languages. */
import type { Text } from '../en.ts';

export const en = {
  title: 'Add members',
  search: 'Find a boundary to add to {name}',
  clicks: 'Add by clicks on the map',
  level: 'A click adds a boundary of level',
  isNew: '{member} is new in {name}.',
  areNew: { one: '{n} boundary is new in {name}.', other: '{n} boundaries are new in {name}.' },
  overlaps: '{member} overlaps {other}, which is in {name}. It was not added.',
  overlapsMember: '{member} overlaps {other}, and cannot be added.',
  leftOut: { one: '{n} overlaps members and was not added.', other: '{n} overlap members and were not added.' },
  areMembers: 'Everything there is in the set already.',
  tooMany: 'A set is edited here up to {most} members; these would be {n}.',
  noShape: 'Boundaries without a polygon, or under another id, cannot be added: {members}.',
  new: 'new',
  list: 'New members',
  remove: 'Do not add {member}',
  removed: '{member} is not added.',
  unsaved: { one: '{n} new member not saved.', other: '{n} new members not saved.' },
  save: { one: 'Save {n} change', other: 'Save {n} changes' },
} as const satisfies Readonly<Record<string, Text>>;

type Table = Readonly<Record<keyof typeof en, Text>>;

export const es: Table = {
  title: 'Añadir miembros',
  search: 'Buscar un límite para añadirlo a {name}',
  clicks: 'Añadir con clics en el mapa',
  level: 'Un clic añade un límite del nivel',
  isNew: '{member} es nuevo en {name}.',
  areNew: { one: '{n} límite es nuevo en {name}.', other: '{n} límites son nuevos en {name}.' },
  overlaps: '{member} se solapa con {other}, que está en {name}. No se ha añadido.',
  overlapsMember: '{member} se solapa con {other} y no se puede añadir.',
  leftOut: {
    one: '{n} se solapa con miembros y no se ha añadido.',
    other: '{n} se solapan con miembros y no se han añadido.',
  },
  areMembers: 'Todo lo que hay ahí ya está en el conjunto.',
  tooMany: 'Aquí se edita un conjunto de hasta {most} miembros; con estos serían {n}.',
  noShape: 'No se pueden añadir límites sin polígono o con otro id: {members}.',
  new: 'nuevo',
  list: 'Miembros nuevos',
  remove: 'No añadir {member}',
  removed: '{member} no se añade.',
  unsaved: { one: '{n} miembro nuevo sin guardar.', other: '{n} miembros nuevos sin guardar.' },
  save: { one: 'Guardar {n} cambio', other: 'Guardar {n} cambios' },
};

export const de: Table = {
  title: 'Mitglieder hinzufügen',
  search: 'Grenze suchen, die zu {name} kommt',
  clicks: 'Durch Klicks auf die Karte hinzufügen',
  level: 'Ein Klick nimmt eine Grenze der Ebene',
  isNew: '{member} ist neu in {name}.',
  areNew: { one: '{n} Grenze ist neu in {name}.', other: '{n} Grenzen sind neu in {name}.' },
  overlaps: '{member} überschneidet sich mit {other} in {name} und wurde nicht hinzugefügt.',
  overlapsMember: '{member} überschneidet sich mit {other} und kann nicht hinzugefügt werden.',
  leftOut: {
    one: '{n} überschneidet sich mit Mitgliedern und wurde nicht hinzugefügt.',
    other: '{n} überschneiden sich mit Mitgliedern und wurden nicht hinzugefügt.',
  },
  areMembers: 'Alles dort ist schon im Satz.',
  tooMany: 'Hier werden Sätze mit bis zu {most} Mitgliedern bearbeitet; es wären {n}.',
  noShape: 'Grenzen ohne Polygon oder unter einer anderen Id können nicht hinzugefügt werden: {members}.',
  new: 'neu',
  list: 'Neue Mitglieder',
  remove: '{member} nicht hinzufügen',
  removed: '{member} wird nicht hinzugefügt.',
  unsaved: { one: '{n} neues Mitglied nicht gespeichert.', other: '{n} neue Mitglieder nicht gespeichert.' },
  save: { one: '{n} Änderung speichern', other: '{n} Änderungen speichern' },
};

export const fr: Table = {
  title: 'Ajouter des membres',
  search: 'Chercher une limite à ajouter à {name}',
  clicks: 'Ajouter par des clics sur la carte',
  level: 'Un clic ajoute une limite du niveau',
  isNew: '{member} est nouveau dans {name}.',
  areNew: { one: '{n} limite est nouvelle dans {name}.', other: '{n} limites sont nouvelles dans {name}.' },
  overlaps: '{member} chevauche {other}, qui est dans {name}. Rien n’a été ajouté.',
  overlapsMember: '{member} chevauche {other} et ne peut pas être ajouté.',
  leftOut: {
    one: '{n} chevauche des membres et n’a pas été ajoutée.',
    other: '{n} chevauchent des membres et n’ont pas été ajoutées.',
  },
  areMembers: 'Tout ce qui s’y trouve est déjà dans le jeu.',
  tooMany: 'On modifie ici un jeu de {most} membres au plus ; il y en aurait {n}.',
  noShape: 'Les limites sans polygone ou sous un autre id ne peuvent pas être ajoutées : {members}.',
  new: 'nouveau',
  list: 'Nouveaux membres',
  remove: 'Ne pas ajouter {member}',
  removed: '{member} n’est pas ajouté.',
  unsaved: { one: '{n} nouveau membre non enregistré.', other: '{n} nouveaux membres non enregistrés.' },
  save: { one: 'Enregistrer {n} modification', other: 'Enregistrer {n} modifications' },
};
