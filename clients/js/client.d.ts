// Made by scripts/make_clients.ts from the registry of operations.

export interface ClientOptions {
  /** Base URL of the service. Default: http://127.0.0.1:8080. */
  url?: string;
  /** API key. Without one, only public operations work. */
  key?: string;
  /** Tries after the first one. Default: 4. */
  retries?: number;
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
}

/** A problem document (RFC 9457) as an error. */
export class BoundaryError extends Error {
  readonly status: number;
  readonly code: string;
  readonly issues: readonly { path: string; code: string; message: string }[];
  readonly requestId: string | null;
  readonly problem: Record<string, unknown>;
}

/** A stream that Node and newer browsers can also loop over; older ones have its getReader() only. */
export type Bytes = ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>;

/** The input and the answer of each operation. */
export interface Operations {
  search_boundaries: [SearchBoundariesInput, SearchBoundariesOutput];
  reverse_boundaries: [ReverseBoundariesInput, ReverseBoundariesOutput];
  list_children: [ListChildrenInput, ListChildrenOutput];
  list_neighbors: [ListNeighborsInput, ListNeighborsOutput];
  get_boundary: [GetBoundaryInput, GetBoundaryOutput];
  union_boundaries: [UnionBoundariesInput, UnionBoundariesOutput];
  create_area: [CreateAreaInput, CreateAreaOutput];
  dissolve: [DissolveInput, DissolveOutput];
  locate_points: [LocatePointsInput, LocatePointsOutput];
  match_names: [MatchNamesInput, MatchNamesOutput];
  save_match_corrections: [SaveMatchCorrectionsInput, SaveMatchCorrectionsOutput];
  list_match_corrections: [ListMatchCorrectionsInput, ListMatchCorrectionsOutput];
  join: [JoinInput, JoinOutput];
  crosswalk: [CrosswalkInput, CrosswalkOutput | Uint8Array];
  convert_values: [ConvertValuesInput, ConvertValuesOutput | Uint8Array];
  compare_file: [CompareFileInput, CompareFileOutput];
  cover_boundaries: [CoverBoundariesInput, CoverBoundariesOutput | Uint8Array];
  draw_map: [DrawMapInput, DrawMapOutput];
  export_boundary: [ExportBoundaryInput, ExportBoundaryOutput];
  export_collection: [ExportCollectionInput, ExportCollectionOutput];
  list_versions: [ListVersionsInput, ListVersionsOutput];
  list_changes: [ListChangesInput, ListChangesOutput | Uint8Array];
  get_change_feed: [GetChangeFeedInput, GetChangeFeedOutput | Uint8Array];
  list_kinds: [ListKindsInput, ListKindsOutput];
  get_data_status: [GetDataStatusInput, GetDataStatusOutput];
  save_file: [SaveFileInput, SaveFileOutput];
  list_files: [ListFilesInput, ListFilesOutput];
  get_file: [GetFileInput, GetFileOutput];
  update_file: [UpdateFileInput, UpdateFileOutput];
  delete_file: [DeleteFileInput, DeleteFileOutput];
  share_file: [ShareFileInput, ShareFileOutput];
  unshare_file: [UnshareFileInput, UnshareFileOutput];
  create_area_set: [CreateAreaSetInput, CreateAreaSetOutput];
  list_area_sets: [ListAreaSetsInput, ListAreaSetsOutput];
  get_area_set: [GetAreaSetInput, GetAreaSetOutput];
  list_set_areas: [ListSetAreasInput, ListSetAreasOutput];
  list_set_gaps: [ListSetGapsInput, ListSetGapsOutput];
  update_area_set: [UpdateAreaSetInput, UpdateAreaSetOutput];
  delete_area_set: [DeleteAreaSetInput, DeleteAreaSetOutput];
  share_area_set: [ShareAreaSetInput, ShareAreaSetOutput];
  unshare_area_set: [UnshareAreaSetInput, UnshareAreaSetOutput];
  create_subscription: [CreateSubscriptionInput, CreateSubscriptionOutput];
  list_subscriptions: [ListSubscriptionsInput, ListSubscriptionsOutput];
  delete_subscription: [DeleteSubscriptionInput, DeleteSubscriptionOutput];
  import_file: [ImportFileInput, ImportFileOutput];
  remove_source: [RemoveSourceInput, RemoveSourceOutput];
  create_job: [CreateJobInput, CreateJobOutput];
  list_jobs: [ListJobsInput, ListJobsOutput];
  get_job: [GetJobInput, GetJobOutput];
  cancel_job: [CancelJobInput, CancelJobOutput];
  get_pricing: [GetPricingInput, GetPricingOutput];
  get_account: [GetAccountInput, GetAccountOutput];
  get_usage: [GetUsageInput, GetUsageOutput];
  change_plan: [ChangePlanInput, ChangePlanOutput];
  list_api_keys: [ListApiKeysInput, ListApiKeysOutput];
  create_api_key: [CreateApiKeyInput, CreateApiKeyOutput];
  revoke_api_key: [RevokeApiKeyInput, RevokeApiKeyOutput];
  delete_account: [DeleteAccountInput, DeleteAccountOutput];
  list_orgs: [ListOrgsInput, ListOrgsOutput];
  create_org: [CreateOrgInput, CreateOrgOutput];
  switch_org: [SwitchOrgInput, SwitchOrgOutput];
  get_org: [GetOrgInput, GetOrgOutput];
  update_org: [UpdateOrgInput, UpdateOrgOutput];
  delete_org: [DeleteOrgInput, DeleteOrgOutput];
  list_members: [ListMembersInput, ListMembersOutput];
  update_member: [UpdateMemberInput, UpdateMemberOutput];
  remove_member: [RemoveMemberInput, RemoveMemberOutput];
  list_invites: [ListInvitesInput, ListInvitesOutput];
  invite_member: [InviteMemberInput, InviteMemberOutput];
  revoke_invite: [RevokeInviteInput, RevokeInviteOutput];
  accept_invite: [AcceptInviteInput, AcceptInviteOutput];
  list_teams: [ListTeamsInput, ListTeamsOutput];
  create_team: [CreateTeamInput, CreateTeamOutput];
  update_team: [UpdateTeamInput, UpdateTeamOutput];
  delete_team: [DeleteTeamInput, DeleteTeamOutput];
  add_team_member: [AddTeamMemberInput, AddTeamMemberOutput];
  remove_team_member: [RemoveTeamMemberInput, RemoveTeamMemberOutput];
  list_audit_log: [ListAuditLogInput, ListAuditLogOutput];
  list_oauth_grants: [ListOauthGrantsInput, ListOauthGrantsOutput];
  revoke_oauth_grant: [RevokeOauthGrantInput, RevokeOauthGrantOutput];
  list_feedback: [ListFeedbackInput, ListFeedbackOutput];
  get_feedback: [GetFeedbackInput, GetFeedbackOutput];
  request_feature: [RequestFeatureInput, RequestFeatureOutput];
  report_issue: [ReportIssueInput, ReportIssueOutput];
  upvote_feedback: [UpvoteFeedbackInput, UpvoteFeedbackOutput];
  remove_feedback_vote: [RemoveFeedbackVoteInput, RemoveFeedbackVoteOutput];
  comment_on_feedback: [CommentOnFeedbackInput, CommentOnFeedbackOutput];
  set_feedback_status: [SetFeedbackStatusInput, SetFeedbackStatusOutput];
  list_reviews: [ListReviewsInput, ListReviewsOutput];
  submit_review: [SubmitReviewInput, SubmitReviewOutput];
  get_own_review: [GetOwnReviewInput, GetOwnReviewOutput];
  respond_to_review: [RespondToReviewInput, RespondToReviewOutput];
  publish_review: [PublishReviewInput, PublishReviewOutput];
}

export class BoundaryLookup {
  constructor(options?: ClientOptions);
  call<K extends keyof Operations>(name: K, input?: Operations[K][0], options?: CallOptions): Promise<Operations[K][1]>;
  /** The bytes of the file that an operation makes, as a stream. */
  stream<K extends keyof Operations>(name: K, input?: Operations[K][0], options?: CallOptions): Promise<Bytes>;
  /** The items of all pages. */
  pages(name: keyof Operations, input?: object, options?: CallOptions): AsyncGenerator<unknown, void, undefined>;
  /** Finds boundaries and postcode areas by name, in any language. */
  searchBoundaries(input: SearchBoundariesInput, options?: CallOptions): Promise<SearchBoundariesOutput>;
  /** Every administrative boundary that contains a point, country first, and postcode areas. */
  reverseBoundaries(input: ReverseBoundariesInput, options?: CallOptions): Promise<ReverseBoundariesOutput>;
  /** Lists the subdivisions of a boundary: the next level below it, those of a level, the direct ones or all. */
  listChildren(input: ListChildrenInput, options?: CallOptions): Promise<ListChildrenOutput>;
  /** The items of all its pages. */
  listChildrenPages(input: ListChildrenInput, options?: CallOptions): AsyncGenerator<ListChildrenOutput['items'][number], void, undefined>;
  /** Lists the neighbors of a boundary, with the length of the common border in km. */
  listNeighbors(input: ListNeighborsInput, options?: CallOptions): Promise<ListNeighborsOutput>;
  /** The items of all its pages. */
  listNeighborsPages(input: ListNeighborsInput, options?: CallOptions): AsyncGenerator<ListNeighborsOutput['items'][number], void, undefined>;
  /** A boundary with its polygon, as a GeoJSON Feature. */
  getBoundary(input: GetBoundaryInput, options?: CallOptions): Promise<GetBoundaryOutput>;
  /** Merges boundaries into one polygon: the union of include minus the union of exclude. */
  unionBoundaries(input: UnionBoundariesInput, options?: CallOptions): Promise<UnionBoundariesOutput>;
  /** Turns an area described in words into one polygon, and shows how the words were understood. */
  createArea(input?: CreateAreaInput, options?: CallOptions): Promise<CreateAreaOutput>;
  /** Merges groups of boundaries into new areas that fit each other, such as sales districts of municipalities. */
  dissolve(input?: DissolveInput, options?: CallOptions): Promise<DissolveOutput>;
  /** The boundaries that contain each of many points: a stream of rows, or a list of points. */
  locatePoints(input?: LocatePointsInput, options?: CallOptions): Promise<LocatePointsOutput>;
  /** Matches a table of place names or codes with boundaries, row by row: from words to ids. */
  matchNames(input?: MatchNamesInput, options?: CallOptions): Promise<MatchNamesOutput>;
  /** Remembers for the organization what names in its tables mean. */
  saveMatchCorrections(input?: SaveMatchCorrectionsInput, options?: CallOptions): Promise<SaveMatchCorrectionsOutput>;
  /** Lists what names mean in tables of the organization, as it was corrected. */
  listMatchCorrections(input?: ListMatchCorrectionsInput, options?: CallOptions): Promise<ListMatchCorrectionsOutput>;
  /** Joins a table of figures by id with boundaries: a collection with the figures as properties. */
  join(input: JoinInput, options?: CallOptions): Promise<JoinOutput>;
  /** Compares two sets of boundaries, such as postcode areas and districts: the common area and shares of each pair. */
  crosswalk(input: CrosswalkInput, options?: CallOptions): Promise<CrosswalkOutput | Uint8Array>;
  /** Moves figures from the areas of one date or kind to others: counts are split, rates averaged, totals kept. */
  convertValues(input: ConvertValuesInput, options?: CallOptions): Promise<ConvertValuesOutput | Uint8Array>;
  /** Compares the areas of a file with official boundaries: which they overlap, and by how many km2. */
  compareFile(input?: CompareFileInput, options?: CallOptions): Promise<CompareFileOutput>;
  /** The cells of H3, S2, geohashes or quadkeys that boundaries have, for joining points by equality. */
  coverBoundaries(input: CoverBoundariesInput, options?: CallOptions): Promise<CoverBoundariesOutput | Uint8Array>;
  /** A map of your figures: boundaries in the color of their class, with a legend, as SVG, PNG or PDF. */
  drawMap(input: DrawMapInput, options?: CallOptions): Promise<DrawMapOutput>;
  /** A boundary as a file: geojson, kml, wkt, svg or gml. */
  exportBoundary(input: ExportBoundaryInput, options?: CallOptions): Promise<ExportBoundaryOutput>;
  /** Many boundaries as one file, each a feature, all at one tolerance: neighbors share every vertex. */
  exportCollection(input?: ExportCollectionInput, options?: CallOptions): Promise<ExportCollectionOutput>;
  /** The versions of a boundary through time: when each was in force, and what changed. */
  listVersions(input: ListVersionsInput, options?: CallOptions): Promise<ListVersionsOutput>;
  /** What changed between two dates: boundaries that were created, ended, merged, split, renamed, or moved. */
  listChanges(input: ListChangesInput, options?: CallOptions): Promise<ListChangesOutput | Uint8Array>;
  /** The newest changes of boundaries as an Atom feed (RFC 4287): an entry for each import or update. */
  getChangeFeed(input?: GetChangeFeedInput, options?: CallOptions): Promise<GetChangeFeedOutput | Uint8Array>;
  /** The table that assigns a kind to boundaries by country and admin_level, each row with its source. */
  listKinds(input?: ListKindsInput, options?: CallOptions): Promise<ListKindsOutput>;
  /** What was imported from which source and when, how far map changes were applied, and what is stale. */
  getDataStatus(input?: GetDataStatusInput, options?: CallOptions): Promise<GetDataStatusOutput>;
  /** Saves a boundary, union, collection or area in the organization's file library. */
  saveFile(input?: SaveFileInput, options?: CallOptions): Promise<SaveFileOutput>;
  /** Lists the files of the library that the caller can see, newest first by default. */
  listFiles(input?: ListFilesInput, options?: CallOptions): Promise<ListFilesOutput>;
  /** A file of the library, with its shares for callers who can manage them. */
  getFile(input: GetFileInput, options?: CallOptions): Promise<GetFileOutput>;
  /** Renames a file of the library, changes its tags or visibility, lets it follow its boundaries, or exports it again. */
  updateFile(input: UpdateFileInput, options?: CallOptions): Promise<UpdateFileOutput>;
  /** Deletes a file of the library. Its URL stops working, and its shares end. */
  deleteFile(input: DeleteFileInput, options?: CallOptions): Promise<DeleteFileOutput>;
  /** Shares a file of the library with a team or a member of the organization, or by a link that expires. */
  shareFile(input: ShareFileInput, options?: CallOptions): Promise<ShareFileOutput>;
  /** Removes a share or a link of a file of the library. */
  unshareFile(input: UnshareFileInput, options?: CallOptions): Promise<UnshareFileOutput>;
  /** Stores areas of your own, such as sales territories, as a set or as a new version of it. */
  createAreaSet(input: CreateAreaSetInput, options?: CallOptions): Promise<CreateAreaSetOutput>;
  /** Lists the area sets of the organization that the caller may read, by name. */
  listAreaSets(input?: ListAreaSetsInput, options?: CallOptions): Promise<ListAreaSetsOutput>;
  /** An area set with its versions, the report of one, and its shares for callers who can manage them. */
  getAreaSet(input: GetAreaSetInput, options?: CallOptions): Promise<GetAreaSetOutput>;
  /** Lists the areas of a set by id, without polygons. */
  listSetAreas(input: ListSetAreasInput, options?: CallOptions): Promise<ListSetAreasOutput>;
  /** The items of all its pages. */
  listSetAreasPages(input: ListSetAreasInput, options?: CallOptions): AsyncGenerator<ListSetAreasOutput['items'][number], void, undefined>;
  /** The gaps between the areas of a set and their overlaps, as a GeoJSON collection. */
  listSetGaps(input: ListSetGapsInput, options?: CallOptions): Promise<ListSetGapsOutput>;
  /** Changes the title of an area set (write access) or who sees it (admin access). */
  updateAreaSet(input: UpdateAreaSetInput, options?: CallOptions): Promise<UpdateAreaSetOutput>;
  /** Deletes an area set with all its versions. The ids of its areas stop working, and its shares end. */
  deleteAreaSet(input: DeleteAreaSetInput, options?: CallOptions): Promise<DeleteAreaSetOutput>;
  /** Shares an area set with a team or a member of the organization. */
  shareAreaSet(input: ShareAreaSetInput, options?: CallOptions): Promise<ShareAreaSetOutput>;
  /** Ends a share of an area set. */
  unshareAreaSet(input: UnshareAreaSetInput, options?: CallOptions): Promise<UnshareAreaSetOutput>;
  /** Reports changes of a boundary, of what is within it, of a country or of a file, by mail or signed webhook. */
  createSubscription(input?: CreateSubscriptionInput, options?: CallOptions): Promise<CreateSubscriptionOutput>;
  /** Lists the caller's subscriptions to changes, newest first; admins see those of the organization. */
  listSubscriptions(input?: ListSubscriptionsInput, options?: CallOptions): Promise<ListSubscriptionsOutput>;
  /** Deletes a subscription: no further messages are written. */
  deleteSubscription(input: DeleteSubscriptionInput, options?: CallOptions): Promise<DeleteSubscriptionOutput>;
  /** Imports a file of areas as official boundaries, as a job. For operators. */
  importFile(input?: ImportFileInput, options?: CallOptions): Promise<ImportFileOutput>;
  /** Removes an imported source with all its boundaries, as a job. For operators. */
  removeSource(input: RemoveSourceInput, options?: CallOptions): Promise<RemoveSourceOutput>;
  /** Creates a job that makes a file: a collection, dissolve or crosswalk too large for one call. */
  createJob(input: CreateJobInput, options?: CallOptions): Promise<CreateJobOutput>;
  /** Lists the caller's jobs in the organization, newest first; admins see all of them. */
  listJobs(input?: ListJobsInput, options?: CallOptions): Promise<ListJobsOutput>;
  /** A job: its progress, what failed, and where its file is. */
  getJob(input: GetJobInput, options?: CallOptions): Promise<GetJobOutput>;
  /** Cancels a waiting or running job: no file is made, and its units are released. */
  cancelJob(input: CancelJobInput, options?: CallOptions): Promise<CancelJobOutput>;
  /** Plans (monthly price, included units, rate limit) and the unit cost of each operation. */
  getPricing(input?: GetPricingInput, options?: CallOptions): Promise<GetPricingOutput>;
  /** The account of the caller, the organization it acts in and its role there. */
  getAccount(input?: GetAccountInput, options?: CallOptions): Promise<GetAccountOutput>;
  /** The organization's units this calendar month: used, included, and by operation. */
  getUsage(input?: GetUsageInput, options?: CallOptions): Promise<GetUsageOutput>;
  /** Returns the page where the owner of an organization pays for a plan. */
  changePlan(input: ChangePlanInput, options?: CallOptions): Promise<ChangePlanOutput>;
  /** API keys, newest first, without their secrets: all of the organization for admins, else the caller's. */
  listApiKeys(input?: ListApiKeysInput, options?: CallOptions): Promise<ListApiKeysOutput>;
  /** Creates an API key for the caller in the organization. The secret is shown only once, in this answer. */
  createApiKey(input?: CreateApiKeyInput, options?: CallOptions): Promise<CreateApiKeyOutput>;
  /** Revokes an API key of the caller, or for admins any key of the organization; it stops working at once. */
  revokeApiKey(input: RevokeApiKeyInput, options?: CallOptions): Promise<RevokeApiKeyOutput>;
  /** Deletes the account with its keys, sessions, memberships and the organizations where it is the only member. */
  deleteAccount(input?: DeleteAccountInput, options?: CallOptions): Promise<DeleteAccountOutput>;
  /** The organizations the caller is in, their own first. */
  listOrgs(input?: ListOrgsInput, options?: CallOptions): Promise<ListOrgsOutput>;
  /** Creates an organization owned by the caller. */
  createOrg(input: CreateOrgInput, options?: CallOptions): Promise<CreateOrgOutput>;
  /** Switches the browser session to another organization of the person. */
  switchOrg(input: SwitchOrgInput, options?: CallOptions): Promise<SwitchOrgOutput>;
  /** The organization in which the call acts. */
  getOrg(input?: GetOrgInput, options?: CallOptions): Promise<GetOrgOutput>;
  /** Changes the name or the slug of the organization. */
  updateOrg(input?: UpdateOrgInput, options?: CallOptions): Promise<UpdateOrgOutput>;
  /** Deletes the organization with all its content; a personal one is deleted only with its account. */
  deleteOrg(input?: DeleteOrgInput, options?: CallOptions): Promise<DeleteOrgOutput>;
  /** The members of the organization with their roles, longest there first. */
  listMembers(input?: ListMembersInput, options?: CallOptions): Promise<ListMembersOutput>;
  /** Changes the role of a member, up to your own role; the last owner must stay an owner. */
  updateMember(input: UpdateMemberInput, options?: CallOptions): Promise<UpdateMemberOutput>;
  /** Removes a member, with their keys, grants and file shares in the organization; with your own id you leave it. */
  removeMember(input: RemoveMemberInput, options?: CallOptions): Promise<RemoveMemberOutput>;
  /** The open invitations of the organization, newest first. */
  listInvites(input?: ListInvitesInput, options?: CallOptions): Promise<ListInvitesOutput>;
  /** Invites someone by email; the invitation can be accepted for 7 days. */
  inviteMember(input: InviteMemberInput, options?: CallOptions): Promise<InviteMemberOutput>;
  /** Revokes an open invitation. */
  revokeInvite(input: RevokeInviteInput, options?: CallOptions): Promise<RevokeInviteOutput>;
  /** Accepts an invitation that was sent to the address of the caller. */
  acceptInvite(input: AcceptInviteInput, options?: CallOptions): Promise<AcceptInviteOutput>;
  /** The teams of the organization with their members, by name. */
  listTeams(input?: ListTeamsInput, options?: CallOptions): Promise<ListTeamsOutput>;
  /** Creates a team in the organization; without a slug it gets one made from its name. */
  createTeam(input: CreateTeamInput, options?: CallOptions): Promise<CreateTeamOutput>;
  /** Changes the name or the slug of a team. */
  updateTeam(input: UpdateTeamInput, options?: CallOptions): Promise<UpdateTeamOutput>;
  /** Deletes a team; its members stay in the organization. */
  deleteTeam(input: DeleteTeamInput, options?: CallOptions): Promise<DeleteTeamOutput>;
  /** Adds a member of the organization to a team. */
  addTeamMember(input: AddTeamMemberInput, options?: CallOptions): Promise<AddTeamMemberOutput>;
  /** Removes a member from a team. */
  removeTeamMember(input: RemoveTeamMemberInput, options?: CallOptions): Promise<RemoveTeamMemberOutput>;
  /** The organization's audit log, newest first: who changed what, and when. */
  listAuditLog(input?: ListAuditLogInput, options?: CallOptions): Promise<ListAuditLogOutput>;
  /** The applications that may act for the caller in the organization, newest first. */
  listOauthGrants(input?: ListOauthGrantsInput, options?: CallOptions): Promise<ListOauthGrantsOutput>;
  /** Revokes the access of an application for the caller; its tokens stop working at once. */
  revokeOauthGrant(input: RevokeOauthGrantInput, options?: CallOptions): Promise<RevokeOauthGrantOutput>;
  /** Lists feature requests and issue reports with status and upvotes. */
  listFeedback(input?: ListFeedbackInput, options?: CallOptions): Promise<ListFeedbackOutput>;
  /** A feedback item with its comments, oldest first, and the statuses it went through. */
  getFeedback(input: GetFeedbackInput, options?: CallOptions): Promise<GetFeedbackOutput>;
  /** Files a feature request on the public board and upvotes it for the caller. */
  requestFeature(input: RequestFeatureInput, options?: CallOptions): Promise<RequestFeatureOutput>;
  /** Reports an issue on the public board and upvotes it for the caller. */
  reportIssue(input: ReportIssueInput, options?: CallOptions): Promise<ReportIssueOutput>;
  /** Votes for a feedback item. */
  upvoteFeedback(input: UpvoteFeedbackInput, options?: CallOptions): Promise<UpvoteFeedbackOutput>;
  /** Withdraws the vote for a feedback item. */
  removeFeedbackVote(input: RemoveFeedbackVoteInput, options?: CallOptions): Promise<RemoveFeedbackVoteOutput>;
  /** Adds a comment to a feature request or issue report. */
  commentOnFeedback(input: CommentOnFeedbackInput, options?: CallOptions): Promise<CommentOnFeedbackOutput>;
  /** Moves a feedback item to another status. */
  setFeedbackStatus(input: SetFeedbackStatusInput, options?: CallOptions): Promise<SetFeedbackStatusOutput>;
  /** Published reviews with the average rating, the distribution and the responses. */
  listReviews(input?: ListReviewsInput, options?: CallOptions): Promise<ListReviewsOutput>;
  /** Posts the caller's public review, or replaces the existing one. */
  submitReview(input: SubmitReviewInput, options?: CallOptions): Promise<SubmitReviewOutput>;
  /** The caller's review: its newest version, whether it is published, and earlier versions. */
  getOwnReview(input?: GetOwnReviewInput, options?: CallOptions): Promise<GetOwnReviewOutput>;
  /** Sets the response listed under a review; an empty one removes it. */
  respondToReview(input: RespondToReviewInput, options?: CallOptions): Promise<RespondToReviewOutput>;
  /** Publishes the newest version of a review that waits. */
  publishReview(input: PublishReviewInput, options?: CallOptions): Promise<PublishReviewOutput>;
}

