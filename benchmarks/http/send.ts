import { type Agent, request } from 'node:http';

/**
 * Sends one request on a keep-alive connection; returns the bytes of the response. Rejects unless the status is 200.
 */
export function send(
  agent: Agent,
  port: number,
  method: string,
  path: string,
  input?: object,
  key?: string,
): Promise<Buffer> {
  const body = input === undefined ? '' : JSON.stringify(input);
  const headers: Record<string, string> = {
    ...(input ? { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) } : {}),
    ...(key ? { Authorization: `Bearer ${key}` } : {}),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const answer = Buffer.concat(parts);
        if (response.statusCode === 200) resolve(answer);
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${answer.toString().slice(0, 200)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
