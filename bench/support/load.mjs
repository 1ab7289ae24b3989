import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cpuTimeOf } from './cpu-time.mjs';
import { pinned, PLACE } from './place.mjs';

const run = promisify(execFile);
const SCRIPT = new URL('requests.lua', import.meta.url).pathname;

/** Requests of one kind, in a file that wrk reads. */
export class Load {
  #folder;
  #maxConnections;

  /**
   * @param requests `method`, `path`, and optionally `token`, `body` (an object), `form` (fields),
   *   `headers`
   * @param maxConnections limits those of each {@link put}
   */
  static async of(requests, maxConnections = Infinity) {
    const load = new Load();
    load.#maxConnections = maxConnections;
    load.#folder = await mkdtemp(join(tmpdir(), 'gatehouse-load-'));
    await writeFile(load.#file, requests.map(framed).join(''));
    return load;
  }

  /**
   * Sends them over several connections, each after the response to the previous one, or `paceMs`
   * after it; with `once`, none a second time: the load ends with the last request or the time.
   * @returns number of responses, responses per second, times in milliseconds, and microseconds of
   *   processor per response
   * @throws if any response is not 2xx
   */
  async put(server, { connections, seconds, paceMs = 0, once = false }) {
    const before = cpuTimeOf(server.pid);
    const how = { PACE_MS: String(paceMs), ...(once && { ONCE: '1' }) };
    const found = await this.#wrk(server, connections, seconds, how);
    const { requests, microseconds, p50, p95, p99, errors } = found;
    if (errors > 0) throw new Error(`${errors} of ${requests} requests failed.`);
    const perSecond = requests / (microseconds / 1e6);
    const cpu = (cpuTimeOf(server.pid) - before) / requests;
    return { requests, perSecond, p50: p50 / 1000, p95: p95 / 1000, p99: p99 / 1000, cpu };
  }

  /** Sends each request once. */
  async all(server, { connections }) {
    const { errors } = await this.#wrk(server, connections, 3_600, { ONCE: '1' });
    if (errors > 0) throw new Error(`${errors} requests failed.`);
  }

  async #wrk({ base }, wanted, seconds, settings) {
    const connections = Math.min(wanted, this.#maxConnections);
    const words = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', SCRIPT, base];
    const [command, ...args] = pinned(PLACE.load, ['wrk', ...words, '--', this.#file]);
    const sending = run(command, args, { env: { ...process.env, ...settings } });
    sending.child.stderr.once('data', () => sending.child.kill('SIGINT'));
    const { stdout } = await sending;
    return JSON.parse(stdout.trim().split('\n').at(-1));
  }

  forget() {
    return rm(this.#folder, { recursive: true });
  }

  get #file() {
    return join(this.#folder, 'requests');
  }
}

/**
 * Sends one request, and again as long as the service is busy: other programs may use the machine.
 * @returns the response
 * @throws if it is not 2xx
 */
export async function send({ base }, { method = 'GET', path, token, body, form, headers = {} }, tries = 5) {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: form ? new URLSearchParams(form) : body && JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status === 503 && tries > 1) {
    await setTimeout(1_000);
    return send({ base }, { method, path, token, body, form, headers }, tries - 1);
  }
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return text;
}

function framed({ method = 'GET', path, token, body, form, headers = {} }) {
  const [type, text] =
    form === undefined
      ? ['application/json', body === undefined ? '' : JSON.stringify(body)]
      : ['application/x-www-form-urlencoded', new URLSearchParams(form).toString()];
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: bench',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(text === '' ? [] : [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(text)}`]),
  ];
  const request = `${lines.join('\r\n')}\r\n\r\n${text}`;
  return String(Buffer.byteLength(request)).padStart(6, '0') + request;
}
