import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PROBLEMS, type ProblemCode, problem } from '../../core/errors.ts';
import { type Asked, lend, type Reply } from '../../db/lent.ts';
import type { Services } from '../../services.ts';
import type { Progress } from './command.ts';

/** What the process is started with. */
export interface Work {
  readonly name: string;
  readonly input: unknown;
  readonly kind: Services['db']['kind'];
  readonly engine: {
    readonly threads: number;
    readonly arcBytes: number;
    readonly cacheBytes: number;
    readonly maxResponseBytes: number;
  };
  /** It ends itself when it has more resident memory than this, in bytes. */
  readonly mostBytes: number;
}

/** Messages of the process, besides those of the database. */
export type Said =
  | { readonly progress: string }
  | { readonly result: unknown }
  | { readonly problem: { readonly code: string; readonly detail: string; readonly extra: object } }
  | { readonly failure: { readonly message: string; readonly stack: string | undefined; readonly code: unknown } }
  | { readonly asked: Asked };

export type Order = { readonly work: Work } | { readonly reply: Reply };

/** The process gets a quarter of the server's memory limits for arcs and answers, in addition to the server's. */
const MEMORY_DIVISOR = 4;

/**
 * Runs a data command in a process of its own, on the database of this one. A file that takes more memory than there is
 * then ends that process and not the server: open transactions are rolled back, and what was committed stays.
 * @throws what the command throws; invalid_input when the process died
 */
export async function runIsolated(
  { db, config }: Pick<Services, 'db' | 'config'>,
  name: string,
  input: unknown,
  progress: Progress,
): Promise<unknown> {
  const typescript = import.meta.url.endsWith('.ts');
  const file = fileURLToPath(new URL(`./isolated_process.${typescript ? 'ts' : 'js'}`, import.meta.url));
  const heap = `--max-old-space-size=${Math.ceil(config.IMPORT_BYTES / 2 ** 20)}`;
  const child = fork(file, [], { serialization: 'advanced', execArgv: [...process.execArgv, heap] });
  const lender = lend(db, (reply) => tell(child, { reply }));
  try {
    return await new Promise((resolve, reject) => {
      child.on('message', (message) => {
        const said = message as Said;
        if ('asked' in said) lender.receive(said.asked);
        else if ('progress' in said) progress(said.progress);
        else if ('result' in said) resolve(said.result);
        else if ('problem' in said) {
          const { code, detail, extra } = said.problem;
          const known = Object.hasOwn(PROBLEMS, code) ? (code as ProblemCode) : 'internal_error';
          reject(problem(known, detail, { ...extra }));
        } else {
          const { message, ...more } = said.failure;
          reject(Object.assign(new Error(message), more));
        }
      });
      child.once('error', reject);
      child.once('exit', (code, signal) => reject(died(input, signal ?? `exit code ${code}`, config.IMPORT_BYTES)));
      const bytes = (all: number): number => Math.max(1, Math.floor(all / MEMORY_DIVISOR));
      const engine = {
        threads: config.WORKER_THREADS,
        arcBytes: bytes(config.ARC_CACHE_BYTES),
        cacheBytes: bytes(config.CACHE_BYTES),
        maxResponseBytes: config.MAX_RESPONSE_BYTES,
      };
      tell(child, { work: { name, input, kind: db.kind, engine, mostBytes: config.IMPORT_BYTES } });
    });
  } finally {
    await end(child);
    await lender.close();
  }
}

/** Sends a message, unless the process has ended: then its exit is what counts. */
function tell(child: ChildProcess, order: Order): void {
  if (child.connected) child.send(order, () => undefined);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}

function died(input: unknown, how: string, mostBytes: number): Error {
  const { file = 'the file' } = input as { readonly file?: string };
  const detail =
    `The process that read ${file} ended (${how}), most likely because it needed more memory than IMPORT_BYTES ` +
    `(${Math.floor(mostBytes / 2 ** 20)} MiB) or the machine allows. The server was not affected, and nothing is ` +
    'stored by half. Check the file; if it is right, raise IMPORT_BYTES or split it, and run the command again.';
  return problem('invalid_input', detail, { issues: [{ path: 'file', code: 'out_of_memory', message: detail }] });
}
