import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manifestOf } from '../../src/cli/manifest.ts';
import { opCommand } from '../../src/cli/op_command.ts';
import type { Terminal } from '../../src/cli/render/terminal.ts';
import { defined } from '../../src/common/elements.ts';
import type { AnyOp } from '../../src/core/op.ts';
import { ops } from '../../src/ops/index.ts';
import type { CallTarget } from '../../src/transports/call.ts';
import { commandLine, commandName, quote } from '../../src/transports/example.ts';
import { type Machine, openMachine } from './program.ts';

let machine: Machine;
beforeAll(() => {
  machine = openMachine();
});
afterAll(() => machine.remove());

/** The words of a command line, and what is piped into it. */
interface Line {
  readonly words: readonly string[];
  readonly input: string;
}

/** What a shell makes of command lines: one shell for all of them. */
function readByShell(lines: readonly string[]): Line[] {
  const script = lines.map((line) => {
    const [, before = ':', command] = /^(?:((?:echo|printf %s) .*) \| )?boundary (.*)$/s.exec(line) as RegExpExecArray;
    return `printf '%s\\0' ${command}; printf '\\x02\\0'; ${before}; printf '\\0'`;
  });
  const { stdout, stderr } = spawnSync('bash', [], { input: script.join('\n') });
  expect(String(stderr)).toBe('');
  const read: Line[] = [];
  let words: string[] = [];
  const texts = String(stdout).split('\0').slice(0, -1);
  for (let at = 0; at < texts.length; at++) {
    if (texts[at] !== '\x02') words.push(defined(texts[at]));
    else {
      read.push({ words, input: defined(texts[++at]) });
      words = [];
    }
  }
  expect(read.length).toBe(lines.length);
  return read;
}

const asked: { op: string; input: unknown }[] = [];
let [piped, err] = ['', ''];
const target: CallTarget = {
  call: async (op, given) => {
    asked.push({ op, input: given });
    return { status: 200, contentType: 'application/json', headers: {}, body: Buffer.from('{}') };
  },
  download: async () => Promise.reject(new Error('nothing is fetched')),
};
const terminal: Terminal = {
  stdout: () => undefined,
  stderr: (text) => {
    err += text;
  },
  stdin: () => Buffer.from(piped),
  writeFile: () => undefined,
  isTerminal: false,
  colors: { out: false, err: false },
};
const program = new Command('boundary').exitOverride();
for (const op of ops)
  program.addCommand(opCommand(manifestOf(op), { target: async () => target, exit: () => undefined, terminal }));

/** What a command line asks of the service. */
async function askedBy({ words, input }: Line): Promise<{ op: string; input: unknown }> {
  asked.length = 0;
  [piped, err] = [input, ''];
  await program.parseAsync([...words], { from: 'user' });
  expect(err).toBe('');
  expect(asked.length).toBe(1);
  return defined(asked[0]);
}