export type SearchBoundariesInput = {
  /** Place name, code or postcode. */
  q: string;
  /** ISO 3166-1 alpha-2 codes, comma-separated. */
  country?: string;
  /** Normalized kind of boundary. */
  kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
  /** Admin level of the map data; 2 is a country. */
  admin_level?: number;
  /** lat,lon: prefers results near it. */
  near?: string;
  /** The last word is still being typed: complete names, and do not look for misspellings. */
  prefix?: boolean;
  /** Maximum number of results. */
  limit?: number;
  /** Languages for name: de-CH,fr. Default: Accept-Language, else local names. */
  lang?: string;
  /** Include names by language: in these languages, or all. */
  names?: string;
  /** As of this date, from editions in force then. Default: today. */
  as_of?: string;
  /** Answer from what was stored at this moment: 2026-11-25T10:00:00Z. */
  recorded_before?: string;
  /** official boundaries (default), own areas (of sets you may read), or all. */
  scope?: "official" | "own" | "all";
};
export type SearchBoundariesOutput = {
  items: ({
    /** Canonical boundary id: r… for a relation, w… for a way. */
    id: string;
    /** Name in the first requested language that has one, else local_name. */
    name: string;
    local_name: string;
    /** Names by language (BCP 47), if requested with names. */
    names?: Record<string, string>;
    /** Normalized kind of boundary. */
    kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** Admin level of the map data; 2 is a country. */
    admin_level: number | null;
    /** ISO 3166-1 alpha-2; of a disputed place, the first of its countries. */
    country: string | null;
    countries: (string)[];
    disputed: boolean;
    /** Enclosing boundaries, outermost first. */
    parents: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      /** Normalized kind of boundary. */
      kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
      /** Admin level of the map data; 2 is a country. */
      admin_level: number | null;
    })[];
    /** West is greater than east across the antimeridian; null without geometry. */
    bbox: {
      /** Degrees east, WGS 84. */
      west: number;
      /** Degrees north, WGS 84. */
      south: number;
      /** Degrees east, WGS 84. */
      east: number;
      /** Degrees north, WGS 84. */
      north: number;
    } | null;
    /** A point inside. */
    centroid: {
      /** Degrees north, WGS 84. */
      lat: number;
      /** Degrees east, WGS 84. */
      lon: number;
    } | null;
    population: number | null;
    wikidata: string | null;
    /** ISO 3166-1 or ISO 3166-2 code. */
    iso: string | null;
    has_geometry: boolean;
    source: string;
    version: number;
    /** Why the last good shape is still served. */
    stale: {
      reason: string;
      lat: number | null;
      lon: number | null;
      since: string;
    } | null;
    /** With as_of: the date from which it was as it is here. */
    valid_from?: string;
    /** With as_of: the date of its next change; null: none is known. */
    valid_to?: string | null;
    /** What matched: the whole name or a code; another name; the name of a city or town in the boundary, which is not stored itself (around); the start of a name; a later word of it; a misspelling. */
    match: "exact" | "alias" | "around" | "prefix" | "word" | "fuzzy";
    /** How the query was understood. */
    interpretation: {
      /** The part of the query read as the name. */
      name: string;
      /** The containing place given in the query. */
      within: {
        /** Canonical boundary id: r… for a relation, w… for a way. */
        id: string;
        name: string;
      } | null;
      /** The kind given by a type word in the query. */
      kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code" | null;
      /** Words of the query that this result does not fit: a type word, or a place that is not stored. */
      ignored: string | null;
    };
  })[];
  /** The server is still loading its first data: the answer has only the data loaded so far. */
  loading?: {
    /** What is being loaded. */
    step: string;
    /** Steps done so far. */
    done: number;
    total: number;
  };
  /** Nothing was found, and of these countries, which the query names, no subdivisions are stored. */
  not_stored?: ({
    /** ISO 3166-1 alpha-2. */
    country: string;
    /** Files of the catalog of sources that have its areas. */
    recipes: (string)[];
    /** To operators: the command that imports the first of them. */
    command?: string;
  })[];
};

export type ReverseBoundariesInput = {
  /** Degrees north, WGS 84. */
  lat: number;
  /** Degrees east, WGS 84. */
  lon: number;
  /** Languages for name: de-CH,fr. Default: Accept-Language, else local names. */
  lang?: string;
  /** Include names by language: in these languages, or all. */
  names?: string;
  /** As of this date, from editions in force then. Default: today. */
  as_of?: string;
  /** Answer from what was stored at this moment: 2026-11-25T10:00:00Z. */
  recorded_before?: string;
  /** official boundaries (default), own areas (of sets you may read), or all. */
  scope?: "official" | "own" | "all";
};
export type ReverseBoundariesOutput = {
  /** The boundaries that contain the point. */
  items: ({
    /** Canonical boundary id: r… for a relation, w… for a way. */
    id: string;
    /** Name in the first requested language that has one, else local_name. */
    name: string;
    local_name: string;
    /** Names by language (BCP 47), if requested with names. */
    names?: Record<string, string>;
    /** Normalized kind of boundary. */
    kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** Admin level of the map data; 2 is a country. */
    admin_level: number | null;
    /** ISO 3166-1 alpha-2; of a disputed place, the first of its countries. */
    country: string | null;
    countries: (string)[];
    disputed: boolean;
    /** Enclosing boundaries, outermost first. */
    parents: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      /** Normalized kind of boundary. */
      kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
      /** Admin level of the map data; 2 is a country. */
      admin_level: number | null;
    })[];
    /** West is greater than east across the antimeridian; null without geometry. */
    bbox: {
      /** Degrees east, WGS 84. */
      west: number;
      /** Degrees north, WGS 84. */
      south: number;
      /** Degrees east, WGS 84. */
      east: number;
      /** Degrees north, WGS 84. */
      north: number;
    } | null;
    /** A point inside. */
    centroid: {
      /** Degrees north, WGS 84. */
      lat: number;
      /** Degrees east, WGS 84. */
      lon: number;
    } | null;
    population: number | null;
    wikidata: string | null;
    /** ISO 3166-1 or ISO 3166-2 code. */
    iso: string | null;
    has_geometry: boolean;
    source: string;
    version: number;
    /** Why the last good shape is still served. */
    stale: {
      reason: string;
      lat: number | null;
      lon: number | null;
      since: string;
    } | null;
    /** With as_of: the date from which it was as it is here. */
    valid_from?: string;
    /** With as_of: the date of its next change; null: none is known. */
    valid_to?: string | null;
    /** Whether the boundary contains the point. */
    contains: boolean;
    /** Why a boundary that does not contain the point is listed. nearest_waters: it is the country to whose waters, or coast, the point is assigned. Null if it contains the point. */
    why: "nearest_waters" | null;
    /** What the point is on, as in the answer. */
    on: "land" | "water" | "unknown";
  })[];
  /** Where no country contains the point, as at sea: the country to which it is assigned. */
  nearby?: ({
    /** Canonical boundary id: r… for a relation, w… for a way. */
    id: string;
    /** Name in the first requested language that has one, else local_name. */
    name: string;
    local_name: string;
    /** Names by language (BCP 47), if requested with names. */
    names?: Record<string, string>;
    /** Normalized kind of boundary. */
    kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** Admin level of the map data; 2 is a country. */
    admin_level: number | null;
    /** ISO 3166-1 alpha-2; of a disputed place, the first of its countries. */
    country: string | null;
    countries: (string)[];
    disputed: boolean;
    /** Enclosing boundaries, outermost first. */
    parents: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      /** Normalized kind of boundary. */
      kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
      /** Admin level of the map data; 2 is a country. */
      admin_level: number | null;
    })[];
    /** West is greater than east across the antimeridian; null without geometry. */
    bbox: {
      /** Degrees east, WGS 84. */
      west: number;
      /** Degrees north, WGS 84. */
      south: number;
      /** Degrees east, WGS 84. */
      east: number;
      /** Degrees north, WGS 84. */
      north: number;
    } | null;
    /** A point inside. */
    centroid: {
      /** Degrees north, WGS 84. */
      lat: number;
      /** Degrees east, WGS 84. */
      lon: number;
    } | null;
    population: number | null;
    wikidata: string | null;
    /** ISO 3166-1 or ISO 3166-2 code. */
    iso: string | null;
    has_geometry: boolean;
    source: string;
    version: number;
    /** Why the last good shape is still served. */
    stale: {
      reason: string;
      lat: number | null;
      lon: number | null;
      since: string;
    } | null;
    /** With as_of: the date from which it was as it is here. */
    valid_from?: string;
    /** With as_of: the date of its next change; null: none is known. */
    valid_to?: string | null;
    /** Whether the boundary contains the point. */
    contains: boolean;
    /** Why a boundary that does not contain the point is listed. nearest_waters: it is the country to whose waters, or coast, the point is assigned. Null if it contains the point. */
    why: "nearest_waters" | null;
    /** What the point is on, as in the answer. */
    on: "land" | "water" | "unknown";
  })[];
  /** Whether the point is on land, by the smallest boundary around it that was cut along a coast; the coast is land. Boundaries that end at the shore, as those of the seed data, decide only where no finer one is. Water is the sea: lakes are land. unknown: no coast is stored for it, or no boundary has it between those of two countries. */
  on: "land" | "water" | "unknown";
  /** Whether postcode areas are mapped in the country of the point. */
  completeness: {
    postal_code: "mapped" | "not_mapped";
  };
  /** Deprecated name of completeness. */
  coverage: {
    postal_code: "mapped" | "not_mapped";
  };
  /** The server is still loading its first data: the answer has only the data loaded so far. */
  loading?: {
    /** What is being loaded. */
    step: string;
    /** Steps done so far. */
    done: number;
    total: number;
  };
};

export type ListChildrenInput = {
  /** Boundary id: r62422, w123, relation/62422, -62422, a map URL, wikidata:Q64, iso:DE-BE, a code with its scheme (nuts:DE212), or an area of a set (set:NAME/CODE). */
  id: string;
  /** All descendants of this admin level. Default: the next level that exists below the boundary. */
  admin_level?: number;
  /** Instead of admin_level. direct: all direct children, of any level; all: every descendant. */
  levels?: "direct" | "all";
  /** Page size. */
  limit?: number;
  /** next of the previous page. */
  cursor?: string;
  /** Languages for name: de-CH,fr. Default: Accept-Language, else local names. */
  lang?: string;
  /** Include names by language: in these languages, or all. */
  names?: string;
  /** As of this date, from editions in force then. Default: today. */
  as_of?: string;
  /** Answer from what was stored at this moment: 2026-11-25T10:00:00Z. */
  recorded_before?: string;
};
export type ListChildrenOutput = {
  items: ({
    /** Canonical boundary id: r… for a relation, w… for a way. */
    id: string;
    /** Name in the first requested language that has one, else local_name. */
    name: string;
    local_name: string;
    /** Names by language (BCP 47), if requested with names. */
    names?: Record<string, string>;
    /** Normalized kind of boundary. */
    kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** Admin level of the map data; 2 is a country. */
    admin_level: number | null;
    /** ISO 3166-1 alpha-2; of a disputed place, the first of its countries. */
    country: string | null;
    countries: (string)[];
    disputed: boolean;
    /** Enclosing boundaries, outermost first. */
    parents: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      /** Normalized kind of boundary. */
      kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
      /** Admin level of the map data; 2 is a country. */
      admin_level: number | null;
    })[];
    /** West is greater than east across the antimeridian; null without geometry. */
    bbox: {
      /** Degrees east, WGS 84. */
      west: number;
      /** Degrees north, WGS 84. */
      south: number;
      /** Degrees east, WGS 84. */
      east: number;
      /** Degrees north, WGS 84. */
      north: number;
    } | null;
    /** A point inside. */
    centroid: {
      /** Degrees north, WGS 84. */
      lat: number;
      /** Degrees east, WGS 84. */
      lon: number;
    } | null;
    population: number | null;
    wikidata: string | null;
    /** ISO 3166-1 or ISO 3166-2 code. */
    iso: string | null;
    has_geometry: boolean;
    source: string;
    version: number;
    /** Why the last good shape is still served. */
    stale: {
      reason: string;
      lat: number | null;
      lon: number | null;
      since: string;
    } | null;
    /** With as_of: the date from which it was as it is here. */
    valid_from?: string;
    /** With as_of: the date of its next change; null: none is known. */
    valid_to?: string | null;
  })[];
  /** Number of items in the whole list. */
  total: number;
  /** How many of them have no polygon, as what an extract cuts; absent if all have one. */
  without_geometry?: number;
  limit: number;
  /** The cursor of the next page; null on the last. */
  next: string | null;
  /** The part of the boundary's area that the whole list covers; null where no area is known. */
  covers: number | null;
  /** Levels of direct subdivisions that the list leaves out, and how many: levels=direct includes them. */
  other_levels: ({
    admin_level: number | null;
    count: number;
  })[];
  /** The server is still loading its first data: the answer has only the data loaded so far. */
  loading?: {
    /** What is being loaded. */
    step: string;
    /** Steps done so far. */
    done: number;
    total: number;
  };
};

export type ListNeighborsInput = {
  /** Boundary id: r62422, w123, relation/62422, -62422, a map URL, wikidata:Q64, iso:DE-BE, a code with its scheme (nuts:DE212), or an area of a set (set:NAME/CODE). */
  id: string;
  /** Default: its own. */
  admin_level?: number;
  /** Instead of admin_level: every level, and postcode areas. */
  levels?: "all";
  /** Page size. */
  limit?: number;
  /** next of the previous page. */
  cursor?: string;
  /** Languages for name: de-CH,fr. Default: Accept-Language, else local names. */
  lang?: string;
  /** Include names by language: in these languages, or all. */
  names?: string;
  /** As of this date, from editions in force then. Default: today. */
  as_of?: string;
  /** Answer from what was stored at this moment: 2026-11-25T10:00:00Z. */
  recorded_before?: string;
  /** all: overlaid with your sets. */
  scope?: "official" | "all";
};
export type ListNeighborsOutput = {
  items: ({
    /** Canonical boundary id: r… for a relation, w… for a way. */
    id: string;
    /** Name in the first requested language that has one, else local_name. */
    name: string;
    local_name: string;
    /** Names by language (BCP 47), if requested with names. */
    names?: Record<string, string>;
    /** Normalized kind of boundary. */
    kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** Admin level of the map data; 2 is a country. */
    admin_level: number | null;
    /** ISO 3166-1 alpha-2; of a disputed place, the first of its countries. */
    country: string | null;
    countries: (string)[];
    disputed: boolean;
    /** Enclosing boundaries, outermost first. */
    parents: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      /** Normalized kind of boundary. */
      kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
      /** Admin level of the map data; 2 is a country. */
      admin_level: number | null;
    })[];
    /** West is greater than east across the antimeridian; null without geometry. */
    bbox: {
      /** Degrees east, WGS 84. */
      west: number;
      /** Degrees north, WGS 84. */
      south: number;
      /** Degrees east, WGS 84. */
      east: number;
      /** Degrees north, WGS 84. */
      north: number;
    } | null;
    /** A point inside. */
    centroid: {
      /** Degrees north, WGS 84. */
      lat: number;
      /** Degrees east, WGS 84. */
      lon: number;
    } | null;
    population: number | null;
    wikidata: string | null;
    /** ISO 3166-1 or ISO 3166-2 code. */
    iso: string | null;
    has_geometry: boolean;
    source: string;
    version: number;
    /** Why the last good shape is still served. */
    stale: {
      reason: string;
      lat: number | null;
      lon: number | null;
      since: string;
    } | null;
    /** With as_of: the date from which it was as it is here. */
    valid_from?: string;
    /** With as_of: the date of its next change; null: none is known. */
    valid_to?: string | null;
    /** line: they share a border; point: they meet in single points only. */
    contact: "line" | "point";
    /** Length of the common border; 0 for a point. */
    shared_km: number;
    /** Length with land on both sides; null: the land of one is not known. */
    land_km: number | null;
    /** Length with sea on both sides. Along a coast a border is in neither. */
    sea_km: number | null;
    /** Whether all of the common border is at sea, by the coast or as the map marks it. */
    maritime: boolean | null;
  })[];
  /** Number of items in the whole list. */
  total: number;
  limit: number;
  /** The cursor of the next page; null on the last. */
  next: string | null;
  /** Length of all borders of the boundary, including holes. */
  border_km: number;
  /** The part of border_km that the whole list shares, each piece counted once. */
  shared_km: number;
  crossing: {
    total: number;
    /** The first 100 by id. */
    ids: (string)[];
  };
  /** Nothing records how borders of an area set meet others. So an area of a set is compared with official boundaries (of admin_level, else of all levels), and with scope=all with areas of other sets; an official one with areas of sets, with scope=all. null: not asked for, or a later page. */
  overlaid: {
    /** The largest common area first, then the longest common line. */
    items: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      /** Name in the first requested language that has one, else local_name. */
      name: string;
      local_name: string;
      /** Names by language (BCP 47), if requested with names. */
      names?: Record<string, string>;
      /** Normalized kind of boundary. */
      kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
      /** Admin level of the map data; 2 is a country. */
      admin_level: number | null;
      /** ISO 3166-1 alpha-2; of a disputed place, the first of its countries. */
      country: string | null;
      countries: (string)[];
      disputed: boolean;
      /** Enclosing boundaries, outermost first. */
      parents: ({
        /** Canonical boundary id: r… for a relation, w… for a way. */
        id: string;
        name: string;
        /** Normalized kind of boundary. */
        kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
        /** Admin level of the map data; 2 is a country. */
        admin_level: number | null;
      })[];
      /** West is greater than east across the antimeridian; null without geometry. */
      bbox: {
        /** Degrees east, WGS 84. */
        west: number;
        /** Degrees north, WGS 84. */
        south: number;
        /** Degrees east, WGS 84. */
        east: number;
        /** Degrees north, WGS 84. */
        north: number;
      } | null;
      /** A point inside. */
      centroid: {
        /** Degrees north, WGS 84. */
        lat: number;
        /** Degrees east, WGS 84. */
        lon: number;
      } | null;
      population: number | null;
      wikidata: string | null;
      /** ISO 3166-1 or ISO 3166-2 code. */
      iso: string | null;
      has_geometry: boolean;
      source: string;
      version: number;
      /** Why the last good shape is still served. */
      stale: {
        reason: string;
        lat: number | null;
        lon: number | null;
        since: string;
      } | null;
      /** With as_of: the date from which it was as it is here. */
      valid_from?: string;
      /** With as_of: the date of its next change; null: none is known. */
      valid_to?: string | null;
      /** own: an area of an area set. */
      origin: "official" | "own";
      /** touches: they meet, and have at most a strip of a centimeter along the border in common. */
      relation: "overlaps" | "touches";
      /** Area that the two have in common. */
      common_km2: number;
      /** What part of the boundary of the call that is. */
      share: number;
      /** What part of this one that is. */
      share_of_other: number;
      /** Length of the lines that both have, vertex by vertex. */
      shared_km: number;
    })[];
    /** Number of items. */
    total: number;
    /** Boundaries near it beyond the 1000 that are compared, areas of sets and low admin levels first. */
    not_compared: number;
  } | null;
};

