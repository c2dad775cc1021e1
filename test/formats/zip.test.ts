import { expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { zip } from '../../workers/formats/zip/pack.ts';
import { readZip } from '../../workers/formats/zip/unpack.ts';

const TEXT = Buffer.from('id,name\n1,North\n2,South\n');
/** Where the method of a file is in its record of the directory, and how long the record is before the name. */
const METHOD = 10;
const RECORD = 46;

async function packed(): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of zip([{ name: 'areas.csv', bytes: TEXT }])) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The same archive with its file stored as it is. */
async function stored(): Promise<Buffer> {
  const archive = await packed();
  const record = archive.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
  const [head, length] = [archive.subarray(0, 30 + 'areas.csv'.length), TEXT.length];
  const directory = Buffer.from(archive.subarray(record, record + RECORD + 'areas.csv'.length));
  directory.writeUInt16LE(0, METHOD);
  directory.writeUInt32LE(length, 20);
  const end = Buffer.from(archive.subarray(-22));
  end.writeUInt32LE(head.length + length, 16);
  return Buffer.concat([head, TEXT, directory, end]);
}

const read = (archive: Uint8Array) => Buffer.from(defined(readZip(archive).get('areas.csv'))()).toString();

it('reads files that are packed and files that are stored', async () => {
  expect([read(await packed()), read(await stored())]).toEqual([TEXT.toString(), TEXT.toString()]);
});

it('refuses a file whose bytes are not those that were packed', async () => {
  const archive = await stored();
  const at = archive.indexOf('North');
  archive.write('Nortn', at);
  expect(() => read(archive)).toThrow('the zip is cut off or damaged');
});
