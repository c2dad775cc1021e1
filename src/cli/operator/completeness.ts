import { z } from 'zod';
import { command } from './command.ts';

export const completenessCommands = {
  admin_unknown_kinds: command({
    input: z.strictObject({}),
    run: ({ services }) => services.completeness.unknownKinds(),
  }),
  admin_coverage: command({
    input: z.strictObject({
      country: z
        .string()
        .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code')
        .optional(),
    }),
    run: ({ services }, { country }) => services.completeness.byCountry(country),
  }),
};
