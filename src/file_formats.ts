import { FORMATS, type Format } from '../workers/contract.ts';
import {
  COLLECTION_FORMATS,
  type CollectionFormat,
  collectionExtension,
  collectionType,
} from '../workers/formats/collection/formats.ts';
import { contentType, extension } from '../workers/formats/index.ts';

/** Formats of files in the library: those of single boundaries, of collections, and the JSON of a crosswalk. */
export const FILE_FORMATS = [
  ...FORMATS,
  ...COLLECTION_FORMATS.filter((format) => !FORMATS.some((one) => one === format)),
  'json',
] as const satisfies readonly (Format | CollectionFormat | 'json')[];
export type FileFormat = (typeof FILE_FORMATS)[number];

const isSingle = (format: FileFormat): format is Format => FORMATS.some((one) => one === format);

/** What a file of the format ends in, without the dot. */
export function fileExtension(format: FileFormat): string {
  if (isSingle(format)) return extension(format);
  return format === 'json' ? 'json' : collectionExtension(format);
}

/** The media type to serve a file of the format with. */
export function fileType(format: FileFormat): string {
  if (isSingle(format)) return contentType(format);
  return format === 'json' ? 'application/json' : collectionType(format);
}
