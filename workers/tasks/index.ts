/** The tasks of the workers, each in a file of its own: its input, its result, and `run`. */
import * as assemble from './assemble.ts';
import * as border from './border.ts';
import * as borderLines from './border_lines.ts';
import * as boxesAt from './boxes_at.ts';
import * as chainText from './chain_text.ts';
import * as chains from './chains.ts';
import * as clean from './clean.ts';
import * as collectionText from './collection_text.ts';
import * as commonAreas from './common_areas.ts';
import * as commonLines from './common_lines.ts';
import * as compareAreas from './compare_areas.ts';
import * as convert from './convert.ts';
import * as cover from './cover.ts';
import * as crosswalk from './crosswalk.ts';
import * as describe from './describe.ts';
import * as dissolve from './dissolve.ts';
import * as drawCard from './draw_card.ts';
import * as drawMap from './draw_map.ts';
import * as fileTile from './file_tile.ts';
import * as land from './land.ts';
import * as layOutAll from './lay_out_all.ts';
import * as layOutPlaces from './lay_out_places.ts';
import * as locateAll from './locate_all.ts';
import * as locateAmong from './locate_among.ts';
import * as locateIn from './locate_in.ts';
import * as markSource from './mark_source.ts';
import * as meetsBoxes from './meets_boxes.ts';
import * as merge from './merge.ts';
import * as mutualShare from './mutual_share.ts';
import * as near from './near.ts';
import * as nodesOf from './nodes_of.ts';
import * as overlayMerge from './overlay_merge.ts';
import * as packBoxes from './pack_boxes.ts';
import * as polygonsOf from './polygons_of.ts';
import * as readSource from './read_source.ts';
import * as region from './region.ts';
import * as relationsOf from './relations_of.ts';
import * as render from './render.ts';
import * as seaOutlines from './sea_outlines.ts';
import * as shares from './shares.ts';
import type { TaskContext } from './task.ts';
import * as tierAll from './tier_all.ts';
import * as tiers from './tiers.ts';
import * as tile from './tile.ts';
import * as topology from './topology.ts';
import * as tripleAreas from './triple_areas.ts';
import * as waysOf from './ways_of.ts';

/** All tasks by name. */
export const TASKS = {
  render,
  merge,
  overlayMerge,
  region,
  near,
  commonLines,
  locateIn,
  border,
  borderLines,
  locateAll,
  boxesAt,
  locateAmong,
  meetsBoxes,
  cover,
  drawMap,
  drawCard,
  crosswalk,
  commonAreas,
  compareAreas,
  tripleAreas,
  dissolve,
  packBoxes,
  shares,
  mutualShare,
  assemble,
  land,
  describe,
  tierAll,
  tiers,
  clean,
  polygonsOf,
  collectionText,
  chains,
  chainText,
  topology,
  layOutAll,
  convert,
  tile,
  seaOutlines,
  readSource,
  markSource,
  fileTile,
  relationsOf,
  waysOf,
  nodesOf,
  layOutPlaces,
};

/** The name of a task. */
export type TaskName = keyof typeof TASKS;
/** What a task is given. */
export type TaskInput<K extends TaskName> = Parameters<(typeof TASKS)[K]['run']>[0];
/** What it returns. */
export type TaskResult<K extends TaskName> = Awaited<ReturnType<(typeof TASKS)[K]['run']>>;

/** A task as a thread runs it. `moved`: the memory of a result that is moved to the caller instead of copied. */
export interface Task<Input, Result> {
  run(input: Input, context: TaskContext): Result | Promise<Result>;
  moved?(result: Result): readonly ArrayBufferView[];
}
