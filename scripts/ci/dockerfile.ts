/** What following a Dockerfile of two stages needs of it. */
export interface Dockerfile {
  /** The RUN lines of the first stage, in order. */
  readonly build: readonly string[];
  /** What the last stage copies from the first; paths are relative to WORKDIR. `to` ends with / for a folder. */
  readonly copies: readonly { readonly from: readonly string[]; readonly to: string }[];
  /** The words of HEALTHCHECK. */
  readonly health: readonly string[];
  /** The words of CMD. */
  readonly command: readonly string[];
}

const INSTRUCTION = /^([A-Z]+)\s+(.*)$/;
/** Instructions that say nothing about the files or the command. */
const PASSED_OVER = new Set(['ENV', 'USER', 'VOLUME', 'EXPOSE']);

/**
 * Reads a Dockerfile of two stages, the second of which copies from the one called build. RUN of the second stage
 * prepares the image's own system (users, folders) and is left out.
 * @throws Error when it has an instruction or a form that is not understood
 */
export function parseDockerfile(text: string): Dockerfile {
  const build: string[] = [];
  const copies: { from: string[]; to: string }[] = [];
  let health: string[] = [];
  let command: string[] = [];
  let stage = 0;
  let folder = '';
  for (const line of text.replaceAll(/\\\n\s*/g, '').split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, instruction = '', rest = ''] = INSTRUCTION.exec(line) ?? [];
    if (instruction === 'FROM') stage++;
    else if (instruction === 'WORKDIR') folder = `${rest}/`;
    else if (instruction === 'RUN') {
      if (stage === 1) build.push(rest);
    } else if (instruction === 'COPY') {
      const words = rest.split(/\s+/);
      if (stage === 1) continue;
      if (words.shift() !== '--from=build') throw new Error(`not understood: ${line}`);
      const to = words.pop() ?? '';
      copies.push({ from: words.map((word) => below(word, folder)), to });
    } else if (instruction === 'HEALTHCHECK') {
      health = jsonWords(rest.replace(/^(?:--\S+\s+)*CMD\s+/, ''), line);
    } else if (instruction === 'CMD') command = jsonWords(rest, line);
    else if (!PASSED_OVER.has(instruction)) throw new Error(`not understood: ${line}`);
  }
  if (stage !== 2) throw new Error(`${stage} stages instead of two`);
  return { build, copies, health, command };
}

/** The files and folders that a .dockerignore of the form "everything but" lets into the build context. */
export function parseContext(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (lines[0] !== '*') throw new Error('.dockerignore does not begin with *');
  return lines.slice(1).map((line) => {
    if (!/^![\w.-]+$/.test(line)) throw new Error(`not understood: ${line}`);
    return line.slice(1);
  });
}

function below(path: string, folder: string): string {
  if (!path.startsWith(folder)) throw new Error(`${path} is not in ${folder}`);
  return path.slice(folder.length);
}

/** The words of an instruction in JSON form. */
function jsonWords(text: string, line: string): string[] {
  if (!text.startsWith('[')) throw new Error(`not in JSON form: ${line}`);
  return JSON.parse(text) as string[];
}
