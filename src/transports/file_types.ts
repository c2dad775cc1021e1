import { COLLECTION_FORMATS, contentType, extension, FORMATS } from '../../workers/formats/registry.ts';

/** Media types by file extension, without the dot: exports of single boundaries, and collections. */
export const FILE_TYPES: ReadonlyMap<string, string> = new Map(
  [...FORMATS, ...COLLECTION_FORMATS].map((format) => [extension(format), contentType(format)]),
);
