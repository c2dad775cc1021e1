import { only } from '../../common/elements.ts';
import { ProblemError, problem } from '../../core/errors.ts';
import { type CallTarget, jsonOf, parseAnswer, requireSuccess } from '../../transports/call.ts';
import { visible } from '../../transports/visible.ts';
import { canonicalId, resolveNames } from '../names.ts';
import type { ExportFlags } from '../options.ts';
import type { Terminal } from '../render/terminal.ts';
import { searchFilterOf } from './union.ts';

/** Maximum number of attempts for a boundary when the service asks to retry later. */
export const MAX_ATTEMPTS = 5;

/** The members that list_children and get_boundary return for a boundary. */
export interface Member {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly has_geometry: boolean;
  readonly bbox: {
    readonly west: number;
    readonly south: number;
    readonly east: number;
    readonly north: number;
  } | null;
}

/** The boundaries of the names, or the subdivisions that are asked for. */
export async function membersOf(
  target: CallTarget,
  names: readonly string[],
  flags: ExportFlags,
  terminal: Terminal,
): Promise<Member[]> {
  if ((flags.childrenOf === undefined) === (names.length === 0)) {
    throw problem('invalid_input', 'Give either names or --children-of.');
  }
  if (flags.childrenOf === undefined) {
    const members: Member[] = [];
    for (const { id } of await resolveNames(target, names, searchFilterOf(flags)))
      members.push(await lookUp(target, id));
    return distinct(members);
  }
  const { id } = only(await resolveNames(target, [flags.childrenOf], searchFilterOf(flags)));
  const which = {
    ...(flags.level === undefined ? {} : { admin_level: Number(flags.level) }),
    ...(flags.levels === undefined ? {} : { levels: flags.levels }),
  };
  const { members, ...about } = await subdivisions(target, id, which);
  const left = omissionsOf(about);
  if (left !== null) terminal.stderr(`${visible(`${id}: ${left}`, true)}\n`);
  if (members.length === 0)
    throw problem('not_found', `${id} has no subdivisions${flags.level ? ` at level ${flags.level}` : ''}.`);
  return distinct(members);
}

/** What list_children returns about the list as a whole. */
interface ListInfo {
  readonly total: number;
  readonly covers: number | null;
  readonly other_levels: readonly { readonly admin_level: number | null; readonly count: number }[];
}

/** Reads all subdivisions page by page. Starts again when the data changes between pages. */
export async function subdivisions(
  target: CallTarget,
  id: string,
  which: Readonly<Record<string, unknown>>,
): Promise<ListInfo & { readonly members: Member[] }> {
  for (let tries = 1; ; tries++) {
    const members: Member[] = [];
    try {
      for (let cursor: string | null = null; ; ) {
        const input: Record<string, unknown> = { id, ...which, ...(cursor === null ? {} : { cursor }) };
        const page = jsonOf(await target.call('list_children', input)) as Page;
        members.push(...page.items.map(memberOf));
        // Servers of earlier releases send everything in one page, without these members.
        const { total = members.length, next = null, covers = null, other_levels = [] } = page;
        if (members.length > total || (next !== null && page.items.length === 0))
          throw new Error('The server sent too many pages.');
        cursor = next;
        if (cursor === null) return { total, covers, other_levels, members };
      }
    } catch (error) {
      const isFirst = members.length === 0;
      if (isFirst || !(error instanceof ProblemError) || error.code !== 'invalid_input' || tries === MAX_ATTEMPTS)
        throw error;
    }
  }
}

interface Page extends Partial<ListInfo> {
  readonly items: readonly unknown[];
  readonly next?: string | null;
}

/** Describes what a list of subdivisions lacks; null if it is complete. */
function omissionsOf({ total, covers, other_levels: others }: ListInfo): string | null {
  const most = covers === null || covers > 0.9999 ? null : `${(100 * covers).toFixed(1)} % of it`;
  // A deeper level may cover the same area as the levels above it.
  if (others.length === 0 || (covers !== null && most === null)) return null;
  const levels = others.map(({ admin_level, count }) =>
    admin_level === null ? `${count} of no level` : `${count} of level ${admin_level}`,
  );
  const covered = most === null ? '' : ` cover ${most}`;
  return `the ${total} subdivisions listed${covered}; left out: ${levels.join(', ')} (--levels direct includes them)`;
}

/** Looks up a boundary by id with get_boundary at low detail, which is free. */
async function lookUp(target: CallTarget, id: string): Promise<Member> {
  const answer = await target.call('get_boundary', { id, detail: 'low' });
  requireSuccess(answer);
  const { properties, bbox } = parseAnswer(answer) as { properties?: object; bbox?: unknown[] };
  const [west, south, east, north] = bbox ?? [];
  return memberOf({ ...properties, bbox: { west, south, east, north } });
}

const distinct = (members: readonly Member[]): Member[] => [
  ...new Map(members.map((member) => [member.id, member])).values(),
];

/**
 * Validates a boundary in an answer.
 * @throws for an id that is not canonical, because it becomes part of a file name
 */
function memberOf(item: unknown): Member {
  const { id, name, version, has_geometry, bbox } = (item ?? {}) as { [K in keyof Member]?: unknown };
  const { west, south, east, north } = (bbox ?? {}) as Record<string, unknown>;
  const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
  const isBox = isNumber(west) && isNumber(south) && isNumber(east) && isNumber(north);
  return {
    id: canonicalId(id),
    name: typeof name === 'string' ? name : '',
    version: isNumber(version) ? version : 0,
    has_geometry: has_geometry === true,
    bbox: isBox ? { west, south, east, north } : null,
  };
}
