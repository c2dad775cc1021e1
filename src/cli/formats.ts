import { extname } from 'node:path';
import { DETAILS, type Detail } from '../../workers/contract.ts';
import {
  COLLECTION_FORMATS,
  contentType,
  extension,
  FILE_FORMATS,
  type FileFormat,
  formatsOfExtension,
} from '../../workers/formats/registry.ts';
import { invalidInput, problem } from '../core/errors.ts';

/** Formats that a file of areas can be written in. */
export const WRITABLE = [...COLLECTION_FORMATS, 'wkt'] as const;

const extensionOf = (file: string): string => extname(file).slice(1).toLowerCase();

interface FormatFlag<F extends string> {
  /** The flag's name, for messages. */
  readonly flag: string;
  /** The formats that the command writes or reads. */
  readonly choices: readonly F[];
  /** Those that messages list, if fewer. */
  readonly shown?: readonly string[];
  /** Whether the file is read. */
  readonly reads?: boolean;
}

/**
 * The format that a flag names, or else that of a file's extension.
 * @throws invalid_input for a format that the command does not have
 */
export function fileFormatOf<F extends string>(
  named: string | undefined,
  file: string | undefined,
  { flag, choices, shown = choices, reads = false }: FormatFlag<F>,
): F {
  const listed = shown.join(', ');
  if (named !== undefined) {
    const found = choices.find((one) => one === named);
    if (found) return found;
    throw invalidInput([{ path: flag, code: 'invalid_value', message: `must be one of ${listed}` }]);
  }
  const formats = formatsOfExtension(file === undefined ? '' : extensionOf(file), reads);
  for (const format of formats) {
    const found = choices.find((one) => one === format);
    if (found) return found;
  }
  throw problem('invalid_input', `${reasonOf(file, formats)}. Choose the format with --${flag} (${listed}).`);
}

/** File names of what only an import reads: .osm, .osm.bz2, .osm.pbf; .gz is taken off before. */
const OPENSTREETMAP = /\.(?:osm|osc|pbf)(?:\.bz2)?$/i;

function reasonOf(file: string | undefined, formats: readonly string[]): string {
  if (file === undefined || file === '-') return 'Standard input and output have no file extension';
  const [format] = formats;
  if (format !== undefined) return `The extension of "${file}" is that of ${format}, which this command does not write`;
  if (extensionOf(file) === 'shp')
    return 'A Shapefile has several files and is written as a zip: give it that extension';
  if (OPENSTREETMAP.test(file))
    return `"${file}" has the extension of OpenStreetMap data, whose boundaries an import puts together: boundary import, then boundary export`;
  return `The extension of "${file}" is not that of a format`;
}

/**
 * Checks that a file whose extension is that of a format gets that format: one of the media types that the answer may
 * have. Other extensions and other media types are the person's own.
 * @throws invalid_input that names the extension to use
 */
export function requireExtension(file: string, contentTypes: readonly string[]): void {
  const formats = formatsOfExtension(extensionOf(file), true);
  const types = contentTypes.map((type) => bareType(type));
  const fits = (format: FileFormat): boolean => typesOf(format).some((type) => types.includes(type));
  const fitting = FILE_FORMATS.find(fits);
  if (formats.length === 0 || formats.some(fits) || fitting === undefined) return;
  const message = `"${file}" was not written: the answer is ${types.join(' or ')}. Use .${extension(fitting)}.`;
  throw problem('invalid_input', message);
}

const bareType = (type: string): string => type.split(';')[0] ?? '';

/** The media types of a format. GeoJSON is also JSON. */
function typesOf(format: FileFormat): string[] {
  const own = bareType(contentType(format));
  return format === 'json' ? [own, contentType('geojson')] : [own];
}

/** The level of detail that a flag names. @throws invalid_input */
export function detailOf(named: string): Detail {
  const detail = DETAILS.find((one) => one === named);
  if (detail) return detail;
  throw invalidInput([{ path: 'detail', code: 'invalid_value', message: `must be one of ${DETAILS.join(', ')}` }]);
}
