import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { pageInput, pageOf } from '../../core/schemas.ts';
import { KEY_ERRORS } from '../account/api_key.ts';
import { acting } from '../orgs/org.ts';
import { fileAnswer, fileEntry } from './file.ts';

export const listFiles = defineOp({
  name: 'list_files',
  summary: 'Lists the files of the library that the caller can see, newest first.',
  description: 'Files visible to every member, and restricted ones shared with the caller or a team of theirs.',
  route: { method: 'GET', path: '/files' },
  access: RULES.list_files,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject(pageInput()),
  output: pageOf(fileEntry),
  errors: KEY_ERRORS,
  examples: [{ input: {} }, { input: { limit: 100, offset: 100 } }],
  async run(ctx, page) {
    const { items, total } = await ctx.services.files.list(acting(ctx), page);
    return { items: items.map((entry) => fileAnswer(ctx, entry)), total, ...page };
  },
});
