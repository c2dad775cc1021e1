import { FORMATS, type Format } from '../../workers/contract.ts';
import {
  COLLECTION_FORMATS,
  type CollectionFormat,
  collectionExtension,
  collectionType,
} from '../../workers/formats/collection/formats.ts';
import { contentType, extension } from '../../workers/formats/index.ts';

/** Formats of crosswalk tables that collections do not have. */
const TABLES = { json: 'application/json', parquet: 'application/vnd.apache.parquet' } as const;
type Table = keyof typeof TABLES;

/** Formats of files in the library: of single boundaries, of collections, and JSON and Parquet for crosswalks. */
export const FILE_FORMATS = [
  ...FORMATS,
  ...COLLECTION_FORMATS.filter((format) => !FORMATS.some((one) => one === format)),
  'json',
  'parquet',
] as const satisfies readonly (Format | CollectionFormat | Table)[];
export type FileFormat = (typeof FILE_FORMATS)[number];

const isTable = (format: FileFormat): format is Table => Object.hasOwn(TABLES, format);
const isSingle = (format: FileFormat): format is Format => FORMATS.some((one) => one === format);

/** The file extension of the format, without the dot. */
export function fileExtension(format: FileFormat): string {
  if (isSingle(format)) return extension(format);
  return isTable(format) ? format : collectionExtension(format);
}

/** The media type of the format. */
export function fileType(format: FileFormat): string {
  if (isSingle(format)) return contentType(format);
  return isTable(format) ? TABLES[format] : collectionType(format);
}
