/** Texts of the comparison of a file with official borders, in all languages. */
import type { Text } from '../en.ts';

export const en = {
  'compare.title': 'Compare with official borders',
  'compare.whatItDoes': 'The file is sent to be compared. Nothing of it is stored.',
  'compare.signIn': 'to compare these areas with official borders.',
  'compare.level': 'Level of the official borders',
  'compare.allLevels': 'all levels',
  'compare.compare': 'Compare',
  'compare.comparing': 'Comparing…',
  'compare.area': 'Area of the file',
  'compare.boundary': 'Official boundary',
  'compare.common': 'In common',
  'compare.ofArea': 'Share of the area',
  'compare.ofBoundary': 'Share of the boundary',
  'compare.nothing': 'overlaps none',
  'compare.found': { one: '{n} overlap found.', other: '{n} overlaps found.' },
} as const satisfies Readonly<Record<string, Text>>;

type Table = Readonly<Record<keyof typeof en, Text>>;

export const es: Table = {
  'compare.title': 'Comparar con límites oficiales',
  'compare.whatItDoes': 'El archivo se envía para compararlo. No se guarda nada de él.',
  'compare.signIn': 'para comparar estas áreas con límites oficiales.',
  'compare.level': 'Nivel de los límites oficiales',
  'compare.allLevels': 'todos los niveles',
  'compare.compare': 'Comparar',
  'compare.comparing': 'Comparando…',
  'compare.area': 'Área del archivo',
  'compare.boundary': 'Límite oficial',
  'compare.common': 'En común',
  'compare.ofArea': 'Parte del área',
  'compare.ofBoundary': 'Parte del límite',
  'compare.nothing': 'no solapa ninguno',
  'compare.found': { one: '{n} solapamiento encontrado.', other: '{n} solapamientos encontrados.' },
};

export const de: Table = {
  'compare.title': 'Mit amtlichen Grenzen vergleichen',
  'compare.whatItDoes': 'Die Datei wird zum Vergleich gesendet. Nichts von ihr wird gespeichert.',
  'compare.signIn': 'um diese Gebiete mit amtlichen Grenzen zu vergleichen.',
  'compare.level': 'Ebene der amtlichen Grenzen',
  'compare.allLevels': 'alle Ebenen',
  'compare.compare': 'Vergleichen',
  'compare.comparing': 'Wird verglichen…',
  'compare.area': 'Gebiet der Datei',
  'compare.boundary': 'Amtliche Grenze',
  'compare.common': 'Gemeinsam',
  'compare.ofArea': 'Anteil am Gebiet',
  'compare.ofBoundary': 'Anteil an der Grenze',
  'compare.nothing': 'überlappt keine',
  'compare.found': { one: '{n} Überlappung gefunden.', other: '{n} Überlappungen gefunden.' },
};

export const fr: Table = {
  'compare.title': 'Comparer aux limites officielles',
  'compare.whatItDoes': 'Le fichier est envoyé pour être comparé. Rien n’en est enregistré.',
  'compare.signIn': 'pour comparer ces zones aux limites officielles.',
  'compare.level': 'Niveau des limites officielles',
  'compare.allLevels': 'tous les niveaux',
  'compare.compare': 'Comparer',
  'compare.comparing': 'Comparaison…',
  'compare.area': 'Zone du fichier',
  'compare.boundary': 'Limite officielle',
  'compare.common': 'En commun',
  'compare.ofArea': 'Part de la zone',
  'compare.ofBoundary': 'Part de la limite',
  'compare.nothing': 'n’en chevauche aucune',
  'compare.found': { one: '{n} chevauchement trouvé.', other: '{n} chevauchements trouvés.' },
};
