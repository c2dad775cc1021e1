import { z } from 'zod';
import { preferSources, removeSource, storedSources } from '../../sources/stored.ts';
import { command, dataCommand } from './command.ts';
import { unreadable } from './import.ts';

const asProblem = (error: unknown): never => {
  throw unreadable(error);
};

export const sourceCommands = {
  sources_stored: command({
    input: z.strictObject({}),
    run: ({ services }) => storedSources(services.db),
  }),
  sources_prefer: command({
    input: z.strictObject({ sources: z.array(z.string().min(1).max(40)).max(1000) }),
    run: ({ services }, { sources }) => preferSources(services.db, sources).catch(asProblem),
  }),
  sources_remove: dataCommand({
    input: z.strictObject({ source: z.string().min(1).max(40) }),
    run: ({ services }, { source }, progress) => removeSource(services, source, progress).catch(asProblem),
  }),
};
