import { holdWarnings } from '../../common/held_warnings.ts';

/**
 * oidc-provider. When it is loaded it warns about Node 20, which it works on (test/auth), before the server has said where
 * it listens: the warning is held back until then.
 */
const library = await holdWarnings(() => import('oidc-provider'));
export const { default: Provider, errors, interactionPolicy } = library;
