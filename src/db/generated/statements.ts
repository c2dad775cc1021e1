// The rows and parameters of sql/queries, by test/setup/describe_statements.ts; not to be edited.
// biome-ignore-all lint/suspicious/noExplicitAny: a jsonb column holds whatever was written.

import type { FileFormat } from '../../../workers/formats/registry.ts';

type None = null | undefined;
type Text = string | None;
type Texts = readonly (string | null)[] | None;
type Flag = boolean | None;
type Flags = readonly boolean[] | None;
type Numeric = number | bigint | None;
type Numbers = readonly (number | bigint | null)[] | Exclude<NodeJS.TypedArray, Uint8Array> | None;
type Bytes = Uint8Array | None;
type Blobs = readonly (Uint8Array | null)[] | None;
type Moment = Date | string | None;
type Moments = readonly (Date | string)[] | None;

/** What each statement gives and takes. A column is null unless its table or the statement's header says that it cannot be. */
export interface Statements {
  accounts_by_email: {
    row: {
      id: string;
      email: string;
      name: string | null;
    };
    values: readonly [Text];
  };
  accounts_drop: {
    row: {
    };
    values: readonly [Text];
  };
  accounts_drop_operator: {
    row: {
      id: string;
      email: string;
    };
    values: readonly [Text];
  };
  accounts_lock: {
    row: {
      id: string;
      email: string;
    };
    values: readonly [Text];
  };
  accounts_lock_orgs: {
    row: {
      id: string;
    };
    values: readonly [Text];
  };
  accounts_orgs: {
    row: {
      id: string;
      slug: string;
      name: string;
      personal: boolean;
      role: 'owner' | 'admin' | 'member' | 'viewer';
      members: number;
      owners: number;
    };
    values: readonly [Text];
  };
  accounts_personal_org: {
    row: {
      id: string;
      slug: string;
      name: string;
      plan: string;
      personal_of: string | null;
    };
    values: readonly [Text];
  };
  accounts_profile: {
    row: {
      id: string;
      email: string;
      name: string | null;
      created_at: Date;
      org_id: string;
      slug: string;
      org_name: string;
      plan: string;
      role: 'owner' | 'admin' | 'member' | 'viewer';
    };
    values: readonly [Text, Text];
  };
  accounts_put: {
    row: {
      id: string;
      email: string;
      name: string | null;
    };
    values: readonly [Text, Text, Flag];
  };
  accounts_set_email: {
    row: {
      id: string;
      email: string;
    };
    values: readonly [Text, Text];
  };
  area_arc_coords: {
    row: {
      id: number;
      coords: Buffer;
    };
    values: readonly [Numbers];
  };
  area_arc_ends: {
    row: {
      id: number;
      area: number;
      turn: number;
      head: Buffer;
      tail: Buffer;
      west: number;
      south: number;
      east: number;
      north: number;
    };
    values: readonly [Numbers];
  };
  area_children: {
    row: {
      revision: number;
      parent: string | null;
      id: string | null;
    };
    values: readonly [Texts, Texts, Numbers, Texts, Texts, Numeric, Numeric];
  };
  area_kept_shapes: {
    row: {
      heir: string;
      wkb: Buffer;
    };
    values: readonly [Texts];
  };
  area_lands: {
    row: {
      revision: number;
      id: string;
      source: string;
      country: string | null;
      country_code: string | null;
      seed: boolean;
      within: readonly string[];
      arcs: readonly number[];
    };
    values: readonly [];
  };
  area_level_arcs: {
    row: {
      id: string;
      source: string;
      seed: boolean;
      arcs: readonly number[];
    };
    values: readonly [Text, Numeric, Numeric];
  };
  area_level_countries: {
    row: {
      code: string;
      name: string;
    };
    values: readonly [Texts, Numbers, Texts, Texts, Numeric, Texts];
  };
  area_near: {
    row: {
      revision: number;
      id: string | null;
      own: string | null;
      same_source: boolean | null;
    };
    values: readonly [Texts, Texts, Texts, Numbers, Texts, Texts, Numeric, Numeric, Numeric, Flag, Numeric];
  };
  area_parts: {
    row: {
      id: string;
      west: number;
      south: number;
      east: number;
      north: number;
      area: number;
    };
    values: readonly [Texts, Numeric];
  };
  area_shore_ways: {
    row: {
      id: string;
    };
    values: readonly [Texts];
  };
  attempt_known: {
    row: {
      count: number;
    };
    values: readonly [Text];
  };
  audit_count: {
    row: {
      total: number;
    };
    values: readonly [Text, Text];
  };
  audit_list: {
    row: {
      id: string;
      created_at: Date;
      action: string;
      actor_type: 'person' | 'api_key' | 'oauth_client' | 'system';
      actor_id: string | null;
      actor_name: string;
      target_type: string;
      target_id: string | null;
      target_name: string | null;
      details: { [x: string]: unknown };
      request_id: string | null;
      total: number;
    };
    values: readonly [Text, Text, Numeric, Numeric];
  };
  audit_put: {
    row: {
    };
    values: readonly [Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Text, Text];
  };
  backup_foreign_keys: {
    row: {
      drop_all: string | null;
      add_all: string | null;
    };
    values: readonly [];
  };
  backup_migrations: {
    row: {
      name: string;
      sha256: string;
    };
    values: readonly [];
  };
  backup_migrations_there: {
    row: {
      there: boolean | null;
    };
    values: readonly [];
  };
  backup_restored_arcs: {
    row: {
      revision: number | null;
    };
    values: readonly [];
  };
  backup_restored_jobs: {
    row: {
    };
    values: readonly [];
  };
  backup_restored_revision: {
    row: {
    };
    values: readonly [];
  };
  backup_sequences: {
    row: {
      name: string;
      reading: string;
    };
    values: readonly [];
  };
  backup_server: {
    row: {
      version: string | null;
    };
    values: readonly [];
  };
  backup_set_sequence: {
    row: {
      value: number | null;
    };
    values: readonly [Text, Numeric, Flag];
  };
  backup_tables: {
    row: {
      name: string;
      columns: readonly string[];
      reading: string;
      writing: string;
      counting: string;
    };
    values: readonly [Texts];
  };
  backup_triggers: {
    row: {
      disable_all: string | null;
      enable_all: string | null;
    };
    values: readonly [];
  };
  backup_used: {
    row: {
      used: boolean | null;
    };
    values: readonly [];
  };
  billing_count: {
    row: {
    };
    values: readonly [Texts, Texts, Numbers, Numbers];
  };
  billing_extend: {
    row: {
      id: string;
    };
    values: readonly [Text, Numeric];
  };
  billing_open_month: {
    row: {
      id: string;
    };
    values: readonly [Text];
  };
  billing_plan_by_price: {
    row: {
      id: string;
    };
    values: readonly [Text];
  };
  billing_plan_price: {
    row: {
      payment_price: string | null;
    };
    values: readonly [Text];
  };
  billing_plans: {
    row: {
      id: string;
      name: string;
      price_month: number | null;
      included_units: number | null;
      requests_per_minute: number | null;
      batch_size: number | null;
      job_days: number | null;
      area_sets: number | null;
      set_areas: number | null;
      set_vertices: number | null;
      listed: boolean;
    };
    values: readonly [];
  };
  billing_put_event: {
    row: {
      id: string;
    };
    values: readonly [Text];
  };
  billing_put_subscription: {
    row: {
      id: string;
    };
    values: readonly [Text, Text, Text, Text, Text, Text, Numeric];
  };
  billing_refund: {
    row: {
      id: string;
    };
    values: readonly [Texts];
  };
  billing_release_expired: {
    row: {
    };
    values: readonly [Text];
  };
  billing_reserve: {
    row: {
      ids: readonly string[] | null;
    };
    values: readonly [Text, Texts, Texts, Numbers, Numbers];
  };
  billing_set_price: {
    row: {
      id: string;
    };
    values: readonly [Text, Text];
  };
  billing_settle: {
    row: {
      id: string;
    };
    values: readonly [Texts];
  };
  billing_shrink: {
    row: {
      id: string;
    };
    values: readonly [Text, Numeric];
  };
  billing_subscription: {
    row: {
      id: string;
      customer: string;
      state: 'live' | 'late' | 'ended';
      status: string;
      price: string | null;
    };
    values: readonly [Text];
  };
  billing_sweep: {
    row: {
      reservations: number;
    };
    values: readonly [];
  };
  billing_sweep_events: {
    row: {
    };
    values: readonly [];
  };
  billing_sweep_pools: {
    row: {
    };
    values: readonly [];
  };
  billing_usage: {
    row: {
      month: string;
      used: number;
      reserved: number;
      limit: number | null;
      pooled: boolean;
      by_op: readonly { readonly op: string, readonly calls: number, readonly units: number }[];
    };
    values: readonly [Text];
  };
  boundary_areas_of_set: {
    row: {
      revision: number;
      total: number;
      without_geometry: number;
      pieces: readonly string[];
    };
    values: readonly [Text];
  };
  boundary_boxes: {
    row: {
      revision: number;
      last: string | null;
      boxes: Buffer;
    };
    values: readonly [Text, Numeric];
  };
  boundary_children: {
    row: {
      revision: number;
      total: number;
      measured: number;
      without_geometry: number;
      area: number;
      other_levels: readonly { readonly admin_level: number | null, readonly count: number }[];
      pieces: readonly string[];
    };
    values: readonly [Text, Numeric, Text, Numeric];
  };
  boundary_code_schemes: {
    row: {
      scheme: string | null;
    };
    values: readonly [Texts];
  };
  boundary_coded: {
    row: {
      revision: number | null;
      key: string | null;
      id: string | null;
    };
    values: readonly [Texts];
  };
  boundary_count: {
    row: {
      count: number;
    };
    values: readonly [];
  };
  boundary_count_all: {
    row: {
      boundaries: number;
    };
    values: readonly [Numeric];
  };
  boundary_has_children: {
    row: {
      found: boolean | null;
    };
    values: readonly [Text, Numeric, Numeric];
  };
  boundary_has_postcodes: {
    row: {
      country: string | null;
      mapped: boolean | null;
      revision: number | null;
    };
    values: readonly [Texts];
  };
  boundary_names: {
    row: {
      revision: number | null;
      id: string | null;
      names: any;
    };
    values: readonly [Texts, Texts];
  };
  boundary_near_boxes: {
    row: {
      revision: number;
      box: number | null;
      id: string | null;
    };
    values: readonly [Numbers, Numbers, Numbers, Numbers, Numeric, Numeric];
  };
  boundary_neighbors: {
    row: {
      revision: number;
      ids: readonly string[];
      meters: readonly number[];
      shared: number;
      ray_ids: readonly string[];
      ray_vertices: readonly number[];
      ray_leaves: readonly boolean[];
      ray_beyond: readonly string[];
      crossing: readonly string[];
    };
    values: readonly [Text, Numbers, Numbers, Numbers, Numbers, Texts, Text, Numeric];
  };
  boundary_overlaid: {
    row: {
      revision: number;
      id: string | null;
      total: number | null;
    };
    values: readonly [Text, Text, Numeric, Numeric];
  };
  boundary_resolve: {
    row: {
      revision: number | null;
      form: string | null;
      key: string | null;
      id: string | null;
      type: 'administrative' | 'postal_code' | null;
      name: string | null;
      kind: string | null;
      admin_level: number | null;
      country: string | null;
      countries: readonly string[] | null;
      disputed: boolean | null;
      iso: string | null;
      wikidata: string | null;
      population: number | null;
      inherited: any;
      code_ids: readonly string[] | null;
      version: number | null;
      west: number | null;
      south: number | null;
      east: number | null;
      north: number | null;
      lat: number | null;
      lon: number | null;
      area_km2: number | null;
      has_geometry: boolean | null;
      broken: any;
      stale: any;
      ring_hash: string | null;
      meta_hash: string | null;
      imported_at: Date | null;
      source: string | null;
      source_name: string | null;
      source_url: string | null;
      license: string | null;
      attribution: string | null;
      seed: boolean | null;
      source_position: number | null;
      validity: readonly (string | null)[] | null;
      parents: any;
    };
    values: readonly [Texts, Texts, Texts];
  };
  boundary_shapes: {
    row: {
      revision: number | null;
      id: string | null;
      name: string | null;
      admin_level: number | null;
      has_geometry: boolean | null;
      broken: any;
      ring_hash: string | null;
      source: string | null;
      source_name: string | null;
      source_url: string | null;
      license: string | null;
      attribution: string | null;
      seed: boolean | null;
    };
    values: readonly [Texts];
  };
  change_counts: {
    row: {
      batch: number;
      at: Date;
      changes: number;
    };
    values: readonly [Numeric];
  };
  change_feed: {
    row: {
      id: number;
      started_at: Date;
      source: string | null;
      valid_from: string | null;
      total: number;
      items: readonly Readonly<Record<string, unknown>>[];
    };
    values: readonly [Text, Text, Numeric, Numeric, Numeric, Numeric, Numeric];
  };
  change_feed_last: {
    row: {
      id: number;
    };
    values: readonly [Numeric, Numeric];
  };
  change_reads: {
    row: {
      reads: number;
    };
    values: readonly [Texts, Text, Numeric, Numeric];
  };
  change_since: {
    row: {
      key: string;
      total: number;
      items: readonly Readonly<Record<string, unknown>>[];
    };
    values: readonly [Text, Numeric, Numeric];
  };
  completeness_by_country: {
    row: {
      country: string | null;
      type: 'administrative' | 'postal_code';
      admin_level: number | null;
      boundaries: number;
      broken: number;
      stale: number;
      area_km2: number;
      sources: readonly string[];
    };
    values: readonly [Text];
  };
  completeness_unknown_kinds: {
    row: {
      country: string | null;
      admin_level: number | null;
      boundaries: number;
      examples: readonly string[];
    };
    values: readonly [];
  };
  data_as_recorded: {
    row: {
      path: string | null;
      number: string | null;
      open: string | null;
    };
    values: readonly [Text, Text];
  };
  data_identity: {
    row: {
      cluster: string | null;
      database: string | null;
    };
    values: readonly [];
  };
  data_pin: {
    row: {
      number: string | null;
      open: string;
      at: string | null;
      first: string;
      now: string;
      is_future: boolean;
    };
    values: readonly [Moment];
  };
  data_pin_wait: {
    row: {
      pg_advisory_xact_lock_shared: string | null;
    };
    values: readonly [];
  };
  data_position: {
    row: {
      revision: number | null;
      position: number | null;
    };
    values: readonly [];
  };
  data_replayed: {
    row: {
      position: number | null;
    };
    values: readonly [];
  };
  data_revision: {
    row: {
      revision: number | null;
      recorded_at: string | null;
    };
    values: readonly [];
  };
  data_revision_fold: {
    row: {
    };
    values: readonly [];
  };
  data_status: {
    row: {
      id: string;
      name: string;
      url: string | null;
      license: string;
      attribution: string;
      edition: string | null;
      imported_at: string;
      data_at: string | null;
      reference_system: string | null;
      accuracy_m: number | null;
      boundaries: number;
      with_geometry: number;
      stale: number;
      broken: number;
    };
    values: readonly [];
  };
  data_updates: {
    row: {
      address: string;
      sequence: number | null;
      data_at: Date | null;
      applied_at: Date;
    };
    values: readonly [];
  };
  device_account: {
    row: {
      email: string;
      name: string | null;
    };
    values: readonly [Text];
  };
  device_decide: {
    row: {
      client_name: string;
      address: string | null;
      created_at: Date;
    };
    values: readonly [Text, Text, Text, Flag];
  };
  device_lock: {
    row: {
      client_name: string;
      account: string | null;
      org: string | null;
      approved: boolean | null;
      interval_s: number;
      used: boolean | null;
      expired: boolean | null;
      hasty: boolean | null;
    };
    values: readonly [Text];
  };
  device_look: {
    row: {
      client_name: string;
      address: string | null;
      created_at: Date;
    };
    values: readonly [Text];
  };
  device_polled: {
    row: {
      interval_s: number;
    };
    values: readonly [Text, Numeric];
  };
  device_put: {
    row: {
      interval_s: number;
    };
    values: readonly [Text, Text, Text, Text, Numeric];
  };
  device_used: {
    row: {
    };
    values: readonly [Text];
  };
  dissolve_nested: {
    row: {
      revision: number | null;
      child: string | null;
      parent: string | null;
    };
    values: readonly [Texts];
  };
  dissolve_unassigned: {
    row: {
      revision: number;
      total: number;
      ids: readonly string[];
    };
    values: readonly [Text, Numbers, Texts, Numeric];
  };
  edition_again: {
    row: {
    };
    values: readonly [Numeric];
  };
  edition_as_of: {
    row: {
      path: string | null;
      day: string | null;
    };
    values: readonly [Text];
  };
  edition_clear: {
    row: {
    };
    values: readonly [Numeric];
  };
  edition_close_intervals: {
    row: {
    };
    values: readonly [Text];
  };
  edition_draft_arcs: {
    row: {
    };
    values: readonly [];
  };
  edition_draft_boundaries: {
    row: {
    };
    values: readonly [];
  };
  edition_hide: {
    row: {
      path: string | null;
    };
    values: readonly [];
  };
  edition_ids: {
    row: {
      number: number | null;
      id: string | null;
    };
    values: readonly [Text, Texts, Texts, Numbers];
  };
  edition_load_arcs: {
    row: {
    };
    values: readonly [Text, Text];
  };
  edition_load_boundaries: {
    row: {
      id: string;
    };
    values: readonly [Text, Text];
  };
  edition_load_conflicts: {
    row: {
    };
    values: readonly [];
  };
  edition_load_names: {
    row: {
    };
    values: readonly [Text, Text];
  };
  edition_load_parents: {
    row: {
    };
    values: readonly [Text, Text];
  };
  edition_load_shapes: {
    row: {
    };
    values: readonly [Text, Text];
  };
  edition_load_source: {
    row: {
    };
    values: readonly [Text];
  };
  edition_open_intervals: {
    row: {
    };
    values: readonly [Text];
  };
  edition_put: {
    row: {
      id: number;
    };
    values: readonly [Text, Text, Text];
  };
  edition_put_arcs: {
    row: {
      added: number;
    };
    values: readonly [];
  };
  edition_put_conflicts: {
    row: {
    };
    values: readonly [];
  };
  edition_put_layers: {
    row: {
    };
    values: readonly [Numeric];
  };
  edition_put_members: {
    row: {
      state: number;
    };
    values: readonly [Numeric];
  };
  edition_put_names: {
    row: {
    };
    values: readonly [];
  };
  edition_put_parents: {
    row: {
    };
    values: readonly [];
  };
  edition_put_reaches: {
    row: {
    };
    values: readonly [Numeric];
  };
  edition_put_shapes: {
    row: {
      added: number;
    };
    values: readonly [];
  };
  edition_put_source: {
    row: {
    };
    values: readonly [Text];
  };
  edition_put_states: {
    row: {
      added: number;
    };
    values: readonly [];
  };
  edition_shadow: {
    row: {
      making: string;
    };
    values: readonly [Texts];
  };
  edition_taken: {
    row: {
      id: string | null;
    };
    values: readonly [Text, Texts, Texts];
  };
  feedback_comments: {
    row: {
      id: number;
      by_operator: boolean;
      body: string;
      created_at: Date;
    };
    values: readonly [Numeric, Numeric, Numeric];
  };
  feedback_history: {
    row: {
      status: 'open' | 'planned' | 'in_progress' | 'done' | 'declined' | 'duplicate';
      duplicate_of: number | null;
      set_at: Date;
    };
    values: readonly [Numeric];
  };
  feedback_items: {
    row: {
      id: number;
      kind: 'feature' | 'issue';
      status: 'open' | 'planned' | 'in_progress' | 'done' | 'declined' | 'duplicate';
      duplicate_of: number | null;
      title: string;
      details: string;
      upvotes: number;
      comment_count: number;
      created_at: Date;
      voted: boolean;
    };
    values: readonly [Numbers, Text];
  };
  feedback_list: {
    row: {
      id: number | null;
      kind: 'feature' | 'issue';
      status: 'open' | 'planned' | 'in_progress' | 'done' | 'declined' | 'duplicate';
      duplicate_of: number | null;
      title: string;
      details: string;
      upvotes: number;
      comment_count: number;
      created_at: Date;
      voted: boolean;
      total: number;
      as_of: string;
    };
    values: readonly [Text, Texts, Texts, Text, Moment, Text, Numeric, Numeric, Text];
  };
  feedback_lock: {
    row: {
      pg_advisory_xact_lock: string | null;
    };
    values: readonly [];
  };
  feedback_lock_items: {
    row: {
      id: number;
      status: 'open' | 'planned' | 'in_progress' | 'done' | 'declined' | 'duplicate';
    };
    values: readonly [Numbers];
  };
  feedback_put: {
    row: {
      id: number;
    };
    values: readonly [Text, Text, Text, Text, Text, Text];
  };
  feedback_put_comment: {
    row: {
      id: number;
      by_operator: boolean;
      body: string;
      created_at: Date;
    };
    values: readonly [Numeric, Text, Flag, Text];
  };
  feedback_set_status: {
    row: {
    };
    values: readonly [Numeric, Text, Numeric];
  };
  feedback_similar: {
    row: {
      id: number;
    };
    values: readonly [Text, Numeric, Numeric];
  };
  feedback_unvote: {
    row: {
      item: number;
    };
    values: readonly [Numeric, Text];
  };
  feedback_vote: {
    row: {
      item: number;
    };
    values: readonly [Numeric, Text];
  };
  file_blob_claim: {
    row: {
      generation: number;
    };
    values: readonly [Text, Text, Numeric];
  };
  file_blob_drop: {
    row: {
    };
    values: readonly [Text, Numeric];
  };
  file_blob_hold: {
    row: {
    };
    values: readonly [Text, Numeric];
  };
  file_blob_leave: {
    row: {
      generation: number;
    };
    values: readonly [Text, Numeric];
  };
  file_blob_leave_later: {
    row: {
    };
    values: readonly [Text, Numeric, Numeric, Numeric];
  };
  file_blob_lock: {
    row: {
    };
    values: readonly [Text, Text, Numeric];
  };
  file_blob_named: {
    row: {
      sha256: string;
    };
    values: readonly [Texts];
  };
  file_blob_page: {
    row: {
      sha256: string;
      format: FileFormat;
      bytes: number;
    };
    values: readonly [Text, Numeric];
  };
  file_blob_unnamed: {
    row: {
      sha256: string;
      format: FileFormat;
      bytes: number;
    };
    values: readonly [Numeric, Numeric];
  };
  file_drop: {
    row: {
    };
    values: readonly [Text];
  };
  file_find: {
    row: {
      total: number | null;
      id: string | null;
      name: string | null;
      made_by: string | null;
      boundary: string | null;
      version: number | null;
      format: FileFormat | null;
      detail: 'low' | 'medium' | 'high' | 'full' | null;
      visibility: 'org' | 'restricted' | null;
      tags: readonly string[] | null;
      sha256: string | null;
      bytes: number | null;
      created_at: Date | null;
      updated_at: Date | null;
      expires_at: Date | null;
      creator: string | null;
      creator_email: string | null;
      creator_name: string | null;
      own: boolean | null;
      current: boolean | null;
      data_at: Date | null;
      follow: boolean | null;
      follow_error: string | null;
      share: number | null;
    };
    values: readonly [Text, Text, Flag, Numeric, Numeric, Text, Text, Text];
  };
  file_follow: {
    row: {
      file: string;
    };
    values: readonly [Text, Numeric];
  };
  file_follow_checked: {
    row: {
      file: string;
    };
    values: readonly [Text, Numeric, Moment];
  };
  file_follow_claim: {
    row: {
      id: string;
      org: string;
      creator: string | null;
      name: string;
      boundary: string | null;
      format: FileFormat;
      detail: 'low' | 'medium' | 'high' | 'full' | null;
      visibility: 'org' | 'restricted';
      made_by: string;
      input: Readonly<Record<string, unknown>> | null;
      sha256: string;
      checked_at: Date;
      attempts: number;
      claim: number;
    };
    values: readonly [Numeric];
  };
  file_follow_extend: {
    row: {
      file: string;
    };
    values: readonly [Text, Numeric, Numeric];
  };
  file_follow_failed: {
    row: {
    };
    values: readonly [Text, Numeric, Numeric, Text];
  };
  file_follow_lock: {
    row: {
      pg_advisory_xact_lock: string | null;
    };
    values: readonly [Text];
  };
  file_follow_stop: {
    row: {
      file: string;
    };
    values: readonly [Text];
  };
  file_hold: {
    row: {
      id: string;
    };
    values: readonly [Text, Text];
  };
  file_link_drop: {
    row: {
      id: string;
    };
    values: readonly [Text, Text];
  };
  file_link_put: {
    row: {
      id: string;
      expires_at: Date;
    };
    values: readonly [Text, Text, Text, Text, Numeric, Numeric];
  };
  file_link_read: {
    row: {
      org: string;
      account: string;
      role: 'owner' | 'admin' | 'member' | 'viewer';
    };
    values: readonly [Text, Text];
  };
  file_link_sweep: {
    row: {
    };
    values: readonly [Numeric];
  };
  file_links: {
    row: {
      id: string;
      created_at: Date;
      expires_at: Date;
    };
    values: readonly [Text];
  };
  file_list: {
    row: {
      total: number | null;
      restricted: number | null;
      revision: number | null;
      unread: boolean | null;
      id: string | null;
      name: string | null;
      made_by: string | null;
      boundary: string | null;
      version: number | null;
      format: FileFormat | null;
      detail: 'low' | 'medium' | 'high' | 'full' | null;
      visibility: 'org' | 'restricted' | null;
      tags: readonly string[] | null;
      sha256: string | null;
      bytes: number | null;
      created_at: Date | null;
      updated_at: Date | null;
      expires_at: Date | null;
      creator: string | null;
      creator_email: string | null;
      creator_name: string | null;
      own: boolean | null;
      current: boolean | null;
      data_at: Date | null;
      follow: boolean | null;
      follow_error: string | null;
      share: number | null;
    };
    values: readonly [Text, Text, Flag, Numeric, Numeric, Numeric, Numeric];
  };
  file_made_of: {
    row: {
      id: string;
      boundary: string | null;
      input: Readonly<Record<string, unknown>> | null;
    };
    values: readonly [Texts];
  };
  file_of_blob: {
    row: {
      id: string;
      org: string;
      name: string;
      boundary: string | null;
      version: number | null;
      format: FileFormat;
      detail: 'low' | 'medium' | 'high' | 'full' | null;
    };
    values: readonly [Text];
  };
  file_put: {
    row: {
      id: string;
    };
    values: readonly [Text, Text, Text, Text, Text, Numeric, Text, Text, Text, Text, Text, Text, Text, Numeric, Moment, Texts];
  };
  file_same: {
    row: {
      id: string | null;
    };
    values: readonly [Text, Text, Text, Text, Text, Text];
  };
  file_same_recipe: {
    row: {
      id: string | null;
    };
    values: readonly [Text, Text, Text, Text];
  };
  file_seen: {
    row: {
      id: string;
      name: string;
      made_by: string;
      boundary: string | null;
      version: number | null;
      format: FileFormat;
      detail: 'low' | 'medium' | 'high' | 'full' | null;
      visibility: 'org' | 'restricted';
      tags: readonly string[];
      sha256: string;
      bytes: number;
      created_at: Date;
      updated_at: Date;
      expires_at: Date | null;
      creator: string | null;
      creator_email: string;
      creator_name: string | null;
      own: boolean;
      current: boolean;
      data_at: Date;
      follow: boolean;
      follow_error: string | null;
      share: 1 | 2 | 3 | null;
    };
    values: readonly [Text, Text, Text, Flag, Flag];
  };
  file_share_drop: {
    row: {
      id: string;
      file: string;
      file_name: string;
      team: string | null;
      team_name: string;
      account: string | null;
      email: string;
      access: 'read' | 'write' | 'admin';
    };
    values: readonly [Text, Text, Text, Text, Text];
  };
  file_share_put: {
    row: {
      id: string | null;
      before: 'read' | 'write' | 'admin' | null;
    };
    values: readonly [Text, Text, Text, Text, Text, Text];
  };
  file_shares: {
    row: {
      grant_id: string;
      access: 'read' | 'write' | 'admin';
      created_at: Date;
      team: string | null;
      team_slug: string;
      team_name: string;
      account: string | null;
      email: string;
      name: string | null;
    };
    values: readonly [Text];
  };
  file_sweep: {
    row: {
      id: string;
    };
    values: readonly [Numeric];
  };
  file_tags: {
    row: {
      tag: string;
      files: number;
      total: number;
    };
    values: readonly [Text, Text, Flag, Numeric];
  };
  file_trim: {
    row: {
      sha256: string;
      format: FileFormat;
      bytes: number;
    };
    values: readonly [Text, Text, Numeric, Numeric, Numeric];
  };
  file_update: {
    row: {
    };
    values: readonly [Text, Text, Text, Text, Numeric, Text, Moment, Texts];
  };
  format_add: {
    row: {
      name: string;
    };
    values: readonly [Texts];
  };
  format_unknown: {
    row: {
      format: FileFormat;
    };
    values: readonly [Texts];
  };
  hierarchy_below: {
    row: {
      id: string | null;
    };
    values: readonly [Texts, Texts];
  };
  hierarchy_candidates: {
    row: {
      child: string;
      child_hash: string;
      parent: string;
      parent_hash: string;
    };
    values: readonly [Texts];
  };
  hierarchy_carriers: {
    row: {
      child: string;
      parent: string;
    };
    values: readonly [];
  };
  hierarchy_clear: {
    row: {
      child: string;
    };
    values: readonly [Texts];
  };
  hierarchy_descendants: {
    row: {
      id: string;
    };
    values: readonly [Texts];
  };
  hierarchy_drop_links: {
    row: {
    };
    values: readonly [Texts, Texts];
  };
  hierarchy_drop_names: {
    row: {
    };
    values: readonly [Texts];
  };
  hierarchy_lines: {
    row: {
      id: string;
      source: string;
      seed: boolean;
      kind: 'postal_code' | 'state' | 'country' | 'region' | 'province' | 'county' | 'district' | 'municipality' | 'city' | 'borough' | 'ward' | 'neighbourhood';
      country: string | null;
      countries: readonly string[];
      country_code: string | null;
      admin_level: number | null;
      area_km2: number | null;
      parents: readonly string[];
      former: readonly string[];
    };
    values: readonly [Texts];
  };
  hierarchy_order: {
    row: {
    };
    values: readonly [Texts];
  };
  hierarchy_put: {
    row: {
    };
    values: readonly [Texts, Texts, Numbers];
  };
  hierarchy_put_links: {
    row: {
    };
    values: readonly [Texts, Texts];
  };
  hierarchy_put_names: {
    row: {
    };
    values: readonly [Text];
  };
  hierarchy_ranks: {
    row: {
      rank: number | null;
      ids: readonly string[] | null;
    };
    values: readonly [Texts];
  };
  hierarchy_rows: {
    row: {
      id: string | null;
      source: string | null;
      type: 'administrative' | 'postal_code' | null;
      name: string | null;
      names: any;
      other_names: any;
      codes: readonly string[] | null;
      iso: string | null;
      wikidata: string | null;
      kind: string | null;
      kind_given: string | null;
      admin_level: number | null;
      country: string | null;
      countries: readonly string[] | null;
      disputed: boolean | null;
      country_given: string | null;
      country_code: string | null;
      tags: any;
      place: string | null;
      population: number | null;
      lat: number | null;
      lon: number | null;
      area_km2: number | null;
      kind_known: boolean | null;
      has_geometry: boolean | null;
      rank: number | null;
      traced_country: string | null;
      linked: readonly string[] | null;
      held: readonly string[] | null;
      former: readonly string[] | null;
      passed: readonly string[] | null;
    };
    values: readonly [Texts];
  };
  hierarchy_set: {
    row: {
    };
    values: readonly [Text];
  };
  history_editions: {
    row: {
      valid_from: string;
      source: string;
      name: string;
      type: string;
      admin_level: number | null;
      boundaries: number;
    };
    values: readonly [Numeric];
  };
  history_find: {
    row: {
      id: string;
    };
    values: readonly [Text, Text];
  };
  history_known: {
    row: {
      id: string;
      name: string;
      valid_from: string;
      valid_to: string | null;
    };
    values: readonly [Texts];
  };
  history_last_change: {
    row: {
      day: string | null;
      pruned: { readonly source: string, readonly valid_from: string, readonly next: string | null } | null;
    };
    values: readonly [Text];
  };
  history_later: {
    row: {
      id: string;
      valid_from: string;
    };
    values: readonly [Texts];
  };
  history_members: {
    row: {
      id: string;
      source: string;
      type: 'administrative' | 'postal_code';
      name: string;
      admin_level: number | null;
      codes: readonly string[] | null;
      area_km2: number | null;
      ring_hash: string | null;
      geometry_hash: string | null;
      parents: readonly string[];
      attribution: string | null;
    };
    values: readonly [Text, Numeric, Text, Numeric];
  };
  history_pruned: {
    row: {
      valid_from: string;
    };
    values: readonly [Text];
  };
  history_pruned_since: {
    row: {
      pruned: boolean;
    };
    values: readonly [];
  };
  history_versions: {
    row: {
      valid_from: string;
      valid_to: string | null;
      recorded_at: Date | null;
      is_edition: boolean;
      name: string;
      names: Readonly<Record<string, string>>;
      admin_level: number | null;
      code_ids: readonly string[] | null;
      area_km2: number | null;
      population: number | null;
      source: string | null;
      geometry_hash: string | null;
      parents: readonly string[] | null;
    };
    values: readonly [Text];
  };
  inland_above: {
    row: {
      parent: string;
      child: string;
    };
    values: readonly [Texts];
  };
  inland_around: {
    row: {
      id: string;
      coords: Buffer;
      ring_end: readonly number[];
      reason: string | null;
      west: number;
      south: number;
      east: number;
      north: number;
    };
    values: readonly [Numbers, Numbers, Numbers, Numbers, Text];
  };
  inland_cover: {
    row: {
      id: string;
    };
    values: readonly [Texts, Numeric, Moment];
  };
  inland_drop: {
    row: {
      west: number;
      south: number;
      east: number;
      north: number;
    };
    values: readonly [Text, Texts];
  };
  inland_drop_others: {
    row: {
      west: number;
      south: number;
      east: number;
      north: number;
    };
    values: readonly [Text, Texts];
  };
  inland_drop_set: {
    row: {
      source: string;
    };
    values: readonly [Text];
  };
  inland_drop_small: {
    row: {
      west: number;
      south: number;
      east: number;
      north: number;
    };
    values: readonly [Text, Texts, Numeric];
  };
  inland_known: {
    row: {
      id: string;
    };
    values: readonly [Text, Texts];
  };
  inland_mark: {
    row: {
    };
    values: readonly [Texts];
  };
  inland_mark_all: {
    row: {
    };
    values: readonly [];
  };
  inland_mark_around: {
    row: {
    };
    values: readonly [Numbers, Numbers, Numbers, Numbers];
  };
  inland_pending: {
    row: {
      id: string;
    };
    values: readonly [];
  };
  inland_put: {
    row: {
      west: number;
      south: number;
      east: number;
      north: number;
    };
    values: readonly [Text, Texts, Blobs, Texts, Texts, Numbers, Numbers, Numbers, Numbers, Moment, Flags];
  };
  inland_put_set: {
    row: {
      source: string;
    };
    values: readonly [Text, Numeric, Numeric, Numeric, Numeric, Flag];
  };
  inland_put_states: {
    row: {
    };
    values: readonly [Text];
  };
  inland_seen: {
    row: {
    };
    values: readonly [Text, Texts, Moment];
  };
  inland_sets: {
    row: {
      id: string;
      west: number;
      south: number;
      east: number;
      north: number;
      stated: boolean;
    };
    values: readonly [];
  };
  inland_shapes: {
    row: {
      id: string;
      type: 'administrative' | 'postal_code';
      admin_level: number | null;
      ends_at_shore: boolean;
      state: 'land' | 'mixed' | 'water' | 'unknown' | 'pending';
      arcs: readonly number[] | null;
      west: number;
      south: number;
      east: number;
      north: number;
      least_km2: number | null;
      ring_hash: string;
    };
    values: readonly [Texts];
  };
  inland_stored: {
    row: {
      id: string;
      data_at: Date | null;
      vertices: Buffer;
    };
    values: readonly [Text, Numeric, Numeric, Numeric, Numeric, Text, Numeric];
  };
  inland_uncover: {
    row: {
    };
    values: readonly [];
  };
  inland_whole: {
    row: {
      id: string;
      ring_hash: string;
      west: number;
      south: number;
      east: number;
      north: number;
      area_km2: number;
      enclosed: boolean;
    };
    values: readonly [Texts];
  };
  invite_accept: {
    row: {
      id: string;
      email: string;
      role: 'owner' | 'admin' | 'member' | 'viewer';
      inviter_role: 'owner' | 'admin' | 'member' | 'viewer' | null;
    };
    values: readonly [Text];
  };
  invite_by_token: {
    row: {
      id: string;
      org: string;
    };
    values: readonly [Text, Text, Text];
  };
  invite_counts: {
    row: {
      open: number;
      same: number;
      today: number;
      left_s: number;
    };
    values: readonly [Text, Text];
  };
  invite_list: {
    row: {
      id: string;
      email: string;
      role: 'owner' | 'admin' | 'member' | 'viewer';
      created_at: Date;
      expires_at: Date;
      inviter: string | null;
      inviter_email: string;
      inviter_name: string | null;
    };
    values: readonly [Text];
  };
  invite_look: {
    row: {
      name: string;
      slug: string;
      role: 'owner' | 'admin' | 'member' | 'viewer';
      invited_by: string;
    };
    values: readonly [Text, Text, Text];
  };
  invite_mail: {
    row: {
      role: 'owner' | 'admin' | 'member' | 'viewer';
      slug: string;
      personal: boolean;
      inviter: string;
    };
    values: readonly [Text, Text];
  };
  invite_member_by_email: {
    row: {
      account: string;
    };
    values: readonly [Text, Text];
  };
  invite_named: {
    row: {
      role: 'owner' | 'admin' | 'member' | 'viewer';
      slug: string;
      personal: boolean;
      inviter: string;
    };
    values: readonly [Text, Text];
  };
  invite_put: {
    row: {
      created_at: Date;
      expires_at: Date;
    };
    values: readonly [Text, Text, Text, Text, Text, Numeric];
  };
  invite_revoke: {
    row: {
      id: string;
      email: string;
      role: 'owner' | 'admin' | 'member' | 'viewer';
    };
    values: readonly [Text, Text];
  };
  invite_sweep: {
    row: {
    };
    values: readonly [Text];
  };
  job_any: {
    row: {
      live: boolean;
    };
    values: readonly [];
  };
  job_begin: {
    row: {
      resets: number;
    };
    values: readonly [Text, Numeric, Numeric, Text, Numeric];
  };
  job_cancel: {
    row: {
      reservation: string | null;
      op: string;
      units: number;
      webhook: string | null;
    };
    values: readonly [Text, Text];
  };
  job_claim: {
    row: {
      id: string;
      org: string;
      account: string;
      role: 'owner' | 'admin' | 'member' | 'viewer';
      op: string;
      input: string;
      name: string;
      visibility: 'org' | 'restricted';
      units: number;
      reservation: string | null;
      token: number;
      attempts: number;
      mail: boolean;
      webhook: string | null;
      sets: string | null;
      language: string | null;
    };
    values: readonly [Numeric];
  };
  job_creator: {
    row: {
      id: string;
      email: string;
      name: string | null;
      operator: boolean;
      role: 'owner' | 'admin' | 'member' | 'viewer';
      slug: string;
      plan: string;
      job_days: number | null;
    };
    values: readonly [Text, Text];
  };
  job_drop_parts: {
    row: {
      blob: string;
    };
    values: readonly [Text];
  };
  job_end: {
    row: {
      id: string;
    };
    values: readonly [Text, Numeric, Text, Numeric, Text, Text];
  };
  job_figures: {
    row: {
      queued: number;
      running: number;
      failed: number;
      age_s: number;
    };
    values: readonly [];
  };
  job_free: {
    row: {
    };
    values: readonly [];
  };
  job_held: {
    row: {
      id: string;
      org: string;
      op: string;
      units: number;
      reservation: string | null;
    };
    values: readonly [];
  };
  job_hold_op: {
    row: {
      pg_advisory_xact_lock: string | null;
    };
    values: readonly [Text];
  };
  job_input: {
    row: {
      input: string;
    };
    values: readonly [Text, Text, Flag, Text];
  };
  job_list: {
    row: {
      of_all: number | null;
      id: string;
      op: string;
      name: string;
      visibility: 'org' | 'restricted';
      state: 'queued' | 'running' | 'done' | 'failed' | 'canceled';
      units: number;
      charged: number;
      total: number;
      done: number;
      failed: any;
      failed_count: number | null;
      error: any;
      file: string | null;
      doing: string | null;
      report: any;
      mail: boolean;
      webhook: string | null;
      created_at: Date;
      started_at: Date | null;
      ended_at: Date | null;
      read_at: Date | null;
      account: string;
      email: string;
      account_name: string | null;
      file_hidden: boolean | null;
    };
    values: readonly [Text, Text, Flag, Numeric, Numeric];
  };
  job_live: {
    row: {
      live: number;
      kept: number;
    };
    values: readonly [Text];
  };
  job_op_live: {
    row: {
      live: boolean;
    };
    values: readonly [Text];
  };
  job_parts: {
    row: {
      part: number;
      blob: string;
      about: unknown;
    };
    values: readonly [Text];
  };
  job_put: {
    row: {
    };
    values: readonly [Text, Text, Text, Text, Text, Text, Text, Text, Numeric, Text, Numeric, Flag, Text, Text, Text];
  };
  job_put_part: {
    row: {
      job: string;
    };
    values: readonly [Text, Numeric, Numeric, Text, Text, Numeric, Text];
  };
  job_release: {
    row: {
    };
    values: readonly [Text, Numeric, Numeric, Numeric];
  };
  job_renew: {
    row: {
      id: string;
    };
    values: readonly [Text, Numeric, Numeric];
  };
  job_report: {
    row: {
      id: string;
    };
    values: readonly [Text, Numeric, Text];
  };
  job_revision: {
    row: {
      revision: number | null;
      sets: string | null;
    };
    values: readonly [Text];
  };
  job_say: {
    row: {
    };
    values: readonly [Text, Numeric, Text];
  };
  job_seen: {
    row: {
      id: string;
      op: string;
      name: string;
      visibility: 'org' | 'restricted';
      state: 'queued' | 'running' | 'done' | 'failed' | 'canceled';
      units: number;
      charged: number;
      total: number;
      done: number;
      failed: any;
      failed_count: number | null;
      error: any;
      file: string | null;
      doing: string | null;
      report: any;
      mail: boolean;
      webhook: string | null;
      created_at: Date;
      started_at: Date | null;
      ended_at: Date | null;
      read_at: Date | null;
      account: string;
      email: string;
      account_name: string | null;
      file_hidden: boolean | null;
    };
    values: readonly [Text, Text, Flag, Text];
  };
  job_sweep: {
    row: {
    };
    values: readonly [Numeric];
  };
  job_unnamed: {
    row: {
      blob: string;
    };
    values: readonly [Texts];
  };
  keys_active: {
    row: {
      id: string;
    };
    values: readonly [Text, Text, Text];
  };
  keys_by_hash: {
    row: {
      key_id: string;
      key_name: string;
      operator: boolean;
      account_id: string;
      email: string;
      name: string | null;
      org_id: string;
      slug: string;
      plan: string;
      role: 'owner' | 'admin' | 'member' | 'viewer';
      touch: boolean;
    };
    values: readonly [Text];
  };
  keys_count: {
    row: {
      keys: number;
    };
    values: readonly [Text];
  };
  keys_exist: {
    row: {
      id: string;
    };
    values: readonly [];
  };
  keys_holder: {
    row: {
      account: string;
    };
    values: readonly [Text, Text, Text];
  };
  keys_list: {
    row: {
      id: string;
      name: string;
      prefix: string;
      created_at: Date;
      last_used_at: Date | null;
      revoked_at: Date | null;
      created_by_key: string | null;
      account: string;
      email: string;
      account_name: string | null;
      total: number | null;
    };
    values: readonly [Text, Text, Flag, Numeric, Numeric];
  };
  keys_made_by_key: {
    row: {
      id: string;
    };
    values: readonly [Text];
  };
  keys_put: {
    row: {
      created_at: Date;
    };
    values: readonly [Text, Text, Text, Text, Text, Text, Flag, Text];
  };
  keys_revoke: {
    row: {
      id: string;
      org: string;
      account: string;
      name: string;
      prefix: string;
    };
    values: readonly [Text, Text];
  };
  keys_revoke_one: {
    row: {
      id: string;
      org: string;
      account: string;
      name: string;
      prefix: string;
    };
    values: readonly [Text, Text, Flag];
  };
  keys_touch: {
    row: {
    };
    values: readonly [Text];
  };
  land_boundaries_at: {
    row: {
      point: number;
      id: string;
      ring_hash: string;
      west: number;
      south: number;
      east: number;
      north: number;
      area_km2: number;
    };
    values: readonly [Numbers, Numbers, Text];
  };
  land_coast_around: {
    row: {
      id: number;
      coords: Buffer;
    };
    values: readonly [Numbers, Numbers, Numbers, Numbers, Text];
  };
  land_coast_missing: {
    row: {
      id: number;
      data_at: Date | null;
      extent: number;
      vertices: Buffer;
    };
    values: readonly [Text, Numbers, Texts, Numeric, Numeric];
  };
  land_common: {
    row: {
      revision: number | null;
      id: string | null;
      meters: number | null;
    };
    values: readonly [Numeric, Numbers, Numbers, Texts];
  };
  land_common_present: {
    row: {
      revision: number | null;
      id: string | null;
      meters: number | null;
    };
    values: readonly [Numbers, Numbers, Texts];
  };
  land_drop_coast: {
    row: {
      west: number;
      south: number;
      east: number;
      north: number;
    };
    values: readonly [Text, Numbers];
  };
  land_drop_extents: {
    row: {
    };
    values: readonly [];
  };
  land_drop_lines: {
    row: {
      west: number;
      south: number;
      east: number;
      north: number;
    };
    values: readonly [Text, Numbers];
  };
  land_drop_replaced: {
    row: {
      west: number;
      south: number;
      east: number;
      north: number;
    };
    values: readonly [Text, Numbers, Blobs, Blobs, Moment];
  };
  land_drop_set: {
    row: {
    };
    values: readonly [Text];
  };
  land_drop_within: {
    row: {
    };
    values: readonly [Numeric, Numeric, Numeric, Numeric];
  };
  land_extents: {
    row: {
      west: number;
      south: number;
      east: number;
      north: number;
    };
    values: readonly [];
  };
  land_maritime_ways: {
    row: {
      revision: number;
      id: number | null;
      coords: Buffer | null;
    };
    values: readonly [];
  };
  land_mark: {
    row: {
    };
    values: readonly [Texts];
  };
  land_mark_around: {
    row: {
    };
    values: readonly [Numbers, Numbers, Numbers, Numbers];
  };
  land_mark_open: {
    row: {
    };
    values: readonly [];
  };
  land_mark_unknown: {
    row: {
    };
    values: readonly [Numeric, Numeric, Numeric, Numeric];
  };
  land_of: {
    row: {
      revision: number | null;
      id: string | null;
      ends_at_shore: boolean | null;
      state: 'land' | 'mixed' | 'water' | 'unknown' | 'pending' | null;
      land_km2: number | null;
      reason: string | null;
      lat: number | null;
      lon: number | null;
      land_hash: string | null;
      land_box: readonly number[] | null;
      water_hash: string | null;
      water_box: readonly number[] | null;
      water_km2: number | null;
      inland_state: 'none' | 'some' | 'all' | 'unknown' | 'pending' | null | null;
      inland_reason: string | null;
      inland_lat: number | null;
      inland_lon: number | null;
      dry_hash: string | null;
      dry_box: readonly number[] | null;
      dry_km2: number | null;
    };
    values: readonly [Texts];
  };
  land_open: {
    row: {
      id: string;
    };
    values: readonly [Texts];
  };
  land_pending: {
    row: {
      id: string;
    };
    values: readonly [];
  };
  land_put: {
    row: {
    };
    values: readonly [Text];
  };
  land_put_coast: {
    row: {
      west: number;
      south: number;
      east: number;
      north: number;
    };
    values: readonly [Text, Numbers, Numbers, Blobs, Numbers, Numbers, Numbers, Numbers];
  };
  land_put_extent: {
    row: {
      west: number;
      south: number;
      east: number;
      north: number;
    };
    values: readonly [Numeric, Numeric, Numeric, Numeric];
  };
  land_put_set: {
    row: {
      source: string;
    };
    values: readonly [Text, Numeric, Numeric, Numeric, Numeric, Flag];
  };
  land_seen: {
    row: {
    };
    values: readonly [Text, Numbers, Moment];
  };
  land_sets: {
    row: {
      id: string;
      west: number;
      south: number;
      east: number;
      north: number;
      stated: boolean;
    };
    values: readonly [];
  };
  land_shapes: {
    row: {
      id: string;
      type: 'administrative' | 'postal_code';
      admin_level: number | null;
      arcs: readonly number[];
      west: number;
      south: number;
      east: number;
      north: number;
      known: 'land' | 'water' | null | null;
      decided_by: string | null;
    };
    values: readonly [Texts];
  };
  land_use: {
    row: {
      is_stored: boolean;
      is_land: boolean;
      is_water: boolean;
    };
    values: readonly [Text];
  };
  land_whole: {
    row: {
      id: string;
    };
    values: readonly [Texts, Texts, Text];
  };
  locate_set: {
    row: {
      revision: number | null;
      id: string | null;
      west: number | null;
      south: number | null;
      east: number | null;
      north: number | null;
      ring_hash: string | null;
      admin_level: number | null;
      kind: string | null;
      administrative: boolean | null;
      area_km2: number | null;
      name: string | null;
      country: string | null;
      iso: string | null;
      wikidata: string | null;
      population: number | null;
    };
    values: readonly [Text, Numeric, Numbers, Texts];
  };
  match_correction_count: {
    row: {
      total: number;
    };
    values: readonly [Text, Texts];
  };
  match_correction_delete: {
    row: {
      name: string;
    };
    values: readonly [Text, Texts, Texts];
  };
  match_correction_find: {
    row: {
      name: string;
      within: string;
      boundary: string;
    };
    values: readonly [Text, Texts];
  };
  match_correction_list: {
    row: {
      name: string;
      within: string;
      written: string;
      boundary: string;
      created_at: Date;
    };
    values: readonly [Text, Numeric, Numeric, Texts];
  };
  match_correction_lock: {
    row: {
      id: string;
    };
    values: readonly [Text];
  };
  match_correction_put: {
    row: {
    };
    values: readonly [Text, Texts, Texts, Texts, Texts];
  };
  'native/migrate_apart': {
    row: {
      database: string | null;
      apart: boolean | null;
    };
    values: readonly [Text];
  };
  'native/migrate_grants': {
    row: {
      grants: string | null;
    };
    values: readonly [Text];
  };
  oauth_bound_network: {
    row: {
    };
    values: readonly [Text, Text, Numeric];
  };
  oauth_bound_total: {
    row: {
    };
    values: readonly [Text, Numeric, Numeric];
  };
  oauth_caller: {
    row: {
      grant_id: string;
      client_name: string;
      grant_scope: 'read' | 'write' | 'admin';
      token_scope: string | null;
      audience: string | null;
      expires: number;
      account_id: string;
      email: string;
      name: string | null;
      operator: boolean;
      org_id: string;
      slug: string;
      plan: string;
      role: 'owner' | 'admin' | 'member' | 'viewer';
      touch: boolean;
    };
    values: readonly [Text];
  };
  oauth_consume: {
    row: {
      model: string;
    };
    values: readonly [Text, Text];
  };
  oauth_drop: {
    row: {
    };
    values: readonly [Text, Text];
  };
  oauth_drop_grant: {
    row: {
    };
    values: readonly [Texts];
  };
  oauth_get: {
    row: {
      payload: { [x: string]: unknown };
      consumed: number | null;
    };
    values: readonly [Text, Text];
  };
  oauth_grants: {
    row: {
      id: string;
      client_id: string;
      client_name: string;
      scope: 'read' | 'write' | 'admin';
      created_at: Date;
      last_used_at: Date | null;
    };
    values: readonly [Text, Text];
  };
  oauth_keep_client: {
    row: {
    };
    values: readonly [Text];
  };
  oauth_put: {
    row: {
    };
    values: readonly [Text, Text, Text, Text, Numeric, Text];
  };
  oauth_put_grant: {
    row: {
      id: string;
    };
    values: readonly [Text, Text, Text, Text, Text, Text];
  };
  oauth_revoke_grants: {
    row: {
      id: string;
      account: string;
      org: string;
      client_name: string;
      scope: 'read' | 'write' | 'admin';
    };
    values: readonly [Text, Text, Text];
  };
  oauth_sweep: {
    row: {
      records: number;
    };
    values: readonly [];
  };
  oauth_touch_grant: {
    row: {
    };
    values: readonly [Text];
  };
  ogc_collections: {
    row: {
      revision: number | null;
      kind: string | null;
      admin_level: number | null;
      count: number | null;
    };
    values: readonly [];
  };
  ogc_items: {
    row: {
      revision: number;
      id: string | null;
    };
    values: readonly [Text, Numeric, Numeric, Numeric, Numeric, Numeric, Text, Numeric, Text, Text, Text, Text, Text, Text];
  };
  ogc_line_arcs: {
    row: {
      revision: number;
      number: number | null;
      arc: number | null;
      ids: readonly string[] | null;
      levels: readonly number[] | null;
      backward: readonly boolean[] | null;
      disputed: boolean | null;
    };
    values: readonly [Text, Numeric, Numeric, Numeric, Numeric, Numeric, Numeric];
  };
  ogc_line_boundaries: {
    row: {
      revision: number;
      id: string | null;
    };
    values: readonly [Numeric, Numeric, Numeric, Numeric, Numeric, Text, Numeric];
  };
  org_by_slug: {
    row: {
      id: string;
      slug: string;
      name: string;
      plan: string;
      personal_of: string | null;
    };
    values: readonly [Text];
  };
  org_count_members: {
    row: {
      members: number;
      owners: number;
    };
    values: readonly [Text];
  };
  org_count_owned: {
    row: {
      orgs: number;
    };
    values: readonly [Text];
  };
  org_drop: {
    row: {
    };
    values: readonly [Text];
  };
  org_drop_member: {
    row: {
    };
    values: readonly [Text, Text];
  };
  org_find: {
    row: {
      id: string;
    };
    values: readonly [Text, Text];
  };
  org_get: {
    row: {
      id: string;
      slug: string;
      name: string;
      plan: string;
      personal_of: string | null;
    };
    values: readonly [Text];
  };
  org_hold: {
    row: {
      id: string;
      slug: string;
      name: string;
      plan: string;
      personal_of: string | null;
    };
    values: readonly [Text];
  };
  org_hold_member: {
    row: {
      role: 'owner' | 'admin' | 'member' | 'viewer';
    };
    values: readonly [Text, Text];
  };
  org_list: {
    row: {
      id: string;
      slug: string;
      name: string;
      plan: string;
      personal: boolean;
      role: 'owner' | 'admin' | 'member' | 'viewer';
      created_at: Date;
    };
    values: readonly [Text, Text];
  };
  org_lock: {
    row: {
      id: string;
      slug: string;
      name: string;
      plan: string;
      personal_of: string | null;
    };
    values: readonly [Text];
  };
  org_member: {
    row: {
      id: string;
      email: string;
      name: string | null;
      role: 'owner' | 'admin' | 'member' | 'viewer';
      created_at: Date;
    };
    values: readonly [Text, Text];
  };
  org_members: {
    row: {
      id: string;
      email: string;
      name: string | null;
      role: 'owner' | 'admin' | 'member' | 'viewer';
      created_at: Date;
      total: number;
    };
    values: readonly [Text, Numeric, Numeric];
  };
  org_plan_exists: {
    row: {
      id: string;
    };
    values: readonly [Text];
  };
  org_put: {
    row: {
      id: string;
      slug: string;
      name: string;
      plan: string;
      personal_of: string | null;
    };
    values: readonly [Text, Text, Text, Text, Text, Flag];
  };
  org_put_member: {
    row: {
      account: string;
    };
    values: readonly [Text, Text, Text];
  };
  org_set_plan: {
    row: {
      id: string;
      slug: string;
      name: string;
      plan: string;
      personal_of: string | null;
    };
    values: readonly [Text, Text];
  };
  org_set_role: {
    row: {
    };
    values: readonly [Text, Text, Text];
  };
  org_update: {
    row: {
      id: string;
    };
    values: readonly [Text, Text, Text];
  };
  outbox_claim: {
    row: {
      id: string;
      recipient: string;
      kind: string;
      reference: string | null;
      subject: string | null;
      text: string | null;
      language: string | null;
      attempts: number;
    };
    values: readonly [Numeric, Numeric];
  };
  outbox_put: {
    row: {
    };
    values: readonly [Text, Text, Text, Text, Text, Text, Numeric, Text];
  };
  outbox_retry: {
    row: {
    };
    values: readonly [Text, Numeric];
  };
  outbox_sent: {
    row: {
    };
    values: readonly [Text];
  };
  outbox_sweep: {
    row: {
      dropped: number;
    };
    values: readonly [];
  };
  part_orphans: {
    row: {
      id: string;
    };
    values: readonly [Numbers];
  };
  part_scope: {
    row: {
      id: string;
    };
    values: readonly [Texts, Flag];
  };
  prune_arcs: {
    row: {
      deleted: number;
      bytes: number;
    };
    values: readonly [];
  };
  prune_conflicts: {
    row: {
    };
    values: readonly [];
  };
  prune_editions: {
    row: {
      deleted: number;
    };
    values: readonly [];
  };
  prune_keep: {
    row: {
      editions: number | null;
      since: string | null;
    };
    values: readonly [];
  };
  prune_layers: {
    row: {
      edition: number;
      source: string;
      valid_from: string;
      type: string;
      admin_level: number | null;
      boundaries: number;
    };
    values: readonly [Numeric, Text];
  };
  prune_members: {
    row: {
    };
    values: readonly [Numbers, Texts, Numbers];
  };
  prune_reaches: {
    row: {
    };
    values: readonly [Numbers];
  };
  prune_recorded: {
    row: {
      deleted: number;
      bytes: number;
    };
    values: readonly [Moment];
  };
  prune_records: {
    row: {
      first: string | null;
    };
    values: readonly [Moment];
  };
  prune_set_keep: {
    row: {
    };
    values: readonly [Numeric, Text];
  };
  prune_shapes: {
    row: {
      deleted: number;
      bytes: number;
    };
    values: readonly [];
  };
  prune_sources: {
    row: {
    };
    values: readonly [];
  };
  prune_states: {
    row: {
      deleted: number;
      bytes: number;
    };
    values: readonly [];
  };
  replace_away: {
    row: {
      source_id: string | null;
    };
    values: readonly [Text, Texts];
  };
  replace_candidates: {
    row: {
      id: string;
      seed: string;
      seed_name: string;
      seed_hash: string | null;
      rule: number;
      same_level: boolean;
    };
    values: readonly [Text];
  };
  replace_doubles: {
    row: {
      doubles: number;
    };
    values: readonly [Texts, Texts];
  };
  replace_drop: {
    row: {
    };
    values: readonly [Texts];
  };
  replace_heirs: {
    row: {
      id: string;
      name: string;
      names: any;
      other_names: any;
      codes: readonly string[];
      code_ids: readonly string[] | null;
      iso: string | null;
      country_code: string | null;
      wikidata: string | null;
      population: number | null;
      place: string | null;
      kind_given: string | null;
      country_given: string | null;
      admin_level: number | null;
      inherited: any;
      seeds: any;
    };
    values: readonly [Texts];
  };
  replace_inherit: {
    row: {
    };
    values: readonly [Text];
  };
  replace_keep: {
    row: {
    };
    values: readonly [Texts, Texts];
  };
  replace_kept: {
    row: {
      id: string;
      heir: string;
      facts: any;
      wkb: Buffer | null;
      source: string;
      source_name: string;
      source_url: string | null;
      license: string;
      attribution: string;
      resolution: string | null;
    };
    values: readonly [Texts];
  };
  replace_pass_on: {
    row: {
    };
    values: readonly [Texts, Texts];
  };
  replace_polygons: {
    row: {
      id: string;
      wkb: Buffer;
    };
    values: readonly [Texts];
  };
  replace_touched: {
    row: {
      id: string | null;
    };
    values: readonly [Texts];
  };
  replace_written: {
    row: {
      id: string;
      name: string;
      wikidata: string | null;
      iso: string | null;
      codes: readonly string[];
      country: string | null;
      admin_level: number | null;
      kind: string;
      folded: string | null;
      ring_hash: string;
    };
    values: readonly [Texts];
  };
  requests_lease: {
    row: {
      subject: string;
      granted: number;
      remaining: number | null;
      left_ms: number | null;
    };
    values: readonly [Texts, Numbers, Numbers];
  };
  requests_plans: {
    row: {
      id: string;
      requests_per_minute: number | null;
    };
    values: readonly [];
  };
  requests_sweep: {
    row: {
    };
    values: readonly [];
  };
  reverse_candidates: {
    row: {
      revision: number | null;
      id: string | null;
    };
    values: readonly [Numeric, Numeric, Numeric];
  };
  reverse_candidates_of_sets: {
    row: {
      revision: number;
      id: string | null;
    };
    values: readonly [Numeric, Numeric, Numeric];
  };
  review_of: {
    row: {
      id: string;
      versions: number;
      published_version: number | null;
    };
    values: readonly [Text];
  };
  review_one: {
    row: {
      id: string;
      version: number;
      rating: number;
      title: string;
      body: string;
      likes: string;
      dislikes: string;
      use_case: string;
      display_name: string;
      display_company: string | null;
      marketing_consent: boolean;
      created_at: Date;
      published_at: Date | null;
      response: string | null;
      responded_at: Date | null;
    };
    values: readonly [Text];
  };
  review_pending: {
    row: {
      id: string;
      version: number;
      rating: number;
      title: string;
      body: string;
      likes: string;
      dislikes: string;
      use_case: string;
      display_name: string;
      display_company: string | null;
      created_at: Date;
      published_at: Date | null;
      response: string | null;
      responded_at: Date | null;
      total: number | null;
    };
    values: readonly [Numeric, Numeric];
  };
  review_publish: {
    row: {
      version: number;
    };
    values: readonly [Text, Numeric];
  };
  review_put: {
    row: {
      id: string;
    };
    values: readonly [Text, Text];
  };
  review_put_version: {
    row: {
      version: number;
      published: boolean | null;
    };
    values: readonly [Text, Numeric, Text, Text, Text, Text, Text, Text, Text, Flag, Numeric, Text, Flag];
  };
  review_ratings: {
    row: {
      rating: number;
      reviews: number;
    };
    values: readonly [];
  };
  review_respond: {
    row: {
      id: string;
    };
    values: readonly [Text, Text];
  };
  review_shown: {
    row: {
      id: string;
      rating: number;
      title: string;
      body: string;
      likes: string;
      dislikes: string;
      use_case: string;
      display_name: string;
      display_company: string | null;
      published_at: Date | null;
      response: string | null;
      responded_at: Date | null;
      total: number | null;
    };
    values: readonly [Numeric, Text, Numeric, Numeric];
  };
  review_versions: {
    row: {
      version: number;
      rating: number;
      title: string;
      body: string;
      likes: string;
      dislikes: string;
      use_case: string;
      display_name: string;
      display_company: string | null;
      marketing_consent: boolean;
      created_at: Date;
      published_at: Date | null;
    };
    values: readonly [Text, Numeric, Numeric];
  };
  ring_hashes: {
    row: {
      id: string;
      ring_hash: string;
    };
    values: readonly [Texts, Numeric];
  };
  search_containers: {
    row: {
      folded: string;
      id: string;
      name: string;
      countries: readonly string[];
      country: string | null;
    };
    values: readonly [Texts];
  };
  search_exact: {
    row: {
      id: string;
      folded: string;
      name_type: string;
      weight: number;
      kind: 'postal_code' | 'state' | 'country' | 'region' | 'province' | 'county' | 'district' | 'municipality' | 'city' | 'borough' | 'ward' | 'neighbourhood';
      countries: readonly string[];
      type: 'administrative' | 'postal_code';
      west: number | null;
      south: number | null;
      east: number | null;
      north: number | null;
      lat: number | null;
      lon: number | null;
      inside: readonly string[];
    };
    values: readonly [Texts, Texts, Texts, Texts, Text, Numeric, Numeric];
  };
  search_index: {
    row: {
      folded: string;
      id: string;
      name_type: string;
      weight: number;
    };
    values: readonly [Text, Text, Text, Numeric];
  };
  search_index_places: {
    row: {
      id: string;
      type: 'administrative' | 'postal_code';
      name: string;
      kind: 'postal_code' | 'state' | 'country' | 'region' | 'province' | 'county' | 'district' | 'municipality' | 'city' | 'borough' | 'ward' | 'neighbourhood';
      admin_level: number | null;
      country: string | null;
      countries: string[];
      disputed: boolean;
      population: number | null;
      wikidata: string | null;
      iso: string | null;
      west: number | null;
      south: number | null;
      east: number | null;
      north: number | null;
      lat: number | null;
      lon: number | null;
      has_geometry: boolean;
      source: string;
      version: number;
      stale: { readonly reason: string, readonly lat: number, readonly lon: number, readonly since: string } | null;
      contains: boolean;
      parents: readonly string[] | null;
    };
    values: readonly [Text, Numeric];
  };
  search_index_size: {
    row: {
      names: number;
      letters: number;
      places: number;
      ids: number;
      titles: number;
    };
    values: readonly [];
  };
  search_names: {
    row: {
      id: string;
      step: number;
      weight: number;
      whole: boolean;
      kind: 'postal_code' | 'state' | 'country' | 'region' | 'province' | 'county' | 'district' | 'municipality' | 'city' | 'borough' | 'ward' | 'neighbourhood';
      name_type: string;
      type: 'administrative' | 'postal_code';
      west: number | null;
      south: number | null;
      east: number | null;
      north: number | null;
      lat: number | null;
      lon: number | null;
    };
    values: readonly [Text, Text, Text, Flag, Texts, Text, Numeric, Numeric, Texts, Texts];
  };
  search_near: {
    row: {
      id: string;
      step: number | null;
      weight: number;
      whole: boolean | null;
      kind: string;
      name_type: string;
      type: 'administrative' | 'postal_code';
      west: number | null;
      south: number | null;
      east: number | null;
      north: number | null;
      lat: number | null;
      lon: number | null;
    };
    values: readonly [Text, Numbers, Numbers, Numbers, Texts, Text, Numeric, Numeric];
  };
  search_threshold: {
    row: {
      similarity: string | null;
      scans: string | null;
    };
    values: readonly [Text];
  };
  search_typos: {
    row: {
      id: string;
      folded: string;
      name_type: string;
      weight: number;
      kind: 'postal_code' | 'state' | 'country' | 'region' | 'province' | 'county' | 'district' | 'municipality' | 'city' | 'borough' | 'ward' | 'neighbourhood';
      type: 'administrative' | 'postal_code';
      west: number | null;
      south: number | null;
      east: number | null;
      north: number | null;
      lat: number | null;
      lon: number | null;
    };
    values: readonly [Text, Texts, Text, Numeric, Texts, Text, Numeric, Texts, Texts];
  };
  secret_get: {
    row: {
      value: string;
    };
    values: readonly [Text];
  };
  secret_put: {
    row: {
    };
    values: readonly [Text, Text];
  };
  selection_place: {
    row: {
      revision: number;
      total: number;
      ids: readonly string[];
    };
    values: readonly [Text, Text, Numeric, Numeric, Numeric, Numeric, Numeric, Numeric];
  };
  selection_set: {
    row: {
      revision: number;
      total: number;
      ids: readonly string[];
    };
    values: readonly [Text, Numeric];
  };
  selection_shapes: {
    row: {
      revision: number;
      id: string | null;
      name: string;
      has_geometry: boolean;
      broken: { readonly reason: string, readonly lat: number | null, readonly lon: number | null } | null;
      ring_hash: string | null;
      west: number | null;
      south: number | null;
      east: number | null;
      north: number | null;
      attribution: string;
      source_url: string | null;
    };
    values: readonly [Texts];
  };
  session_by_hash: {
    row: {
      id: string;
      account_id: string;
      email: string;
      name: string | null;
      operator: boolean;
      org_id: string | null;
      slug: string;
      plan: string;
      role: 'owner' | 'admin' | 'member' | 'viewer';
      touch: boolean;
      expires: number;
    };
    values: readonly [Text];
  };
  session_end: {
    row: {
    };
    values: readonly [Text];
  };
  session_end_all: {
    row: {
    };
    values: readonly [Text];
  };
  session_leave: {
    row: {
    };
    values: readonly [Text, Text];
  };
  session_list: {
    row: {
      id: string;
      created_at: Date;
      last_seen_at: Date;
    };
    values: readonly [Text];
  };
  session_put: {
    row: {
    };
    values: readonly [Text, Text, Text, Text];
  };
  session_switch: {
    row: {
      id: string;
    };
    values: readonly [Text, Text];
  };
  session_touch: {
    row: {
    };
    values: readonly [Text];
  };
  sets_copy_arcs: {
    row: {
    };
    values: readonly [Numeric];
  };
  sets_copy_boundaries: {
    row: {
    };
    values: readonly [Numeric];
  };
  sets_copy_conflicts: {
    row: {
    };
    values: readonly [Numeric];
  };
  sets_copy_names: {
    row: {
    };
    values: readonly [Numeric];
  };
  sets_copy_shapes: {
    row: {
    };
    values: readonly [Numeric];
  };
  sets_drafted: {
    row: {
      areas: number;
      vertices: number;
    };
    values: readonly [];
  };
  sets_drop: {
    row: {
    };
    values: readonly [Text];
  };
  sets_drop_version: {
    row: {
      id: number;
    };
    values: readonly [Text, Text];
  };
  sets_groups: {
    row: {
      members: Readonly<Record<string, readonly string[]>>;
    };
    values: readonly [Numeric];
  };
  sets_limits: {
    row: {
      most_sets: number | null;
      most_areas: number | null;
      most_vertices: number | null;
      sets: number;
      areas: number;
      vertices: number;
    };
    values: readonly [Text];
  };
  sets_list: {
    row: {
      id: string;
      name: string;
      title: string;
      visibility: 'org' | 'restricted';
      created_at: Date;
      updated_at: Date;
      creator: string | null;
      creator_email: string;
      creator_name: string | null;
      own: boolean;
      share: 1 | 2 | 3 | null;
      versions: readonly { readonly id: number, readonly valid_from: string, readonly made_from: string, readonly attribution: string, readonly areas: number, readonly vertices: number, readonly recorded_at: string }[];
    };
    values: readonly [Text, Text, Texts];
  };
  sets_members: {
    row: {
      id: string;
      name: string;
      kind: string;
      population: number | null;
      area_km2: number | null;
      broken: { readonly reason: string };
      west: number | null;
      south: number | null;
      east: number | null;
      north: number | null;
      lat: number | null;
      lon: number | null;
      tags: Readonly<Record<string, string>>;
    };
    values: readonly [Numeric, Text, Numeric];
  };
  sets_official_arcs: {
    row: {
      id: number;
      coords: Buffer;
    };
    values: readonly [Numbers, Numbers, Numbers, Numbers];
  };
  sets_official_size: {
    row: {
      vertices: number;
    };
    values: readonly [Numbers, Numbers, Numbers, Numbers];
  };
  sets_put: {
    row: {
      id: string;
    };
    values: readonly [Text, Text, Text, Text, Text, Text];
  };
  sets_put_version: {
    row: {
      id: number;
    };
    values: readonly [Text, Text, Text, Text, Numeric, Numeric, Text, Text];
  };
  sets_report: {
    row: {
      report: any;
    };
    values: readonly [Numeric];
  };
  sets_seams: {
    row: {
      seams: string | null;
    };
    values: readonly [Numeric];
  };
  sets_share_drop: {
    row: {
      id: string;
      area_set: string;
      set_name: string;
      access: 'read' | 'write' | 'admin';
      team: string | null;
      team_name: string;
      account: string | null;
      email: string;
    };
    values: readonly [Text, Text, Text, Text, Text];
  };
  sets_share_put: {
    row: {
      id: string | null;
      before: 'read' | 'write' | 'admin' | null;
    };
    values: readonly [Text, Text, Text, Text, Text, Text];
  };
  sets_shares: {
    row: {
      grant_id: string;
      access: 'read' | 'write' | 'admin';
      created_at: Date;
      team: string | null;
      team_slug: string;
      team_name: string;
      account: string | null;
      email: string;
      name: string | null;
    };
    values: readonly [Text];
  };
  sets_update: {
    row: {
    };
    values: readonly [Text, Text, Text];
  };
  sets_view: {
    row: {
      path: string | null;
      versions: string | null;
      official: string | null;
    };
    values: readonly [Text, Flag];
  };
  shape_load: {
    row: {
      boundary_id: string | null;
      arrangement: number | null;
      conflict_scope: string | null;
      arcs: readonly number[] | null;
      ring_end: readonly number[] | null;
      polygon_end: readonly number[] | null;
      ring_hash: string | null;
      id: number | null;
      revision: number | null;
      coords: Buffer | null;
      weights: Buffer | null;
      ends: Buffer | null;
      exact: number | null;
      area: number | null;
      turn: number | null;
      conflicts: readonly number[] | null;
    };
    values: readonly [Texts, Numbers, Numbers, Texts];
  };
  signin_attempt: {
    row: {
      count: number;
      left_s: number | null;
    };
    values: readonly [Text, Numeric];
  };
  signin_earlier: {
    row: {
      email: string;
      next: string;
    };
    values: readonly [Text];
  };
  signin_look: {
    row: {
      email: string;
      first: boolean;
    };
    values: readonly [Text, Text];
  };
  signin_mail: {
    row: {
      link: string | null;
    };
    values: readonly [Text, Text];
  };
  signin_mark: {
    row: {
      name: string | null;
    };
    values: readonly [Text, Text];
  };
  signin_put: {
    row: {
    };
    values: readonly [Text, Text, Text, Text, Numeric];
  };
  signin_sweep: {
    row: {
      dropped: number;
    };
    values: readonly [];
  };
  signin_use: {
    row: {
      email: string;
      next: string;
    };
    values: readonly [Text, Text];
  };
  source_boundaries: {
    row: {
      id: string;
    };
    values: readonly [Text];
  };
  source_drop: {
    row: {
      id: string;
    };
    values: readonly [Text];
  };
  source_drop_map: {
    row: {
    };
    values: readonly [];
  };
  source_drop_tombstones: {
    row: {
    };
    values: readonly [Texts];
  };
  source_list: {
    row: {
      id: string;
      name: string;
      url: string | null;
      resolution: string | null;
      license: string;
      attribution: string;
      seed: boolean;
      position: number | null;
      edition: string | null;
      reference_system: string | null;
      accuracy_m: number | null;
      imported_at: Date;
      data_at: Date | null;
      boundaries: number | null;
      countries: readonly string[] | null;
    };
    values: readonly [];
  };
  source_order: {
    row: {
      revision: number | null;
      id: string | null;
      position: number | null;
    };
    values: readonly [];
  };
  source_prefer: {
    row: {
    };
    values: readonly [Texts];
  };
  source_remove: {
    row: {
    };
    values: readonly [Text];
  };
  stale_list: {
    row: {
      id: string;
      name: string;
      type: 'administrative' | 'postal_code';
      admin_level: number | null;
      country: string | null;
      source: string;
      stale: { readonly reason: string, readonly lat: number | null, readonly lon: number | null, readonly since: string };
    };
    values: readonly [];
  };
  store_analyze: {
    row: {
    };
    values: readonly [];
  };
  store_analyze_built: {
    row: {
    };
    values: readonly [];
  };
  store_analyze_conflicts: {
    row: {
    };
    values: readonly [];
  };
  store_analyze_written: {
    row: {
    };
    values: readonly [];
  };
  store_arc_ids: {
    row: {
      id: number;
      hash: Buffer;
    };
    values: readonly [Blobs, Numeric];
  };
  store_arc_reach: {
    row: {
      id: number;
      reach: Buffer;
    };
    values: readonly [Numbers];
  };
  store_arcs: {
    row: {
      id: number;
      hash: Buffer;
      coords: Buffer;
      weights: Buffer;
      ends: Buffer;
      exact: number;
      class: number;
      main: boolean;
      conflicted: boolean;
    };
    values: readonly [Numbers];
  };
  store_arcs_around: {
    row: {
      id: number;
      hash: Buffer;
      coords: Buffer;
      weights: Buffer;
      ends: Buffer;
      exact: number;
      class: number;
      main: boolean;
      conflicted: boolean;
    };
    values: readonly [Numbers, Numbers, Numbers, Numbers, Numbers, Numbers, Numeric];
  };
  store_begin_run: {
    row: {
      id: number;
    };
    values: readonly [Text, Text];
  };
  store_boundaries: {
    row: {
      id: string;
      source: string;
      source_id: string;
      source_version: string;
      version: number;
      imported_at: Date;
      type: 'administrative' | 'postal_code';
      name: string;
      admin_level: number | null;
      ways: number[];
      has_geometry: boolean;
      meta_hash: string;
      geometry_hash: string | null;
      area_km2: number | null;
      seed: boolean;
      relation_type: string | null;
      stale_since: string | null;
    };
    values: readonly [Texts, Text, Texts, Numbers];
  };
  store_conflict_partners: {
    row: {
      id: number;
    };
    values: readonly [Numbers];
  };
  store_drop_boundaries: {
    row: {
    };
    values: readonly [Texts];
  };
  store_drop_dead_arcs: {
    row: {
      id: number;
    };
    values: readonly [Numbers];
  };
  store_drop_raw: {
    row: {
    };
    values: readonly [Numbers, Numbers];
  };
  store_drop_shapes_apart: {
    row: {
    };
    values: readonly [Numeric, Texts];
  };
  store_edition_days: {
    row: {
      id: string;
      day: string;
    };
    values: readonly [Texts, Texts, Texts, Numbers];
  };
  store_end_run: {
    row: {
    };
    values: readonly [Numeric, Text];
  };
  store_former_arcs: {
    row: {
      id: number;
      hash: Buffer;
      coords: Buffer;
      weights: Buffer;
      ends: Buffer;
      exact: number;
      class: number;
      main: boolean;
      conflicted: boolean;
    };
    values: readonly [Texts, Numeric];
  };
  store_has_near: {
    row: {
      near: boolean;
    };
    values: readonly [Numbers, Numbers, Numbers, Numbers, Numeric];
  };
  store_new_ids: {
    row: {
      number: number | null;
    };
    values: readonly [Numeric];
  };
  store_owners: {
    row: {
      id: string;
      arcs: readonly number[];
      ring_end: readonly number[];
      polygon_end: readonly number[];
      largest: number;
      admin_level: number | null;
      type: 'administrative' | 'postal_code';
    };
    values: readonly [Numbers, Texts];
  };
  store_places: {
    row: {
      id: number;
      role: string;
      x: number;
      y: number;
    };
    values: readonly [Numbers];
  };
  store_put_aliases: {
    row: {
    };
    values: readonly [Texts, Texts];
  };
  store_put_arcs: {
    row: {
      id: number;
      hash: Buffer;
    };
    values: readonly [Blobs, Blobs, Blobs, Blobs, Numbers, Numbers, Numbers, Numbers, Numbers, Numbers, Numbers, Numbers, Flags, Blobs, Numbers, Numbers, Numbers, Numbers, Numeric];
  };
  store_put_boundaries: {
    row: {
    };
    values: readonly [Text];
  };
  store_put_conflicts: {
    row: {
    };
    values: readonly [Numbers, Numbers, Texts, Numbers, Numbers];
  };
  store_put_geometry: {
    row: {
    };
    values: readonly [Text];
  };
  store_put_nodes: {
    row: {
    };
    values: readonly [Text];
  };
  store_put_relations: {
    row: {
    };
    values: readonly [Text];
  };
  store_put_shapes: {
    row: {
    };
    values: readonly [Texts, Texts, Texts, Texts, Texts, Numbers, Blobs];
  };
  store_put_shapes_apart: {
    row: {
    };
    values: readonly [Text];
  };
  store_put_source: {
    row: {
    };
    values: readonly [Text, Text, Text, Text, Text, Text, Flag, Text, Numeric, Text, Flag];
  };
  store_put_versions: {
    row: {
    };
    values: readonly [Text];
  };
  store_put_ways: {
    row: {
    };
    values: readonly [Numbers, Numbers, Texts, Texts, Blobs, Numbers, Blobs];
  };
  store_reach_around: {
    row: {
      id: number;
      reach: Buffer;
    };
    values: readonly [Numbers, Numbers, Numbers, Numbers, Numeric];
  };
  store_recut_shapes: {
    row: {
    };
    values: readonly [Text];
  };
  store_set_data_at: {
    row: {
    };
    values: readonly [Text, Moment];
  };
  store_set_ring_hashes: {
    row: {
    };
    values: readonly [Texts, Numeric];
  };
  store_set_roles: {
    row: {
    };
    values: readonly [Numbers, Numbers, Flags, Blobs, Numbers, Numbers, Numbers, Numbers];
  };
  store_set_stale: {
    row: {
    };
    values: readonly [Text];
  };
  store_set_tiers: {
    row: {
    };
    values: readonly [Numbers, Blobs, Blobs, Numbers];
  };
  store_settle_names: {
    row: {
      pages: number | null;
    };
    values: readonly [];
  };
  store_sources: {
    row: {
      id: string;
      seed: boolean;
      whole: boolean | null;
    };
    values: readonly [];
  };
  store_users: {
    row: {
      id: string;
    };
    values: readonly [Numbers];
  };
  store_ways: {
    row: {
      id: number;
      version: number;
      coords: Buffer | null;
      missing_node: number | null;
    };
    values: readonly [Numbers];
  };
  store_ways_of_boundaries: {
    row: {
      id: string;
      ways: readonly number[];
    };
    values: readonly [Texts];
  };
  subscription_announced: {
    row: {
    };
    values: readonly [Numeric];
  };
  subscription_batch: {
    row: {
      id: number;
      started_at: Date;
      source: string | null;
      valid_from: string | null;
    };
    values: readonly [Numeric];
  };
  subscription_count: {
    row: {
      total: number;
      mailed: number;
    };
    values: readonly [Text];
  };
  subscription_drop: {
    row: {
      about: string;
    };
    values: readonly [Text, Text, Flag, Text];
  };
  subscription_edition_ids: {
    row: {
      id: string;
    };
    values: readonly [Text, Text];
  };
  subscription_events: {
    row: {
      boundary_id: string;
      before: Readonly<Record<string, unknown>> | null;
      after: Readonly<Record<string, unknown>> | null;
    };
    values: readonly [Numeric, Texts];
  };
  subscription_hold_batch: {
    row: {
      id: number;
    };
    values: readonly [Numeric];
  };
  subscription_list: {
    row: {
      id: string;
      about: string;
      webhook: string | null;
      mail: boolean;
      created_at: Date;
      sent_at: Date | null;
      account: string;
      email: string;
      account_name: string | null;
      of_all: number;
    };
    values: readonly [Text, Text, Flag, Numeric, Numeric];
  };
  subscription_matches: {
    row: {
      id: string;
      org: string;
      about: string;
      webhook: string | null;
      mail: string | null;
      language: string | null;
      mailed_today: boolean | null;
      mailed: number;
      ids: readonly string[];
      total: number;
    };
    values: readonly [Numeric, Texts, Numeric];
  };
  subscription_put: {
    row: {
    };
    values: readonly [Text, Text, Text, Text, Texts, Texts, Text, Numeric, Text, Text, Flag, Text];
  };
  subscription_sent: {
    row: {
    };
    values: readonly [Text, Flag];
  };
  subscription_skip: {
    row: {
    };
    values: readonly [];
  };
  subscription_sweep: {
    row: {
    };
    values: readonly [Numeric];
  };
  support_database: {
    row: {
      server: string | null;
      max_connections: string | null;
      shared_buffers: string | null;
      work_mem: string | null;
      read_only: string | null;
      bytes: number | null;
      extensions: any;
      sessions: number | null;
    };
    values: readonly [];
  };
  support_migrations: {
    row: {
      name: string;
      applied_at: Date;
    };
    values: readonly [];
  };
  support_tables: {
    row: {
      name: string | null;
      rows: number | null;
      bytes: number | null;
    };
    values: readonly [];
  };
  team_count: {
    row: {
      teams: number;
    };
    values: readonly [Text];
  };
  team_drop: {
    row: {
    };
    values: readonly [Text];
  };
  team_drop_members: {
    row: {
      team: string;
      team_name: string;
      account: string;
      email: string;
    };
    values: readonly [Text, Text, Text];
  };
  team_find: {
    row: {
      id: string;
      slug: string;
      name: string;
    };
    values: readonly [Text, Text];
  };
  team_list: {
    row: {
      id: string;
      slug: string;
      name: string;
      created_at: Date;
      members: { readonly id: string, readonly email: string, readonly name: string | null }[];
    };
    values: readonly [Text];
  };
  team_put: {
    row: {
      created_at: Date;
    };
    values: readonly [Text, Text, Text, Text];
  };
  team_put_member: {
    row: {
      account: string;
    };
    values: readonly [Text, Text, Text];
  };
  team_update: {
    row: {
      id: string;
    };
    values: readonly [Text, Text, Text, Text];
  };
  tile_attributions: {
    row: {
      attribution: string;
    };
    values: readonly [];
  };
  tile_boundaries: {
    row: {
      revision: number;
      id: string | null;
      name: string;
      kind: string;
      admin_level: number | null;
      country: string | null;
      disputed: boolean;
      ring_hash: string;
      lat: number | null;
      lon: number | null;
      area_km2: number | null;
      names: { readonly [x: string]: string };
    };
    values: readonly [Numeric, Numeric, Numeric, Numeric, Numeric, Numeric, Texts];
  };
  tile_member_languages: {
    row: {
      revision: number | null;
      languages: readonly string[] | null;
    };
    values: readonly [Texts];
  };
  tile_member_names: {
    row: {
      revision: number | null;
      id: string | null;
      names: any;
    };
    values: readonly [Texts, Texts];
  };
  tile_members: {
    row: {
      revision: number;
      id: string | null;
      name: string;
      kind: string;
      admin_level: number | null;
      country: string | null;
      disputed: boolean;
      ring_hash: string;
      lat: number | null;
      lon: number | null;
      area_km2: number | null;
      west: number | null;
      south: number | null;
      east: number | null;
      north: number | null;
      attribution: string;
    };
    values: readonly [Texts];
  };
  tile_selection_bound: {
    row: {
    };
    values: readonly [Text, Numeric];
  };
  tile_selection_find: {
    row: {
      selection: string;
      resting: boolean | null;
    };
    values: readonly [Text, Numeric, Numeric];
  };
  tile_selection_put: {
    row: {
      created: boolean | null;
    };
    values: readonly [Text, Text, Text];
  };
  tile_selection_sweep: {
    row: {
    };
    values: readonly [Numeric, Numeric];
  };
  tile_selection_use: {
    row: {
    };
    values: readonly [Text];
  };
  tile_set_areas: {
    row: {
      revision: number;
      ids: readonly string[];
      areas: number;
    };
    values: readonly [Text, Numeric, Numeric, Numeric, Numeric, Numeric];
  };
  tile_set_extent: {
    row: {
      revision: number;
      attribution: string;
      west: number | null;
      south: number | null;
      east: number | null;
      north: number | null;
    };
    values: readonly [Text];
  };
  tombstone_candidates: {
    row: {
      id: string;
      ring_hash: string | null;
      heir: string;
      heir_hash: string | null;
      rule: number;
    };
    values: readonly [Texts];
  };
  tombstone_find: {
    row: {
      id: string;
      version: number;
      reason: 'deleted' | 'retagged' | 'member';
      gone_at: Date;
      name: string;
      replaced_by: string | null;
    };
    values: readonly [Texts];
  };
  tombstone_put: {
    row: {
    };
    values: readonly [Texts, Numbers, Texts, Texts];
  };
  tombstone_settle: {
    row: {
      id: string;
      heir: string | null;
    };
    values: readonly [Texts];
  };
  unshaped_among: {
    row: {
      id: string;
    };
    values: readonly [Texts];
  };
  unshaped_around: {
    row: {
      point: number;
      id: string;
      ring_hash: string;
      admin_level: number | null;
      country: string | null;
      mapped: boolean;
    };
    values: readonly [Numbers, Numbers, Numbers];
  };
  unshaped_carriers: {
    row: {
      country_code: string | null;
      parent: string;
      admin_level: number | null;
      country: string | null;
    };
    values: readonly [Texts];
  };
  unshaped_clear: {
    row: {
    };
    values: readonly [Texts];
  };
  unshaped_members: {
    row: {
      child: string;
      parent: string;
      admin_level: number | null;
      country: string | null;
    };
    values: readonly [Texts];
  };
  unshaped_parents: {
    row: {
      child: string;
      parent: string;
      share: number;
      admin_level: number | null;
      country: string | null;
    };
    values: readonly [Texts];
  };
  unshaped_put: {
    row: {
    };
    values: readonly [Text];
  };
  unshaped_rows: {
    row: {
      id: string;
      source: string;
      type: 'administrative' | 'postal_code';
      admin_level: number | null;
      country_code: string | null;
      country_given: string | null;
      iso: string | null;
      tags: { readonly [x: string]: string };
      ways: readonly number[];
      traced_country: string | null;
      traced_basis: 'member' | 'tags' | 'code' | 'polygons' | 'neighbor' | 'coarse' | 'points' | 'list' | null;
      west: number | null;
      south: number | null;
      east: number | null;
      north: number | null;
    };
    values: readonly [Texts];
  };
  unshaped_touched: {
    row: {
      id: string;
    };
    values: readonly [Texts];
  };
  unshaped_users: {
    row: {
      way: number;
      id: string;
      admin_level: number | null;
      country_code: string | null;
      country: string | null;
      has_geometry: boolean;
      basis: 'member' | 'tags' | 'code' | 'polygons' | 'neighbor' | 'coarse' | 'points' | 'list' | null;
    };
    values: readonly [Numbers];
  };
  unshaped_ways: {
    row: {
      id: number;
      coords: Buffer;
      admin_level: number | null;
    };
    values: readonly [Numbers];
  };
  update_advance: {
    row: {
    };
    values: readonly [Text, Numeric, Moment, Text];
  };
  update_drop_nodes: {
    row: {
    };
    values: readonly [Numbers, Numbers];
  };
  update_drop_ways: {
    row: {
    };
    values: readonly [Numbers, Numbers, Texts];
  };
  update_known: {
    row: {
      id: number;
    };
    values: readonly [Text, Numbers];
  };
  update_nodes: {
    row: {
      id: number;
      version: number;
      tags: { readonly [x: string]: string };
      x: number | null;
      y: number | null;
    };
    values: readonly [Numbers];
  };
  update_relations: {
    row: {
      id: number;
      version: number;
      tags: any;
      member_types: string;
      member_refs: readonly number[];
      member_roles: readonly string[];
    };
    values: readonly [Numbers];
  };
  update_relations_of_nodes: {
    row: {
      id: number;
      version: number;
      tags: any;
      member_types: string;
      member_refs: readonly number[];
      member_roles: readonly string[];
    };
    values: readonly [Numbers];
  };
  update_ring_members: {
    row: {
      id: number;
    };
    values: readonly [Numbers, Texts];
  };
  update_state: {
    row: {
      sequence: number | null;
      data_at: Date | null;
    };
    values: readonly [Text];
  };
  update_waiting: {
    row: {
      id: string;
      name: string;
      source_version: string;
      ways: readonly number[];
    };
    values: readonly [];
  };
  update_ways: {
    row: {
      id: number;
      version: number;
      tags: { [x: string]: string };
      node_refs: readonly number[] | null;
      coords: Buffer | null;
      missing_node: number | null;
      places: Buffer | null;
    };
    values: readonly [Numbers];
  };
  update_ways_of_nodes: {
    row: {
      way: number;
      node: number | null;
    };
    values: readonly [Numbers];
  };
  upstream_answered: {
    row: {
    };
    values: readonly [Text, Text, Text, Texts, Numeric];
  };
  upstream_beat: {
    row: {
    };
    values: readonly [Text, Texts, Numeric];
  };
  upstream_claim: {
    row: {
      mine: boolean;
      outcome: 'found' | 'missing' | 'broken' | null;
      ids: string[] | null;
      failure: string | null;
      holds: boolean;
    };
    values: readonly [Text, Text, Numeric, Flag];
  };
  upstream_due: {
    row: {
      key: string;
    };
    values: readonly [Numeric];
  };
  upstream_failed: {
    row: {
    };
    values: readonly [Text, Text, Text, Numeric, Numeric];
  };
  upstream_gone: {
    row: {
      id: string;
    };
    values: readonly [Text, Text];
  };
  upstream_grant: {
    row: {
      bytes_left: number;
    };
    values: readonly [Flag, Flag, Numeric, Numeric, Numeric, Numeric];
  };
  upstream_leave: {
    row: {
    };
    values: readonly [Text, Text];
  };
  upstream_link: {
    row: {
    };
    values: readonly [Text, Texts];
  };
  upstream_put_named: {
    row: {
      id: string;
    };
    values: readonly [Text];
  };
  upstream_refetch: {
    row: {
    };
    values: readonly [Texts, Numeric];
  };
  upstream_slot: {
    row: {
      key: string;
    };
    values: readonly [Text, Text, Text, Numeric];
  };
  upstream_spent: {
    row: {
    };
    values: readonly [Flag, Flag, Numeric];
  };
  upstream_stored: {
    row: {
    };
    values: readonly [Texts, Texts, Numbers];
  };
  upstream_sweep: {
    row: {
    };
    values: readonly [];
  };
  upstream_turn: {
    row: {
      wait_ms: number | null;
    };
    values: readonly [Text, Numeric, Numeric];
  };
  upstream_watch: {
    row: {
      key: string;
      running: boolean | null;
      outcome: 'found' | 'missing' | 'broken' | null;
      ids: readonly string[] | null;
      holds: boolean | null;
      failure: string | null;
    };
    values: readonly [Texts];
  };
  webhook_claim: {
    row: {
      id: string;
      org: string;
      url: string;
      body: string;
      attempts: number;
    };
    values: readonly [Numeric, Numeric, Numeric];
  };
  webhook_delivered: {
    row: {
    };
    values: readonly [Text];
  };
  webhook_of_jobs: {
    row: {
      job: string | null;
      attempts: number;
      delivered_at: Date | null;
      error: string | null;
      over: boolean | null;
      next_at: Date | null;
    };
    values: readonly [Texts];
  };
  webhook_put: {
    row: {
    };
    values: readonly [Text, Text, Text, Text, Numeric, Text];
  };
  webhook_retry: {
    row: {
    };
    values: readonly [Text, Numeric, Text];
  };
  webhook_sweep: {
    row: {
    };
    values: readonly [Numeric];
  };
}
