import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changedFiles } from '../setup/changed.ts';
import { testsOfChange } from '../setup/projects.ts';

let root: string;
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], { cwd: root, stdio: 'pipe' });
const write = (path: string, text: string) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};
const commit = (path: string, text: string) => {
  write(path, text);
  git('add', '-A');
  git('commit', '-qm', path);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'boundary-changed-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('the files of a branch that differ from where it began: committed, changed and new ones', () => {
  git('init', '-q', '-b', 'main');
  for (const name of ['a', 'b', 'c']) commit(`test/sub/${name}.test.ts`, 'one');
  expect(changedFiles(root)).toEqual([]);
  git('checkout', '-q', '-b', 'branch');
  commit('test/sub/a.test.ts', 'two');
  commit('test/setup/helper.ts', 'no test');
  commit('src/x.ts', 'new');
  write('test/sub/b.test.ts', 'two');
  write('test/sub/d \u00e9.test.ts', 'new');
  const changed = ['src/x.ts', 'test/setup/helper.ts'];
  changed.push('test/sub/a.test.ts', 'test/sub/b.test.ts', 'test/sub/d \u00e9.test.ts');
  expect(changedFiles(root).sort()).toEqual(changed);
  // What lands elsewhere meanwhile is not a change of this branch.
  git('add', '-A');
  git('commit', '-qm', 'b and d');
  git('checkout', '-q', 'main');
  commit('test/sub/c.test.ts', 'two');
  git('checkout', '-q', 'branch');
  expect(changedFiles(root).sort()).toEqual(changed);
});

test('the main branch of the origin counts where there is one', () => {
  git('init', '-q', '-b', 'main');
  commit('test/a.test.ts', 'one');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  commit('test/b.test.ts', 'one');
  expect(changedFiles(root)).toEqual(['test/b.test.ts']);
});

test('none where git does not know', () => {
  expect(changedFiles(root)).toEqual([]);
  git('init', '-q', '-b', 'other');
  expect(changedFiles(root)).toEqual([]);
  commit('test/a.test.ts', 'one');
  expect(changedFiles(root)).toEqual([]);
});

test('a change concerns the tests that it is in, that use it, and that are about its folder', () => {
  const of = "from './helper.ts';\n";
  write('test/a/one.test.ts', `import { x } ${of}`);
  write('test/a/two.test.ts', "import { y } from '../../src/b/y.ts';\nimport type { T } from './helper.ts';\n");
  write('test/a/three.test.ts', "await builtScript('test/a/program.ts');\nimport '../setup/built.ts';\n");
  write('test/web/four.test.ts', '');
  write('test/a/helper.ts', "export * from '../../src/b/z.ts';\n");
  write('test/a/program.ts', "import '../../src/b/killed.ts';\n");
  write('test/setup/built.ts', "const SCRIPTS = ['test/a/program.ts', 'test/a/helper.ts'];\n");
  for (const name of ['y', 'z', 'killed']) write(`src/b/${name}.ts`, "export * from './deep.ts';\n");
  write('src/b/deep.ts', '');
  const concerned = (...changed: string[]) => testsOfChange(root, changed);
  expect(concerned()).toEqual([]);
  expect(concerned('test/a/two.test.ts')).toEqual(['test/a/two.test.ts']);
  expect(concerned('test/a/helper.ts')).toEqual(['test/a/one.test.ts']);
  expect(concerned('src/b/z.ts')).toEqual(['test/a/one.test.ts']);
  expect(concerned('src/b/y.ts')).toEqual(['test/a/two.test.ts']);
  expect(concerned('test/a/program.ts')).toEqual(['test/a/three.test.ts']);
  expect(concerned('src/b/killed.ts')).toEqual(['test/a/three.test.ts']);
  expect(concerned('src/b/deep.ts')).toEqual([]);
  expect(concerned('web/src/map.ts', 'test/b/web/x.ts')).toEqual(['test/web/four.test.ts']);
  expect(concerned('src/a/new.ts').length).toBe(3);
});
