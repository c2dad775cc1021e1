import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { deleted, opaqueId } from '../../core/schemas.ts';
import { acting } from '../orgs/org.ts';
import { FILE_ERRORS, fileId } from './file.ts';

export const unshareFile = defineOp({
  name: 'unshare_file',
  summary: 'Removes a share or a link of a file of the library.',
  description: 'Needs admin access to the file. A file that every member sees stays visible to all of them.',
  route: { method: 'DELETE', path: '/files/:id/shares/:grant_id' },
  access: RULES.unshare_file,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ id: fileId, grant_id: opaqueId.describe('Grant id of the share, as get_file lists it.') }),
  output: deleted.extend({ grant_id: z.string().describe('The removed share; id is the same.') }),
  errors: FILE_ERRORS,
  examples: [{ input: { id: 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB', grant_id: 'shr_01JD3XJ0B2E4G6H8K1M3P5R7T9' } }],
  audit: ['file.unshare'],
  async run(ctx, { id, grant_id }) {
    await ctx.services.files.unshare(acting(ctx), id, grant_id);
    return { id: grant_id, grant_id, deleted: true as const };
  },
});
