import { asProblem, PROBLEMS, type ProblemError, toProblemDocument } from '../errors.ts';
import { AnsweredProblem, Unreachable } from './call.ts';
import { visible } from './table.ts';

/** Exit code when no server answers at all. */
export const EXIT_UNREACHABLE = PROBLEMS.upstream_unavailable.exit;

/** What standard error is told of a failure, and the exit code it means. */
export interface Report {
  readonly text: string;
  readonly exit: number;
}

/** A failure in words (code, detail, each issue, what helps, the request to quote), or as the problem document. */
export function reportOf(error: unknown, { json = false, colours = false } = {}): Report {
  const known = error instanceof AnsweredProblem ? error : asProblem(error);
  const label = colours ? '\x1b[1;31merror:\x1b[0m' : 'error:';
  if (known === null) {
    const text = visible(error instanceof Error ? error.message : String(error));
    return { text: `${label} ${text}\n`, exit: exitOf(error) };
  }
  const document = known instanceof AnsweredProblem ? known.document : toProblemDocument(known, '', '');
  const text = json ? `${JSON.stringify(document)}\n` : inWords(known, document, label);
  return { text, exit: PROBLEMS[known.code].exit };
}

/** Some errors say it themselves: a wrong setting, an interruption. */
function exitOf(error: unknown): number {
  if (error instanceof Unreachable) return EXIT_UNREACHABLE;
  return error instanceof Error && 'exit' in error && typeof error.exit === 'number' ? error.exit : 1;
}

function inWords(error: ProblemError, document: Readonly<Record<string, unknown>>, label: string): string {
  const given: readonly { path: string; message: string }[] = Array.isArray(document.issues) ? document.issues : [];
  const issues = given.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  // A detail that strings the issues together: each is said once, several of them a line each.
  const isJoined = issues.length > 0 && error.message.startsWith(issues[0]);
  const said = isJoined && issues.length > 1 ? '' : `: ${visible(error.message)}`;
  const lines = [`${label} ${error.code}${said}`];
  if (!isJoined || issues.length > 1) lines.push(...issues.map((issue) => visible(`  ${issue}`)));
  // What this program finds wrong itself says what helps.
  if (error instanceof AnsweredProblem) lines.push(PROBLEMS[error.code].remedy);
  if (document.request_id) lines.push(visible(`request ${document.request_id}`));
  return `${lines.join('\n')}\n`;
}