export type GetBoundaryInput = {
  /** Boundary id: r62422, w123, relation/62422, -62422, a map URL, wikidata:Q64, iso:DE-BE, a code with its scheme (nuts:DE212), or an area of a set (set:NAME/CODE). */
  id: string;
  /** Default: low without a key, medium with one. */
  detail?: "low" | "medium" | "high" | "full";
  /** Tolerance in meters, a power of two; instead of detail. */
  tolerance_m?: number;
  /** Part of each boundary: all (default), its land without the sea, or its sea. */
  area?: "all" | "land" | "water";
  /** With area=land: cut out large lakes and rivers. */
  water?: "inland";
  /** children: adds the subdivisions of the next level. */
  include?: ("children")[];
  /** Languages for name: de-CH,fr. Default: Accept-Language, else local names. */
  lang?: string;
  /** Include names by language: in these languages, or all. */
  names?: string;
  /** As of this date, from editions in force then. Default: today. */
  as_of?: string;
  /** Answer from what was stored at this moment: 2026-11-25T10:00:00Z. */
  recorded_before?: string;
};
export type GetBoundaryOutput = {
  type: "Feature";
  /** Canonical boundary id: r… for a relation, w… for a way. */
  id?: string;
  /** west, south, east, north; west > east across the antimeridian. */
  bbox?: (number)[];
  properties: {
    /** Canonical boundary id: r… for a relation, w… for a way. */
    id: string;
    /** Name in the first requested language that has one, else local_name. */
    name: string;
    local_name: string;
    /** Names by language (BCP 47), if requested with names. */
    names?: Record<string, string>;
    /** Normalized kind of boundary. */
    kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** Admin level of the map data; 2 is a country. */
    admin_level: number | null;
    /** ISO 3166-1 alpha-2; of a disputed place, the first of its countries. */
    country: string | null;
    countries: (string)[];
    disputed: boolean;
    /** Enclosing boundaries, outermost first. */
    parents: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      /** Normalized kind of boundary. */
      kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
      /** Admin level of the map data; 2 is a country. */
      admin_level: number | null;
    })[];
    /** A point inside. */
    centroid: {
      /** Degrees north, WGS 84. */
      lat: number;
      /** Degrees east, WGS 84. */
      lon: number;
    } | null;
    population: number | null;
    wikidata: string | null;
    /** ISO 3166-1 or ISO 3166-2 code. */
    iso: string | null;
    has_geometry: boolean;
    source: string;
    version: number;
    /** Why the last good shape is still served. */
    stale: {
      reason: string;
      lat: number | null;
      lon: number | null;
      since: string;
    } | null;
    /** With as_of: the date from which it was as it is here. */
    valid_from?: string;
    /** With as_of: the date of its next change; null: none is known. */
    valid_to?: string | null;
    area_km2: number | null;
    /** Area of the land of the boundary; null where no coast was imported. */
    land_km2: number | null;
    /** Whether the area of this answer includes sea; unknown where no coast was imported. */
    includes_water: boolean | "unknown";
    /** With water=inland: the area of lakes and rivers that was cut out. */
    inland_water_km2?: number;
    /** Source of population when it is not that of the boundary. */
    population_source?: {
      name: string;
      year: number;
    };
    /** By field that the source does not state, the source of the seed boundary it was taken from. */
    inherited?: Record<string, string>;
    /** Its codes by scheme (fips, nuts, insee …). scheme:code is an id of the boundary, too. */
    codes?: ({
      scheme: string;
      code: string;
    })[];
    detail: "low" | "medium" | "high" | "full" | null;
    tolerance_m: number;
    attribution: string;
    /** The first 1,000 by name; children_page describes the rest. */
    children?: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      /** Name in the first requested language that has one, else local_name. */
      name: string;
      local_name: string;
      /** Names by language (BCP 47), if requested with names. */
      names?: Record<string, string>;
      /** Normalized kind of boundary. */
      kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
      /** Admin level of the map data; 2 is a country. */
      admin_level: number | null;
      /** ISO 3166-1 alpha-2; of a disputed place, the first of its countries. */
      country: string | null;
      countries: (string)[];
      disputed: boolean;
      /** Enclosing boundaries, outermost first. */
      parents: ({
        /** Canonical boundary id: r… for a relation, w… for a way. */
        id: string;
        name: string;
        /** Normalized kind of boundary. */
        kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
        /** Admin level of the map data; 2 is a country. */
        admin_level: number | null;
      })[];
      /** West is greater than east across the antimeridian; null without geometry. */
      bbox: {
        /** Degrees east, WGS 84. */
        west: number;
        /** Degrees north, WGS 84. */
        south: number;
        /** Degrees east, WGS 84. */
        east: number;
        /** Degrees north, WGS 84. */
        north: number;
      } | null;
      /** A point inside. */
      centroid: {
        /** Degrees north, WGS 84. */
        lat: number;
        /** Degrees east, WGS 84. */
        lon: number;
      } | null;
      population: number | null;
      wikidata: string | null;
      /** ISO 3166-1 or ISO 3166-2 code. */
      iso: string | null;
      has_geometry: boolean;
      source: string;
      version: number;
      /** Why the last good shape is still served. */
      stale: {
        reason: string;
        lat: number | null;
        lon: number | null;
        since: string;
      } | null;
      /** With as_of: the date from which it was as it is here. */
      valid_from?: string;
      /** With as_of: the date of its next change; null: none is known. */
      valid_to?: string | null;
    })[];
    /** As in list_children. */
    children_page?: {
      /** Number of items in the whole list. */
      total: number;
      /** How many of them have no polygon, as what an extract cuts; absent if all have one. */
      without_geometry?: number;
      limit: number;
      /** The cursor of the next page; null on the last. */
      next: string | null;
      /** The part of the boundary's area that the whole list covers; null where no area is known. */
      covers: number | null;
      /** Levels of direct subdivisions that the list leaves out, and how many: levels=direct includes them. */
      other_levels: ({
        admin_level: number | null;
        count: number;
      })[];
      /** The server is still loading its first data: the answer has only the data loaded so far. */
      loading?: {
        /** What is being loaded. */
        step: string;
        /** Steps done so far. */
        done: number;
        total: number;
      };
    };
    /** Other boundaries with the requested wikidata id, ISO code or other code. */
    also?: (string)[];
  };
  geometry: {
    type: "Polygon" | "MultiPolygon";
    coordinates: (unknown)[];
  };
};

export type UnionBoundariesInput = {
  /** Ids to merge. */
  include: (string)[];
  /** Ids to cut out. */
  exclude?: (string)[];
  /** Default: medium. */
  detail?: "low" | "medium" | "high" | "full";
  /** Tolerance in meters, a power of two; instead of detail. */
  tolerance_m?: number;
  /** Part of each boundary: all (default), its land without the sea, or its sea. */
  area?: "all" | "land" | "water";
  /** With area=land: cut out large lakes and rivers. */
  water?: "inland";
  /** File format. */
  format?: "geojson" | "kml" | "wkt" | "svg" | "gml" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "pmtiles" | "csv" | "poly";
  /** As of this date, from editions in force then. Default: today. */
  as_of?: string;
  /** Answer from what was stored at this moment: 2026-11-25T10:00:00Z. */
  recorded_before?: string;
};
export type UnionBoundariesOutput = {
  type: "Feature";
  /** Canonical boundary id: r… for a relation, w… for a way. */
  id?: string;
  /** west, south, east, north; west > east across the antimeridian. */
  bbox?: (number)[];
  properties: {
    area_km2: number;
    /** False where borders of two of the boundaries cross: they were overlaid. */
    exact: boolean;
    /** Whether the area of this answer includes sea; unknown where no coast was imported. */
    includes_water: boolean | "unknown";
    /** With water=inland: the area of lakes and rivers that was cut out. */
    inland_water_km2?: number;
    include: (string)[];
    exclude: (string)[];
    detail: "low" | "medium" | "high" | "full" | null;
    tolerance_m: number;
    attribution: string;
  };
  geometry: {
    type: "Polygon" | "MultiPolygon";
    coordinates: (unknown)[];
  };
} | {
  url: string;
  sha256: string;
  bytes: number;
  content_type: string;
  /** File format. */
  format: "geojson" | "kml" | "wkt" | "svg" | "gml" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "pmtiles" | "csv" | "poly";
  detail: "low" | "medium" | "high" | "full" | null;
  boundary_id: string | null;
  version: number | null;
  tolerance_m: number;
  /** False where borders of two of the boundaries cross: they were overlaid. */
  exact: boolean;
};

export type CreateAreaInput = {
  /** As of this date, from editions in force then. Default: today. */
  as_of?: string;
  /** official boundaries (default), own areas (of sets you may read), or all. */
  scope?: "official" | "own" | "all";
  /** The area in words. Give description or plan. */
  description?: string;
  /** Steps in order. The last is the result; it must use every other step. */
  plan?: {
    steps: ({
      op: "place";
      /** A name in any language. Give name or id; id decides. */
      name?: string;
      /** The place that contains it: "Texas" in "Paris, Texas". */
      within?: string;
      /** A word whose meaning depends on the country, or an admin level of the map data. */
      within_level?: "country" | "state" | "community" | "region" | "province" | "county" | "department" | "canton" | "district" | "municipality" | "borough" | number;
      /** A word whose meaning depends on the country, or an admin level of the map data. */
      level?: "country" | "state" | "community" | "region" | "province" | "county" | "department" | "canton" | "district" | "municipality" | "borough" | number;
      /** Boundary id: r62422, w123, relation/62422, -62422, a map URL, wikidata:Q64, iso:DE-BE, a code with its scheme (nuts:DE212), or an area of a set (set:NAME/CODE). */
      id?: string;
      /** An area of a set that the call reads, never an official boundary. */
      own?: boolean;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "at";
      lat: number;
      lon: number;
      /** A word whose meaning depends on the country, or an admin level of the map data. */
      level: "country" | "state" | "community" | "region" | "province" | "county" | "department" | "canton" | "district" | "municipality" | "borough" | number;
      /** False: an error if a boundary is also at the swapped coordinates. */
      sure?: boolean;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "group";
      name: string;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "capital";
      /** The number of an earlier step; the first is 0. */
      of: number;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "union";
      of: (number)[];
      apart?: boolean;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "difference";
      /** The number of an earlier step; the first is 0. */
      of: number;
      /** The number of an earlier step; the first is 0. */
      minus: number;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "intersection";
      /** The number of an earlier step; the first is 0. */
      of: number;
      /** The number of an earlier step; the first is 0. */
      with: number;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "children";
      /** The number of an earlier step; the first is 0. */
      of: number;
      /** A word whose meaning depends on the country, or an admin level of the map data. */
      level?: "country" | "state" | "community" | "region" | "province" | "county" | "department" | "canton" | "district" | "municipality" | "borough" | number;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "containing";
      /** The number of an earlier step; the first is 0. */
      of: number;
      /** A word whose meaning depends on the country, or an admin level of the map data. */
      level: "country" | "state" | "community" | "region" | "province" | "county" | "department" | "canton" | "district" | "municipality" | "borough" | number;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "neighbors";
      /** The number of an earlier step; the first is 0. */
      of: number;
      /** A word whose meaning depends on the country, or an admin level of the map data. */
      level?: "country" | "state" | "community" | "region" | "province" | "county" | "department" | "canton" | "district" | "municipality" | "borough" | number;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "around";
      /** The number of an earlier step; the first is 0. */
      from: number;
      /** Geodesic distance in kilometers. */
      km: number;
      /** A word whose meaning depends on the country, or an admin level of the map data. */
      level: "country" | "state" | "community" | "region" | "province" | "county" | "department" | "canton" | "district" | "municipality" | "borough" | number;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "within";
      /** The number of an earlier step; the first is 0. */
      of: number;
      /** The number of an earlier step; the first is 0. */
      from: number;
      /** Geodesic distance in kilometers. */
      km: number;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "buffer";
      /** The number of an earlier step; the first is 0. */
      of: number;
      /** Geodesic distance in kilometers. */
      km: number;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "touching";
      /** The number of an earlier step; the first is 0. */
      of: number;
      /** The number of an earlier step; the first is 0. */
      border: number;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "bordered";
      /** The number of an earlier step; the first is 0. */
      of: number;
      is: "more" | "less" | "at_least" | "at_most" | "exactly";
      count: number;
      /** A word whose meaning depends on the country, or an admin level of the map data. */
      level?: "country" | "state" | "community" | "region" | "province" | "county" | "department" | "canton" | "district" | "municipality" | "borough" | number;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "coast";
      /** The number of an earlier step; the first is 0. */
      of: number;
      is: "coastal" | "landlocked";
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "side";
      /** The number of an earlier step; the first is 0. */
      of: number;
      direction: "north" | "south" | "east" | "west" | "northeast" | "northwest" | "southeast" | "southwest";
      /** A word whose meaning depends on the country, or an admin level of the map data. */
      level?: "country" | "state" | "community" | "region" | "province" | "county" | "department" | "canton" | "district" | "municipality" | "borough" | number;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "clip";
      /** The number of an earlier step; the first is 0. */
      of: number;
      direction: "north" | "south" | "east" | "west" | "northeast" | "northwest" | "southeast" | "southwest";
      /** The place beyond which it begins: north of its northern end. */
      from?: number;
      /** The parallel or meridian beyond which it begins, in degrees north or east. */
      at?: number;
      /** False: the hemisphere of `at` is the one that the place is in. */
      signed?: boolean;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "rank";
      /** The number of an earlier step; the first is 0. */
      of: number;
      by: "area" | "population";
      order: "most" | "least";
      count: number;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "counted";
      /** The number of an earlier step; the first is 0. */
      of: number;
      count: number;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "measured";
      /** The number of an earlier step; the first is 0. */
      of: number;
      by: "area" | "population";
      is: "more" | "less" | "at_least" | "at_most";
      than: number;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "compared";
      /** The number of an earlier step; the first is 0. */
      of: number;
      /** The number of an earlier step; the first is 0. */
      with: number;
      by: "area" | "population";
      is: "more" | "less" | "at_least" | "at_most";
      times?: number;
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    } | {
      op: "named";
      /** The number of an earlier step; the first is 0. */
      of: number;
      how: "starts" | "ends" | "contains" | "is";
      text: string;
      /** Countries have their names in it */
      language?: "en" | "es" | "de" | "fr";
      /** The words of the description that this step comes from, and their position. Has no effect on the result. */
      words?: {
        text: string;
        from: number;
        to: number;
      };
    })[];
    /** Which part of the boundaries the area is made of: all, the default, their land or their sea. */
    area?: "all" | "land" | "water";
    /** With area land: without large lakes and rivers. */
    water?: "inland";
  };
  /** ISO 3166-1 alpha-2 codes, such as ES,PT: places are only there. */
  country?: string;
  /** Languages for plan and errors: es,fr. Default: Accept-Language. */
  lang?: string;
  /** lat,lon: the nearest of places of one name. */
  near?: string;
  /** Part of each boundary: all (default), its land without the sea, or its sea. */
  area?: "all" | "land" | "water";
  /** With area=land: cut out large lakes and rivers. */
  water?: "inland";
  /** Simplification relative to the size of the result. */
  detail?: "low" | "medium" | "high" | "full";
  /** File format. */
  format?: "geojson" | "kml" | "wkt" | "svg" | "gml";
  /** Return the plan without the area, free. */
  dry_run?: boolean;
};
export type CreateAreaOutput = {
  type: "Feature";
  /** Canonical boundary id: r… for a relation, w… for a way. */
  id?: string;
  /** west, south, east, north; west > east across the antimeridian. */
  bbox?: (number)[];
  properties: {
    area_km2: number;
    /** False where the area was overlaid: it is cut, widened, or of borders that cross. */
    exact: boolean;
    /** Whether the area of this answer includes sea; unknown where no coast was imported. */
    includes_water: boolean | "unknown";
    /** With water=inland: the area of lakes and rivers that was cut out. */
    inland_water_km2?: number;
    plan: {
      /** How the description was understood, in the language of the call. */
      reading: string;
      /** Who made the plan: the grammar, the model of AREA_PLANNER_URL, or the caller. */
      planner: "embedded" | "model" | "given";
      /** Language of the description; null if the grammar did not read it. */
      language: string | null;
      /** Choices made where words are ambiguous. */
      choices: (string)[];
      /** The part of the boundaries, where it is not all. */
      area?: "land" | "water";
      water?: "inland";
      /** The steps, each with its words; as the plan of a request they give the same area. */
      steps: ({
        op: string;
        found: {
          /** Boundaries in the result of the step. */
          members: number;
          place?: {
            id: string;
            name: string;
            /** Name of the innermost place that contains it. */
            within: string | null;
          };
          /** Other meanings of the name. */
          rivals?: ({
            id: string;
            name: string;
            /** Normalized kind of boundary. */
            kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
            parents: ({
              id: string;
              name: string;
            })[];
          })[];
          /** Why this one was chosen. */
          because?: string;
          notes?: (string)[];
        };
      })[];
      /** The boundaries included. */
      include: ({
        id: string;
        name: string;
      })[];
      /** The boundaries excluded. */
      exclude: ({
        id: string;
        name: string;
      })[];
      /** True: the area consists of stored borders; false: it is cut or widened. */
      exact: boolean;
    };
    sources: ({
      name: string;
      license: string;
      attribution: string;
    })[];
    /** Simplification relative to the size of the result. */
    detail: "low" | "medium" | "high" | "full";
    tolerance_m: number;
    attribution: string;
  };
  geometry: {
    type: "Polygon" | "MultiPolygon";
    coordinates: (unknown)[];
  };
} | {
  url: string;
  sha256: string;
  bytes: number;
  content_type: string;
  /** File format. */
  format: "geojson" | "kml" | "wkt" | "svg" | "gml";
  detail: "low" | "medium" | "high" | "full" | null;
  boundary_id: string | null;
  version: number | null;
  area_km2: number;
  plan: {
    /** How the description was understood, in the language of the call. */
    reading: string;
    /** Who made the plan: the grammar, the model of AREA_PLANNER_URL, or the caller. */
    planner: "embedded" | "model" | "given";
    /** Language of the description; null if the grammar did not read it. */
    language: string | null;
    /** Choices made where words are ambiguous. */
    choices: (string)[];
    /** The part of the boundaries, where it is not all. */
    area?: "land" | "water";
    water?: "inland";
    /** The steps, each with its words; as the plan of a request they give the same area. */
    steps: ({
      op: string;
      found: {
        /** Boundaries in the result of the step. */
        members: number;
        place?: {
          id: string;
          name: string;
          /** Name of the innermost place that contains it. */
          within: string | null;
        };
        /** Other meanings of the name. */
        rivals?: ({
          id: string;
          name: string;
          /** Normalized kind of boundary. */
          kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
          parents: ({
            id: string;
            name: string;
          })[];
        })[];
        /** Why this one was chosen. */
        because?: string;
        notes?: (string)[];
      };
    })[];
    /** The boundaries included. */
    include: ({
      id: string;
      name: string;
    })[];
    /** The boundaries excluded. */
    exclude: ({
      id: string;
      name: string;
    })[];
    /** True: the area consists of stored borders; false: it is cut or widened. */
    exact: boolean;
  };
  sources: ({
    name: string;
    license: string;
    attribution: string;
  })[];
} | {
  plan: {
    /** How the description was understood, in the language of the call. */
    reading: string;
    /** Who made the plan: the grammar, the model of AREA_PLANNER_URL, or the caller. */
    planner: "embedded" | "model" | "given";
    /** Language of the description; null if the grammar did not read it. */
    language: string | null;
    /** Choices made where words are ambiguous. */
    choices: (string)[];
    /** The part of the boundaries, where it is not all. */
    area?: "land" | "water";
    water?: "inland";
    /** The steps, each with its words; as the plan of a request they give the same area. */
    steps: ({
      op: string;
      found: {
        /** Boundaries in the result of the step. */
        members: number;
        place?: {
          id: string;
          name: string;
          /** Name of the innermost place that contains it. */
          within: string | null;
        };
        /** Other meanings of the name. */
        rivals?: ({
          id: string;
          name: string;
          /** Normalized kind of boundary. */
          kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
          parents: ({
            id: string;
            name: string;
          })[];
        })[];
        /** Why this one was chosen. */
        because?: string;
        notes?: (string)[];
      };
    })[];
    /** The boundaries included. */
    include: ({
      id: string;
      name: string;
    })[];
    /** The boundaries excluded. */
    exclude: ({
      id: string;
      name: string;
    })[];
    /** True: the area consists of stored borders; false: it is cut or widened. */
    exact: boolean;
  };
  sources: ({
    name: string;
    license: string;
    attribution: string;
  })[];
};

