import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Role } from '../../src/core/roles.ts';
import type { Profile } from '../../src/domain/people/profile.ts';
import { ask } from './api.ts';

/** Who is signed in with this browser: a profile as get_account answers it. */
export interface Account extends Profile {
  readonly org: Profile['org'] & { readonly effective_role: Role };
  readonly operator: boolean;
}

/** The account, null without one, undefined while it is being asked for. */
export const Session = createContext<Account | null | undefined>(undefined);

/** The account of this browser; null without one, undefined while that is not known. */
export const useAccount = (): Account | null | undefined => useContext(Session);

/** Whether the server saw a session with the page. */
export const maySession = (): boolean => document.querySelector('meta[name=session]') !== null;

/** Asks who is signed in: null when no one is, or when it cannot be found out. */
export async function findAccount(): Promise<Account | null> {
  if (!maySession()) return null;
  return ask<Account>('/account').catch(() => null);
}
