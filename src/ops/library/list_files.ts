import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { pageInput, pageOf } from '../../core/schemas.ts';
import { FILE_ORDERS } from '../../domain/library/file_entry.ts';
import { KEY_ERRORS } from '../account/api_key.ts';
import { acting } from '../orgs/org.ts';
import { fileAnswer, fileEntry, outdated } from './file.ts';
import { MOST_READS, outdatedOf } from './made_of.ts';

/** Most tags of one answer. */
const MOST_TAGS = 500;

export const listFiles = defineOp({
  name: 'list_files',
  summary: 'Lists the files of the library that the caller can see, newest first by default.',
  description: 'Files that all members see, and restricted ones shared with them or their teams.',
  route: { method: 'GET', path: '/files' },
  access: RULES.list_files,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    ...pageInput(),
    q: z.string().min(1).max(100).optional().describe('In the name, in any case.'),
    tag: z.string().max(50).optional(),
    sort: z.enum(FILE_ORDERS).default('newest'),
    tags: z.boolean().optional().describe('Also all tags.'),
  }),
  output: pageOf(
    fileEntry.extend({
      outdated: outdated.describe(
        'Null: the file does not say which boundaries it is made of, or the files on the page are of too many: get_file.',
      ),
    }),
  ).extend({
    tags: z
      .object({ items: z.array(z.object({ tag: z.string(), files: z.int() })), total: z.int() })
      .optional()
      .describe('With tags: those of all files that the caller sees, of most files first, up to 500.'),
  }),
  errors: KEY_ERRORS,
  examples: [
    { input: {} },
    { input: { limit: 100, offset: 100 } },
    { input: { q: 'sevilla', sort: 'name' } },
    { input: { tag: 'maps', tags: true } },
  ],
  async run(ctx, { q, tag: tagged, sort, tags: withTags, ...page }) {
    const { items, total } = await ctx.services.files.list(acting(ctx), {
      ...page,
      sort,
      ...(q !== undefined && { q }),
      ...(tagged !== undefined && { tag: tagged }),
    });
    const changes = await outdatedOf(ctx, items, 3, MOST_READS.page);
    const answers = items.map((entry) => ({ ...fileAnswer(ctx, entry), outdated: changes.get(entry.id) ?? null }));
    const tags = withTags ? { tags: await ctx.services.files.tags(acting(ctx), MOST_TAGS) } : {};
    return { items: answers, total, ...page, ...tags };
  },
});
