import { account } from './en/account.ts';
import { figures } from './en/figures.ts';
import { map } from './en/map.ts';
import { problems } from './en/problems.ts';
import { select } from './en/select.ts';
import { sets } from './en/sets.ts';
import { shell } from './en/shell.ts';

/** The texts of the pages in English. `{name}` stands for a value; a text with a number has a form for each plural. */
export const en = { ...shell, ...map, ...select, ...figures, ...sets, ...account, ...problems } as const;

export type Key = keyof typeof en;
/** A text, or one for each plural that the language has. */
export type Text = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;
export type Texts = Readonly<Record<Key, Text>>;
export const texts: Texts = en;
