import type { Overlap, Repaired } from './coverage/read.ts';
import type { EditionSummary } from './editions.ts';
import type { StoreSummary } from './store/summary.ts';

/** What an import did. */
export interface ImportSummary extends StoreSummary, Partial<Omit<EditionSummary, keyof StoreSummary>> {
  readonly file: string;
  /** Objects of the file that turned out not to be boundaries, with the reason. */
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
  /** Messages about parts of a coverage that were left out or look wrong. */
  readonly notices: readonly string[];
  /** How many shapes of a coverage had to be cleaned. */
  readonly repairs: number;
  /** What was cleaned, largest change first; empty for seed data. */
  readonly repaired: readonly Repaired[];
  /** Overlaps between boundaries of one level in a coverage, where both keep the area; largest first. */
  readonly overlaps: readonly Overlap[];
  readonly seconds: number;
  /** Peak resident memory of this process during the import, in bytes. */
  readonly peakRss: number;
}

/** Called with what an import does. */
export type Progress = (message: string) => void;

/** An import that runs: its file, and what is measured of it. */
export interface RunningImport {
  readonly file: string;
  /** Milliseconds of performance.now(). */
  readonly started: number;
  readonly memory: Memory;
}

/** Peak resident memory of this process since the watch began, in bytes. */
export interface Memory {
  peak(): number;
  end(): void;
}

/** Interval between samples of resident memory, in milliseconds. */
const MEMORY_EVERY = 200;

/** Watches the memory of this process until end(). */
export function watchMemory(): Memory {
  // maxRSS is the peak since the process began, in kilobytes on Linux and macOS alike (Node converts).
  const before = process.resourceUsage().maxRSS * 1024;
  let seen = process.memoryUsage.rss();
  const look = () => {
    seen = Math.max(seen, process.memoryUsage.rss());
  };
  const timer = setInterval(look, MEMORY_EVERY).unref();
  return {
    peak() {
      look();
      const now = process.resourceUsage().maxRSS * 1024;
      return now > before ? now : seen;
    },
    end: () => clearInterval(timer),
  };
}

/** Shows how much of a file is read, at most five times a second. */
export function reading(progress: Progress) {
  let shown = 0;
  return (done: number, total: number, phase: string) => {
    const now = Date.now();
    if (now - shown < 200 && done < total) return;
    shown = now;
    progress(`${phase} ${total > 0 ? Math.floor((100 * done) / total) : 100} %`);
  };
}

/** The summary of an import that ends now. */
export function finish(
  { file, started, memory }: RunningImport,
  summary: StoreSummary,
  about: Partial<Pick<ImportSummary, 'skipped' | 'notices' | 'repaired' | 'overlaps' | 'repairs'>>,
): ImportSummary {
  return {
    ...summary,
    ...{ file, skipped: [], notices: [], repaired: [], overlaps: [], repairs: 0, ...about },
    seconds: Math.round((performance.now() - started) / 10) / 100,
    peakRss: memory.peak(),
  };
}
