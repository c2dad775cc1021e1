import { z } from 'zod';

/** A URL that is called: without a user and a password in it. */
export const webhook = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .refine((text) => URL.canParse(text) && new URL(text).username === '' && new URL(text).password === '', {
    message: 'must have no user or password in it',
  });