export type DissolveInput = {
  /** As of this date, from editions in force then. Default: today. */
  as_of?: string;
  /** Answer from what was stored at this moment: 2026-11-25T10:00:00Z. */
  recorded_before?: string;
  /** What each group is made of, by its name: ids, or a selection. Give groups or csv. */
  groups?: Record<string, (string)[] | {
    ids: (string)[];
  } | {
    /** Boundary id: r62422, w123, relation/62422, -62422, a map URL, wikidata:Q64, iso:DE-BE, a code with its scheme (nuts:DE212), or an area of a set (set:NAME/CODE). */
    children_of: string;
    /** With children_of, country or within. */
    admin_level?: number;
    /** With children_of. Default: direct. */
    levels?: "direct" | "all";
  } | {
    country: string;
    /** With country or within. */
    kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** With children_of, country or within. */
    admin_level?: number;
  } | {
    within: (number)[];
    /** With country or within. */
    kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** With children_of, country or within. */
    admin_level?: number;
  } | {
    file_id: string;
  } | {
    /** Name of an area set; its areas have the ids set:NAME/CODE. */
    set: string;
  }>;
  /** A line for each member: its id and its group, or columns named id and group among others. */
  csv?: string;
  /** Also list the subdivisions of this boundary, at the levels of the members, that are in no group. */
  within?: string;
  /** Relative to the largest area; the same tolerance for all. Default: medium. */
  detail?: "low" | "medium" | "high" | "full";
  /** Tolerance in meters, a power of two; instead of detail. */
  tolerance_m?: number;
  /** Part of each boundary: all (default), its land without the sea, or its sea. */
  area?: "all" | "land" | "water";
  /** With area=land: cut out large lakes and rivers. */
  water?: "inland";
  /** File format. */
  format?: "geojson" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "pmtiles" | "csv" | "kml" | "svg" | "gml" | "poly";
  /** CSV: escapes formulas. */
  safe_csv?: boolean;
  /** With format zip: the format of its files. */
  zip_of?: "geojson" | "kml" | "wkt" | "svg" | "gml";
};
export type DissolveOutput = {
  type: "FeatureCollection";
  detail: "low" | "medium" | "high" | "full" | null;
  /** Tolerance of all areas, in meters. */
  tolerance_m: number;
  groups: number;
  /** Distinct boundaries. */
  members: number;
  assigned_twice: {
    total: number;
    /** The first 100. */
    items: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      groups: (string)[];
    })[];
  };
  /** Null without within. */
  unassigned: {
    total: number;
    /** The first 1,000, by id. */
    ids: (string)[];
  } | null;
  /** Selected boundaries that are not in the result because they have no polygon. */
  left_out: {
    count: number;
    /** The first 100. */
    items: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      reason: string;
    })[];
  };
  /** With area: whether the areas include sea. */
  includes_water?: boolean | "unknown";
  attribution: string;
  features: ({
    type: "Feature";
    /** Canonical boundary id: r… for a relation, w… for a way. */
    id?: string;
    /** west, south, east, north; west > east across the antimeridian. */
    bbox?: (number)[];
    properties: {
      group: string;
      /** Distinct boundaries in the group. */
      members: number;
      area_km2: number;
      /** False where borders of members cross. */
      exact: boolean;
      /** With water=inland: the area of lakes and rivers that was cut out. */
      inland_water_km2?: number;
    };
    geometry: {
      type: "Polygon" | "MultiPolygon";
      coordinates: (unknown)[];
    };
  })[];
} | {
  url: string;
  sha256: string;
  bytes: number;
  content_type: string;
  /** File format. */
  format: "geojson" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "pmtiles" | "csv" | "kml" | "svg" | "gml" | "poly";
  detail: "low" | "medium" | "high" | "full" | null;
  /** Tolerance of all areas, in meters. */
  tolerance_m: number;
  groups: number;
  /** Distinct boundaries. */
  members: number;
  assigned_twice: {
    total: number;
    /** The first 100. */
    items: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      groups: (string)[];
    })[];
  };
  /** Null without within. */
  unassigned: {
    total: number;
    /** The first 1,000, by id. */
    ids: (string)[];
  } | null;
  /** Selected boundaries that are not in the result because they have no polygon. */
  left_out: {
    count: number;
    /** The first 100. */
    items: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      reason: string;
    })[];
  };
  /** With area: whether the areas include sea. */
  includes_water?: boolean | "unknown";
  attribution: string;
  /** Groups whose members have borders that cross. */
  overlaid: (string)[];
};

export type LocatePointsInput = {
  /** [longitude, latitude] of each, in degrees. Not with a stream. */
  points?: ([number, number])[];
  /** Admin levels. In a stream each has its own columns: admin_8_id, admin_8_name. */
  levels?: (number)[];
  /** Kinds. In a stream each has its own columns: postal_code_id, postal_code_name. */
  kinds?: ("country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code")[];
  /** The column or member with the latitude, where its name does not say it. With a stream. */
  lat_column?: string;
  /** The same for the longitude. */
  lon_column?: string;
  /** The reference system of the coordinates, such as EPSG:25830; the columns are then x and y. With a stream, which gets the columns crs_accuracy_m (by EPSG; empty: not known) and crs_outside ("yes" outside of its area of use). */
  crs?: string;
  /** As of this date, from editions in force then. Default: today. */
  as_of?: string;
  /** Answer from what was stored at this moment: 2026-11-25T10:00:00Z. */
  recorded_before?: string;
  /** official boundaries (default), own areas (of sets you may read), or all. */
  scope?: "official" | "own" | "all";
  /** With a stream: instead of its rows, a row for each boundary with these figures of the points in it: points for their number, sales:sum, rate:mean:people (weighted), and min, max, count, first, share. */
  figures?: (string)[];
  /** Default: id,name. */
  fields?: ("id" | "name" | "kind" | "admin_level" | "country" | "iso" | "wikidata" | "population" | "area_km2")[];
  /** CSV: escapes formulas. */
  safe_csv?: boolean;
};
export type LocatePointsOutput = {
  items: ({
    /** Outermost first. */
    boundaries: ({
      id?: string;
      name?: string;
      /** Normalized kind of boundary. */
      kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
      admin_level?: number | null;
      country?: string | null;
      iso?: string | null;
      wikidata?: string | null;
      population?: number | null;
      area_km2?: number | null;
    })[];
  })[];
};

export type MatchNamesInput = {
  /** What each row says of its place. Not with a table. */
  rows?: ({
    name?: string;
    /** An id or an official code: r62422, iso:ES-SE, 48201. */
    code?: string;
    /** Places around it, the innermost first: "Texas", or ["Texas", "US"]. */
    within?: string | (string)[];
    /** A word for its kind, or an admin level: "county", "Landkreis", "6". */
    type?: string;
  })[];
  /** ISO 3166-1 alpha-2: all rows are in this country. */
  country?: string;
  /** All rows are inside of this boundary. */
  within?: string;
  /** official boundaries (default), own areas (of sets you may read), or all. */
  scope?: "official" | "own" | "all";
  /** Admin level of the map data; 2 is a country. */
  admin_level?: number;
  /** Normalized kind of boundary. */
  kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
  /** The language of the names, where it tells places apart. */
  language?: string;
  /** column: the other rows decide between candidates. row: each row alone. */
  decide?: "column" | "row";
  /** The column with the names. With a table. */
  name_column?: string;
  /** The column with codes or ids. */
  code_column?: string;
  /** The columns with places around them, the innermost first. */
  within_columns?: (string)[];
  /** The column with a word for the kind, or an admin level. */
  type_column?: string;
  /** With a table: reads 2,000 rows and answers with the columns, what is decided, and ten rows. */
  dry_run?: boolean;
  /** With a table: ' before cells that look like formulas. */
  safe_csv?: boolean;
};
export type MatchNamesOutput = {
  /** With dry_run: the columns that were found. */
  columns?: {
    name: string | null;
    code: string | null;
    /** The innermost first. */
    within: (string)[];
    type: string | null;
  };
  /** What the whole column says, where it decides between candidates; null: nothing. */
  decided: {
    country: string | null;
    admin_level: number | null;
    within: {
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
    } | null;
    language: string | null;
  };
  counts: {
    rows: number;
    /** Different rows: each is matched once. */
    distinct: number;
    matched: number;
    ambiguous: number;
    not_found: number;
  };
  /** In the order of the input; with dry_run, the first ten. */
  rows: ({
    /** How the row was matched. ambiguous and not_found have no boundary. */
    match: "exact" | "alias" | "code" | "typo" | "correction" | "ambiguous" | "not_found";
    boundary: {
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      /** Normalized kind of boundary. */
      kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
      admin_level: number | null;
      /** Outermost first. */
      parents: ({
        /** Canonical boundary id: r… for a relation, w… for a way. */
        id: string;
        name: string;
      })[];
    } | null;
    /** 0 to 1: fixed figures for each kind of match, not a probability. */
    confidence: number;
    /** column: the other rows decided between the candidates. */
    decided_by: "column" | null;
    /** Other boundaries that the row may mean, at most 5. */
    candidates: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      /** Normalized kind of boundary. */
      kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
      admin_level: number | null;
      /** Outermost first. */
      parents: ({
        /** Canonical boundary id: r… for a relation, w… for a way. */
        id: string;
        name: string;
      })[];
    })[];
  })[];
};

export type SaveMatchCorrectionsInput = {
  rows?: ({
    name: string;
    /** Places around it as its rows have them, the innermost first. */
    within?: (string)[];
    /** What the name means; null: forget it. */
    id: string | null;
  })[];
  /** A table with match_id and the column with the names. */
  csv?: string;
  /** With csv: the column with the names. */
  name_column?: string;
  /** With csv: the columns with places around them, as for match_names. */
  within_columns?: (string)[];
};
export type SaveMatchCorrectionsOutput = {
  saved: number;
  deleted: number;
  /** Rows of csv without a correction. */
  skipped: number;
};

export type ListMatchCorrectionsInput = {
  /** Page size. */
  limit?: number;
  /** Items to skip. */
  offset?: number;
};
export type ListMatchCorrectionsOutput = {
  items: ({
    name: string;
    /** Folded, the innermost first. */
    within: (string)[];
    /** Canonical boundary id: r… for a relation, w… for a way. */
    id: string;
    created_at: string;
  })[];
  total: number;
  limit: number;
  offset: number;
};

export type JoinInput = {
  /** The table; its first line names the columns. */
  csv: string;
  /** The column with the ids. Default: match_id, boundary_id or id. */
  id_column?: string;
  /** Merge the boundaries of each group into one area. */
  group_column?: string;
  /** Add the rows up to the parents of their boundaries at this level. */
  parent_level?: number;
  /** Columns and how several rows become one figure: people:sum, rate:mean:people (weighted), x:min, x:max, x:count, x:first, x:share. Default: every column, one row for a boundary. */
  figures?: (string)[];
  /** File format. */
  format?: "geojson" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "pmtiles" | "csv" | "kml" | "svg" | "gml" | "poly";
  /** CSV: escapes formulas. */
  safe_csv?: boolean;
  /** With format zip: the format of its files. */
  zip_of?: "geojson" | "kml" | "wkt" | "svg" | "gml";
  /** Detail of the largest area, applied to all. Default: medium. */
  detail?: "low" | "medium" | "high" | "full";
  /** Tolerance in meters, a power of two; instead of detail. */
  tolerance_m?: number;
};
export type JoinOutput = {
  url: string;
  sha256: string;
  bytes: number;
  content_type: string;
  /** File format. */
  format: "geojson" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "pmtiles" | "csv" | "kml" | "svg" | "gml" | "poly";
  /** Tolerance of every area in the file, in meters. */
  tolerance_m: number;
  /** Areas in the file. */
  count: number;
  /** Rows that are in the figures. */
  rows: number;
  rows_without_id: number;
  /** Properties with figures. */
  figures: (string)[];
  /** Selected boundaries that are not in the result because they have no polygon. */
  left_out: {
    count: number;
    /** The first 100. */
    items: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      reason: string;
    })[];
  };
};

export type CrosswalkInput = {
  /** Boundary ids, or a selection as export_collection takes it: {"children_of": id} for what tiles a boundary, with "admin_level" for a level; "country", or "within" a box, with "kind" or "admin_level"; "file_id"; "set". */
  a: (string)[] | {
    ids: (string)[];
  } | {
    /** Boundary id: r62422, w123, relation/62422, -62422, a map URL, wikidata:Q64, iso:DE-BE, a code with its scheme (nuts:DE212), or an area of a set (set:NAME/CODE). */
    children_of: string;
    /** With children_of, country or within. */
    admin_level?: number;
    /** With children_of. Default: direct. */
    levels?: "direct" | "all";
  } | {
    country: string;
    /** With country or within. */
    kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** With children_of, country or within. */
    admin_level?: number;
  } | {
    within: (number)[];
    /** With country or within. */
    kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** With children_of, country or within. */
    admin_level?: number;
  } | {
    file_id: string;
  } | {
    /** Name of an area set; its areas have the ids set:NAME/CODE. */
    set: string;
  };
  /** Boundary ids, or a selection as export_collection takes it: {"children_of": id} for what tiles a boundary, with "admin_level" for a level; "country", or "within" a box, with "kind" or "admin_level"; "file_id"; "set". */
  b: (string)[] | {
    ids: (string)[];
  } | {
    /** Boundary id: r62422, w123, relation/62422, -62422, a map URL, wikidata:Q64, iso:DE-BE, a code with its scheme (nuts:DE212), or an area of a set (set:NAME/CODE). */
    children_of: string;
    /** With children_of, country or within. */
    admin_level?: number;
    /** With children_of. Default: direct. */
    levels?: "direct" | "all";
  } | {
    country: string;
    /** With country or within. */
    kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** With children_of, country or within. */
    admin_level?: number;
  } | {
    within: (number)[];
    /** With country or within. */
    kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** With children_of, country or within. */
    admin_level?: number;
  } | {
    file_id: string;
  } | {
    /** Name of an area set; its areas have the ids set:NAME/CODE. */
    set: string;
  };
  /** Part of each boundary: all (default), its land without the sea, or its sea. */
  area?: "all" | "land" | "water";
  /** With area=land: cut out large lakes and rivers. */
  water?: "inland";
  /** As of this date, from editions in force then. Default: today. */
  as_of?: string;
  /** Answer from what was stored at this moment: 2026-11-25T10:00:00Z. */
  recorded_before?: string;
  /** The date of b, where it is another than that of a: a table from old areas to new ones. */
  as_of_b?: string;
  format?: "json" | "csv" | "parquet";
  /** CSV: escapes formulas. */
  safe_csv?: boolean;
};
export type CrosswalkOutput = {
  items: ({
    /** Canonical boundary id: r… for a relation, w… for a way. */
    a: string;
    /** Canonical boundary id: r… for a relation, w… for a way. */
    b: string;
    /** Area that the two have in common. */
    area_km2: number;
    share_of_a: number;
    share_of_b: number;
    /** False where borders of the two cross: they were overlaid. */
    exact: boolean;
    /** With water=inland: the area of lakes and rivers that was cut out. */
    inland_water_km2?: number;
  })[];
  total: number;
  /** Boundaries whose shares do not add up to 1 within 0.00001: below, a part is in none; above, others overlap. */
  not_whole: {
    a: {
      total: number;
      /** The first 1000. */
      items: ({
        /** Canonical boundary id: r… for a relation, w… for a way. */
        id: string;
        /** Sum over the items. */
        share: number;
      })[];
    };
    b: {
      total: number;
      /** The first 1000. */
      items: ({
        /** Canonical boundary id: r… for a relation, w… for a way. */
        id: string;
        /** Sum over the items. */
        share: number;
      })[];
    };
  };
  /** Selected boundaries that are not in the result because they have no polygon. */
  left_out: {
    count: number;
    /** The first 100. */
    items: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      reason: string;
    })[];
  };
  /** With area: whether the boundaries include sea. */
  includes_water?: boolean | "unknown";
  attribution: string;
};

export type ConvertValuesInput = {
  /** The table; its first line names the columns. */
  csv: string;
  /** The boundaries of the result: ids, or a selection as export_collection takes it. */
  b: (string)[] | {
    ids: (string)[];
  } | {
    /** Boundary id: r62422, w123, relation/62422, -62422, a map URL, wikidata:Q64, iso:DE-BE, a code with its scheme (nuts:DE212), or an area of a set (set:NAME/CODE). */
    children_of: string;
    /** With children_of, country or within. */
    admin_level?: number;
    /** With children_of. Default: direct. */
    levels?: "direct" | "all";
  } | {
    country: string;
    /** With country or within. */
    kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** With children_of, country or within. */
    admin_level?: number;
  } | {
    within: (number)[];
    /** With country or within. */
    kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** With children_of, country or within. */
    admin_level?: number;
  } | {
    file_id: string;
  } | {
    /** Name of an area set; its areas have the ids set:NAME/CODE. */
    set: string;
  };
  /** The column with the ids. Default: match_id, boundary_id or id. */
  id_column?: string;
  /** Columns of counts, such as people. */
  counts?: (string)[];
  /** Columns of rates; rate:people weighs by the column people. Give counts, rates or both. */
  rates?: (string)[];
  /** As of this date, from editions in force then. Default: today. */
  as_of?: string;
  /** The date of b, where it is another than that of the table. */
  as_of_b?: string;
  /** Finer boundaries by whose population areas are split instead of by area. */
  weights?: (string)[] | {
    ids: (string)[];
  } | {
    /** Boundary id: r62422, w123, relation/62422, -62422, a map URL, wikidata:Q64, iso:DE-BE, a code with its scheme (nuts:DE212), or an area of a set (set:NAME/CODE). */
    children_of: string;
    /** With children_of, country or within. */
    admin_level?: number;
    /** With children_of. Default: direct. */
    levels?: "direct" | "all";
  } | {
    country: string;
    /** With country or within. */
    kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** With children_of, country or within. */
    admin_level?: number;
  } | {
    within: (number)[];
    /** With country or within. */
    kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** With children_of, country or within. */
    admin_level?: number;
  } | {
    file_id: string;
  } | {
    /** Name of an area set; its areas have the ids set:NAME/CODE. */
    set: string;
  };
  /** In place of weights: a table of finer boundaries with the columns id and weight. */
  weights_csv?: string;
  /** The date of weights, where it is another than that of the table. */
  as_of_weights?: string;
  format?: "json" | "csv";
  /** CSV: escapes formulas. */
  safe_csv?: boolean;
};
export type ConvertValuesOutput = {
  columns: ({
    name: string;
    how: "count" | "rate";
    /** Sum of a count in the table. */
    given: number | null;
    /** What went to no boundary of b: of a count the rest, of a rate the mean there. */
    unexplained: number | null;
    /** How much of a count was split by area alone. */
    by_area: number | null;
    /** Rows with an empty cell. */
    empty: number;
  })[];
  items: ({
    /** Canonical boundary id: r… for a relation, w… for a way. */
    id: string;
    name: string;
    /** Share of its area that areas of the table cover. */
    share_covered: number;
    /** In the order of columns; null: no area of the table with a value overlaps it. */
    values: (number | null)[];
    /** In the same order, for counts. */
    by_area: (number | null)[];
  })[];
  /** Areas of the table whose shares do not add up to 1 within 0.00001: the rest is unexplained. */
  not_whole: {
    total: number;
    /** The first 1000. */
    items: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      share: number;
    })[];
  };
  rows: number;
  /** Rows that were left out. */
  rows_without_id: number;
  /** Finer boundaries that have no population, and were left out. */
  without_weight: number;
  /** Selected boundaries that are not in the result because they have no polygon. */
  left_out: {
    count: number;
    /** The first 100. */
    items: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      reason: string;
    })[];
  };
  attribution: string;
};

