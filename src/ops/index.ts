import type { AnyOp } from '../core/op.ts';
import { changePlan } from './account/change_plan.ts';
import { createApiKey } from './account/create_api_key.ts';
import { deleteAccount } from './account/delete_account.ts';
import { getAccount } from './account/get_account.ts';
import { getPricing } from './account/get_pricing.ts';
import { getUsage } from './account/get_usage.ts';
import { listApiKeys } from './account/list_api_keys.ts';
import { listOAuthGrants } from './account/list_oauth_grants.ts';
import { revokeApiKey } from './account/revoke_api_key.ts';
import { revokeOAuthGrant } from './account/revoke_oauth_grant.ts';
import { createArea } from './areas/create_area.ts';
import { coverBoundaries } from './boundaries/cover_boundaries.ts';
import { crosswalk } from './boundaries/crosswalk.ts';
import { dissolve } from './boundaries/dissolve.ts';
import { drawMap } from './boundaries/draw_map.ts';
import { exportBoundary } from './boundaries/export_boundary.ts';
import { exportCollection } from './boundaries/export_collection.ts';
import { getBoundary } from './boundaries/get_boundary.ts';
import { getChangeFeed } from './boundaries/get_change_feed.ts';
import { getDataStatus } from './boundaries/get_data_status.ts';
import { listChanges } from './boundaries/list_changes.ts';
import { listChildren } from './boundaries/list_children.ts';
import { listKinds } from './boundaries/list_kinds.ts';
import { listNeighbors } from './boundaries/list_neighbors.ts';
import { listVersions } from './boundaries/list_versions.ts';
import { locatePoints } from './boundaries/locate_points.ts';
import { reverseBoundaries } from './boundaries/reverse_boundaries.ts';
import { searchBoundariesOp } from './boundaries/search_boundaries.ts';
import { unionBoundaries } from './boundaries/union_boundaries.ts';
import { commentOnFeedback } from './feedback/comment_on_feedback.ts';
import { reportIssue, requestFeature } from './feedback/file_item.ts';
import { getFeedback } from './feedback/get_feedback.ts';
import { listFeedback } from './feedback/list_feedback.ts';
import { setFeedbackStatus } from './feedback/set_feedback_status.ts';
import { removeFeedbackVote, upvoteFeedback } from './feedback/vote.ts';
import { importFile } from './imports/import_file.ts';
import { removeSource } from './imports/remove_source.ts';
import { cancelJob } from './jobs/cancel_job.ts';
import { createJob } from './jobs/create_job.ts';
import { getJob } from './jobs/get_job.ts';
import { listJobs } from './jobs/list_jobs.ts';
import { deleteFile } from './library/delete_file.ts';
import { getFile } from './library/get_file.ts';
import { listFiles } from './library/list_files.ts';
import { saveFile } from './library/save_file.ts';
import { shareFile } from './library/share_file.ts';
import { unshareFile } from './library/unshare_file.ts';
import { updateFile } from './library/update_file.ts';
import { acceptInvite } from './orgs/accept_invite.ts';
import { addTeamMember } from './orgs/add_team_member.ts';
import { createOrg } from './orgs/create_org.ts';
import { createTeam } from './orgs/create_team.ts';
import { deleteOrg } from './orgs/delete_org.ts';
import { deleteTeam } from './orgs/delete_team.ts';
import { getOrg } from './orgs/get_org.ts';
import { inviteMember } from './orgs/invite_member.ts';
import { listAuditLog } from './orgs/list_audit_log.ts';
import { listInvites } from './orgs/list_invites.ts';
import { listMembers } from './orgs/list_members.ts';
import { listOrgs } from './orgs/list_orgs.ts';
import { listTeams } from './orgs/list_teams.ts';
import { removeMember } from './orgs/remove_member.ts';
import { removeTeamMember } from './orgs/remove_team_member.ts';
import { revokeInvite } from './orgs/revoke_invite.ts';
import { switchOrg } from './orgs/switch_org.ts';
import { updateMember } from './orgs/update_member.ts';
import { updateOrg } from './orgs/update_org.ts';
import { updateTeam } from './orgs/update_team.ts';
import { getOwnReview } from './reviews/get_own_review.ts';
import { listReviews } from './reviews/list_reviews.ts';
import { publishReview } from './reviews/publish_review.ts';
import { respondToReview } from './reviews/respond_to_review.ts';
import { submitReview } from './reviews/submit_review.ts';
import { compareFile } from './sets/compare_file.ts';
import { createAreaSet } from './sets/create_area_set.ts';
import { deleteAreaSet } from './sets/delete_area_set.ts';
import { getAreaSet } from './sets/get_area_set.ts';
import { listAreaSets } from './sets/list_area_sets.ts';
import { listSetAreas } from './sets/list_set_areas.ts';
import { listSetGaps } from './sets/list_set_gaps.ts';
import { shareAreaSet } from './sets/share_area_set.ts';
import { unshareAreaSet } from './sets/unshare_area_set.ts';
import { updateAreaSet } from './sets/update_area_set.ts';
import { createSubscription } from './subscriptions/create_subscription.ts';
import { deleteSubscription } from './subscriptions/delete_subscription.ts';
import { listSubscriptions } from './subscriptions/list_subscriptions.ts';
import { convertValues } from './tables/convert_values.ts';
import { listMatchCorrections, saveMatchCorrections } from './tables/corrections.ts';
import { join } from './tables/join.ts';
import { matchNames } from './tables/match_names.ts';

/** Every operation, in the order that listings show. */
export const ops: readonly AnyOp[] = [
  searchBoundariesOp,
  reverseBoundaries,
  listChildren,
  listNeighbors,
  getBoundary,
  unionBoundaries,
  createArea,
  dissolve,
  locatePoints,
  matchNames,
  saveMatchCorrections,
  listMatchCorrections,
  join,
  crosswalk,
  convertValues,
  compareFile,
  coverBoundaries,
  drawMap,
  exportBoundary,
  exportCollection,
  listVersions,
  listChanges,
  getChangeFeed,
  listKinds,
  getDataStatus,
  saveFile,
  listFiles,
  getFile,
  updateFile,
  deleteFile,
  shareFile,
  unshareFile,
  createAreaSet,
  listAreaSets,
  getAreaSet,
  listSetAreas,
  listSetGaps,
  updateAreaSet,
  deleteAreaSet,
  shareAreaSet,
  unshareAreaSet,
  createSubscription,
  listSubscriptions,
  deleteSubscription,
  importFile,
  removeSource,
  createJob,
  listJobs,
  getJob,
  cancelJob,
  getPricing,
  getAccount,
  getUsage,
  changePlan,
  listApiKeys,
  createApiKey,
  revokeApiKey,
  deleteAccount,
  listOrgs,
  createOrg,
  switchOrg,
  getOrg,
  updateOrg,
  deleteOrg,
  listMembers,
  updateMember,
  removeMember,
  listInvites,
  inviteMember,
  revokeInvite,
  acceptInvite,
  listTeams,
  createTeam,
  updateTeam,
  deleteTeam,
  addTeamMember,
  removeTeamMember,
  listAuditLog,
  listOAuthGrants,
  revokeOAuthGrant,
  listFeedback,
  getFeedback,
  requestFeature,
  reportIssue,
  upvoteFeedback,
  removeFeedbackVote,
  commentOnFeedback,
  setFeedbackStatus,
  listReviews,
  submitReview,
  getOwnReview,
  respondToReview,
  publishReview,
];
