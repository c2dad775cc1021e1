import { ENGLISH } from './english.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { SPANISH } from './spanish.ts';
import type { Vocabulary } from './vocabulary.ts';

/** All vocabularies, in the order in which they are tried. */
export const VOCABULARIES: readonly Vocabulary[] = [ENGLISH, SPANISH, GERMAN, FRENCH];
