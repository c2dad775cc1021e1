import type { Texts } from './en.ts';
import { account } from './fr/account.ts';
import { figures } from './fr/figures.ts';
import { map } from './fr/map.ts';
import { problems } from './fr/problems.ts';
import { select } from './fr/select.ts';
import { sets } from './fr/sets.ts';
import { shell } from './fr/shell.ts';

/** A text that is missing does not compile. */
export const texts: Texts = { ...shell, ...map, ...select, ...figures, ...sets, ...account, ...problems };
