import { type Context, contextWith } from '../../core/op.ts';
import { type Language, wordingIn } from '../../domain/areas/wording/said.ts';
import { acceptedLanguages } from '../../domain/names/languages.ts';

/** The language of the sentences of a call: the first of Accept-Language that has them, else English. */
export const languageOf = ({ headers }: Pick<Context, 'headers'>): Language =>
  wordingIn(acceptedLanguages(headers['accept-language']));

/** A call whose sentences are in other languages than those of Accept-Language, if any are given, best first. */
export const inLanguages = (ctx: Context, lang: string | undefined): Context =>
  lang === undefined ? ctx : contextWith(ctx, { headers: { ...ctx.headers, 'accept-language': lang } });
