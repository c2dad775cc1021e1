/** What one call costs, without a clock: means over the calls of a kind, none of which was asked before. */
export interface CallWork {
  /** Blocks of our own code that the main thread executes (functions, branches, bodies of loops). */
  readonly blocks: number;
  readonly statements: number;
  /** Tasks of the geometry pool, in a thread of its own or in the caller's. */
  readonly tasks: number;
  /** Bytes of the answer's body before a content coding. */
  readonly bytes: number;
}

/** A kind of call beside its recorded work. */
export interface GuardRow extends CallWork {
  readonly call: string;
  readonly recorded: CallWork | null;
  /** The counts that grew by more than TOLERANCE. */
  readonly grown: readonly (keyof CallWork)[];
}

export const COUNTS = ['blocks', 'statements', 'tasks', 'bytes'] as const;

/** How much a count may grow: calls of one kind differ by their inputs, and timers of the service run meanwhile. */
const TOLERANCE = 0.15;
/** Counts below this are noise. */
const LEAST: CallWork = { blocks: 150, statements: 0.3, tasks: 0.5, bytes: 200 };

/** The counts of `work` that are larger than in `known` by more than TOLERANCE. */
export function grownOf(work: CallWork, known: CallWork): (keyof CallWork)[] {
  return COUNTS.filter((count) => work[count] - known[count] > Math.max(LEAST[count], TOLERANCE * known[count]));
}

/** The rows as a text table; a count that grew has its recorded value beside it. */
export function guardTable(rows: readonly GuardRow[]): string {
  const cell = (row: GuardRow, count: keyof CallWork): string =>
    row.grown.includes(count) ? `${row[count]} (${row.recorded?.[count] ?? 'not recorded'})` : String(row[count]);
  const lines = [
    ['work of a call with new input', ...COUNTS],
    ...rows.map((row) => [row.call, ...COUNTS.map((count) => cell(row, count))]),
  ];
  const widths = lines[0]?.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0))) ?? [];
  const padded = lines.map((line) =>
    line.map((text, i) => (i === 0 ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0))).join('  '),
  );
  return `${padded.join('\n')}\n`;
}
