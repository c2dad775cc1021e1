/** The part of the client that is the same for all operations. The methods are in operations.js, made from the registry. */
import { OPERATIONS } from './operations.js';

/** A problem document (RFC 9457) as an error: `code` says which, `detail` is a sentence, `issues` name the fields. */
export class BoundaryError extends Error {
  constructor(status, problem) {
    super(problem.detail ?? `HTTP ${status}`);
    this.name = 'BoundaryError';
    this.status = status;
    this.code = problem.code ?? 'http_error';
    this.issues = problem.issues ?? [];
    this.requestId = problem.request_id ?? null;
    this.problem = problem;
  }
}

/** The longest wait between two tries, in seconds: a longer Retry-After is an error at once. */
const LONGEST_WAIT = 120;

const pause = (seconds, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', abort, { once: true });
  });

export class BoundaryLookup {
  #url;
  #key;
  #retries;
  #fetch;

  constructor({ url = 'http://127.0.0.1:8080', key, retries = 4, fetch: own = globalThis.fetch } = {}) {
    this.#url = url.replace(/\/+$/, '');
    this.#key = key;
    this.#retries = retries;
    this.#fetch = own;
  }

  /** Sends a request until it is answered with something other than "later", or the tries are used up. */
  async #send(target, init, { repeatable, signal }) {
    for (let tries = 0; ; tries++) {
      let response;
      try {
        response = await this.#fetch(target, { ...init, signal });
      } catch (error) {
        // The connection failed: what writes may have happened all the same.
        if (signal?.aborted || !repeatable || tries >= this.#retries) throw error;
        await pause(Math.min(0.25 * 2 ** tries, LONGEST_WAIT), signal);
        continue;
      }
      if (response.ok) return response;
      const text = await response.text();
      let problem = {};
      try {
        problem = JSON.parse(text);
      } catch {
        problem = { detail: `HTTP ${response.status}` };
      }
      const wait = Number(response.headers.get('retry-after') ?? 2 ** tries);
      // After 503 a write may have happened all the same.
      const isLater = response.status === 429 || (response.status === 503 && repeatable);
      if (!isLater || tries >= this.#retries || !(wait <= LONGEST_WAIT)) {
        throw new BoundaryError(response.status, problem);
      }
      await pause(wait, signal);
    }
  }

  #request(name, input, signal) {
    const operation = OPERATIONS[name];
    if (operation === undefined) throw new TypeError(`There is no operation ${name}.`);
    const headers = { 'Content-Type': 'application/json' };
    if (this.#key !== undefined) headers.Authorization = `Bearer ${this.#key}`;
    const init = { method: 'POST', headers, body: JSON.stringify(input) };
    return this.#send(`${this.#url}/v1/ops/${name}`, init, { repeatable: operation.effect === 'read', signal });
  }

  /** Calls an operation by its name. Answers in JSON are parsed; others are a Uint8Array. */
  async call(name, input = {}, { signal } = {}) {
    const response = await this.#request(name, input, signal);
    const type = response.headers.get('content-type') ?? '';
    if (/^application\/(?:[\w.-]+\+)?json\b/.test(type)) return response.json();
    return new Uint8Array(await response.arrayBuffer());
  }

  /**
   * Calls an operation and returns the bytes of its file as a stream, however large: of the file that the answer links
   * to, or of the answer itself.
   */
  async stream(name, input = {}, { signal } = {}) {
    const response = await this.#request(name, input, signal);
    const { linksFile } = OPERATIONS[name];
    const type = response.headers.get('content-type') ?? '';
    if (!linksFile || !/^application\/json\b/.test(type)) return response.body;
    const { url } = await response.json();
    if (typeof url !== 'string') throw new TypeError(`${name} has no file for this input.`);
    // The address names the public one of the service, which may not be the one used here.
    const path = new URL(url).pathname.replace(/^.*(?=\/v1\/)/, '');
    const file = await this.#send(this.#url + path, {}, { repeatable: true, signal });
    return file.body;
  }

  /** The items of all pages of an operation that has pages, one after the other. */
  async *pages(name, input = {}, options = {}) {
    for (let cursor = input.cursor; ; ) {
      const page = await this.call(name, cursor === undefined ? input : { ...input, cursor }, options);
      yield* page.items;
      if (!page.next) return;
      cursor = page.next;
    }
  }
}

for (const [name, { method, paged }] of Object.entries(OPERATIONS)) {
  Object.defineProperty(BoundaryLookup.prototype, method, {
    value(input, options) {
      return this.call(name, input, options);
    },
  });
  if (!paged) continue;
  Object.defineProperty(BoundaryLookup.prototype, `${method}Pages`, {
    value(input, options) {
      return this.pages(name, input, options);
    },
  });
}
