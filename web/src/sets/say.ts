import { textsOf } from '../language.ts';
import { de, en, es, fr } from '../texts/own/members.ts';

/** A text for adding members, in the language of the page. */
export const say = textsOf({ en, es, de, fr });
