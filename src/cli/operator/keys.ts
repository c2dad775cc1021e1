import { z } from 'zod';
import { command } from './command.ts';

export const keyCommands = {
  key_create: command({
    input: z.strictObject({
      email: z.string(),
      orgSlug: z.string().optional(),
      plan: z.string().optional(),
      operator: z.boolean().optional(),
      name: z.string().optional(),
    }),
    run: ({ services }, input) => services.keys.create(input),
  }),
};
