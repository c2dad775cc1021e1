import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { acting } from '../orgs/org.ts';
import { FILE_ERRORS, fileAnswer, fileEntry, fileId, outdated, share, sharesAnswer } from './file.ts';
import { MOST_READS, outdatedOf } from './made_of.ts';

export const getFile = defineOp({
  name: 'get_file',
  summary: 'A file of the library, with its shares for callers who can manage them.',
  description: 'The file itself is at its url: GET /v1/files/{id}/content.',
  route: { method: 'GET', path: '/files/:id' },
  access: RULES.get_file,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ id: fileId }),
  output: fileEntry.extend({
    shares: z.array(share).nullable().describe('Null without admin access.'),
    shares_hidden: z.string().nullable().describe('Why shares is null.'),
    outdated: outdated.describe('Null: the file does not say which boundaries it is made of, or it is of too many.'),
  }),
  errors: FILE_ERRORS,
  examples: [{ input: { id: 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB' } }],
  async run(ctx, input) {
    const { entry, shares } = await ctx.services.files.get(acting(ctx), input.id);
    const hidden = `Only callers with admin access on the file see its shares; yours is ${entry.access}.`;
    const changes = (await outdatedOf(ctx, [entry], 50, MOST_READS.file)).get(entry.id) ?? null;
    return {
      ...fileAnswer(ctx, entry),
      ...{
        shares: shares && sharesAnswer(ctx, input.id, shares),
        shares_hidden: shares === null ? hidden : null,
        outdated: changes,
      },
    };
  },
});
