import { type Language, wordingIn } from '../common/languages.ts';
import type { Context } from '../core/op.ts';
import { acceptedLanguages } from '../domain/names/languages.ts';

/**
 * The language of mails that a call asks for: the one that its caller chose on the dashboard, else the first of
 * Accept-Language in which people are addressed, else English.
 */
export const readerLanguage = ({ headers, chosenLanguage }: Pick<Context, 'headers' | 'chosenLanguage'>): Language =>
  wordingIn([...(chosenLanguage == null ? [] : [chosenLanguage]), ...acceptedLanguages(headers['accept-language'])]);