export type CompareFileInput = {
  /** The file, as text or in base64. */
  content?: string;
  /** How content is written. */
  encoding?: "utf8" | "base64";
  /** Format of the file, where its beginning does not say it. */
  format?: "geojson" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "csv" | "kml" | "wkt" | "gml" | "poly";
  /** A file of the library in place of content. */
  file_id?: string;
  /** The property with the codes. Default: the ids of the features, or the property id. */
  id_column?: string;
  /** The property with the names. Default: name. */
  name_column?: string;
  /** The layer to read, where a file has several. */
  layer?: string;
  /** The reference system, such as EPSG:25830, if the file has none. */
  crs?: string;
  /** Encoding of its text, such as windows-1252. */
  text_encoding?: string;
  /** Of the boundaries to compare with. Default: all levels. */
  admin_level?: number;
};
export type CompareFileOutput = {
  items: ({
    /** In the file. */
    id: string;
    name: string;
    area_km2: number | null;
    /** Why it was not compared: its border does not close, for example. */
    trouble: string | null;
    boundaries: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      admin_level: number | null;
      country: string | null;
      /** Area that the two have in common. */
      common_km2: number;
      /** What part of the area of the file that is. */
      share: number;
      /** What part of the boundary that is. */
      share_of_boundary: number;
    })[];
  })[];
  total: number;
  /** Pairs with an area in common. */
  pairs: number;
  /** Features that are not compared, and why. */
  left_out: {
    total: number;
    items: ({
      id: string;
      reason: string;
    })[];
  };
  /** Of the boundaries. */
  attribution: string;
};

export type CoverBoundariesInput = {
  /** These boundaries. */
  ids?: (string)[];
  /** The subdivisions of this boundary: those that tile it, unless admin_level or levels is given. */
  children_of?: string;
  /** With children_of. Default: direct. */
  levels?: "direct" | "all";
  /** ISO 3166-1 alpha-2: the boundaries in it of a kind, an admin_level or both. */
  country?: string;
  /** [west, south, east, north] in degrees: boundaries completely inside. West > east across the antimeridian. */
  within?: (number)[];
  /** The boundaries that this file of the library is made of. */
  file_id?: string;
  /** The areas of this area set. */
  set?: string;
  /** With country or within. */
  kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
  /** With children_of, country or within. */
  admin_level?: number;
  grid: "h3" | "s2" | "geohash" | "quadkey";
  /** Resolution of all cells: h3 0 to 15, s2 0 to 24, geohash 1 to 10, quadkey 1 to 24. */
  resolution?: number;
  /** In place of resolution: the finest with at most that many cells for all boundaries. Default: 10000. */
  max_cells?: number;
  format?: "csv" | "parquet" | "json";
  /** CSV: escapes formulas. */
  safe_csv?: boolean;
};
export type CoverBoundariesOutput = {
  grid: "h3" | "s2" | "geohash" | "quadkey";
  attribution: string;
  /** Selected boundaries that are not in the result because they have no polygon. */
  left_out: {
    count: number;
    /** The first 100. */
    items: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      reason: string;
    })[];
  };
  resolution: number;
  /** Number of full cells, each boundary counted. */
  full: number;
  edge: number;
  items: ({
    /** Canonical boundary id: r… for a relation, w… for a way. */
    id: string;
    /** Cells that are completely inside. */
    full: (string)[];
    /** Cells on the border: ask geometry for their points. */
    edge: (string)[];
  })[];
};

export type DrawMapInput = {
  /** Figures as a table with a header: a column id, match_id or boundary_id, and the figure. Give csv or rows. */
  csv?: string;
  /** Figures: null where there is none. */
  rows?: ({
    /** Boundary id: r62422, w123, relation/62422, -62422, a map URL, wikidata:Q64, iso:DE-BE, a code with its scheme (nuts:DE212), or an area of a set (set:NAME/CODE). */
    id: string;
    value: number | null;
  })[];
  /** With csv: the column of the figure. Default: the first besides the ids. */
  value?: string;
  /** Also show these boundaries, hatched where they have no figure. */
  around?: (string)[] | {
    ids: (string)[];
  } | {
    /** Boundary id: r62422, w123, relation/62422, -62422, a map URL, wikidata:Q64, iso:DE-BE, a code with its scheme (nuts:DE212), or an area of a set (set:NAME/CODE). */
    children_of: string;
    /** With children_of, country or within. */
    admin_level?: number;
    /** With children_of. Default: direct. */
    levels?: "direct" | "all";
  } | {
    country: string;
    /** With country or within. */
    kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** With children_of, country or within. */
    admin_level?: number;
  } | {
    within: (number)[];
    /** With country or within. */
    kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** With children_of, country or within. */
    admin_level?: number;
  } | {
    file_id: string;
  } | {
    /** Name of an area set; its areas have the ids set:NAME/CODE. */
    set: string;
  };
  /** quantile:N, equal:N or natural:N with 2 to 9 classes, or given:10,20,50 with the bounds between them. */
  classes?: string;
  /** The last six of ColorBrewer are for figures with a middle. */
  colors?: "blues" | "greens" | "oranges" | "purples" | "ylgnbu" | "ylorrd" | "brbg" | "prgn" | "puor" | "rdbu" | "rdylbu" | "viridis" | "cividis";
  /** The colors in the other order. */
  reverse?: boolean;
  title: string;
  /** What the figures are: inhabitants per km2. */
  unit?: string;
  /** Where the figures are from. */
  source?: string;
  /** Written where they fit inside their area. */
  labels?: "names" | "values" | "none";
  /** Far parts, such as Alaska or the Canary Islands, in maps of their own. */
  insets?: boolean;
  /** In pixels; a PNG has two for each. */
  width?: number;
  /** Languages for names, best first. Default: local names. */
  lang?: string;
  format?: "svg" | "png" | "pdf";
};
export type DrawMapOutput = {
  url: string;
  sha256: string;
  bytes: number;
  content_type: string;
  format: "svg" | "png" | "pdf";
  areas: number;
  /** Areas that are hatched. */
  without_figure: number;
  /** Selected boundaries that are not in the result because they have no polygon. */
  left_out: {
    count: number;
    /** The first 100. */
    items: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      reason: string;
    })[];
  };
  /** Rows of a matched table that have no boundary, and are not on the map. */
  rows_without_id: number;
};

export type ExportBoundaryInput = {
  /** Boundary id: r62422, w123, relation/62422, -62422, a map URL, wikidata:Q64, iso:DE-BE, a code with its scheme (nuts:DE212), or an area of a set (set:NAME/CODE). */
  id: string;
  /** As of this date, from editions in force then. Default: today. */
  as_of?: string;
  /** Answer from what was stored at this moment: 2026-11-25T10:00:00Z. */
  recorded_before?: string;
  /** File format. */
  format?: "geojson" | "kml" | "wkt" | "svg" | "gml";
  /** Default: medium. */
  detail?: "low" | "medium" | "high" | "full";
  /** Tolerance in meters, a power of two; instead of detail. */
  tolerance_m?: number;
  /** Part of each boundary: all (default), its land without the sea, or its sea. */
  area?: "all" | "land" | "water";
  /** With area=land: cut out large lakes and rivers. */
  water?: "inland";
};
export type ExportBoundaryOutput = {
  url: string;
  sha256: string;
  bytes: number;
  content_type: string;
  /** File format. */
  format: "geojson" | "kml" | "wkt" | "svg" | "gml";
  detail: "low" | "medium" | "high" | "full" | null;
  boundary_id: string | null;
  version: number | null;
};

export type ExportCollectionInput = {
  /** These boundaries. */
  ids?: (string)[];
  /** The subdivisions of this boundary: those that tile it, unless admin_level or levels is given. */
  children_of?: string;
  /** With children_of. Default: direct. */
  levels?: "direct" | "all";
  /** ISO 3166-1 alpha-2: the boundaries in it of a kind, an admin_level or both. */
  country?: string;
  /** [west, south, east, north] in degrees: boundaries completely inside. West > east across the antimeridian. */
  within?: (number)[];
  /** The boundaries that this file of the library is made of. */
  file_id?: string;
  /** The areas of this area set. */
  set?: string;
  /** With country or within. */
  kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
  /** With children_of, country or within. */
  admin_level?: number;
  /** File format. */
  format?: "geojson" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "pmtiles" | "csv" | "kml" | "svg" | "gml" | "poly";
  /** CSV: escapes formulas. */
  safe_csv?: boolean;
  /** With format zip: the format of its files. Default: geojson. */
  zip_of?: "geojson" | "kml" | "wkt" | "svg" | "gml";
  /** Detail of the largest boundary, applied to all. Default: low without a key, medium with one. */
  detail?: "low" | "medium" | "high" | "full";
  /** Tolerance in meters, a power of two; instead of detail. */
  tolerance_m?: number;
  /** Part of each boundary: all (default), its land without the sea, or its sea. */
  area?: "all" | "land" | "water";
  /** With area=land: cut out large lakes and rivers. */
  water?: "inland";
  /** none: attributes only, in csv. */
  geometry?: "full" | "none";
  /** Languages for name, best first: de-CH,fr. Default: local names. */
  lang?: string;
  /** As of this date, from editions in force then. Default: today. */
  as_of?: string;
  /** Answer from what was stored at this moment: 2026-11-25T10:00:00Z. */
  recorded_before?: string;
  /** Add a column name:xx for each of these languages. */
  names?: string;
};
export type ExportCollectionOutput = {
  url: string;
  sha256: string;
  bytes: number;
  content_type: string;
  /** File format. */
  format: "geojson" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "pmtiles" | "csv" | "kml" | "svg" | "gml" | "poly";
  detail: "low" | "medium" | "high" | "full" | null;
  /** Tolerance of every boundary in the file, in meters. */
  tolerance_m: number;
  /** Boundaries in the file. */
  count: number;
  /** Selected boundaries that are not in the result because they have no polygon. */
  left_out: {
    count: number;
    /** The first 100. */
    items: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      reason: string;
    })[];
  };
};

export type ListVersionsInput = {
  /** Boundary id: r62422, w123, relation/62422, -62422, a map URL, wikidata:Q64, iso:DE-BE, a code with its scheme (nuts:DE212), or an area of a set (set:NAME/CODE). */
  id: string;
  /** Answer from what was stored at this moment: 2026-11-25T10:00:00Z. */
  recorded_before?: string;
};
export type ListVersionsOutput = {
  /** Canonical boundary id: r… for a relation, w… for a way. */
  id: string;
  items: ({
    valid_from: string;
    valid_to: string | null;
    recorded_at: string;
    name: string;
    admin_level: number | null;
    codes: (string)[];
    area_km2: number | null;
    population: number | null;
    source: string;
    /** What differs from the version before; empty for the first. */
    changed: ("name" | "names" | "admin_level" | "codes" | "population" | "parents" | "shape")[];
    /** The boundary with its shape, as of this version. */
    url: string;
  })[];
  /** Dates of editions of its source and level that were pruned. What was so from each of them until the next version is not known. */
  pruned?: (string)[];
};

export type ListChangesInput = {
  /** The earlier date: 2015-01-01. */
  from: string;
  /** The later date. */
  to: string;
  /** Only boundaries of this source. */
  source?: string;
  /** Admin level of the map data; 2 is a country. */
  admin_level?: number;
  /** Only boundaries within this one, on either date. */
  within?: string;
  /** Answer from what was stored at this moment: 2026-11-25T10:00:00Z. */
  recorded_before?: string;
  /** Only these types of changes, comma-separated: created, ended, merged, split, renamed, recoded, moved_parent, border_moved, redrawn. */
  types?: string;
  /** Least mean width of a strip that changed hands. */
  min_width_m?: number;
  /** Least share of the smaller boundary that changed hands. */
  min_share?: number;
  /** json or csv: the list. geojson: a polygon for each area that changed hands; another: its file. */
  format?: "json" | "geojson" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "pmtiles" | "csv" | "kml" | "svg" | "gml" | "poly";
  /** With format zip: the format of its files. Default: geojson. */
  zip_of?: "geojson" | "kml" | "wkt" | "svg" | "gml";
  /** CSV: escapes formulas. */
  safe_csv?: boolean;
  /** Page size. */
  limit?: number;
  /** Items to skip. */
  offset?: number;
};
export type ListChangesOutput = {
  items: ({
    type: "created" | "ended" | "merged" | "split" | "renamed" | "recoded" | "moved_parent" | "border_moved" | "redrawn";
    /** Canonical boundary id: r… for a relation, w… for a way. */
    id: string;
    name: string;
    admin_level: number | null;
    /** The name, codes or parent before. */
    from?: string | null;
    to?: string | null;
    /** Boundaries of the earlier date whose area it has. */
    predecessors?: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      /** Area in common. */
      km2: number;
      /** The common area as a share of that boundary. */
      share_of_it: number;
      /** The common area as a share of the boundary of the change. */
      share_of_this: number;
    })[];
    /** Boundaries of the later date that have its area. */
    successors?: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      /** Area in common. */
      km2: number;
      /** The common area as a share of that boundary. */
      share_of_it: number;
      /** The common area as a share of the boundary of the change. */
      share_of_this: number;
    })[];
    gained_km2?: number;
    lost_km2?: number;
    /** What was gained from each boundary, and lost to it. */
    with?: ({
      /** Canonical boundary id: r… for a relation, w… for a way. */
      id: string;
      name: string;
      gained_km2: number;
      lost_km2: number;
    })[];
  })[];
  total: number;
  limit: number;
  offset: number;
  /** Number of changes by type. */
  counts: Record<string, number>;
  /** Boundaries that were compared, by date. */
  boundaries: {
    from: number;
    to: number;
  };
} | {
  type: "FeatureCollection";
  features: ({
    type: "Feature";
    /** Canonical boundary id: r… for a relation, w… for a way. */
    id?: string;
    /** west, south, east, north; west > east across the antimeridian. */
    bbox?: (number)[];
    properties: {
      /** Canonical boundary id: r… for a relation, w… for a way. */
      from_id: string;
      from_name: string;
      /** Canonical boundary id: r… for a relation, w… for a way. */
      to_id: string;
      to_name: string;
      admin_level: number | null;
      /** The types of the changes that it is a part of. */
      types: string;
      km2: number;
      share_of_from: number;
      share_of_to: number;
      from_date: string;
      to_date: string;
    };
    geometry: {
      type: "Polygon" | "MultiPolygon";
      coordinates: (unknown)[];
    };
  })[];
} | {
  url: string;
  sha256: string;
  bytes: number;
  content_type: string;
  /** File format. */
  format: "geojson" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "pmtiles" | "csv" | "kml" | "svg" | "gml" | "poly";
  /** Areas in the file. */
  count: number;
  attribution: string;
};

export type GetChangeFeedInput = {
  /** Only this boundary and those within it. */
  boundary?: string;
  /** ISO 3166-1 alpha-2: only boundaries in it. */
  country?: string;
  /** Admin level of the map data; 2 is a country. */
  admin_level?: number;
  /** Only earlier entries: from the link next. */
  before?: number;
};
export type GetChangeFeedOutput = string;

export type ListKindsInput = {
  /** Only rows that apply in this country (ISO 3166-1 alpha-2): its own, and those for every country. */
  country?: string;
};
export type ListKindsOutput = {
  items: ({
    country: string | null;
    admin_level: number | null;
    id: string | null;
    within: string | null;
    when: Record<string, (string)[]> | null;
    kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    source: string;
    /** The year, or year and month, of the source. */
    as_of: string;
  })[];
};

export type GetDataStatusInput = {
  /** Include what is stored for each country, at most a minute old, and countries of which nothing is. */
  countries?: boolean;
  /** Include the dates from which editions of the past are valid: between two of them nothing changes. */
  editions?: boolean;
};
export type GetDataStatusOutput = {
  boundaries: number;
  stale: number;
  sources: ({
    id: string;
    name: string;
    url: string | null;
    license: string;
    attribution: string;
    /** Of the file imported last, as its publisher names it; null: not stated. */
    edition: string | null;
    imported_at: string;
    /** Time of the newest data, if its files have it. */
    data_at: string | null;
    /** Of the file imported last: a code such as EPSG:2154, else a name; null: not stated. */
    reference_system: string | null;
    /** How far places may be off after the transformation to WGS 84; 0: none was needed; null: unknown. */
    accuracy_m: number | null;
    boundaries: number;
    with_geometry: number;
    stale: number;
    broken: number;
  })[];
  /** Only with countries=true. */
  countries?: ({
    /** ISO 3166-1 alpha-2; null: in no country. */
    country: string | null;
    levels: ({
      admin_level: number | null;
      boundaries: number;
    })[];
    postal_codes: number;
    /** Ids of the sources that its boundaries are of; see `sources`. */
    sources: (string)[];
    /** Files of the catalog of sources that have its areas: `boundary import @NAME` brings one. */
    recipes: (string)[];
  })[];
  /** Only with countries=true: the sources that `recipes` name. */
  catalog?: ({
    /** The first part of a recipe. */
    name: string;
    title: string;
    publisher: string;
    homepage: string;
    license: string;
    files: ({
      /** The rest of a recipe, with {iso2} or {iso3} for the country. */
      part: string;
      holds: string;
      /** Of the file, with the same placeholders; null: the publisher has none that stays. */
      address: string | null;
    })[];
  })[];
  /** Only with editions=true: a row for each type and level, the earliest first, of the latest 1000 editions. */
  editions?: ({
    valid_from: string;
    source: string;
    /** Of the source. */
    name: string;
    type: string;
    admin_level: number | null;
    boundaries: number;
  })[];
  updates: ({
    address: string | null;
    /** Number of the last change applied. */
    sequence: number | null;
    data_at: string | null;
    applied_at: string;
  })[];
};

export type SaveFileInput = {
  /** In any form. */
  boundary_id?: string;
  /** As union_boundaries, of today: include, exclude. */
  union?: Record<string, unknown>;
  /** As export_collection, of today. */
  collection?: Record<string, unknown>;
  /** As create_area: description or plan, country, near. With boundary_id: all, land or water, saved as a union. */
  area?: "all" | "land" | "water" | Record<string, unknown>;
  /** With area=land: cut out large lakes and rivers. */
  water?: "inland";
  format?: "geojson" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "pmtiles" | "csv" | "kml" | "wkt" | "svg" | "gml" | "poly";
  /** As in export_boundary. */
  detail?: "low" | "medium" | "high" | "full";
  name?: string;
  /** Make it again when its boundaries change, at its price. */
  follow?: boolean;
  /** Default: org; with areas of sets: restricted (creator, admins). */
  visibility?: "org" | "restricted";
};
export type SaveFileOutput = {
  id: string;
  name: string;
  /** The operation that made it: export_boundary for a single boundary. */
  made_by: string;
  /** Canonical id of a single boundary; else null, as are version and current. */
  boundary_id: string | null;
  /** Version of the boundary when it was exported. */
  version: number | null;
  /** Whether that is still the newest version; refresh exports the newest. */
  current: boolean | null;
  /** File format. */
  format: "geojson" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "pmtiles" | "csv" | "kml" | "wkt" | "svg" | "gml" | "poly" | "json" | "parquet" | "png" | "pdf";
  /** Null: made at a tolerance, or without geometry. */
  detail: "low" | "medium" | "high" | "full" | null;
  /** org: visible to every member; restricted: only to its creator, admins and those it is shared with. */
  visibility: "org" | "restricted";
  tags: (string)[];
  /** Access of the caller. */
  access: "read" | "write" | "admin";
  /** Permanent URL of the file, for the same credentials as this answer. */
  url: string;
  content_type: string;
  sha256: string;
  bytes: number;
  /** Null: their account was deleted. */
  creator: {
    id: string;
    email: string;
    name: string | null;
  } | null;
  created_at: string;
  updated_at: string;
  /** When it is deleted, for results of jobs; null: it is kept. */
  expires_at: string | null;
  /** The moment of the data that it was made from. */
  data_at: string;
  /** Whether it is made again when its boundaries change, at the same url. */
  follow: boolean;
  /** Why it could not be made again the last time; it is tried again. */
  follow_error: {
    code: string;
    detail: string;
  } | null;
  /** What was asked for and is not so because the file already existed; update_file changes it. */
  not_applied: ({
    field: "name" | "visibility" | "follow";
    reason: string;
  })[];
};

export type ListFilesInput = {
  /** Page size. */
  limit?: number;
  /** Items to skip. */
  offset?: number;
  /** In the name, in any case. */
  q?: string;
  tag?: string;
  sort?: "newest" | "oldest" | "name" | "largest";
  /** Also all tags. */
  tags?: boolean;
};
export type ListFilesOutput = {
  items: ({
    id: string;
    name: string;
    /** The operation that made it: export_boundary for a single boundary. */
    made_by: string;
    /** Canonical id of a single boundary; else null, as are version and current. */
    boundary_id: string | null;
    /** Version of the boundary when it was exported. */
    version: number | null;
    /** Whether that is still the newest version; refresh exports the newest. */
    current: boolean | null;
    /** File format. */
    format: "geojson" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "pmtiles" | "csv" | "kml" | "wkt" | "svg" | "gml" | "poly" | "json" | "parquet" | "png" | "pdf";
    /** Null: made at a tolerance, or without geometry. */
    detail: "low" | "medium" | "high" | "full" | null;
    /** org: visible to every member; restricted: only to its creator, admins and those it is shared with. */
    visibility: "org" | "restricted";
    tags: (string)[];
    /** Access of the caller. */
    access: "read" | "write" | "admin";
    /** Permanent URL of the file, for the same credentials as this answer. */
    url: string;
    content_type: string;
    sha256: string;
    bytes: number;
    /** Null: their account was deleted. */
    creator: {
      id: string;
      email: string;
      name: string | null;
    } | null;
    created_at: string;
    updated_at: string;
    /** When it is deleted, for results of jobs; null: it is kept. */
    expires_at: string | null;
    /** The moment of the data that it was made from. */
    data_at: string;
    /** Whether it is made again when its boundaries change, at the same url. */
    follow: boolean;
    /** Why it could not be made again the last time; it is tried again. */
    follow_error: {
      code: string;
      detail: string;
    } | null;
    /** Null: the file does not say which boundaries it is made of, or the files on the page are of too many: get_file. */
    outdated: {
      /** Boundaries that changed since the file was made, up to 1,000; 0: it is up to date. */
      total: number;
      /** The first 50; in lists the first 3. */
      items: ({
        id: string;
        name: string;
        types: ("created" | "ended" | "renamed" | "recoded" | "reshaped")[];
        name_before?: string;
        km2_before?: number | null;
        km2?: number | null;
      })[];
    } | null;
  })[];
  total: number;
  limit: number;
  offset: number;
  /** With tags: those of all files that the caller sees, of most files first, up to 500. */
  tags?: {
    items: ({
      tag: string;
      files: number;
    })[];
    total: number;
  };
};