describe('the examples of the help', () => {
  test.each(ops.map((op) => [commandName(op), op] as const))(
    '%s: they ask for what they are to ask for',
    async (_name, op) => {
      const lines = readByShell(op.examples.map(({ input }) => commandLine(op, input)));
      for (const [i, { input }] of op.examples.entries()) {
        expect(await askedBy(defined(lines[i]))).toEqual({ op: op.name, input });
      }
    },
  );

  test.each(ops.map((op) => [commandName(op), op] as const))('%s: none of them fails', (_name, op) => {
    const failing = op.examples
      .filter(({ problem }) => problem !== undefined)
      .map(({ input }) => commandLine(op, input));
    const shown = manifestOf(op).examples.map((line) => line.split('   # ')[0]);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((line) => failing.includes(defined(line)))).toEqual([]);
  });

  test('words that a shell would take apart are quoted', async () => {
    const texts = [
      "it's",
      'a b',
      '$(rm -rf /)',
      '`x`',
      'a"b',
      '*',
      '\\',
      'é',
      '日本',
      "''",
      'a\nb',
      '-x',
      '--limit',
      '~',
    ];
    const { stdout } = spawnSync('bash', ['-c', `printf '%s\\0' ${texts.map(quote).join(' ')}`]);
    expect(stdout.toString().split('\0')).toEqual([...texts, '']);
    const lines = readByShell(texts.map((q) => commandLine(defined(ops[0]), { q, limit: 3 })));
    for (const [i, q] of texts.entries()) {
      expect(await askedBy(defined(lines[i])), q).toEqual({ op: defined(ops[0]).name, input: { q, limit: 3 } });
    }
  });

  test('they are shown, with every field and choice', async () => {
    const help = await machine.run(['union-boundaries', '--help']);
    expect([help.exit, help.err]).toEqual([0, '']);
    for (const shown of [
      '<include...>',
      '--exclude <exclude...>',
      '--detail',
      'choices: "low", "medium", "high", "full"',
      '--url',
      '-o, --output',
    ]) {
      expect(help.out.replace(/\s+/g, ' ')).toContain(shown);
    }
    const op = ops.find(({ name }) => name === 'union_boundaries') as AnyOp;
    expect(help.out).toContain(`Examples:\n  ${commandLine(op, defined(op.examples[0]).input)}`);
    expect((await machine.run(['help', 'union-boundaries'])).out).toBe(help.out);
  });

  test('all commands are listed; a wrong command line ends with 2, an unknown command with 4', async () => {
    const help = await machine.run(['--help']);
    for (const op of ops) expect(help.out).toMatch(new RegExp(`^  ${commandName(op)}(?:\\|\\w+)? `, 'm'));
    for (const name of ['serve', 'login', 'whoami', 'union', 'export', 'convert', 'completion']) {
      expect(help.out).toMatch(new RegExp(`^  ${name} `, 'm'));
    }
    const version = await machine.run(['--version']);
    expect([version.exit, version.out]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
    const unknown = await machine.run(['serach-boundaries', 'x']);
    expect([unknown.exit, unknown.err]).toEqual([2, expect.stringContaining('Did you mean search-boundaries?')]);
    expect((await machine.run(['search-boundaries', 'x', '--nope'])).exit).toBe(2);
    const setting = await machine.run(['whoami'], { env: { PORT: 'x' } });
    expect([setting.exit, setting.err]).toEqual([2, expect.stringMatching(/^error: PORT must be/)]);
  });

  test.each([
    ['update', ['--from', 'file:/nowhere', '--most', '0'], 'It must be a whole number of at least 1.'],
    ['update', ['--from', 'file:/nowhere', '--sequence', '1.5'], 'It must be a whole number.'],
    ['tiles', ['-o', 'x.pmtiles', '--bbox', ',1,2,3'], 'must be four numbers: west,south,east,north'],
    ['tiles', ['-o', 'x.pmtiles', '--bbox', '1,2,3,'], 'must be four numbers: west,south,east,north'],
    ['tiles', ['-o', 'x.pmtiles', '--bbox', '1,2, ,3'], 'must be four numbers: west,south,east,north'],
  ])('%s refuses the flags %j', async (name, flags, message) => {
    const { exit, err } = await machine.run([name, ...flags]);
    expect([exit, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('completion', () => {
  const CASES: readonly (readonly [string, readonly string[]])[] = [
    ['boundary search-', ['search-boundaries']],
    ['boundary childr', ['children']],
    ['boundary search --ki', ['--kind']],
    ['boundary serve --da', ['--data-dir']],
    ['boundary search-boundaries --ki', ['--kind']],
    ['boundary search-boundaries x --kind mu', ['municipality']],
    ['boundary --url import adm', ['admin']],
    ['boundary export --detail union --f', ['--format']],
    ['boundary union-boundaries r1 --detail h', ['high']],
    ['boundary admin operator a', ['add']],
    ['boundary completion z', ['zsh']],
  ];
  const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;
  const scriptOf = async (shell: string): Promise<string> => {
    const printed = await machine.run(['completion', shell]);
    expect([printed.exit, printed.err]).toEqual([0, '']);
    const path = machine.path(`completion.${shell}`);
    writeFileSync(path, printed.out);
    return path;
  };
  /** The lines that a shell prints. */
  const printedBy = (shell: string, script: string): string[] => {
    const { stdout, stderr } = spawnSync(shell, [...(shell === 'zsh' ? ['-f'] : []), '-c', script], {
      env: { PATH: process.env.PATH, HOME: machine.folder },
    });
    expect(String(stderr)).toBe('');
    return String(stdout).split('\n').filter(Boolean);
  };
  const last = (line: string): string => line.slice(line.lastIndexOf(' ') + 1);

  /** What a shell offers for each of the cases: `offer` prints it, in one process that has read the script. */
  const offered = (shell: string, before: string, offer: (line: string, words: string) => string): string[][] => {
    const runs = CASES.map(([line]) => offer(line, line.split(' ').map(quote).join(' ')));
    const lines = printedBy(shell, [before, ...runs.map((run) => `${run}; echo '='`)].join('; '));
    const ends = lines.flatMap((line, i) => (line === '=' ? [i] : []));
    return ends.map((end, i) => lines.slice(i === 0 ? 0 : defined(ends[i - 1]) + 1, end));
  };

  test('bash', async () => {
    const script = await scriptOf('bash');
    const run = `COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _boundary; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const found = offered('bash', `source ${script}`, (_line, words) => `COMP_WORDS=(${words}); ${run}`);
    expect(found).toEqual(CASES.map(([, expected]) => expected));
    expect(printedBy('bash', `source ${script}; complete -p boundary`)).toEqual(['complete -F _boundary boundary']);
  });

  test.skipIf(!has('zsh'))('zsh', async () => {
    const script = await scriptOf('zsh');
    // Outside of its line editor zsh completes nothing: what would be offered is printed, and chosen from here.
    const offer = `compadd() { shift; print -rl -- "$@" }; _describe() { print -rl -- "\${(@P)argv[-1]%%:*}" }; _files() { : }`;
    const before = `autoload -U compinit; compinit -u -D; source ${script}; ${offer}`;
    const found = offered('zsh', before, (_line, words) => `words=(${words}); CURRENT=$#words; _boundary`);
    for (const [i, [line, expected]] of CASES.entries()) {
      expect(
        found[i]?.filter((word) => word.startsWith(last(line))),
        line,
      ).toEqual(expected);
    }
  });

  test.skipIf(!has('fish'))('fish', async () => {
    const script = await scriptOf('fish');
    const found = offered('fish', `source ${script}`, (line) => `complete -C ${quote(line)}`);
    expect(found.map((lines) => lines.map((one) => one.split('\t')[0]))).toEqual(CASES.map(([, expected]) => expected));
  });

  test('another shell is refused', async () => {
    const refused = await machine.run(['completion', 'powershell']);
    expect([refused.exit, refused.err]).toEqual([2, expect.stringContaining('must be one of bash, zsh, fish')]);
  });
});

describe('colors', () => {
  const hasScript = spawnSync('script', ['--version']).status === 0;
  /** Runs the program on a terminal of its own. */
  const onTerminal = async (env: Record<string, string>) =>
    (
      await machine.run(['script -qec "$BOUNDARY list-kinds --url http://127.0.0.1:9" /dev/null; true'], {
        shell: true,
        env,
      })
    ).out;

  test.skipIf(!hasScript)('only on a terminal, and not with NO_COLOR', async () => {
    expect(await onTerminal({ TERM: 'xterm' })).toContain('\u001b[1;31merror:\u001b[0m no answer');
    expect(await onTerminal({ TERM: 'xterm', NO_COLOR: '1' })).toMatch(/^error: no answer/);
    expect(await onTerminal({ TERM: 'dumb' })).toMatch(/^error: no answer/);
    expect((await machine.run(['list-kinds', '--url', 'http://127.0.0.1:9'])).err).toMatch(/^error: no answer/);
  });
});
