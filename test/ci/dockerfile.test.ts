import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseContext, parseDockerfile } from '../../scripts/ci/dockerfile.ts';

test('the Dockerfile of this project is understood, and its files are there', () => {
  const { build, copies, health, command } = parseDockerfile(readFileSync('Dockerfile', 'utf8'));
  expect(build.slice(0, 2)).toEqual(['npm ci', 'npm run build']);
  expect(copies.flatMap(({ from }) => from)).toEqual(
    expect.arrayContaining(['package.json', 'node_modules', 'data', 'sql', 'dist']),
  );
  expect(health[0]).toBe('node');
  expect(command).toEqual(['node', 'dist/src/main.js', 'serve']);
  const context = parseContext(readFileSync('.dockerignore', 'utf8'));
  expect(context).toContain('package-lock.json');
  expect(context.filter((name) => !existsSync(name))).toEqual([]);
});

const TWO_STAGES = 'FROM a AS build\nWORKDIR /app\nRUN one \\\n  two\nFROM a\nWORKDIR /app\n';

test('continued lines are one, and a RUN of the second stage is not part of the build', () => {
  const text = `${TWO_STAGES}RUN useradd\nCOPY --from=build /app/dist /app/sql ./files/\nCMD ["node", "a b"]\n`;
  expect(parseDockerfile(text)).toEqual({
    build: ['one two'],
    copies: [{ from: ['dist', 'sql'], to: './files/' }],
    health: [],
    command: ['node', 'a b'],
  });
});

test.each([
  ['an unknown instruction', `${TWO_STAGES}ADD x y\n`, 'not understood: ADD x y'],
  ['a copy from elsewhere', `${TWO_STAGES}COPY x y\n`, 'not understood: COPY x y'],
  ['a path outside WORKDIR', `${TWO_STAGES}COPY --from=build /etc/x .\n`, '/etc/x is not in /app/'],
  ['a command for a shell', `${TWO_STAGES}CMD node x\n`, 'not in JSON form: CMD node x'],
  ['one stage', 'FROM a\n', '1 stages instead of two'],
])('%s is refused', (_, text, message) => {
  expect(() => parseDockerfile(text)).toThrow(message);
});

test('a .dockerignore that is not a list of exceptions is refused', () => {
  expect(() => parseContext('node_modules\n')).toThrow('does not begin with *');
  expect(() => parseContext('*\n!src/**\n')).toThrow('not understood: !src/**');
});
