import { extname } from 'node:path';
import {
  COLLECTION_FORMATS,
  type CollectionFormat,
  collectionExtension,
} from '../../../workers/formats/collection/formats.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import { type CallTarget, jsonOf, requireSuccess } from '../../transports/call.ts';
import { printableJson, visible } from '../../transports/visible.ts';
import { detailOf } from '../formats.ts';
import { resolveNames } from '../names.ts';
import type { Terminal } from '../op_command.ts';
import type { ExportFlags } from '../options.ts';
import { reportAmbiguous, searchFilterOf } from './union.ts';

/** File extensions of formats, besides their own. */
const ALIASES: Readonly<Record<string, CollectionFormat>> = {
  json: 'geojson',
  geojsonl: 'ndjson',
  geojsonseq: 'geojsonseq',
  xml: 'gml',
};

const FORMATS_LIST = COLLECTION_FORMATS.join(', ');

/** The format of a collection: named by a flag, or else by the file extension. Throws invalid_input. */
function collectionFormatOf({ as, format, output }: ExportFlags): CollectionFormat {
  const named = as ?? format;
  if (named !== undefined) {
    const found = COLLECTION_FORMATS.find((one) => one === named);
    if (found) return found;
    const path = as === undefined ? 'format' : 'as';
    throw invalidInput([{ path, code: 'invalid_value', message: `must be one of ${FORMATS_LIST}` }]);
  }
  const extension = extname(output ?? '')
    .slice(1)
    .toLowerCase();
  const found = COLLECTION_FORMATS.find((one) => collectionExtension(one) === extension) ?? ALIASES[extension];
  if (found) return found;
  throw problem(
    'invalid_input',
    `The extension of "${output}" is not that of a format. Choose the format with --as (${FORMATS_LIST}).`,
  );
}

interface ExportResponse {
  readonly url: string;
  readonly count: number;
  readonly content_type: string;
  readonly tolerance_m: number;
  readonly left_out: {
    readonly count: number;
    readonly items: readonly { id: string; name: string; reason: string }[];
  };
}

/**
 * `boundary export -o FILE`: exports boundaries, or the subdivisions of one, to one file at one tolerance. Returns the
 * exit code.
 */
export async function runCollection(
  target: CallTarget,
  names: readonly string[],
  flags: ExportFlags,
  terminal: Terminal,
): Promise<number> {
  const output = flags.output as string;
  const format = collectionFormatOf(flags);
  if ((flags.childrenOf === undefined) === (names.length === 0)) {
    throw problem('invalid_input', 'Give either names or --children-of.');
  }
  const words = flags.childrenOf === undefined ? names : [flags.childrenOf];
  const named = await reportAmbiguous(terminal, flags.json, () => resolveNames(target, words, searchFilterOf(flags)));
  const ids = named.map(({ id }) => id);
  const selection =
    flags.childrenOf === undefined
      ? { ids }
      : {
          children_of: ids[0],
          ...(flags.level === undefined ? {} : { admin_level: Number(flags.level) }),
          ...(flags.levels === undefined ? {} : { levels: flags.levels }),
        };
  const input = {
    ...selection,
    format,
    ...(flags.detail === undefined ? {} : { detail: detailOf(flags.detail) }),
    ...(flags.toleranceM === undefined ? {} : { tolerance_m: Number(flags.toleranceM) }),
    ...(flags.names === undefined ? {} : { names: flags.names }),
  };
  const response = jsonOf(await target.call('export_collection', input)) as ExportResponse;
  const file = await target.download(response.url);
  requireSuccess(file);
  if (output === '-') terminal.stdout(terminal.isTerminal ? visible(Buffer.from(file.body).toString()) : file.body);
  else terminal.writeFile(output, file.body);
  const { count, tolerance_m, left_out } = response;
  for (const { id, name, reason } of left_out.items) {
    terminal.stderr(`left out: ${visible(`${name} (${id}): ${reason}`, true)}\n`);
  }
  if (left_out.count > left_out.items.length) terminal.stderr(`left out: ${left_out.count} in all\n`);
  const bytes = file.body.length;
  if (flags.json && output !== '-') {
    terminal.stdout(`${printableJson({ file: output, bytes, format, count, tolerance_m, left_out })}\n`);
  } else if (output !== '-') {
    const boundaries = count === 1 ? '1 boundary' : `${count} boundaries`;
    terminal.stderr(`${output}: ${boundaries}, ${bytes} bytes, tolerance ${tolerance_m} m\n`);
  }
  return 0;
}
