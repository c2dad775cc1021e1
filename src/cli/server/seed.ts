import type { App } from '../../app/app.ts';
import type { ImportSummary } from '../../sources/import_summary.ts';
import { missingSeedSets, SEED_SETS, type SeedSet } from '../../sources/seed/all.ts';
import type { Starting } from '../../transports/http/starting.ts';
import { runCommand } from '../operator/index.ts';
import { summaryLine } from '../render/import_report.ts';
import { progressLine } from '../render/terminal.ts';

const TITLES: Readonly<Record<SeedSet, string>> = {
  countries: 'the world',
  'us-atlas': 'the United States',
  'es-atlas': 'Spain',
};

/** The requested seed data that the database lacks. */
export interface Seed {
  /** Loads the next set, if there is one. */
  loadNext(): Promise<void>;
  /** Loads all remaining sets. */
  loadRest(): Promise<void>;
  isLoading(): boolean;
}

/** Finds the missing seed data. Until all of it is loaded, probes and answers report what is being loaded. */
export async function missingSeed(app: App, starting: Starting, say: (text: string) => void): Promise<Seed> {
  const { config, db } = app.services;
  const wanted = config.SEED === 'all' ? SEED_SETS : SEED_SETS.filter((set) => set === config.SEED);
  const missing = await missingSeedSets(db, wanted);
  const total = missing.length;
  if (total > 0) say(`The database lacks seed data: loading ${missing.map((set) => TITLES[set]).join(', ')} …`);
  let done = 0;
  const tell = (): void => {
    const set = missing[done];
    const step = set === undefined ? null : { step: TITLES[set], done, total };
    app.setLoading(step);
    starting.setLoading(step);
  };
  tell();
  async function loadNext(): Promise<void> {
    const set = missing[done];
    if (set === undefined) return;
    const line = progressLine({ lines: true });
    const summaries = (await runCommand(app, 'seed', { sets: [set] }, line.show)) as ImportSummary[];
    line.end();
    done++;
    for (const summary of summaries) say(`${done} of ${total}: ${summaryLine(summary)}`);
    tell();
  }
  return {
    loadNext,
    async loadRest() {
      if (done === total) return;
      while (done < total) await loadNext();
      say('All seed data is loaded.');
      void app.readAhead();
    },
    isLoading: () => done < total,
  };
}
