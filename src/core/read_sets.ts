/** Area sets that a call reads: those that its caller may read at this moment, and no others. */
export interface ReadSets {
  /** Whether official boundaries are read as well. */
  readonly official: boolean;
  /** Whether names and places find their areas; otherwise only their ids, and selections of a set, do. */
  readonly searched: boolean;
  /** Their ids, `set_…`. */
  readonly ids: readonly string[];
  /** Their names, as in ids of areas. */
  readonly names: readonly string[];
  /** Of the sets, when each was last changed and what is in force today: where it is the same, so is what they answer. */
  readonly state: string;
  /** The numbers of the versions in force on a date, `2015-01-01`, in ascending order. */
  versionsOn(date: string): readonly number[];
  /** How many areas these versions have. */
  areasOn(date: string): number;
}
