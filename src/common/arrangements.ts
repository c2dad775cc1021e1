/** The number of the arrangement of the boundaries as they are at present; docs/architecture.md ("Arrangements"). */
export const PRESENT = 0;
