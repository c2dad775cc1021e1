import { defined } from '../../common/elements.ts';
import { fileTrouble, isNetworkError } from '../../common/system_errors.ts';
import { asProblem, PROBLEMS, type ProblemError, toProblemDocument } from '../../core/errors.ts';
import { AnsweredProblem, NotSignedIn, UnexpectedAnswer, Unreachable } from '../../transports/call.ts';
import { printableJson, visible } from '../../transports/visible.ts';

/** Exit code when no server answers. */
const EXIT_UNREACHABLE = PROBLEMS.upstream_unavailable.exit;

/** The text for standard error, and the exit code. */
export interface Report {
  readonly text: string;
  readonly exit: number;
}

/** Describes a failure: code, detail, issues, remedy and request id; or as the problem document. */
export function reportOf(error: unknown, { json = false, colors = false } = {}): Report {
  const known = error instanceof AnsweredProblem ? error : asProblem(error);
  const label = colors ? '\x1b[1;31merror:\x1b[0m' : 'error:';
  if (known === null) {
    const message = fileTrouble(error) ?? (error instanceof Error ? error.message : String(error));
    return { text: `${label} ${shown(message)}\n`, exit: exitOf(error) };
  }
  const document = known instanceof AnsweredProblem ? known.document : toProblemDocument(known, '', '');
  const text = json ? `${printableJson(document)}\n` : inWords(known, document, label);
  return { text, exit: PROBLEMS[known.code].exit };
}

/** Some errors have their own exit code: a wrong setting, an interruption. */
function exitOf(error: unknown): number {
  if (error instanceof Unreachable || (error instanceof UnexpectedAnswer && error.isTemporary)) return EXIT_UNREACHABLE;
  if (isNetworkError(error)) return EXIT_UNREACHABLE;
  return error instanceof Error && 'exit' in error && typeof error.exit === 'number' ? error.exit : 1;
}

/** Reduces a message to one line, so that text from a server, a file or a library cannot imitate one of ours. */
function shown(message: string): string {
  return visible(message.trim().replace(/(?<!\s)\s*\n\s*/g, ' '), true);
}

function inWords(error: ProblemError, document: Readonly<Record<string, unknown>>, label: string): string {
  const given: readonly { path: string; message: string }[] = Array.isArray(document.issues) ? document.issues : [];
  const issues = given.map((issue) => (issue?.path ? `${issue.path}: ${issue.message}` : String(issue?.message)));
  // The detail joins the issues; print each of them once, several on separate lines.
  const isJoined = issues.length > 0 && error.message.startsWith(defined(issues[0]));
  const said = isJoined && issues.length > 1 ? '' : `: ${shown(error.message)}`;
  const lines = [`${label} ${error.code}${said}`];
  if (!isJoined || issues.length > 1) lines.push(...issues.map((issue) => `  ${shown(issue)}`));
  if (error.code === 'invalid_id' && Array.isArray(document.candidates))
    lines.push(...document.candidates.map(candidate));
  // Our own error already contains the remedy.
  if (error instanceof NotSignedIn) return `${lines.join('\n')}\n`;
  if (error instanceof AnsweredProblem) lines.push(PROBLEMS[error.code].remedy);
  if (document.request_id) lines.push(`request ${shown(String(document.request_id))}`);
  return `${lines.join('\n')}\n`;
}

/** A line for a boundary that a name may mean: its id, name and parents. */
function candidate(given: unknown): string {
  const { id, name, parents } = (given ?? {}) as Readonly<Record<string, unknown>>;
  const where = Array.isArray(parents) ? parents.map((parent) => parent?.name).join(' > ') : '';
  return visible(`  ${id}  ${name}${where ? ` in ${where}` : ''}`, true);
}