export type GetFileInput = {
  /** Id of a file of the library: file_…. */
  id: string;
};
export type GetFileOutput = {
  id: string;
  name: string;
  /** The operation that made it: export_boundary for a single boundary. */
  made_by: string;
  /** Canonical id of a single boundary; else null, as are version and current. */
  boundary_id: string | null;
  /** Version of the boundary when it was exported. */
  version: number | null;
  /** Whether that is still the newest version; refresh exports the newest. */
  current: boolean | null;
  /** File format. */
  format: "geojson" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "pmtiles" | "csv" | "kml" | "wkt" | "svg" | "gml" | "poly" | "json" | "parquet" | "png" | "pdf";
  /** Null: made at a tolerance, or without geometry. */
  detail: "low" | "medium" | "high" | "full" | null;
  /** org: visible to every member; restricted: only to its creator, admins and those it is shared with. */
  visibility: "org" | "restricted";
  tags: (string)[];
  /** Access of the caller. */
  access: "read" | "write" | "admin";
  /** Permanent URL of the file, for the same credentials as this answer. */
  url: string;
  content_type: string;
  sha256: string;
  bytes: number;
  /** Null: their account was deleted. */
  creator: {
    id: string;
    email: string;
    name: string | null;
  } | null;
  created_at: string;
  updated_at: string;
  /** When it is deleted, for results of jobs; null: it is kept. */
  expires_at: string | null;
  /** The moment of the data that it was made from. */
  data_at: string;
  /** Whether it is made again when its boundaries change, at the same url. */
  follow: boolean;
  /** Why it could not be made again the last time; it is tried again. */
  follow_error: {
    code: string;
    detail: string;
  } | null;
  /** Null without admin access. */
  shares: ({
    /** The grant id that unshare_file takes. */
    grant_id: string;
    team: {
      id: string;
      slug: string;
      name: string;
    } | null;
    user: {
      id: string;
      email: string;
      name: string | null;
    } | null;
    /** read; write: rename and refresh too; admin: share, hide and delete too. Viewers read at most. */
    access: "read" | "write" | "admin";
    created_at: string;
    /** Of a link, with which anyone reads this file, without an account, until it expires. */
    link?: {
      expires_at: string;
      /** Only when it is made: it is kept nowhere. */
      url?: string;
    };
  })[] | null;
  /** Why shares is null. */
  shares_hidden: string | null;
  /** Null: the file does not say which boundaries it is made of, or it is of too many. */
  outdated: {
    /** Boundaries that changed since the file was made, up to 1,000; 0: it is up to date. */
    total: number;
    /** The first 50; in lists the first 3. */
    items: ({
      id: string;
      name: string;
      types: ("created" | "ended" | "renamed" | "recoded" | "reshaped")[];
      name_before?: string;
      km2_before?: number | null;
      km2?: number | null;
    })[];
  } | null;
};

export type UpdateFileInput = {
  /** Id of a file of the library: file_…. */
  id: string;
  name?: string;
  /** In place of the tags that the file has. */
  tags?: (string)[];
  /** org: visible to every member; restricted: only to its creator, admins and those it is shared with. */
  visibility?: "org" | "restricted";
  /** Make it again when its boundaries change, at its price. */
  follow?: boolean;
  /** Export the newest version of the boundary. */
  refresh?: boolean;
};
export type UpdateFileOutput = {
  id: string;
  name: string;
  /** The operation that made it: export_boundary for a single boundary. */
  made_by: string;
  /** Canonical id of a single boundary; else null, as are version and current. */
  boundary_id: string | null;
  /** Version of the boundary when it was exported. */
  version: number | null;
  /** Whether that is still the newest version; refresh exports the newest. */
  current: boolean | null;
  /** File format. */
  format: "geojson" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "pmtiles" | "csv" | "kml" | "wkt" | "svg" | "gml" | "poly" | "json" | "parquet" | "png" | "pdf";
  /** Null: made at a tolerance, or without geometry. */
  detail: "low" | "medium" | "high" | "full" | null;
  /** org: visible to every member; restricted: only to its creator, admins and those it is shared with. */
  visibility: "org" | "restricted";
  tags: (string)[];
  /** Access of the caller. */
  access: "read" | "write" | "admin";
  /** Permanent URL of the file, for the same credentials as this answer. */
  url: string;
  content_type: string;
  sha256: string;
  bytes: number;
  /** Null: their account was deleted. */
  creator: {
    id: string;
    email: string;
    name: string | null;
  } | null;
  created_at: string;
  updated_at: string;
  /** When it is deleted, for results of jobs; null: it is kept. */
  expires_at: string | null;
  /** The moment of the data that it was made from. */
  data_at: string;
  /** Whether it is made again when its boundaries change, at the same url. */
  follow: boolean;
  /** Why it could not be made again the last time; it is tried again. */
  follow_error: {
    code: string;
    detail: string;
  } | null;
};

export type DeleteFileInput = {
  /** Id of a file of the library: file_…. */
  id: string;
};
export type DeleteFileOutput = {
  id: string;
  deleted: true;
};

export type ShareFileInput = {
  /** Id of a file of the library: file_…. */
  id: string;
  /** Id or slug of the team. */
  team?: string;
  /** Email or user id of a member. */
  user?: string;
  /** Days for which a link works. */
  link_days?: number;
  /** read; write: rename and refresh too; admin: share, hide and delete too. Viewers read at most. */
  access?: "read" | "write" | "admin";
};
export type ShareFileOutput = {
  items: ({
    /** The grant id that unshare_file takes. */
    grant_id: string;
    team: {
      id: string;
      slug: string;
      name: string;
    } | null;
    user: {
      id: string;
      email: string;
      name: string | null;
    } | null;
    /** read; write: rename and refresh too; admin: share, hide and delete too. Viewers read at most. */
    access: "read" | "write" | "admin";
    created_at: string;
    /** Of a link, with which anyone reads this file, without an account, until it expires. */
    link?: {
      expires_at: string;
      /** Only when it is made: it is kept nowhere. */
      url?: string;
    };
  })[];
};

export type UnshareFileInput = {
  /** Id of a file of the library: file_…. */
  id: string;
  /** Grant id of the share, as get_file lists it. */
  grant_id: string;
};
export type UnshareFileOutput = {
  id: string;
  deleted: true;
  /** The removed share; id is the same. */
  grant_id: string;
};

export type CreateAreaSetInput = {
  /** Name of an area set; its areas have the ids set:NAME/CODE. */
  name: string;
  /** Title of the set; it is also the name of the source of its areas. */
  title?: string;
  /** Of a new set. Default: org. update_area_set changes it. */
  visibility?: "org" | "restricted";
  /** From which date on the areas are so. Default: today. */
  valid_from?: string;
  /** Take the place of the version of that date. */
  replace?: boolean;
  /** The file, as text or in base64. */
  content?: string;
  /** How content is written. */
  encoding?: "utf8" | "base64";
  /** Format of the file, where its beginning does not say it. */
  format?: "geojson" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "csv" | "kml" | "wkt" | "gml" | "poly";
  /** A file of the library in place of content. */
  file_id?: string;
  /** Only keep the file, in the library, restricted to you, for a day: the answer is its file_id. create_job with op create_area_set stores the areas then, which for 100,000 takes minutes. */
  keep_file?: boolean;
  /** GeoJSON features in place of a file, with their properties: such as those drawn on a map. */
  features?: ({
    type: "Feature";
  })[];
  /** Groups of boundaries in place of a file: an area for each, with its name. */
  groups?: Record<string, (string)[] | {
    ids: (string)[];
  } | {
    /** Boundary id: r62422, w123, relation/62422, -62422, a map URL, wikidata:Q64, iso:DE-BE, a code with its scheme (nuts:DE212), or an area of a set (set:NAME/CODE). */
    children_of: string;
    /** With children_of, country or within. */
    admin_level?: number;
    /** With children_of. Default: direct. */
    levels?: "direct" | "all";
  } | {
    country: string;
    /** With country or within. */
    kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** With children_of, country or within. */
    admin_level?: number;
  } | {
    within: (number)[];
    /** With country or within. */
    kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    /** With children_of, country or within. */
    admin_level?: number;
  } | {
    file_id: string;
  } | {
    /** Name of an area set; its areas have the ids set:NAME/CODE. */
    set: string;
  }>;
  /** recorded_at of the newest version of the set that you have read: if there is a newer one by now, the call fails with the code changed, and nothing is overwritten. */
  base?: string;
  /** official: where a border runs along an official one within snap_m, it takes that border exactly. */
  snap?: "none" | "official";
  /** Tolerance of snap in meters. */
  snap_m?: number;
  /** Which area gets what several have. smallest: the smaller of two, of equal ones the first; first: the first in the file; longest_border: that with the longest border of its own beside it. */
  overlaps?: "keep" | "smallest" | "first" | "longest_border";
  /** longest_border: the area with the longest common border gets a gap, whatever its size; nearest: each place of a gap goes to the area whose border is nearest. */
  gaps?: "keep" | "longest_border" | "nearest";
  /** The property with the codes. Default: the ids of the features, or the property id; of a file with one area, the name of the set. */
  id_column?: string;
  /** The property with the names. Default: name. */
  name_column?: string;
  /** The layer to read, where a file has several. */
  layer?: string;
  /** The reference system, such as EPSG:25830, if the file has none. */
  crs?: string;
  /** Encoding of its text, such as windows-1252. */
  text_encoding?: string;
  /** The property with the populations. */
  population_column?: string;
  /** Kind of the areas. */
  kind?: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
  /** What answers name as their source. Default: that of the version before, of a new set the title. */
  attribution?: string;
};
export type CreateAreaSetOutput = {
  /** Name of an area set; its areas have the ids set:NAME/CODE. */
  name: string;
  title: string;
  /** org: visible to every member; restricted: only to its creator, admins and those it is shared with. */
  visibility: "org" | "restricted";
  /** Access of the caller. */
  access: "read" | "write" | "admin";
  /** Null: their account was deleted. */
  creator: {
    id: string;
    email: string;
    name: string | null;
  } | null;
  /** The oldest first. */
  versions: ({
    /** From this date on the areas are so, until the next version. */
    valid_from: string;
    made_from: "file" | "saved_file" | "groups" | "features";
    attribution: string;
    areas: number;
    vertices: number;
    recorded_at: string;
  })[];
  created_at: string;
  updated_at: string;
  report: {
    /** How the version was made, as inputs for one that is made alike; absent where that was not kept. */
    options?: {
      snap: "none" | "official";
      snap_m: number;
      overlaps: "keep" | "smallest" | "first" | "longest_border";
      gaps: "keep" | "longest_border" | "nearest";
      /** Normalized kind of boundary. */
      kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    };
    /** The version of the same date that this one replaced, which is deleted; absent where there was none. */
    replaced?: {
      recorded_at: string;
      made_from: "file" | "saved_file" | "groups" | "features";
      areas: number;
    };
    /** Features that are not in the set, and why. */
    left_out: {
      total: number;
      items: ({
        id: string;
        reason: string;
      })[];
    };
    /** Areas without a polygon, and why. */
    broken: {
      total: number;
      items: ({
        id: string;
        reason: string;
      })[];
    };
    /** Areas whose borders were changed by slivers so that neighbors share them. */
    cleaned: {
      total: number;
      items: ({
        id: string;
        reason: string;
        km2_before: number;
        km2_after: number;
      })[];
    };
    /** Pairs of areas that overlap; both keep the overlap. */
    overlaps: {
      total: number;
      items: ({
        a: string;
        b: string;
        km2: number;
      })[];
    };
    /** Gaps between areas, and the areas beside them; list_set_gaps has their shapes, and those of overlaps. */
    gaps?: {
      total: number;
      items: ({
        areas: (string)[];
        km2: number;
      })[];
    };
    /** How many gaps and overlaps areas were given by gaps and overlaps, and what each area got and gave away. */
    given?: {
      gaps: number;
      gaps_km2: number;
      overlaps: number;
      overlaps_km2: number;
      areas: {
        total: number;
        items: ({
          id: string;
          gained_km2: number;
          lost_km2: number;
        })[];
      };
    };
    /** With snap: the km2 that only one of the borders before and after has, of each area that was moved; and the areas that were left as they were, as they or a neighbor would not have stayed whole, or a narrow gap beside them would have become larger; and the other gaps that became larger. */
    snapped?: {
      tolerance_m: number;
      moved: {
        total: number;
        items: ({
          id: string;
          km2: number;
        })[];
      };
      left: {
        total: number;
        items: (string)[];
      };
      widened: {
        total: number;
        items: ({
          areas: (string)[];
          km2: number;
          km2_before: number;
        })[];
      };
    };
    notices: (string)[];
  };
} | {
  file_id: string;
  bytes: number;
};

export type ListAreaSetsInput = {
  /** Page size. */
  limit?: number;
  /** Items to skip. */
  offset?: number;
};
export type ListAreaSetsOutput = {
  items: ({
    /** Name of an area set; its areas have the ids set:NAME/CODE. */
    name: string;
    title: string;
    /** org: visible to every member; restricted: only to its creator, admins and those it is shared with. */
    visibility: "org" | "restricted";
    /** Access of the caller. */
    access: "read" | "write" | "admin";
    /** Null: their account was deleted. */
    creator: {
      id: string;
      email: string;
      name: string | null;
    } | null;
    /** The oldest first. */
    versions: ({
      /** From this date on the areas are so, until the next version. */
      valid_from: string;
      made_from: "file" | "saved_file" | "groups" | "features";
      attribution: string;
      areas: number;
      vertices: number;
      recorded_at: string;
    })[];
    created_at: string;
    updated_at: string;
  })[];
  total: number;
  limit: number;
  offset: number;
};

export type GetAreaSetInput = {
  /** Name of an area set; its areas have the ids set:NAME/CODE. */
  name: string;
  /** The report of the version in force on this date. Default: of the newest. */
  on?: string;
};
export type GetAreaSetOutput = {
  /** Name of an area set; its areas have the ids set:NAME/CODE. */
  name: string;
  title: string;
  /** org: visible to every member; restricted: only to its creator, admins and those it is shared with. */
  visibility: "org" | "restricted";
  /** Access of the caller. */
  access: "read" | "write" | "admin";
  /** Null: their account was deleted. */
  creator: {
    id: string;
    email: string;
    name: string | null;
  } | null;
  /** The oldest first. */
  versions: ({
    /** From this date on the areas are so, until the next version. */
    valid_from: string;
    made_from: "file" | "saved_file" | "groups" | "features";
    attribution: string;
    areas: number;
    vertices: number;
    recorded_at: string;
  })[];
  created_at: string;
  updated_at: string;
  /** Of the version in force on `on`, else of the newest. */
  report: {
    /** How the version was made, as inputs for one that is made alike; absent where that was not kept. */
    options?: {
      snap: "none" | "official";
      snap_m: number;
      overlaps: "keep" | "smallest" | "first" | "longest_border";
      gaps: "keep" | "longest_border" | "nearest";
      /** Normalized kind of boundary. */
      kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    };
    /** The version of the same date that this one replaced, which is deleted; absent where there was none. */
    replaced?: {
      recorded_at: string;
      made_from: "file" | "saved_file" | "groups" | "features";
      areas: number;
    };
    /** Features that are not in the set, and why. */
    left_out: {
      total: number;
      items: ({
        id: string;
        reason: string;
      })[];
    };
    /** Areas without a polygon, and why. */
    broken: {
      total: number;
      items: ({
        id: string;
        reason: string;
      })[];
    };
    /** Areas whose borders were changed by slivers so that neighbors share them. */
    cleaned: {
      total: number;
      items: ({
        id: string;
        reason: string;
        km2_before: number;
        km2_after: number;
      })[];
    };
    /** Pairs of areas that overlap; both keep the overlap. */
    overlaps: {
      total: number;
      items: ({
        a: string;
        b: string;
        km2: number;
      })[];
    };
    /** Gaps between areas, and the areas beside them; list_set_gaps has their shapes, and those of overlaps. */
    gaps?: {
      total: number;
      items: ({
        areas: (string)[];
        km2: number;
      })[];
    };
    /** How many gaps and overlaps areas were given by gaps and overlaps, and what each area got and gave away. */
    given?: {
      gaps: number;
      gaps_km2: number;
      overlaps: number;
      overlaps_km2: number;
      areas: {
        total: number;
        items: ({
          id: string;
          gained_km2: number;
          lost_km2: number;
        })[];
      };
    };
    /** With snap: the km2 that only one of the borders before and after has, of each area that was moved; and the areas that were left as they were, as they or a neighbor would not have stayed whole, or a narrow gap beside them would have become larger; and the other gaps that became larger. */
    snapped?: {
      tolerance_m: number;
      moved: {
        total: number;
        items: ({
          id: string;
          km2: number;
        })[];
      };
      left: {
        total: number;
        items: (string)[];
      };
      widened: {
        total: number;
        items: ({
          areas: (string)[];
          km2: number;
          km2_before: number;
        })[];
      };
    };
    notices: (string)[];
  };
  /** Null without admin access. */
  shares: ({
    /** The grant id that unshare_file takes. */
    grant_id: string;
    team: {
      id: string;
      slug: string;
      name: string;
    } | null;
    user: {
      id: string;
      email: string;
      name: string | null;
    } | null;
    /** read; write: rename and refresh too; admin: share, hide and delete too. Viewers read at most. */
    access: "read" | "write" | "admin";
    created_at: string;
    /** Of a link, with which anyone reads this file, without an account, until it expires. */
    link?: {
      expires_at: string;
      /** Only when it is made: it is kept nowhere. */
      url?: string;
    };
  })[] | null;
};

export type ListSetAreasInput = {
  /** Name of an area set; its areas have the ids set:NAME/CODE. */
  name: string;
  /** The version in force on this date. Default: today. */
  on?: string;
  /** With the boundaries that each area was made from, where the version was made from groups. */
  members?: boolean;
  /** Page size. */
  limit?: number;
  /** next of the previous page. */
  cursor?: string;
};
export type ListSetAreasOutput = {
  items: ({
    id: string;
    name: string;
    /** Normalized kind of boundary. */
    kind: "country" | "state" | "region" | "province" | "county" | "district" | "municipality" | "city" | "borough" | "ward" | "neighbourhood" | "postal_code";
    population: number | null;
    /** Null without a polygon. */
    area_km2: number | null;
    bbox: {
      /** Degrees east, WGS 84. */
      west: number;
      /** Degrees north, WGS 84. */
      south: number;
      /** Degrees east, WGS 84. */
      east: number;
      /** Degrees north, WGS 84. */
      north: number;
    } | null;
    /** A point inside. */
    centroid: {
      /** Degrees north, WGS 84. */
      lat: number;
      /** Degrees east, WGS 84. */
      lon: number;
    } | null;
    /** Why it has no polygon. */
    broken: string | null;
    /** The properties that it had in its file, as text. */
    properties: Record<string, string>;
    /** With members: their ids. Null where the version was not made from groups, was stored before members were kept, or has members of a set that the caller may not read. */
    members?: (string)[] | null;
  })[];
  /** Of the version. */
  valid_from: string;
  total: number;
  limit: number;
  /** The cursor of the next page; null on the last. */
  next: string | null;
};

export type ListSetGapsInput = {
  /** Name of an area set; its areas have the ids set:NAME/CODE. */
  name: string;
  /** Of the version in force on this date. Default: today. */
  on?: string;
};
export type ListSetGapsOutput = {
  type: "FeatureCollection";
  features: ({
    type: "Feature";
    properties: {
      what: "gap" | "overlap" | "filled_gap" | "given_overlap";
      km2: number;
      /** Ids: of a gap those beside it, the longest common border first. */
      areas: (string)[];
    };
    /** Null beyond the 1,000 largest. */
    geometry: {
      type: "MultiPolygon";
      coordinates: ((((number)[])[])[])[];
    } | null;
  })[];
};

