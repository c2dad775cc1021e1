import type { Role } from '../../core/roles.ts';

/** An account, with the organization that its owner currently acts in. */
export interface Profile {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly org: {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly plan: string;
    readonly role: Role;
  };
}
