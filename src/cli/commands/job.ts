import type { Command } from 'commander';
import { PROBLEMS, type ProblemCode, problem } from '../../core/errors.ts';
import { type CallTarget, jsonOf } from '../../transports/call.ts';
import { visible } from '../../transports/visible.ts';
import { requireExtension } from '../formats.ts';
import { placeOptions } from '../options.ts';
import { processTerminal, progressLine } from '../render/terminal.ts';
import type { TargetFlags, Workplace } from '../target.ts';

/** Long-polling time of one call, in seconds. */
const WAIT = 20;

interface WaitFlags extends TargetFlags {
  readonly output?: string;
  readonly json?: boolean;
}

/** The members of a job that are used here. */
export interface JobShown {
  readonly id: string;
  readonly op: string;
  readonly name: string;
  readonly state: string;
  readonly done: number;
  readonly total: number;
  readonly rate: number | null;
  readonly left_s: number | null;
  readonly charged: number;
  readonly failed: { readonly count: number };
  readonly error: { readonly code: string; readonly detail: string } | null;
  readonly url: string | null;
  readonly file_hidden: string | null;
}

/** Adds `boundary job wait ID`, which shows a job's progress until it ends, and downloads its file if requested. */
export function addJobCommands(cli: Command, workplace: Workplace): void {
  const job = cli
    .command('job')
    .description('wait for jobs; create-job, list-jobs, get-job and cancel-job do the rest');
  const wait = job
    .command('wait')
    .description('wait until a job has ended; exits with 0 when it is done')
    .argument('<id>', 'id of the job: job_…')
    .option('-o, --output <file>', 'write its file to FILE; - is standard output')
    .option('--json', 'print the job as JSON');
  placeOptions(wait).action(async (id: string) => {
    const flags = wait.optsWithGlobals<WaitFlags>();
    await waitFor(workplace, id, flags);
  });
}

/** Waits until a job has ended, and shows its progress. @throws the reason of the signal, what get_job fails with */
export async function endOf(target: CallTarget, id: string, signal?: AbortSignal): Promise<JobShown> {
  const line = progressLine();
  const look = async (wait: number) => jsonOf(await target.call('get_job', { id, wait })) as JobShown;
  try {
    let job = await look(0);
    while (job.state === 'queued' || job.state === 'running') {
      const pace = job.left_s === null ? '' : `, ${job.rate} a second, ${job.left_s} s left`;
      line.show(`${job.state}: ${job.done} of ${job.total} boundaries${pace}`);
      // Short when a person watches the progress, otherwise long.
      job = await look(process.stderr.isTTY ? 1 : WAIT);
      signal?.throwIfAborted();
    }
    return job;
  } finally {
    line.end();
  }
}

/** @throws the error of a job that is not done */
export function requireDone({ state, error }: JobShown): void {
  if (state === 'done') return;
  const code = error !== null && Object.hasOwn(PROBLEMS, error.code) ? error.code : 'not_found';
  throw problem(code as ProblemCode, `The job is ${state}${error ? `: ${error.detail}` : '.'}`);
}

async function waitFor(workplace: Workplace, id: string, flags: WaitFlags): Promise<void> {
  const target = await workplace.open(flags);
  const job = await endOf(target, id, workplace.signal);
  if (flags.json) processTerminal.stdout(`${JSON.stringify(job)}\n`);
  requireDone(job);
  const { url } = job;
  const without = job.file_hidden ?? 'It has no file: it was deleted, or a job of this kind makes none.';
  if (flags.output !== undefined) {
    if (url === null) throw problem('not_found', `There is nothing to write to ${flags.output}. ${without}`);
    const { body, contentType } = await target.download(url);
    if (flags.output !== '-') requireExtension(flags.output, [contentType]);
    if (flags.output === '-') processTerminal.stdout(body);
    else processTerminal.writeFile(flags.output, body);
    processTerminal.stderr(`${flags.output}: ${body.byteLength} bytes, ${visible(contentType, true)}\n`);
  } else if (!flags.json) {
    const lacking = job.failed.count === 0 ? '' : `, without ${job.failed.count} boundaries (get-job lists them)`;
    const file = job.op === 'create_area_set' ? `The set ${job.name} is stored.` : (url ?? without);
    processTerminal.stdout(`${job.id} is done${lacking}: ${job.charged} units. ${file}\n`);
  }
}