export type UpdateAreaSetInput = {
  /** Name of an area set; its areas have the ids set:NAME/CODE. */
  name: string;
  /** Title of the set; it is also the name of the source of its areas. */
  title?: string;
  /** org: visible to every member; restricted: only to its creator, admins and those it is shared with. */
  visibility?: "org" | "restricted";
};
export type UpdateAreaSetOutput = {
  /** Name of an area set; its areas have the ids set:NAME/CODE. */
  name: string;
  title: string;
  /** org: visible to every member; restricted: only to its creator, admins and those it is shared with. */
  visibility: "org" | "restricted";
  /** Access of the caller. */
  access: "read" | "write" | "admin";
  /** Null: their account was deleted. */
  creator: {
    id: string;
    email: string;
    name: string | null;
  } | null;
  /** The oldest first. */
  versions: ({
    /** From this date on the areas are so, until the next version. */
    valid_from: string;
    made_from: "file" | "saved_file" | "groups" | "features";
    attribution: string;
    areas: number;
    vertices: number;
    recorded_at: string;
  })[];
  created_at: string;
  updated_at: string;
};

export type DeleteAreaSetInput = {
  /** Name of an area set; its areas have the ids set:NAME/CODE. */
  name: string;
};
export type DeleteAreaSetOutput = {
  id: string;
  deleted: true;
};

export type ShareAreaSetInput = {
  /** Name of an area set; its areas have the ids set:NAME/CODE. */
  name: string;
  /** Id or slug of the team. */
  team?: string;
  /** Email or user id of a member. */
  user?: string;
  /** read; write: rename and refresh too; admin: share, hide and delete too. Viewers read at most. */
  access?: "read" | "write" | "admin";
};
export type ShareAreaSetOutput = {
  items: ({
    /** The grant id that unshare_file takes. */
    grant_id: string;
    team: {
      id: string;
      slug: string;
      name: string;
    } | null;
    user: {
      id: string;
      email: string;
      name: string | null;
    } | null;
    /** read; write: rename and refresh too; admin: share, hide and delete too. Viewers read at most. */
    access: "read" | "write" | "admin";
    created_at: string;
    /** Of a link, with which anyone reads this file, without an account, until it expires. */
    link?: {
      expires_at: string;
      /** Only when it is made: it is kept nowhere. */
      url?: string;
    };
  })[];
};

export type UnshareAreaSetInput = {
  /** Name of an area set; its areas have the ids set:NAME/CODE. */
  name: string;
  /** The grant id of the share: shr_…. */
  grant_id: string;
};
export type UnshareAreaSetOutput = {
  id: string;
  deleted: true;
};

export type CreateSubscriptionInput = {
  /** This boundary. */
  boundary?: string;
  /** With boundary: what is within it, too. */
  subdivisions?: boolean;
  /** ISO 3166-1 alpha-2: the boundaries in it. */
  country?: string;
  /** The boundaries that this file of the library is made of. */
  file_id?: string;
  /** Only boundaries of this level. */
  admin_level?: number;
  /** Email the caller, at most 24 times a day. */
  mail?: boolean;
  /** POST a signed event to this URL. Its address must be public, or one that the server allows. */
  webhook?: string;
};
export type CreateSubscriptionOutput = {
  id: string;
  about: {
    /** Canonical boundary id: r… for a relation, w… for a way. */
    boundary?: string;
    subdivisions?: boolean;
    country?: string;
    file_id?: string;
    admin_level?: number;
  };
  webhook: string | null;
  mail: boolean;
  creator: {
    id: string;
    email: string;
    name: string | null;
  };
  created_at: string;
  /** When the last message was written; null: none yet. */
  sent_at: string | null;
  /** Secret that signs the events for the organization. */
  webhook_secret: string | null;
};

export type ListSubscriptionsInput = {
  /** Page size. */
  limit?: number;
  /** Items to skip. */
  offset?: number;
};
export type ListSubscriptionsOutput = {
  items: ({
    id: string;
    about: {
      /** Canonical boundary id: r… for a relation, w… for a way. */
      boundary?: string;
      subdivisions?: boolean;
      country?: string;
      file_id?: string;
      admin_level?: number;
    };
    webhook: string | null;
    mail: boolean;
    creator: {
      id: string;
      email: string;
      name: string | null;
    };
    created_at: string;
    /** When the last message was written; null: none yet. */
    sent_at: string | null;
  })[];
  total: number;
  limit: number;
  offset: number;
};

export type DeleteSubscriptionInput = {
  /** Id of a subscription: sub_…. */
  id: string;
};
export type DeleteSubscriptionOutput = {
  id: string;
  deleted: true;
};

export type ImportFileInput = {
  /** Say how the file would be imported; store no boundary. */
  dry_run?: boolean;
  /** The file, as dry_run kept it in the library, or any other one of it. */
  file_id?: string;
  /** With a body: its name. Its words may say the level, its extension the format. */
  file_name?: string;
  /** With a body: its format, where its beginning does not say it. */
  format?: "geojson" | "geojsonseq" | "ndjson" | "topojson" | "flatgeobuf" | "geopackage" | "geoparquet" | "shapefile" | "zip" | "csv" | "kml" | "wkt" | "gml" | "poly";
  /** With dry_run: a file of the catalog whose columns it has, such as nuts/3. */
  recipe?: string;
  /** With dry_run: the layer to read, of several. */
  layer?: string;
  /** With dry_run: its reference system, such as EPSG:25830. */
  crs?: string;
  /** With dry_run: encoding of its text. */
  text_encoding?: string;
  /** How to import it: as dry_run proposes, or corrected. */
  options?: {
    source: string;
    name?: string;
    url?: string;
    license: string;
    attribution: string;
    edition?: string;
    map?: Record<string, string>;
    values?: Record<string, Record<string, string>>;
    where?: Record<string, (string)[]>;
    adminLevel?: number;
    bbox?: [number, number, number, number];
    levels?: ({
      adminLevel: number;
      id: string;
      name: string;
    })[];
    country?: string;
    type?: "administrative" | "postal_code";
    layer?: string;
    object?: string;
    geometry?: string;
    strict?: boolean;
    replace?: boolean;
    encoding?: string;
    crs?: string;
  };
  /** Ids of boundaries to publish even if their areas changed a lot. */
  accept?: (string)[];
};
export type ImportFileOutput = {
  id: string;
  op: "export_collection" | "dissolve" | "crosswalk" | "create_area_set" | "import_file" | "remove_source";
  /** Name of the file, or of the area set. */
  name: string;
  /** org: visible to every member; restricted: only to its creator, admins and those it is shared with. */
  visibility: "org" | "restricted";
  state: "queued" | "running" | "done" | "failed" | "canceled";
  /** Units reserved when the job was created. */
  units: number;
  /** Units charged for the result; 0 until it is done. */
  charged: number;
  /** Boundaries. */
  total: number;
  /** Boundaries done so far. */
  done: number;
  /** Boundaries a second since the start. */
  rate: number | null;
  /** Seconds left at that rate; null: not known, or not running. */
  left_s: number | null;
  /** Boundaries that are not in the file. */
  failed: {
    count: number;
    /** The first 1,000; none in lists. */
    items: ({
      id: string;
      name: string;
      reason: string;
    })[];
  };
  /** Why a failed job failed. */
  error: {
    code: string;
    detail: string;
  } | null;
  /** Id of the file in the library; null: not made yet, deleted, or a job without one. */
  file_id: string | null;
  /** URL of the file; null where file_hidden says why. */
  url: string | null;
  /** Why you may not read the file, which you may still delete; null: there is none, or you may. */
  file_hidden: string | null;
  /** What it does now, if it says that; null unless it runs. */
  doing: string | null;
  /** Of an import that is done: what was stored, left out and changed. None in lists. */
  report: Record<string, unknown> | null;
  mail: boolean;
  webhook: string | null;
  /** What became of the webhook; null: none was asked for, the job has not ended, or it is 30 days ago. */
  webhook_delivery: {
    /** failed: it was tried for a day. */
    state: "pending" | "delivered" | "failed";
    attempts: number;
    delivered_at: string | null;
    /** When the next attempt is due. */
    next_at: string | null;
    /** Why the last attempt failed. */
    error: string | null;
  } | null;
  creator: {
    id: string;
    email: string;
    name: string | null;
  };
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
} | {
  dry_run: true;
  /** The file in the library, where it is kept for a day. */
  file_id: string;
  file_name: string;
  /** Rows that were looked at for the columns. */
  rows: number;
  more_rows: boolean;
  columns: ({
    name: string;
    filled: number;
    distinct: number;
    /** Up to 3. */
    examples: (string)[];
  })[];
  /** The file of the catalog that its columns are those of. */
  recipe: string | null;
  /** How it would be imported: the options of the import. null: nothing can be proposed, trouble says why. */
  options: Record<string, unknown> | null;
  /** Nothing in the file says its admin_level: options need adminLevel. */
  lacks_level: boolean;
  /** What was concluded, and what is known of the source. */
  notes: (string)[];
  preview: {
    /** How many would be stored. */
    areas: number;
    /** The first ones, as they would be stored. */
    first: (Record<string, unknown>)[];
    left_out: {
      total: number;
      items: ({
        id: string;
        reason: string;
      })[];
    };
    overlaps: {
      total: number;
      items: ({
        a: string;
        b: string;
        km2: number;
      })[];
    };
    /** Areas whose borders are cleaned so that neighbors share them. */
    repaired: number;
    notices: (string)[];
  } | null;
  /** What is wrong with the file or the options. */
  trouble: string | null;
};

export type RemoveSourceInput = {
  /** A stored source, as get_data_status lists it. */
  source: string;
};
export type RemoveSourceOutput = {
  id: string;
  op: "export_collection" | "dissolve" | "crosswalk" | "create_area_set" | "import_file" | "remove_source";
  /** Name of the file, or of the area set. */
  name: string;
  /** org: visible to every member; restricted: only to its creator, admins and those it is shared with. */
  visibility: "org" | "restricted";
  state: "queued" | "running" | "done" | "failed" | "canceled";
  /** Units reserved when the job was created. */
  units: number;
  /** Units charged for the result; 0 until it is done. */
  charged: number;
  /** Boundaries. */
  total: number;
  /** Boundaries done so far. */
  done: number;
  /** Boundaries a second since the start. */
  rate: number | null;
  /** Seconds left at that rate; null: not known, or not running. */
  left_s: number | null;
  /** Boundaries that are not in the file. */
  failed: {
    count: number;
    /** The first 1,000; none in lists. */
    items: ({
      id: string;
      name: string;
      reason: string;
    })[];
  };
  /** Why a failed job failed. */
  error: {
    code: string;
    detail: string;
  } | null;
  /** Id of the file in the library; null: not made yet, deleted, or a job without one. */
  file_id: string | null;
  /** URL of the file; null where file_hidden says why. */
  url: string | null;
  /** Why you may not read the file, which you may still delete; null: there is none, or you may. */
  file_hidden: string | null;
  /** What it does now, if it says that; null unless it runs. */
  doing: string | null;
  /** Of an import that is done: what was stored, left out and changed. None in lists. */
  report: Record<string, unknown> | null;
  mail: boolean;
  webhook: string | null;
  /** What became of the webhook; null: none was asked for, the job has not ended, or it is 30 days ago. */
  webhook_delivery: {
    /** failed: it was tried for a day. */
    state: "pending" | "delivered" | "failed";
    attempts: number;
    delivered_at: string | null;
    /** When the next attempt is due. */
    next_at: string | null;
    /** Why the last attempt failed. */
    error: string | null;
  } | null;
  creator: {
    id: string;
    email: string;
    name: string | null;
  };
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
};

export type CreateJobInput = {
  /** The operation. */
  op: "export_collection" | "dissolve" | "crosswalk" | "create_area_set";
  /** The input of the operation. */
  input: Record<string, unknown>;
  /** Name of the file. Default: its content and format. */
  name?: string;
  /** Of the file, as of all in the library. Default: restricted if it has areas of sets, else org. */
  visibility?: "org" | "restricted";
  /** Email the caller at the end. */
  mail?: boolean;
  /** POST a signed event to this URL at the end. Its address must be public, or one that the server allows. */
  webhook?: string;
  /** Return an estimate and create nothing. */
  dry_run?: boolean;
};
export type CreateJobOutput = {
  id: string;
  op: "export_collection" | "dissolve" | "crosswalk" | "create_area_set" | "import_file" | "remove_source";
  /** Name of the file, or of the area set. */
  name: string;
  /** org: visible to every member; restricted: only to its creator, admins and those it is shared with. */
  visibility: "org" | "restricted";
  state: "queued" | "running" | "done" | "failed" | "canceled";
  /** Units reserved when the job was created. */
  units: number;
  /** Units charged for the result; 0 until it is done. */
  charged: number;
  /** Boundaries. */
  total: number;
  /** Boundaries done so far. */
  done: number;
  /** Boundaries a second since the start. */
  rate: number | null;
  /** Seconds left at that rate; null: not known, or not running. */
  left_s: number | null;
  /** Boundaries that are not in the file. */
  failed: {
    count: number;
    /** The first 1,000; none in lists. */
    items: ({
      id: string;
      name: string;
      reason: string;
    })[];
  };
  /** Why a failed job failed. */
  error: {
    code: string;
    detail: string;
  } | null;
  /** Id of the file in the library; null: not made yet, deleted, or a job without one. */
  file_id: string | null;
  /** URL of the file; null where file_hidden says why. */
  url: string | null;
  /** Why you may not read the file, which you may still delete; null: there is none, or you may. */
  file_hidden: string | null;
  /** What it does now, if it says that; null unless it runs. */
  doing: string | null;
  /** Of an import that is done: what was stored, left out and changed. None in lists. */
  report: Record<string, unknown> | null;
  mail: boolean;
  webhook: string | null;
  /** What became of the webhook; null: none was asked for, the job has not ended, or it is 30 days ago. */
  webhook_delivery: {
    /** failed: it was tried for a day. */
    state: "pending" | "delivered" | "failed";
    attempts: number;
    delivered_at: string | null;
    /** When the next attempt is due. */
    next_at: string | null;
    /** Why the last attempt failed. */
    error: string | null;
  } | null;
  creator: {
    id: string;
    email: string;
    name: string | null;
  };
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
  /** Secret that signs the events for the organization. */
  webhook_secret: string | null;
} | {
  dry_run: true;
  /** Boundaries. */
  count: number;
  /** Units that would be reserved. */
  units: number;
  /** Selected boundaries without a polygon. */
  left_out: number;
  /** Estimated size of the file. */
  bytes: number;
  /** Estimated time when no other job runs. */
  seconds: number;
};

export type ListJobsInput = {
  /** Page size. */
  limit?: number;
  /** Items to skip. */
  offset?: number;
};
export type ListJobsOutput = {
  items: ({
    id: string;
    op: "export_collection" | "dissolve" | "crosswalk" | "create_area_set" | "import_file" | "remove_source";
    /** Name of the file, or of the area set. */
    name: string;
    /** org: visible to every member; restricted: only to its creator, admins and those it is shared with. */
    visibility: "org" | "restricted";
    state: "queued" | "running" | "done" | "failed" | "canceled";
    /** Units reserved when the job was created. */
    units: number;
    /** Units charged for the result; 0 until it is done. */
    charged: number;
    /** Boundaries. */
    total: number;
    /** Boundaries done so far. */
    done: number;
    /** Boundaries a second since the start. */
    rate: number | null;
    /** Seconds left at that rate; null: not known, or not running. */
    left_s: number | null;
    /** Boundaries that are not in the file. */
    failed: {
      count: number;
      /** The first 1,000; none in lists. */
      items: ({
        id: string;
        name: string;
        reason: string;
      })[];
    };
    /** Why a failed job failed. */
    error: {
      code: string;
      detail: string;
    } | null;
    /** Id of the file in the library; null: not made yet, deleted, or a job without one. */
    file_id: string | null;
    /** URL of the file; null where file_hidden says why. */
    url: string | null;
    /** Why you may not read the file, which you may still delete; null: there is none, or you may. */
    file_hidden: string | null;
    /** What it does now, if it says that; null unless it runs. */
    doing: string | null;
    /** Of an import that is done: what was stored, left out and changed. None in lists. */
    report: Record<string, unknown> | null;
    mail: boolean;
    webhook: string | null;
    /** What became of the webhook; null: none was asked for, the job has not ended, or it is 30 days ago. */
    webhook_delivery: {
      /** failed: it was tried for a day. */
      state: "pending" | "delivered" | "failed";
      attempts: number;
      delivered_at: string | null;
      /** When the next attempt is due. */
      next_at: string | null;
      /** Why the last attempt failed. */
      error: string | null;
    } | null;
    creator: {
      id: string;
      email: string;
      name: string | null;
    };
    created_at: string;
    started_at: string | null;
    ended_at: string | null;
  })[];
  total: number;
  limit: number;
  offset: number;
};

export type GetJobInput = {
  /** Id of a job: job_…. */
  id: string;
  /** Include its input, so that it can be created again. */
  input?: boolean;
  /** Maximum seconds to wait for the end of the job. */
  wait?: number;
};
export type GetJobOutput = {
  id: string;
  op: "export_collection" | "dissolve" | "crosswalk" | "create_area_set" | "import_file" | "remove_source";
  /** Name of the file, or of the area set. */
  name: string;
  /** org: visible to every member; restricted: only to its creator, admins and those it is shared with. */
  visibility: "org" | "restricted";
  state: "queued" | "running" | "done" | "failed" | "canceled";
  /** Units reserved when the job was created. */
  units: number;
  /** Units charged for the result; 0 until it is done. */
  charged: number;
  /** Boundaries. */
  total: number;
  /** Boundaries done so far. */
  done: number;
  /** Boundaries a second since the start. */
  rate: number | null;
  /** Seconds left at that rate; null: not known, or not running. */
  left_s: number | null;
  /** Boundaries that are not in the file. */
  failed: {
    count: number;
    /** The first 1,000; none in lists. */
    items: ({
      id: string;
      name: string;
      reason: string;
    })[];
  };
  /** Why a failed job failed. */
  error: {
    code: string;
    detail: string;
  } | null;
  /** Id of the file in the library; null: not made yet, deleted, or a job without one. */
  file_id: string | null;
  /** URL of the file; null where file_hidden says why. */
  url: string | null;
  /** Why you may not read the file, which you may still delete; null: there is none, or you may. */
  file_hidden: string | null;
  /** What it does now, if it says that; null unless it runs. */
  doing: string | null;
  /** Of an import that is done: what was stored, left out and changed. None in lists. */
  report: Record<string, unknown> | null;
  mail: boolean;
  webhook: string | null;
  /** What became of the webhook; null: none was asked for, the job has not ended, or it is 30 days ago. */
  webhook_delivery: {
    /** failed: it was tried for a day. */
    state: "pending" | "delivered" | "failed";
    attempts: number;
    delivered_at: string | null;
    /** When the next attempt is due. */
    next_at: string | null;
    /** Why the last attempt failed. */
    error: string | null;
  } | null;
  creator: {
    id: string;
    email: string;
    name: string | null;
  };
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
  /** The input of the job; only with input=true. */
  input?: Record<string, unknown>;
};

export type CancelJobInput = {
  /** Id of a job: job_…. */
  id: string;
};
export type CancelJobOutput = {
  id: string;
  op: "export_collection" | "dissolve" | "crosswalk" | "create_area_set" | "import_file" | "remove_source";
  /** Name of the file, or of the area set. */
  name: string;
  /** org: visible to every member; restricted: only to its creator, admins and those it is shared with. */
  visibility: "org" | "restricted";
  state: "queued" | "running" | "done" | "failed" | "canceled";
  /** Units reserved when the job was created. */
  units: number;
  /** Units charged for the result; 0 until it is done. */
  charged: number;
  /** Boundaries. */
  total: number;
  /** Boundaries done so far. */
  done: number;
  /** Boundaries a second since the start. */
  rate: number | null;
  /** Seconds left at that rate; null: not known, or not running. */
  left_s: number | null;
  /** Boundaries that are not in the file. */
  failed: {
    count: number;
    /** The first 1,000; none in lists. */
    items: ({
      id: string;
      name: string;
      reason: string;
    })[];
  };
  /** Why a failed job failed. */
  error: {
    code: string;
    detail: string;
  } | null;
  /** Id of the file in the library; null: not made yet, deleted, or a job without one. */
  file_id: string | null;
  /** URL of the file; null where file_hidden says why. */
  url: string | null;
  /** Why you may not read the file, which you may still delete; null: there is none, or you may. */
  file_hidden: string | null;
  /** What it does now, if it says that; null unless it runs. */
  doing: string | null;
  /** Of an import that is done: what was stored, left out and changed. None in lists. */
  report: Record<string, unknown> | null;
  mail: boolean;
  webhook: string | null;
  /** What became of the webhook; null: none was asked for, the job has not ended, or it is 30 days ago. */
  webhook_delivery: {
    /** failed: it was tried for a day. */
    state: "pending" | "delivered" | "failed";
    attempts: number;
    delivered_at: string | null;
    /** When the next attempt is due. */
    next_at: string | null;
    /** Why the last attempt failed. */
    error: string | null;
  } | null;
  creator: {
    id: string;
    email: string;
    name: string | null;
  };
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
};

