import type { Kind } from '../../common/kinds.ts';
import type { FileAccess, Visibility } from '../../core/access.ts';
import type { Role } from '../../core/roles.ts';
import type { Queryable } from '../../db/connect.ts';
import type { ActingMember } from '../people/members.ts';
import type { Share } from '../people/shares.ts';

/** Who reads sets: a person in an organization, with the role that their credential gives them. */
export interface SetReader {
  readonly account: string;
  readonly org: string;
  readonly role: Role;
}

/** A version of a set: the areas as they are from a date on. */
export interface SetVersion {
  readonly id: number;
  /** `2015-01-01`. */
  readonly valid_from: string;
  readonly made_from: string;
  readonly attribution: string;
  readonly areas: number;
  readonly vertices: number;
  readonly recorded_at: string;
}

/** A set as a reader sees it. */
export interface AreaSet {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly visibility: Visibility;
  /** Access of the reader. */
  readonly access: FileAccess;
  /** Null if their account was deleted. */
  readonly creator: { readonly id: string; readonly email: string; readonly name: string | null } | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** The oldest first. */
  readonly versions: readonly SetVersion[];
}

/** An area of a set without its polygon. */
export interface SetArea {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly population: number | null;
  readonly area_km2: number | null;
  readonly bbox: {
    readonly west: number;
    readonly south: number;
    readonly east: number;
    readonly north: number;
  } | null;
  readonly centroid: { readonly lat: number; readonly lon: number } | null;
  /** Why it has no polygon. */
  readonly broken: string | null;
  readonly properties: Readonly<Record<string, string>>;
}

/** What a version can be made from. */
export const MADE_FROM = ['file', 'saved_file', 'groups', 'features'] as const;
export type MadeFrom = (typeof MADE_FROM)[number];

/** A version to store. */
export interface NewVersion {
  readonly name: string;
  /** For a new set; a set that is there keeps its own. */
  readonly title: string | undefined;
  /** The same; another one for a set that is there is refused. */
  readonly visibility: Visibility | undefined;
  readonly validFrom: string;
  readonly madeFrom: MadeFrom;
  /** Undefined: that of the version before, of a new set its title. */
  readonly attribution: string | undefined;
  /** Whether it may take the place of the version of that date. */
  readonly replace: boolean;
  readonly areas: number;
  readonly vertices: number;
  /** What was found while it was made and its options; with the members of its areas, where it was made from groups. */
  readonly report: object;
  /** Gaps and overlaps, as a list of GeoJSON features, in JSON. */
  readonly seams: string;
  /** When the newest version that the caller knows was recorded; another one is then refused. Undefined: not asked. */
  readonly base: string | undefined;
  /**
   * The set of the name that requireRoom() found, null for none: another one by now is refused, so that of two who make a
   * set of one name at once only one does. Undefined: not asked.
   */
  readonly expected?: string | null;
  /**
   * The version of the date that requireRoom() found, null for none: another one by now is refused, so that nothing is
   * replaced that was stored while this was made. Undefined: not asked.
   */
  readonly replaces?: number | null;
}

/** What a version may have, and what is there before it is made. */
export interface Room {
  /** How many areas and vertices it may have; Infinity for any number. */
  readonly areas: number;
  readonly vertices: number;
  /** The set of the name; null for none. */
  readonly set: string | null;
  /** The version of its date, which it takes the place of; null for none. */
  readonly replaced: SetVersion | null;
}

/**
 * The area sets of organizations; owns their tables. Access is asked at each call: a set that the caller may not see is
 * not_found, an action that they may not take on one they see is unauthorized.
 */
export interface Sets {
  /** The sets that the reader sees, by name: all of them, or those of the names. */
  readable(by: SetReader, names?: readonly string[]): Promise<AreaSet[]>;
  /** @throws not_found */
  get(by: SetReader, name: string): Promise<AreaSet>;
  /** The shares of a set; null without admin access. @throws not_found */
  sharesOf(by: SetReader, name: string): Promise<Share[] | null>;
  /** A page of the areas of a version by code, after the code `after`. */
  areasOf(version: number, after: string, limit: number): Promise<SetArea[]>;
  /** What was left out, cleaned and found when a version was made. */
  reportOf(version: number): Promise<unknown>;
  /** The ids of the members of each area by its code; null for a version that was not made from groups. */
  membersOf(version: number): Promise<Readonly<Record<string, readonly string[]>> | null>;
  /** Gaps and overlaps of a version, a list of GeoJSON features as JSON; null where they were not looked for. */
  seamsOf(version: number): Promise<string | null>;
  /**
   * Checks before a version is made that the caller may make it and that the plan has room, as putVersion() does at its
   * end.
   * @throws as putVersion()
   */
  requireRoom(by: ActingMember, version: NewVersion): Promise<Room>;
  /**
   * Adds a version, and the set if there is none of the name, in the caller's transaction, which then copies the areas.
   * @throws unauthorized, invalid_input for a name or date that is taken, too_large for more than the plan allows
   */
  putVersion(tx: Queryable, by: ActingMember, version: NewVersion): Promise<number>;
  /** Changes the title (write access) or the visibility (admin access). */
  update(by: ActingMember, name: string, change: { title?: string; visibility?: Visibility }): Promise<AreaSet>;
  /** Deletes a set with its areas and shares; needs admin access. */
  remove(by: ActingMember, name: string): Promise<void>;
  /** As Files.share(). */
  share(
    by: ActingMember,
    name: string,
    to: { readonly team: string } | { readonly user: string },
    access: FileAccess,
  ): Promise<Share[]>;
  /** As Files.unshare(). */
  unshare(by: ActingMember, name: string, grant: string): Promise<void>;
}
