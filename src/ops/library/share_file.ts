import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { listOf } from '../../core/schemas.ts';
import { acting, teamName } from '../orgs/org.ts';
import { FILE_ERRORS, fileAccess, fileId, share, sharesAnswer } from './file.ts';

export const shareFile = defineOp({
  name: 'share_file',
  summary: 'Shares a file of the library with a team or a member of the organization, or by a link that expires.',
  description:
    'Sharing again changes the access. Needs admin access to the file; viewers read at most, whatever the share says. ' +
    'Sharing with its creator makes no share: they administer it. Returns all shares of the file. link_days makes a link ' +
    'with which anyone reads this file: its url is shown once, and works while its maker administers the file. ' +
    'unshare_file ends it.',
  route: { method: 'POST', path: '/files/:id/shares' },
  access: ({ link_days }) => (link_days === undefined ? RULES.share_file : RULES.share_file_by_link),
  least: RULES.share_file,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z
    .strictObject({
      id: fileId,
      team: teamName.optional(),
      user: z.string().trim().min(1).max(254).optional().describe('Email or user id of a member.'),
      link_days: z.int().min(1).max(365).optional().describe('Days for which a link works.'),
      access: fileAccess.default('read'),
    })
    .refine(
      ({ team, user, link_days }) => [team, user, link_days].filter((one) => one !== undefined).length === 1,
      'give either a team, a user or link_days',
    )
    .refine(({ link_days, access }) => link_days === undefined || access === 'read', 'a link only reads'),
  output: listOf(share),
  errors: FILE_ERRORS,
  examples: [
    { input: { id: 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB', team: 'cartography' } },
    { input: { id: 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB', user: 'ada@example.org', access: 'write' } },
    { input: { id: 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB', link_days: 7 }, note: 'Whoever has the link, for a week' },
  ],
  audit: ['file.share'],
  async run(ctx, { id, team, user, link_days, access }) {
    const { files } = ctx.services;
    if (link_days !== undefined) {
      return { items: sharesAnswer(ctx, id, await files.link(acting(ctx), id, link_days)) };
    }
    const to = team === undefined ? { user: user as string } : { team };
    return { items: sharesAnswer(ctx, id, await files.share(acting(ctx), id, to, access)) };
  },
});
