import { traceHeaders } from '../common/tracing.ts';
import type { Config } from '../config.ts';

/** The model gave no usable answer; the message says why, without quoting it. */
export class PlannerError extends Error {}

/** A message of a conversation with a chat endpoint. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A chat endpoint of the OpenAI protocol (POST …/chat/completions). */
export interface AreaPlanner {
  /** Returns the model's answer as text; aborts with `signal`. @throws PlannerError */
  ask(messages: readonly ChatMessage[], signal: AbortSignal): Promise<string>;
}

const MAX_BYTES = 256 * 1024;
const DEADLINE_MS = 15_000;

/** The endpoint at AREA_PLANNER_URL, which may end with /chat/completions; null when the setting is not set. */
export function openAreaPlanner(
  config: Pick<Config, 'AREA_PLANNER_URL' | 'AREA_PLANNER_KEY' | 'AREA_PLANNER_MODEL'>,
  deadlineMs = DEADLINE_MS,
): AreaPlanner | null {
  const { AREA_PLANNER_URL: address, AREA_PLANNER_KEY: key, AREA_PLANNER_MODEL: model } = config;
  if (address === undefined) return null;
  const url = new URL(address);
  if (!url.pathname.endsWith('/chat/completions')) {
    url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/chat/completions`;
  }
  return {
    async ask(messages, signal) {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
      try {
        const response = await fetch(url, {
          method: 'POST',
          redirect: 'error',
          signal: ends,
          headers: {
            'Content-Type': 'application/json',
            ...traceHeaders(),
            ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
          },
          body: JSON.stringify({
            ...(model === undefined ? {} : { model }),
            messages,
            temperature: 0,
            response_format: { type: 'json_object' },
          }),
        });
        const text = await bodyOf(response);
        if (response.status !== 200) throw new PlannerError(`status ${response.status}`);
        return contentOf(text);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (error instanceof PlannerError) throw error;
        throw new PlannerError(ends.aborted ? 'no answer in time' : 'no connection', { cause: error });
      }
    },
  };
}

/** The body as text. @throws PlannerError beyond MAX_BYTES */
async function bodyOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_BYTES) throw new PlannerError('the answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function contentOf(text: string): string {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new PlannerError('the answer is not JSON');
  }
  const content = (answer as { choices?: { message?: { content?: unknown } }[] } | null)?.choices?.[0]?.message
    ?.content;
  if (typeof content !== 'string') throw new PlannerError('the answer has no message');
  return content;
}
