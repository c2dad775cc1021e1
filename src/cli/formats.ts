import { extname } from 'node:path';
import { DETAILS, type Detail, FORMATS, type Format } from '../../workers/contract.ts';
import {
  COLLECTION_FORMATS,
  type CollectionFormat,
  collectionExtension,
} from '../../workers/formats/collection/formats.ts';
import { READABLE } from '../../workers/readers/index.ts';
import { invalidInput, problem } from '../core/errors.ts';

/** File extensions of formats, besides their own. */
const ALIASES: Readonly<Record<string, Format>> = { json: 'geojson', txt: 'wkt', xml: 'gml' };

/**
 * The format that a flag names, or else that of a file's extension. `flag` is the flag's name for messages.
 * @throws invalid_input
 */
export function formatOf(named: string | undefined, file: string | undefined, flag: string): Format {
  if (named !== undefined) {
    if (isFormat(named)) return named;
    throw invalidInput([{ path: flag, code: 'invalid_value', message: `must be one of ${FORMATS.join(', ')}` }]);
  }
  const extension = file === undefined ? '' : extname(file).slice(1).toLowerCase();
  const format = isFormat(extension) ? extension : ALIASES[extension];
  if (format !== undefined) return format;
  const what =
    file === undefined || file === '-'
      ? 'Standard input and output have no file extension'
      : `The extension of "${file}" is not that of a format`;
  throw problem('invalid_input', `${what}. Choose the format with --${flag} (${FORMATS.join(', ')}).`);
}

/** Formats that a file of areas can be written in. */
export const WRITABLE = [...COLLECTION_FORMATS, 'wkt'] as const;

/** File extensions of collection formats, besides their own. */
const MORE_ALIASES: Readonly<Record<string, CollectionFormat | 'wkt'>> = {
  json: 'geojson',
  geojsonl: 'ndjson',
  geojsonseq: 'geojsonseq',
  jsonl: 'ndjson',
  geoparquet: 'geoparquet',
  shp: 'shapefile',
  tsv: 'csv',
  txt: 'wkt',
  wkt: 'wkt',
  xml: 'gml',
};

/** Like `formatOf`, for collection formats and WKT. The error message lists the formats that `flag` accepts. */
export function convertFormatOf(
  named: string | undefined,
  file: string,
  flag: 'from' | 'to',
): CollectionFormat | 'wkt' {
  const list = (flag === 'from' ? READABLE : WRITABLE).join(', ');
  if (named !== undefined) {
    const found = WRITABLE.find((one) => one === named);
    if (found) return found;
    throw invalidInput([{ path: flag, code: 'invalid_value', message: `must be one of ${list}` }]);
  }
  const extension = extname(file).slice(1).toLowerCase();
  const format = COLLECTION_FORMATS.find((one) => collectionExtension(one) === extension) ?? MORE_ALIASES[extension];
  if (format !== undefined) return format;
  const what =
    file === '-'
      ? 'Standard input and output have no file extension'
      : `The extension of "${file}" is not that of a format`;
  throw problem('invalid_input', `${what}. Choose the format with --${flag} (${list}).`);
}

const isFormat = (text: string): text is Format => FORMATS.some((format) => format === text);

/** The level of detail that a flag names. Throws invalid_input. */
export function detailOf(named: string): Detail {
  const detail = DETAILS.find((one) => one === named);
  if (detail) return detail;
  throw invalidInput([{ path: 'detail', code: 'invalid_value', message: `must be one of ${DETAILS.join(', ')}` }]);
}
