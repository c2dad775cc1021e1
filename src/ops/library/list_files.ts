import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { pageInput, pageOf } from '../../core/schemas.ts';
import { FILE_ORDERS } from '../../domain/library/model.ts';
import { KEY_ERRORS } from '../account/api_key.ts';
import { acting } from '../orgs/org.ts';
import { fileAnswer, fileEntry, outdated } from './file.ts';
import { MOST_READS, outdatedOf } from './made_of.ts';

export const listFiles = defineOp({
  name: 'list_files',
  summary: 'Lists the files of the library that the caller can see, newest first by default.',
  description: 'Files that all members see, and restricted ones shared with the caller or their teams.',
  route: { method: 'GET', path: '/files' },
  access: RULES.list_files,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    ...pageInput(),
    q: z.string().min(1).max(100).optional().describe('Text in the name, in any case.'),
    tag: z.string().max(50).optional().describe('Only with this tag.'),
    sort: z.enum(FILE_ORDERS).default('newest'),
  }),
  output: pageOf(
    fileEntry.extend({
      outdated: outdated.describe(
        'Null: the file does not say which boundaries it is made of, or the files on the page are of too many: get_file.',
      ),
    }),
  ),
  errors: KEY_ERRORS,
  examples: [
    { input: {} },
    { input: { limit: 100, offset: 100 } },
    { input: { q: 'sevilla', sort: 'name' } },
    { input: { tag: 'maps' } },
  ],
  async run(ctx, { q, tag: tagged, sort, ...page }) {
    const { items, total } = await ctx.services.files.list(acting(ctx), {
      ...page,
      sort,
      ...(q !== undefined && { q }),
      ...(tagged !== undefined && { tag: tagged }),
    });
    const changes = await outdatedOf(ctx, items, 3, MOST_READS.page);
    const answers = items.map((entry) => ({ ...fileAnswer(ctx, entry), outdated: changes.get(entry.id) ?? null }));
    return { items: answers, total, ...page };
  },
});