export type GetPricingInput = Record<string, unknown>;
export type GetPricingOutput = {
  currency: string;
  plans: ({
    id: string;
    name: string;
    /** Null: not sold for a price. */
    price_month: number | null;
    /** Units in a calendar month (UTC); null: unlimited. */
    included_units: number | null;
    requests_per_minute: number | null;
    /** Boundaries of one job; null: 100,000. */
    batch_size: number | null;
    /** Days that the result of a job is kept; null: until it is deleted. */
    job_days: number | null;
    /** Area sets of an organization; null: unlimited, as in the two below. */
    area_sets: number | null;
    /** Areas of all its sets, of each version. */
    set_areas: number | null;
    /** Vertices of those areas. */
    set_vertices: number | null;
  })[];
  costs: ({
    op: string;
    units: number;
    per: "call" | "boundary";
    note?: string;
  })[];
  /** Limit for a network without a key; callers on the machine itself have more. */
  anonymous: {
    requests_per_minute: number | null;
  };
};

export type GetAccountInput = Record<string, unknown>;
export type GetAccountOutput = {
  id: string;
  email: string;
  name: string | null;
  created_at: string;
  org: {
    id: string;
    slug: string;
    name: string;
    plan: string;
    /** Role of the person. */
    role: "owner" | "admin" | "member" | "viewer";
    /** What this call can do: a key acts as admin at most, an application as far as its scope allows. */
    effective_role: "owner" | "admin" | "member" | "viewer";
  };
  /** The API key of this call. */
  key_id: string | null;
  operator: boolean;
};

export type GetUsageInput = Record<string, unknown>;
export type GetUsageOutput = {
  period_start: string;
  period_end: string;
  used: number;
  /** Null: unlimited. */
  limit: number | null;
  by_op: ({
    op: string;
    calls: number;
    units: number;
  })[];
};

export type ChangePlanInput = {
  /** Id of a plan, from get_pricing. */
  plan: string;
};
export type ChangePlanOutput = {
  /** Where to pay; null when an existing subscription is changed or canceled. */
  checkout_url: string | null;
};

export type ListApiKeysInput = {
  /** Include revoked keys, which have revoked_at. */
  revoked?: boolean;
  /** Page size. */
  limit?: number;
  /** Items to skip. */
  offset?: number;
};
export type ListApiKeysOutput = {
  items: ({
    id: string;
    name: string;
    /** The beginning of the key, to identify it. */
    prefix: string;
    created_at: string;
    /** When the key was last used, to the minute. */
    last_used_at: string | null;
    /** Null: the key is active. */
    revoked_at: string | null;
    /** Id of the key that created it; null: a person created it. */
    created_by_key: string | null;
    creator: {
      id: string;
      email: string;
      name: string | null;
    };
  })[];
  total: number;
  limit: number;
  offset: number;
};

export type CreateApiKeyInput = {
  /** What the key is for. */
  name?: string;
};
export type CreateApiKeyOutput = {
  id: string;
  name: string;
  /** The beginning of the key, to identify it. */
  prefix: string;
  created_at: string;
  /** When the key was last used, to the minute. */
  last_used_at: string | null;
  /** Null: the key is active. */
  revoked_at: string | null;
  /** Id of the key that created it; null: a person created it. */
  created_by_key: string | null;
  creator: {
    id: string;
    email: string;
    name: string | null;
  };
  /** The secret. */
  api_key: string;
};

export type RevokeApiKeyInput = {
  id: string;
  /** Also revoke the keys that it created. */
  cascade?: boolean;
};
export type RevokeApiKeyOutput = {
  id: string;
  deleted: true;
  /** Ids of the keys that it created, directly or through others. */
  also_revoked: (string)[];
};

export type DeleteAccountInput = Record<string, unknown>;
export type DeleteAccountOutput = {
  id: string;
  deleted: true;
};

export type ListOrgsInput = Record<string, unknown>;
export type ListOrgsOutput = {
  items: ({
    id: string;
    slug: string;
    name: string;
    plan: string;
    /** Whether it is the personal organization of its owner. */
    personal: boolean;
    /** Role of the caller; a key acts as admin at most. */
    role: "owner" | "admin" | "member" | "viewer";
    created_at: string;
  })[];
};

export type CreateOrgInput = {
  name: string;
  /** Lower-case letters, digits and inner hyphens. */
  slug?: string;
};
export type CreateOrgOutput = {
  id: string;
  slug: string;
  name: string;
  plan: string;
  /** Whether it is the personal organization of its owner. */
  personal: boolean;
  /** Role of the caller; a key acts as admin at most. */
  role: "owner" | "admin" | "member" | "viewer";
  created_at: string;
};

export type SwitchOrgInput = {
  /** Id or slug. */
  org: string;
};
export type SwitchOrgOutput = {
  id: string;
  slug: string;
  name: string;
  plan: string;
  /** Whether it is the personal organization of its owner. */
  personal: boolean;
  /** Role of the caller; a key acts as admin at most. */
  role: "owner" | "admin" | "member" | "viewer";
  created_at: string;
};

export type GetOrgInput = Record<string, unknown>;
export type GetOrgOutput = {
  id: string;
  slug: string;
  name: string;
  plan: string;
  /** Whether it is the personal organization of its owner. */
  personal: boolean;
  /** Role of the caller; a key acts as admin at most. */
  role: "owner" | "admin" | "member" | "viewer";
  created_at: string;
};

export type UpdateOrgInput = {
  name?: string;
  /** Lower-case letters, digits and inner hyphens. */
  slug?: string;
};
export type UpdateOrgOutput = {
  id: string;
  slug: string;
  name: string;
  plan: string;
  /** Whether it is the personal organization of its owner. */
  personal: boolean;
  /** Role of the caller; a key acts as admin at most. */
  role: "owner" | "admin" | "member" | "viewer";
  created_at: string;
};

export type DeleteOrgInput = Record<string, unknown>;
export type DeleteOrgOutput = {
  id: string;
  deleted: true;
};

export type ListMembersInput = {
  /** Page size. */
  limit?: number;
  /** Items to skip. */
  offset?: number;
};
export type ListMembersOutput = {
  items: ({
    id: string;
    email: string;
    name: string | null;
    role: "owner" | "admin" | "member" | "viewer";
    /** When they became a member. */
    created_at: string;
  })[];
  total: number;
  limit: number;
  offset: number;
};

export type UpdateMemberInput = {
  /** Account id of a member: usr_…. */
  user_id: string;
  role: "owner" | "admin" | "member" | "viewer";
};
export type UpdateMemberOutput = {
  id: string;
  email: string;
  name: string | null;
  role: "owner" | "admin" | "member" | "viewer";
  /** When they became a member. */
  created_at: string;
};

export type RemoveMemberInput = {
  /** Account id of a member: usr_…. */
  user_id: string;
};
export type RemoveMemberOutput = {
  id: string;
  deleted: true;
};

export type ListInvitesInput = Record<string, unknown>;
export type ListInvitesOutput = {
  items: ({
    id: string;
    email: string;
    role: "owner" | "admin" | "member" | "viewer";
    created_at: string;
    expires_at: string;
    invited_by: {
      id: string;
      email: string;
      name: string | null;
    } | null;
    /** Link to the invitation, for whoever can sign in with its address. */
    url: string;
    /** Whether this server mails the invitation. If not, pass the url on. */
    mailed: boolean;
  })[];
};

export type InviteMemberInput = {
  /** Email address. */
  email: string;
  role?: "owner" | "admin" | "member" | "viewer";
};
export type InviteMemberOutput = {
  id: string;
  email: string;
  role: "owner" | "admin" | "member" | "viewer";
  created_at: string;
  expires_at: string;
  invited_by: {
    id: string;
    email: string;
    name: string | null;
  } | null;
  /** Link to the invitation, for whoever can sign in with its address. */
  url: string;
  /** Whether this server mails the invitation. If not, pass the url on. */
  mailed: boolean;
};

export type RevokeInviteInput = {
  id: string;
};
export type RevokeInviteOutput = {
  id: string;
  deleted: true;
};

export type AcceptInviteInput = {
  /** The token in the mail. */
  token: string;
};
export type AcceptInviteOutput = {
  id: string;
  slug: string;
  name: string;
  plan: string;
  /** Whether it is the personal organization of its owner. */
  personal: boolean;
  /** Role of the caller; a key acts as admin at most. */
  role: "owner" | "admin" | "member" | "viewer";
  created_at: string;
};

export type ListTeamsInput = Record<string, unknown>;
export type ListTeamsOutput = {
  items: ({
    id: string;
    slug: string;
    name: string;
    created_at: string;
    members: ({
      id: string;
      email: string;
      name: string | null;
    })[];
  })[];
};

export type CreateTeamInput = {
  name: string;
  /** Lower-case letters, digits and inner hyphens. */
  slug?: string;
};
export type CreateTeamOutput = {
  id: string;
  slug: string;
  name: string;
  created_at: string;
  members: ({
    id: string;
    email: string;
    name: string | null;
  })[];
};

export type UpdateTeamInput = {
  /** Id or slug of the team. */
  team: string;
  name?: string;
  /** Lower-case letters, digits and inner hyphens. */
  slug?: string;
};
export type UpdateTeamOutput = {
  id: string;
  slug: string;
  name: string;
  created_at: string;
  members: ({
    id: string;
    email: string;
    name: string | null;
  })[];
};

export type DeleteTeamInput = {
  /** Id or slug of the team. */
  team: string;
};
export type DeleteTeamOutput = {
  id: string;
  deleted: true;
};

export type AddTeamMemberInput = {
  /** Id or slug of the team. */
  team: string;
  /** Account id of a member: usr_…. */
  user_id: string;
};
export type AddTeamMemberOutput = {
  id: string;
  slug: string;
  name: string;
  created_at: string;
  members: ({
    id: string;
    email: string;
    name: string | null;
  })[];
};

export type RemoveTeamMemberInput = {
  /** Id or slug of the team. */
  team: string;
  /** Account id of a member: usr_…. */
  user_id: string;
};
export type RemoveTeamMemberOutput = {
  id: string;
  deleted: true;
};

export type ListAuditLogInput = {
  /** Page size. */
  limit?: number;
  /** Items to skip. */
  offset?: number;
  /** Only this action, such as member.remove. */
  action?: string;
};
export type ListAuditLogOutput = {
  items: ({
    id: string;
    created_at: string;
    action: string;
    actor: {
      type: "person" | "api_key" | "oauth_client" | "system";
      id: string | null;
      name: string;
    };
    target: {
      type: string;
      id: string | null;
      name: string | null;
    };
    details: Record<string, unknown>;
    request_id: string | null;
  })[];
  total: number;
  limit: number;
  offset: number;
};

export type ListOauthGrantsInput = Record<string, unknown>;
export type ListOauthGrantsOutput = {
  items: ({
    id: string;
    client_id: string;
    /** The name that the application gave itself, unverified. */
    client_name: string;
    /** The most it can do; the role of the person limits it further. */
    scope: "read" | "write" | "admin";
    created_at: string;
    /** When it was last used, to the minute. */
    last_used_at: string | null;
  })[];
};

export type RevokeOauthGrantInput = {
  id: string;
};
export type RevokeOauthGrantOutput = {
  id: string;
  deleted: true;
};

export type ListFeedbackInput = {
  kind?: "feature" | "issue" | "all";
  /** active: open, planned or in progress. */
  status?: "active" | "all" | "open" | "planned" | "in_progress" | "done" | "declined" | "duplicate";
  /** top: most upvotes first; new: most recent first. */
  sort?: "top" | "new";
  /** Words to find in the title, in any language. */
  q?: string;
  /** Only items that the caller filed; needs a key. */
  mine?: boolean;
  /** The as_of of an earlier page. */
  as_of?: string;
  /** Page size. */
  limit?: number;
  /** Items to skip. */
  offset?: number;
};
export type ListFeedbackOutput = {
  items: ({
    id: number;
    kind: "feature" | "issue";
    status: "open" | "planned" | "in_progress" | "done" | "declined" | "duplicate";
    /** The item that this one repeats. */
    duplicate_of: number | null;
    title: string;
    details: string;
    upvotes: number;
    /** How many comments there are; get_feedback has them. */
    comment_count: number;
    created_at: string;
    /** Whether the caller voted for it; only with a key. */
    voted?: boolean;
  })[];
  total: number;
  limit: number;
  offset: number;
  /** Send it back with the next pages. */
  as_of: string;
};

export type GetFeedbackInput = {
  /** Id of a feedback item. */
  id: number;
  /** Page size. */
  limit?: number;
  /** Items to skip. */
  offset?: number;
};
export type GetFeedbackOutput = {
  id: number;
  kind: "feature" | "issue";
  status: "open" | "planned" | "in_progress" | "done" | "declined" | "duplicate";
  /** The item that this one repeats. */
  duplicate_of: number | null;
  title: string;
  details: string;
  upvotes: number;
  /** How many comments there are; get_feedback has them. */
  comment_count: number;
  created_at: string;
  /** Whether the caller voted for it; only with a key. */
  voted?: boolean;
  comments: {
    items: ({
      id: number;
      /** Whether an operator of the service wrote it. */
      by_operator: boolean;
      body: string;
      created_at: string;
    })[];
    total: number;
    limit: number;
    offset: number;
  };
  history: ({
    status: "open" | "planned" | "in_progress" | "done" | "declined" | "duplicate";
    duplicate_of: number | null;
    set_at: string;
  })[];
};

export type RequestFeatureInput = {
  /** One line. */
  title: string;
  /** Plain text. */
  details?: string;
};
export type RequestFeatureOutput = {
  item: {
    id: number;
    kind: "feature" | "issue";
    status: "open" | "planned" | "in_progress" | "done" | "declined" | "duplicate";
    /** The item that this one repeats. */
    duplicate_of: number | null;
    title: string;
    details: string;
    upvotes: number;
    /** How many comments there are; get_feedback has them. */
    comment_count: number;
    created_at: string;
    /** Whether the caller voted for it; only with a key. */
    voted?: boolean;
  };
  similar: ({
    id: number;
    kind: "feature" | "issue";
    status: "open" | "planned" | "in_progress" | "done" | "declined" | "duplicate";
    /** The item that this one repeats. */
    duplicate_of: number | null;
    title: string;
    details: string;
    upvotes: number;
    /** How many comments there are; get_feedback has them. */
    comment_count: number;
    created_at: string;
    /** Whether the caller voted for it; only with a key. */
    voted?: boolean;
  })[];
};

export type ReportIssueInput = {
  /** One line. */
  title: string;
  /** Plain text. */
  details?: string;
};
export type ReportIssueOutput = {
  item: {
    id: number;
    kind: "feature" | "issue";
    status: "open" | "planned" | "in_progress" | "done" | "declined" | "duplicate";
    /** The item that this one repeats. */
    duplicate_of: number | null;
    title: string;
    details: string;
    upvotes: number;
    /** How many comments there are; get_feedback has them. */
    comment_count: number;
    created_at: string;
    /** Whether the caller voted for it; only with a key. */
    voted?: boolean;
  };
  similar: ({
    id: number;
    kind: "feature" | "issue";
    status: "open" | "planned" | "in_progress" | "done" | "declined" | "duplicate";
    /** The item that this one repeats. */
    duplicate_of: number | null;
    title: string;
    details: string;
    upvotes: number;
    /** How many comments there are; get_feedback has them. */
    comment_count: number;
    created_at: string;
    /** Whether the caller voted for it; only with a key. */
    voted?: boolean;
  })[];
};

export type UpvoteFeedbackInput = {
  /** Id of a feedback item. */
  id: number;
};
export type UpvoteFeedbackOutput = {
  id: number;
  kind: "feature" | "issue";
  status: "open" | "planned" | "in_progress" | "done" | "declined" | "duplicate";
  /** The item that this one repeats. */
  duplicate_of: number | null;
  title: string;
  details: string;
  upvotes: number;
  /** How many comments there are; get_feedback has them. */
  comment_count: number;
  created_at: string;
  /** Whether the caller voted for it; only with a key. */
  voted?: boolean;
};

export type RemoveFeedbackVoteInput = {
  /** Id of a feedback item. */
  id: number;
};
export type RemoveFeedbackVoteOutput = {
  id: number;
  kind: "feature" | "issue";
  status: "open" | "planned" | "in_progress" | "done" | "declined" | "duplicate";
  /** The item that this one repeats. */
  duplicate_of: number | null;
  title: string;
  details: string;
  upvotes: number;
  /** How many comments there are; get_feedback has them. */
  comment_count: number;
  created_at: string;
  /** Whether the caller voted for it; only with a key. */
  voted?: boolean;
};

export type CommentOnFeedbackInput = {
  /** Id of a feedback item. */
  id: number;
  /** Plain text. */
  body: string;
};
export type CommentOnFeedbackOutput = {
  id: number;
  /** Whether an operator of the service wrote it. */
  by_operator: boolean;
  body: string;
  created_at: string;
};

export type SetFeedbackStatusInput = {
  /** Id of a feedback item. */
  id: number;
  status: "open" | "planned" | "in_progress" | "done" | "declined" | "duplicate";
  /** With duplicate: the item it repeats. */
  duplicate_of?: number;
};
export type SetFeedbackStatusOutput = {
  id: number;
  kind: "feature" | "issue";
  status: "open" | "planned" | "in_progress" | "done" | "declined" | "duplicate";
  /** The item that this one repeats. */
  duplicate_of: number | null;
  title: string;
  details: string;
  upvotes: number;
  /** How many comments there are; get_feedback has them. */
  comment_count: number;
  created_at: string;
  /** Whether the caller voted for it; only with a key. */
  voted?: boolean;
};

export type ListReviewsInput = {
  /** new: newest first; helpful: the longest texts first; highest, lowest: by rating. */
  sort?: "new" | "helpful" | "highest" | "lowest";
  /** Only reviews with this many stars. */
  rating?: number;
  /** pending is only for operators. */
  state?: "published" | "pending";
  /** Page size. */
  limit?: number;
  /** Items to skip. */
  offset?: number;
};
export type ListReviewsOutput = {
  items: ({
    id: string;
    rating: number;
    title: string;
    body: string;
    likes: string;
    dislikes: string;
    use_case: string;
    display_name: string;
    display_company: string | null;
    /** Response of the operators. */
    response: {
      body: string;
      created_at: string;
    } | null;
    /** Null: pending. */
    published_at: string | null;
    /** Pending version, for publish_review. */
    version?: number;
  })[];
  total: number;
  limit: number;
  offset: number;
  /** Null when nothing is published. */
  average: number | null;
  distribution: {
    "1": number;
    "2": number;
    "3": number;
    "4": number;
    "5": number;
  };
};

export type SubmitReviewInput = {
  rating: number;
  title?: "" | string;
  body?: string;
  /** Positive points. */
  likes?: string;
  /** Negative points. */
  dislikes?: string;
  use_case?: string;
  /** Default: your first name. */
  display_name?: string;
  display_company?: string;
  /** Whether the review may be quoted. */
  marketing_consent?: boolean;
};
export type SubmitReviewOutput = {
  id: string;
  rating: number;
  title: string;
  body: string;
  likes: string;
  dislikes: string;
  use_case: string;
  display_name: string;
  display_company: string | null;
  /** Response of the operators. */
  response: {
    body: string;
    created_at: string;
  } | null;
  version: number;
  /** pending: it waits for an operator. */
  state: "published" | "pending";
  marketing_consent: boolean;
  created_at: string;
};

export type GetOwnReviewInput = {
  /** Page size. */
  limit?: number;
  /** Items to skip. */
  offset?: number;
};
export type GetOwnReviewOutput = {
  id: string;
  rating: number;
  title: string;
  body: string;
  likes: string;
  dislikes: string;
  use_case: string;
  display_name: string;
  display_company: string | null;
  /** Response of the operators. */
  response: {
    body: string;
    created_at: string;
  } | null;
  version: number;
  /** pending: it waits for an operator. */
  state: "published" | "pending";
  marketing_consent: boolean;
  created_at: string;
  /** Null: none is on the public page. */
  published_version: number | null;
  versions: {
    items: ({
      rating: number;
      title: string;
      body: string;
      likes: string;
      dislikes: string;
      use_case: string;
      display_name: string;
      display_company: string | null;
      version: number;
      marketing_consent: boolean;
      created_at: string;
      /** Null: it never was on the public page. */
      published_at: string | null;
    })[];
    total: number;
    limit: number;
    offset: number;
  };
};

export type RespondToReviewInput = {
  /** Id of a review. */
  id: string;
  body: string;
};
export type RespondToReviewOutput = {
  id: string;
  rating: number;
  title: string;
  body: string;
  likes: string;
  dislikes: string;
  use_case: string;
  display_name: string;
  display_company: string | null;
  /** Response of the operators. */
  response: {
    body: string;
    created_at: string;
  } | null;
  version: number;
  /** pending: it waits for an operator. */
  state: "published" | "pending";
  marketing_consent: boolean;
  created_at: string;
};

export type PublishReviewInput = {
  /** Id of a review. */
  id: string;
  /** The version that was read: a newer one is not published unread. */
  expected_version?: number;
};
export type PublishReviewOutput = {
  id: string;
  rating: number;
  title: string;
  body: string;
  likes: string;
  dislikes: string;
  use_case: string;
  display_name: string;
  display_company: string | null;
  /** Response of the operators. */
  response: {
    body: string;
    created_at: string;
  } | null;
  version: number;
  /** pending: it waits for an operator. */
  state: "published" | "pending";
  marketing_consent: boolean;
  created_at: string;
};
