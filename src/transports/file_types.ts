import { FORMATS } from '../../workers/contract.ts';
import { TYPE_OF_EXTENSION } from '../../workers/formats/collection/formats.ts';
import { contentType, extension } from '../../workers/formats/index.ts';

/** Media types by file extension, without the dot: exports of single boundaries, and collections. */
export const FILE_TYPES: ReadonlyMap<string, string> = new Map([
  ...TYPE_OF_EXTENSION,
  ...FORMATS.map((format) => [extension(format), contentType(format)] as const),
]);
