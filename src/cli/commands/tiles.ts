import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../../config.ts';
import type { Archive } from '../../tiles/archive.ts';
import { command } from '../context.ts';
import { fileFormatOf } from '../formats.ts';

interface TilesFlags {
  readonly output: string;
  readonly maxZoom: number;
  readonly bbox?: readonly number[];
  readonly lang?: string;
  readonly area?: string;
  readonly water?: string;
}

/** Default maximum zoom, which shows municipalities. */
const DEFAULT_ZOOM = 8;

/** Adds `boundary tiles -o FILE`, which writes the vector tiles of all boundaries to one PMTiles archive. */
export function addTilesCommand(cli: Command, config: Config): void {
  cli
    .command('tiles')
    .description('write the vector tiles of all boundaries to a PMTiles archive, to host without a server')
    .requiredOption('-o, --output <file>', 'file to write (.pmtiles)')
    .option('--max-zoom <number>', 'highest zoom, 0 to 14', zoom, DEFAULT_ZOOM)
    .option('--bbox <west,south,east,north>', 'only tiles that intersect this box, in degrees', box)
    .option('--lang <tags>', 'languages for names, best first: de-CH,fr')
    .addOption(
      new Option('--area <part>', 'only their land or their water, where it is known').choices([
        'all',
        'land',
        'water',
      ]),
    )
    .addOption(new Option('--water <which>', 'with --area land: without lakes and rivers').choices(['inland']))
    .action(async ({ output, maxZoom, bbox, lang, area = 'all', water }: TilesFlags) => {
      fileFormatOf(undefined, output, { flag: 'output', choices: ['pmtiles'] });
      const input = { file: resolve(output), max_zoom: maxZoom, bbox: bbox ?? null, lang: lang ?? null, area, water };
      const { tiles, bytes } = (await command(config, 'tiles_archive', input)) as Archive;
      process.stdout.write(`${output}: ${tiles} tiles, ${bytes} bytes\n`);
    });
}

function zoom(text: string): number {
  const value = Number(text);
  if (!/^\d{1,2}$/.test(text) || value > 14) throw new InvalidArgumentError('must be a whole number from 0 to 14');
  return value;
}

function box(text: string): number[] {
  const parts = text.split(',').map((part) => part.trim());
  const numbers = parts.map(Number);
  if (numbers.length !== 4 || !numbers.every(Number.isFinite) || parts.includes('')) {
    throw new InvalidArgumentError('must be four numbers: west,south,east,north');
  }
  return numbers;
}
