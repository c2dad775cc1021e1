import { COLLECTION_FORMATS, contentType, extension, FORMATS } from '../../workers/formats/registry.ts';
import { MAP_TYPES } from '../geometry/maps.ts';

/** Media types by file extension, without the dot: exports of single boundaries, collections, and maps. */
export const FILE_TYPES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(MAP_TYPES),
  ...[...FORMATS, ...COLLECTION_FORMATS].map((format) => [extension(format), contentType(format)] as const),
]);
