import type { Texts } from './en.ts';
import { account } from './es/account.ts';
import { figures } from './es/figures.ts';
import { map } from './es/map.ts';
import { problems } from './es/problems.ts';
import { select } from './es/select.ts';
import { sets } from './es/sets.ts';
import { shell } from './es/shell.ts';

/** A text that is missing does not compile. */
export const texts: Texts = { ...shell, ...map, ...select, ...figures, ...sets, ...account, ...problems };
