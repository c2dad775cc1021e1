import { COLLECTION_FORMATS } from '../../../workers/formats/registry.ts';
import { safeCsv } from '../../common/safe_csv.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import { type CallTarget, jsonOf, requireSuccess } from '../../transports/call.ts';
import { printableJson, visible } from '../../transports/visible.ts';
import { detailOf, fileFormatOf } from '../formats.ts';
import { resolveNames } from '../names.ts';
import type { ExportFlags } from '../options.ts';
import type { Terminal } from '../render/terminal.ts';
import { reportAmbiguous, searchFilterOf } from './union.ts';

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
  const flag = flags.as === undefined && flags.format !== undefined ? 'format' : 'as';
  const format = fileFormatOf(flags.as ?? flags.format, output, { flag, choices: COLLECTION_FORMATS });
  if (flags.safeCsv && format !== 'csv') {
    throw invalidInput([{ path: 'safe-csv', code: 'conflict', message: 'is for CSV files only' }]);
  }
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
  const body = flags.safeCsv ? Buffer.from(safeCsv(Buffer.from(file.body).toString())) : file.body;
  if (output === '-') terminal.stdout(terminal.isTerminal ? visible(Buffer.from(body).toString()) : body);
  else terminal.writeFile(output, body);
  const { count, tolerance_m, left_out } = response;
  for (const { id, name, reason } of left_out.items) {
    terminal.stderr(`left out: ${visible(`${name} (${id}): ${reason}`, true)}\n`);
  }
  if (left_out.count > left_out.items.length) terminal.stderr(`left out: ${left_out.count} in all\n`);
  const bytes = body.length;
  if (flags.json && output !== '-') {
    terminal.stdout(`${printableJson({ file: output, bytes, format, count, tolerance_m, left_out })}\n`);
  } else if (output !== '-') {
    const boundaries = count === 1 ? '1 boundary' : `${count} boundaries`;
    terminal.stderr(`${output}: ${boundaries}, ${bytes} bytes, tolerance ${tolerance_m} m\n`);
  }
  return 0;
}
