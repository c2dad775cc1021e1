import type { Command } from 'commander';
import { invalidInput } from '../core/errors.ts';
import { SHELLS } from './options.ts';

/** A command, and what may follow it on the command line. */
interface Node {
  /** Names of the command and its parents, such as `admin operator`; empty for the program itself. */
  readonly path: string;
  readonly description: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly flags: readonly Flag[];
  /** Possible values of the arguments. */
  readonly values: readonly string[];
  readonly isFiles: boolean;
}

interface Flag {
  readonly names: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

const WRITERS: Readonly<Record<string, (name: string, nodes: readonly Node[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/**
 * Generates the completion script of a program for a shell. The script is static: it never runs the program.
 * @throws invalid_input for a shell other than bash, zsh and fish
 */
export function completionScript(shell: string, program: Command): string {
  const write = Object.hasOwn(WRITERS, shell) ? WRITERS[shell] : undefined;
  if (write === undefined) {
    throw invalidInput([{ path: 'shell', code: 'invalid_value', message: `must be one of ${SHELLS.join(', ')}` }]);
  }
  return write(program.name(), nodesOf(program, ''));
}

/** Names of arguments that take file names. */
const FILES = /^<?(?:file|in|out|folder)/;

/** The name of a command and its aliases. */
const namesOf = (command: Command): string[] => [command.name(), ...command.aliases()];

function nodesOf(command: Command, path: string): Node[] {
  const children = command.commands.filter((child) => child.name() !== 'help');
  const help: Flag = { names: ['-h', '--help'], description: 'show help', takesValue: false, choices: [] };
  const flags = command.options
    .filter((option) => !option.hidden)
    .map((option) => ({
      names: [option.short, option.long].filter((name) => name !== undefined),
      description: option.description,
      takesValue: option.required || option.optional,
      choices: option.optional && !option.argChoices ? ['true', 'false'] : (option.argChoices ?? []),
    }));
  const node: Node = {
    path,
    description: command.description(),
    commands: children.flatMap((child) => namesOf(child).map((name) => ({ name, description: child.description() }))),
    flags: [...flags, help],
    values: command.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
    isFiles: command.registeredArguments.some((argument) => FILES.test(argument.name())),
  };
  const below = (child: Command): Node[] =>
    namesOf(child).flatMap((name) => nodesOf(child, path === '' ? name : `${path} ${name}`));
  return [node, ...children.flatMap(below)];
}

/** Quotes one word for a POSIX shell, always with quotes. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The first sentence, shortened to fit beside a name. */
const brief = (text: string): string => {
  const [first = ''] = text.replace(/\s+/g, ' ').split(/(?<=\.) |; |: /);
  return first.replace(/\.$/, '').slice(0, 70);
};

const wordsOf = ({ commands, values, flags }: Node): string =>
  [...commands.map(({ name }) => name), ...values, ...flags.flatMap(({ names }) => names)].join(' ');

/** Shell code that finds the commands among the words before the cursor; values of flags are skipped. */
const walk = (words: string, from: number, nodes: readonly Node[]): string => `
  local place='' word skip='' i
  for ((i = ${from}; i < current; i++)); do
    word="\${${words}[i]}"
    if [[ -n $skip ]]; then skip=''; continue; fi
    case "$place $word" in
      ${valuedFlags(nodes).map(quote).join('|')}) skip=1 ;;
      *) [[ $word == -* ]] || case "$place" in
${nodes
  .filter(({ commands }) => commands.length > 0)
  .map(
    ({ path, commands }) =>
      `        ${quote(path)}) case "$word" in ${commands.map(({ name }) => name).join('|')}) place="\${place:+$place }$word" ;; esac ;;\n`,
  )
  .join('')}        esac ;;
    esac
  done
  previous="\${${words}[current-1]}"`;

/** Flags that take a value, each after its command path. The word after such a flag is not a command. */
function valuedFlags(nodes: readonly Node[]): string[] {
  return nodes.flatMap(({ path, flags }) =>
    flags
      .filter(({ takesValue, choices }) => takesValue && choices[0] !== 'true')
      .flatMap(({ names }) => names.map((name) => `${path} ${name}`)),
  );
}

function bashScript(name: string, nodes: readonly Node[]): string {
  const values = nodes.flatMap(({ path, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(({ names, choices }) => {
        const labels = names.map((flag) => quote(`${path} ${flag}`)).join('|');
        const reply =
          choices.length > 0
            ? `COMPREPLY=($(compgen -W ${quote(choices.join(' '))} -- "$word"))`
            : 'compopt -o default 2>/dev/null';
        return `    ${labels}) ${reply}; return ;;\n`;
      }),
  );
  const cases = nodes.map(
    (node) =>
      `    ${quote(node.path)}) words=${quote(wordsOf(node))}${node.isFiles ? '; compopt -o default 2>/dev/null' : ''} ;;\n`,
  );
  return `# bash completion of ${name}: source <(${name} completion bash)
_${name}() {
  local current=$COMP_CWORD previous words=''${walk('COMP_WORDS', 1, nodes)}
  word="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  case "$place $previous" in
${values.join('')}  esac
  case "$place" in
${cases.join('')}  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _${name} ${name}
`;
}

function zshScript(name: string, nodes: readonly Node[]): string {
  const item = (word: string, description: string): string =>
    quote(`${word.replaceAll(':', '\\:')}:${brief(description)}`);
  const values = nodes.flatMap(({ path, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(({ names, choices }) => {
        const labels = names.map((flag) => quote(`${path} ${flag}`)).join('|');
        return `    ${labels}) ${choices.length > 0 ? `compadd -- ${choices.join(' ')}` : '_files'}; return ;;\n`;
      }),
  );
  const cases = nodes.map((node) => {
    const items = [
      ...node.commands.map((command) => item(command.name, command.description)),
      ...node.values.map((value) => item(value, '')),
      ...node.flags.flatMap((flag) => flag.names.map((one) => item(one, flag.description))),
    ];
    return `    ${quote(node.path)}) items=(${items.join(' ')})${node.isFiles ? '; _files' : ''} ;;\n`;
  });
  // In zsh, words count from 1, and the first is the program.
  return `#compdef ${name}
# zsh completion of ${name}: source <(${name} completion zsh), or a file _${name} in $fpath
_${name}() {
  local current=$CURRENT previous
  local -a items${walk('words', 2, nodes)}
  case "$place $previous" in
${values.join('')}  esac
  case "$place" in
${cases.join('')}  esac
  _describe -t words ${name} items
}
if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function fishScript(name: string, nodes: readonly Node[]): string {
  const lines = [`# fish completion of ${name}: ${name} completion fish | source`, `complete -c ${name} -f`];
  for (const { path, commands, values, flags, isFiles } of nodes) {
    const at = `-n ${quote(`__${name}_at ${path.split(' ').filter(Boolean).join(' ')}`.trim())}`;
    for (const command of commands)
      lines.push(`complete -c ${name} ${at} -a ${command.name} -d ${quote(brief(command.description))}`);
    for (const { names, description, takesValue, choices } of flags) {
      const spelled = names.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
      const value = !takesValue ? '' : choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : ' -r -F';
      lines.push(`complete -c ${name} ${at} ${spelled.join(' ')}${value} -d ${quote(brief(description))}`);
    }
    if (values.length > 0) lines.push(`complete -c ${name} ${at} -a ${quote(values.join(' '))}`);
    if (isFiles) lines.push(`complete -c ${name} ${at} -F`);
  }
  const paths = nodes.map(({ path }) => quote(path)).join(' ');
  return `function __${name}_at
    set -l path
    set -l skip
    for word in (commandline -opc)[2..]
        if set -q skip[1]
            set -e skip[1]
            continue
        end
        contains -- "$path $word" ${valuedFlags(nodes).map(quote).join(' ')}; and set -a skip 1
        string match -q -- '-*' $word; and continue
        contains -- (string join ' ' $path $word) ${paths}; and set -a path $word
    end
    test "$path" = "$argv"
end
${lines.join('\n')}
`;
}
