import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMAT, MARK, type Manifest, readArchive, verifyArchive, writeArchive } from '../../src/backup/archive.ts';
import { copyLine, readCopyLine } from '../../src/backup/copy_text.ts';
import { checkBackup } from '../../src/backup/restore.ts';
import { readTarHeader, tarHeader } from '../../src/backup/tar.ts';
import { defined } from '../../src/common/elements.ts';
import { migrationsFolder, readMigrations } from '../../src/db/migrate.ts';
import { leading } from '../setup/elements.ts';

const ABOUT: Omit<Manifest, 'format' | 'sha256'> = {
  version: '0.1.0',
  created_at: '2026-11-22T00:00:00.000Z',
  database: { kind: 'native', version: '15.18' },
  migrations: [],
  tables: {},
  sequences: {},
  library: { files: 0, bytes: 0, missing: [] },
};
const CONTENT = Buffer.from(Array.from({ length: 1500 }, (_, i) => (i * 7919) % 251));

let folder: string;
let whole: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'boundary-archive-'));
  whole = join(folder, 'whole');
  writeFileSync(join(folder, 'source'), CONTENT);
  const source = await open(join(folder, 'source'), 'r');
  const archive = await writeArchive(whole);
  await archive.add('tables/a/000001.copy.gz', CONTENT);
  await archive.addFile(`library/${'a'.repeat(64)}.geojson`, source, CONTENT.byteLength);
  await archive.add('tables/empty', new Uint8Array());
  await archive.finish(ABOUT);
  await archive.close();
  await source.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of the whole archive with other bytes. */
function changed(name: string, change: (bytes: Buffer) => Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, change(Buffer.from(readFileSync(whole))));
  return path;
}

describe('an archive', () => {
  it('is a tar archive that only its owner can read, and gives back what was written', async () => {
    expect(statSync(whole).mode & 0o777).toBe(0o600);
    const names = execFileSync('tar', ['tf', whole], { encoding: 'utf8' }).trim().split('\n');
    expect(names).toEqual([
      MARK,
      'tables/a/000001.copy.gz',
      `library/${'a'.repeat(64)}.geojson`,
      'tables/empty',
      'manifest.json',
      'manifest.sha256',
    ]);
    expect(execFileSync('tar', ['xOf', whole, defined(names[2])])).toEqual(CONTENT);
    const read: [string, number][] = [];
    for await (const { name, size } of readArchive(whole)) read.push([name, size]);
    expect(read.map(([name]) => name)).toEqual(names);
    expect(await verifyArchive(whole)).toMatchObject(ABOUT);
  });

  it('with any byte changed is refused, but for bytes that mean nothing', async () => {
    const { size } = statSync(whole);
    const accepted: number[] = [];
    for (let at = 0; at < size; at += at % 512 < 160 ? 3 : 17) {
      const path = changed('flipped', (bytes) => {
        bytes[at] = defined(bytes[at]) ^ 0x20;
        return bytes;
      });
      const refused = await verifyArchive(path).then(
        () => false,
        (error: Error & { code?: string }) => error.code === 'invalid_input',
      );
      if (!refused) accepted.push(at);
    }
    // Zeros that fill the last block of a member, those of the second block that ends the archive, and the space behind
    // the sum of a header.
    const bytes = readFileSync(whole);
    expect(accepted.filter((at) => bytes[at] !== 0 && !(at % 512 === 155 && bytes[at] === 0x20))).toEqual([]);
    expect(accepted.length).toBeLessThan(size / 2);
  });

  it('cut off anywhere is refused', async () => {
    const { size } = statSync(whole);
    for (let length = 0; length < size; length += 37) {
      const path = changed('cut', (bytes) => bytes.subarray(0, length));
      await expect(verifyArchive(path), String(length)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    const longer = changed('longer', (bytes) => Buffer.concat([bytes, Buffer.alloc(512)]));
    await expect(verifyArchive(longer)).rejects.toThrow('does not end where it should');
  });

  it('of a newer format, or of anything else, says so', async () => {
    const newer = join(folder, 'newer');
    const mark = Buffer.from(`${JSON.stringify({ format: FORMAT + 1 })}\n`);
    const at = new Date(0);
    writeFileSync(newer, Buffer.concat([tarHeader({ name: MARK, size: mark.length }, at), mark, Buffer.alloc(2000)]));
    await expect(verifyArchive(newer)).rejects.toThrow(/format 2 and needs a newer release/);

    const other = join(folder, 'other.tar');
    execFileSync('tar', ['cf', other, '-C', folder, 'source']);
    await expect(verifyArchive(other)).rejects.toThrow('is not a backup of Boundary Lookup');
    await expect(verifyArchive(join(folder, 'source'))).rejects.toThrow('is not a backup of Boundary Lookup');
    await expect(verifyArchive(join(folder, 'absent'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('of a newer release, or of migrations that are others here, names them', async () => {
    const [first, second] = leading(await readMigrations(migrationsFolder()), 2);
    const withMigrations = async (migrations: Manifest['migrations']): Promise<string> => {
      const path = join(folder, 'migrations');
      const archive = await writeArchive(path);
      await archive.finish({ ...ABOUT, version: '9.0.0', migrations });
      await archive.close();
      return path;
    };
    const { name, sha256 } = first;
    await expect(checkBackup(await withMigrations([{ name, sha256 }]))).resolves.toMatchObject({ version: '9.0.0' });
    const unknown = [
      { name, sha256 },
      { name: '999999_later.sql', sha256 },
    ];
    await expect(checkBackup(await withMigrations(unknown))).rejects.toThrow(
      /999999_later\.sql, which this release does not know\. It was made by 9\.0\.0, and this is/,
    );
    const other = [{ name, sha256: second.sha256 }];
    await expect(checkBackup(await withMigrations(other))).rejects.toThrow(
      `the migration ${name} has other content there`,
    );
  });
});

describe('the text of rows', () => {
  it('comes back as it was, whatever is in it', () => {
    const text = fc.option(
      fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'\\N\t\n\r.a') })),
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (columns) => {
        const line = copyLine(columns);
        expect(line.endsWith('\n')).toBe(true);
        expect(line.slice(0, -1)).not.toMatch(/[\n\r]/);
        expect(readCopyLine(line.slice(0, -1), columns.length)).toEqual(columns);
      }),
    );
    expect(() => readCopyLine('a\tb', 3)).toThrow('a row has 2 columns instead of 3');
  });
});

describe('a header', () => {
  it('holds sizes of more than 8 GiB, as tar reads them', () => {
    const size = 10 * 2 ** 30 + 5;
    const block = tarHeader({ name: 'large', size }, new Date(0));
    expect(readTarHeader(block)).toEqual({ name: 'large', size });
    const path = join(folder, 'large.tar');
    writeFileSync(path, block);
    execFileSync('truncate', ['-s', String(512 + size + 2048), path]);
    expect(execFileSync('tar', ['tvf', path], { encoding: 'utf8' })).toContain(` ${size} `);
  });
});
