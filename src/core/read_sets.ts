/** Area sets that a call reads: those that its caller may read at this moment, and no others. */
export interface ReadSets {
  /** Whether official boundaries are read as well. */
  readonly official: boolean;
  /** The numbers of the versions in force on a date, `2015-01-01`, in ascending order. */
  versionsOn(date: string): readonly number[];
}
