import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { deleted } from '../../core/schemas.ts';
import { acting } from '../orgs/org.ts';
import { FILE_ERRORS, fileId } from './file.ts';

export const deleteFile = defineOp({
  name: 'delete_file',
  summary: 'Deletes a file of the library. Its URL stops working, and its shares end.',
  description: 'Needs admin access to the file.',
  route: { method: 'DELETE', path: '/files/:id' },
  access: RULES.delete_file,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ id: fileId }),
  output: deleted,
  errors: FILE_ERRORS,
  examples: [{ input: { id: 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB' } }],
  audit: ['file.unshare'],
  async run(ctx, { id }) {
    await ctx.services.files.remove(acting(ctx), id);
    return { id, deleted: true as const };
  },
});
