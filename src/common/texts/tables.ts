/** The texts that the server writes for people, by language. */
import type { Language } from '../languages.ts';
import { texts as de } from './de.ts';
import { texts as en, type Texts } from './en.ts';
import { texts as es } from './es.ts';
import { texts as fr } from './fr.ts';

export type { Key, Texts } from './en.ts';

export const TABLES: Readonly<Record<Language, Texts>> = { en, es, de, fr };
