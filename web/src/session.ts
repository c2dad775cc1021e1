import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Role } from '../../src/core/roles.ts';
import type { Profile } from '../../src/domain/people/profile.ts';
import { ask } from './api.ts';

/** The account signed in with this browser: a profile as get_account returns it. */
export interface Account extends Profile {
  readonly org: Profile['org'] & { readonly effective_role: Role };
  readonly operator: boolean;
}

/** The account; null when signed out, undefined while loading. */
export const Session = createContext<Account | null | undefined>(undefined);

/** The account of this browser; null when signed out, undefined while loading. */
export const useAccount = (): Account | null | undefined => useContext(Session);

/** Whether the server saw a session cookie when it served the page. */
export const maySession = (): boolean => document.querySelector('meta[name=session]') !== null;

/** Fetches the signed-in account; null when signed out or when the call fails. */
export async function findAccount(): Promise<Account | null> {
  if (!maySession()) return null;
  return ask<Account>('/account').catch(() => null);
}
