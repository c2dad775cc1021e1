// Node 20 does not load TypeScript in a worker thread by itself: from sources (tests, tsx) the pool starts here,
// from dist/ it starts geometry.js and this file is not there.
import { register } from 'tsx/esm/api';

register();
export const {
  render,
  merge,
  overlayMerge,
  finishOverlay,
  locateIn,
  border,
  locateAll,
  boxesAt,
  locateAmong,
  collectionText,
  chains,
  chainText,
  topology,
  layOutAll,
  dissolve,
  crosswalk,
  packBoxes,
  shares,
  build,
  tiers,
  clean,
  polygonsOf,
  convert,
  relationsOf,
  waysOf,
  nodesOf,
  layOutPlaces,
} = await import('./geometry.ts');
