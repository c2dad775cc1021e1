import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('only config.ts reads the environment', () => {
  const files = ['src', 'workers'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  expect(files).toContain(join('src', 'config.ts'));
  const readers = files.filter((file) => /process\s*\.\s*env\b|from 'node:process'/.test(readFileSync(file, 'utf8')));
  expect(readers).toEqual([join('src', 'config.ts')]);
});
