import { z } from 'zod';
import { adminLevel, boundaryId, looseBoolean, opaqueId, timestamp } from '../../core/schemas.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { KEY_ERRORS, person } from '../account/api_key.ts';
import { canonicalId } from '../boundaries/schema.ts';

export const subscriptionId = opaqueId.describe('Id of a subscription: sub_….');

/** What a subscription is about: one of boundary, country and file_id. */
export const aboutFields = {
  boundary: boundaryId.optional().describe('This boundary.'),
  subdivisions: looseBoolean.optional().describe('With boundary: what is within it, too.'),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be a two-letter country code')
    .optional()
    .describe('ISO 3166-1 alpha-2: the boundaries in it.'),
  file_id: opaqueId.optional().describe('The boundaries that this file of the library is made of.'),
  admin_level: adminLevel.optional().describe('Only boundaries of this level.'),
} as const;

/** A subscription in an answer. */
export const subscriptionEntry = z.object({
  id: z.string(),
  about: z.object({
    boundary: canonicalId.optional(),
    subdivisions: z.boolean().optional(),
    country: z.string().optional(),
    file_id: z.string().optional(),
    admin_level: z.int().optional(),
  }),
  webhook: z.string().nullable(),
  mail: z.boolean(),
  creator: person,
  created_at: timestamp,
  sent_at: timestamp.nullable().describe('When the last message was written; null: none yet.'),
});

export const SUBSCRIPTION_ERRORS = [...KEY_ERRORS, 'not_found'] as const;

/** A subscription as an answer. */
export const subscriptionAnswer = (one: Subscription): z.input<typeof subscriptionEntry> => ({ ...one });
