import { account } from './de/account.ts';
import { figures } from './de/figures.ts';
import { map } from './de/map.ts';
import { problems } from './de/problems.ts';
import { select } from './de/select.ts';
import { sets } from './de/sets.ts';
import { shell } from './de/shell.ts';
import type { Texts } from './en.ts';

/** A text that is missing does not compile. */
export const texts: Texts = { ...shell, ...map, ...select, ...figures, ...sets, ...account, ...problems };
