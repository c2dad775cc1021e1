import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { listOf } from '../../core/schemas.ts';
import { acting, teamName } from '../orgs/org.ts';
import { FILE_ERRORS, fileAccess, fileId, share } from './file.ts';

export const shareFile = defineOp({
  name: 'share_file',
  summary: 'Shares a file of the library with a team or a member of the organization.',
  description:
    'Sharing again changes the access. Needs admin access to the file; viewers read at most, whatever the share says. ' +
    'Sharing with its creator makes no share: they administer it. Returns all shares of the file.',
  route: { method: 'POST', path: '/files/:id/shares' },
  access: RULES.share_file,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z
    .strictObject({
      id: fileId,
      team: teamName.optional(),
      user: z.string().trim().min(1).max(254).optional().describe('Email or user id of a member.'),
      access: fileAccess.default('read'),
    })
    .refine(({ team, user }) => (team === undefined) !== (user === undefined), 'give either a team or a user'),
  output: listOf(share),
  errors: FILE_ERRORS,
  examples: [
    { input: { id: 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB', team: 'cartography' } },
    { input: { id: 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB', user: 'ada@example.org', access: 'write' } },
  ],
  audit: ['file.share'],
  async run(ctx, { id, team, user, access }) {
    const to = team === undefined ? { user: user as string } : { team };
    return { items: await ctx.services.files.share(acting(ctx), id, to, access) };
  },
});
