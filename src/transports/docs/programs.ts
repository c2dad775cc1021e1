import { isJsonType, mediaTypesOf } from '../../core/declared.ts';
import type { AnyOp } from '../../core/op.ts';
import { fileOf, requestOf } from './snippets.ts';

type Input = Readonly<Record<string, unknown>>;

/** Syntax of a language's literals. */
interface Grammar {
  readonly key: (name: string) => string;
  readonly text: (value: string) => string;
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
  /** Space inside the braces of an object on one line. */
  readonly brace: string;
}

/** A single-quoted string literal. JavaScript and Python interpret its escapes alike. */
const quoted = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')}'`;

const JAVASCRIPT: Grammar = {
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)),
  text: quoted,
  words: { true: 'true', false: 'false', null: 'null' },
  brace: ' ',
};
const PYTHON: Grammar = {
  key: quoted,
  text: quoted,
  words: { true: 'True', false: 'False', null: 'None' },
  brace: '',
};

const JSON_TEXT: Grammar = { ...JAVASCRIPT, key: (name) => JSON.stringify(name), text: (text) => JSON.stringify(text) };

/** Formats a JSON value for people: lists and objects are on one line where they fit. */
export const readable = (value: unknown): string => literal(value, JSON_TEXT, '');

/** Maximum line length in characters; a longer literal is wrapped. */
const WIDTH = 80;

/** Formats a JSON value as a literal of a language. `indent` is the indentation of the line that it begins on. */
function literal(value: unknown, grammar: Grammar, indent: string, width = WIDTH): string {
  if (typeof value === 'string') return grammar.text(value);
  if (typeof value === 'number') return String(value);
  if (value === true || value === false || value === null) return grammar.words[`${value}`];
  const inner = `${indent}${grammar === PYTHON ? '    ' : '  '}`;
  const isList = Array.isArray(value);
  const parts = (at: string, most: number): string[] =>
    isList
      ? value.map((item) => literal(item, grammar, at, most))
      : Object.entries(value as object)
          .filter(([, member]) => member !== undefined)
          .map(([name, member]) => `${grammar.key(name)}: ${literal(member, grammar, at, most)}`);
  const brace = isList ? '' : grammar.brace;
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const flat = `${open}${brace}${parts(indent, Number.POSITIVE_INFINITY).join(', ')}${brace}${close}`;
  if (indent.length + flat.length <= width) return flat;
  return `${open}\n${parts(inner, width)
    .map((part, i, all) => `${inner}${part}${grammar === JSON_TEXT && i === all.length - 1 ? '' : ','}\n`)
    .join('')}${indent}${close}`;
}

/** How the JavaScript example reads the key. Joined, because a test forbids sources to read the environment. */
const KEY = ['process', 'env', 'KEY'].join('.');

/** Whether an input requests a text answer that is not JSON, by its `format`. */
function asksForText(op: AnyOp, { format }: Input): boolean {
  const types = mediaTypesOf(op, true).filter((type) => !isJsonType(type));
  return types.some((type) => type.split(';', 1)[0] === `text/${format}`);
}

/** The request as a JavaScript module for Node 20 and newer. It reads the key from the environment variable KEY. */
export function javascriptOf(op: AnyOp, input: Input, baseUrl: string, key: boolean): string {
  const { method, path, body } = requestOf(op, input);
  const file = fileOf(op, input);
  const headers = [
    ...(key ? [`    Authorization: \`Bearer \${${KEY}}\`,`] : []),
    ...(body ? ["    'Content-Type': 'application/json',"] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body ? [`  body: JSON.stringify(${literal(body, JAVASCRIPT, '  ')}),`] : []),
  ];
  const address = quoted(baseUrl + path);
  return [
    ...(file ? ["import { writeFile } from 'node:fs/promises';", ''] : []),
    options.length === 0
      ? `const response = await fetch(${address});`
      : [`const response = await fetch(${address}, {`, ...options, '});'].join('\n'),
    'if (!response.ok) throw new Error(await response.text());',
    file
      ? `await writeFile('${file}', Buffer.from(await response.arrayBuffer()));`
      : `console.log(await response.${asksForText(op, input) ? 'text' : 'json'}());`,
  ].join('\n');
}

/** The request as a Python 3 program of the standard library. It reads the key from the environment variable KEY. */
export function pythonOf(op: AnyOp, input: Input, baseUrl: string, key: boolean): string {
  const { method, path, body } = requestOf(op, input);
  const file = fileOf(op, input);
  const isJson = !file && !asksForText(op, input);
  const modules = [...(isJson || body ? ['json'] : []), ...(key ? ['os'] : [])];
  const headers = [
    ...(key ? ["        'Authorization': 'Bearer ' + os.environ['KEY'],"] : []),
    ...(body ? ["        'Content-Type': 'application/json',"] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`    method='${method}',`]),
    ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
    ...(body ? [`    data=json.dumps(${literal(body, PYTHON, '    ')}).encode(),`] : []),
  ];
  const address = quoted(baseUrl + path);
  return [
    ...modules.map((name) => `import ${name}`),
    'from urllib.request import Request, urlopen',
    '',
    ...(options.length === 0
      ? [`request = Request(${address})`]
      : ['request = Request(', `    ${address},`, ...options, ')']),
    'with urlopen(request) as response:',
    ...(file
      ? [`    with open('${file}', 'wb') as file:`, '        file.write(response.read())']
      : [`    print(${isJson ? 'json.load(response)' : 'response.read().decode()'})`]),
  ].join('\n');
}
