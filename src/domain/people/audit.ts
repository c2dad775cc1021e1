import { isIP } from 'node:net';
import { withoutZone } from '../../common/address_ranges.ts';
import { only } from '../../common/elements.ts';
import type { Actor } from '../../core/access.ts';
import type { AuditAction } from '../../core/audit_actions.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { newId } from '../new_id.ts';

/** A change to record. */
export interface Change {
  readonly action: AuditAction;
  readonly target: { readonly type: string; readonly id: string | null; readonly name: string | null };
  /** Facts about the change; never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface AuditEntry {
  readonly id: string;
  readonly created_at: string;
  readonly action: string;
  readonly actor: { readonly type: Actor['type']; readonly id: string | null; readonly name: string };
  readonly target: { readonly type: string; readonly id: string | null; readonly name: string | null };
  readonly details: Readonly<Record<string, unknown>>;
  readonly request_id: string | null;
}

/** Records a change of an organization. `tx` is the transaction that makes the change: both are kept or neither. */
export async function putAudit(tx: Queryable, actor: Actor, org: string, change: Change): Promise<void> {
  const { action, target, details = {} } = change;
  await tx.query(loadQuery('audit_put'), [
    newId('aud'),
    org,
    action,
    actor.type,
    actor.id,
    actor.name,
    target.type,
    target.id,
    target.name,
    JSON.stringify(actor.person ? { ...details, person: actor.person } : details),
    actor.requestId,
    actor.address === null ? null : network(actor.address),
  ]);
}

/** A page of an organization's log, newest first, and how many entries match in all. */
export async function listAudit(
  db: Database,
  org: string,
  page: { limit: number; offset: number; action?: string },
): Promise<{ items: AuditEntry[]; total: number }> {
  const action = page.action ?? null;
  const rows = await db.query(loadQuery('audit_list'), [org, action, page.limit, page.offset]);
  const items = rows.map((row) => ({
    id: row.id,
    created_at: row.created_at.toISOString(),
    action: row.action,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    target: { type: row.target_type, id: row.target_id, name: row.target_name },
    details: row.details,
    request_id: row.request_id,
  }));
  if (rows.length > 0 || page.offset === 0) return { items, total: rows[0]?.total ?? 0 };
  const { total } = only(await db.query(loadQuery('audit_count'), [org, action]));
  return { items, total };
}

/** The /24 or /48 network of an IP address: it identifies a place, but not a person among their neighbors. */
function network(address: string): string | null {
  if (isIP(address) === 4) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  if (isIP(address) !== 6) return null;
  const [head] = withoutZone(address).split('::');
  const words = [...(head ? head.split(':') : []), '0', '0', '0'].slice(0, 3);
  return `${words.map((word) => Number.parseInt(word, 16).toString(16)).join(':')}::/48`;
}
