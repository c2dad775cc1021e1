import { at } from '../api.ts';
import { t } from '../language.ts';
import { quoted } from '../shell.ts';
import type { FileCall } from './offer.ts';

/** A value as Python writes it. */
function python(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${python(one)}`)
    .join(', ')}}`;
}

/** The same file by curl, the command line, JavaScript and Python. `base`: the address of the service. */
export function snippets({ op, input }: FileCall, name: string, key: boolean): readonly (readonly [string, string])[] {
  const json = JSON.stringify(input);
  const base = at('.').replace(/\/$/, '');
  const sends = `${key ? '-H "Authorization: Bearer $KEY" ' : ''}-H 'Content-Type: application/json' -d ${quoted(json)}`;
  const call = `curl -sf ${sends} ${quoted(at(`v1/ops/${op}`))}`;
  // GeoJSON of an area that is made is the answer itself; other answers have the address of the file.
  const direct = input.format === 'geojson' && !op.startsWith('export_');
  const curl = direct ? `${call} -o ${quoted(name)}` : `${call} | jq -r .url | xargs curl -sf -o ${quoted(name)}`;
  const account = key ? ', key: process.env.KEY' : '';
  return [
    ['curl', curl],
    [t('word.command'), `echo ${quoted(json)} | boundary ${op.replaceAll('_', '-')} - -o ${quoted(name)}`],
    [
      'JavaScript',
      [
        "import { createWriteStream } from 'node:fs';",
        "import { Readable } from 'node:stream';",
        "import { pipeline } from 'node:stream/promises';",
        "import { BoundaryLookup } from 'boundary-lookup-client';",
        `const client = new BoundaryLookup({ url: ${JSON.stringify(base)}${account} });`,
        `const file = await client.stream('${op}', ${json});`,
        `await pipeline(Readable.fromWeb(file), createWriteStream(${JSON.stringify(name)}));`,
      ].join('\n'),
    ],
    [
      'Python',
      [
        ...(key ? ['import os'] : []),
        'from boundary_lookup import BoundaryLookup',
        `client = BoundaryLookup(${JSON.stringify(base)}${key ? ', key=os.environ["KEY"]' : ''})`,
        `client.save(${JSON.stringify(name)}, "${op}", **${python(input)})`,
      ].join('\n'),
    ],
    ['MCP call', JSON.stringify({ name: op, arguments: input })],
  ];
}
