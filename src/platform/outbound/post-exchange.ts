import type { Dispatcher } from 'undici';

/** Bytes of a response that are kept. */
const EXCERPT_BYTES = 1_024;
/** Time for these bytes, from the end of the headers. */
const EXCERPT_MS = 1_000;

/** Headers of a response, by lower-case names. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Response to a POST. */
export interface PostResponse {
  readonly status: number;
  readonly headers: Headers;
  /** First KiB of the body, as text. */
  readonly excerpt: string;
}

/**
 * Receives the response to one request. It counts when its headers have come, whatever becomes of
 * the body: a request that was accepted must not be sent again. The first KiB of the body is kept,
 * as far as it comes within a second; then the connection ends. A handler of undici's `dispatch`:
 * its `request` makes a stream of each body, which costs as much as the rest.
 */
export class PostExchange implements Dispatcher.DispatchHandler {
  /** Settles with the response, or with why there is none. */
  readonly response: Promise<PostResponse>;
  private resolve: (response: PostResponse) => void;
  private reject: (reason: unknown) => void;
  private controller: Dispatcher.DispatchController | undefined;
  private abortedFor: Error | undefined;
  /** Whether the promise has settled. */
  private isOver = false;
  private reading: NodeJS.Timeout | undefined;
  private status = 0;
  private headers: Headers = {};
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  constructor() {
    this.response = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.response.catch(() => undefined); // it may end before it is awaited
  }

  /** Ends the exchange and its connection. One that has not begun is never sent. */
  abort(reason: Error): void {
    if (this.isOver) return;
    this.abortedFor = reason;
    if (this.controller) withoutTraces(() => this.controller?.abort(reason));
    else this.fail(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.abortedFor) controller.abort(this.abortedFor);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return; // not the final response (RFC 9110 section 15.2)
    this.status = status;
    this.headers = headers;
    this.reading = setTimeout(() => this.cut(controller), EXCERPT_MS);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes > EXCERPT_BYTES) this.cut(controller);
  }

  onResponseEnd(): void {
    this.end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.isOver) return;
    if (this.status === 0) this.fail(error);
    else this.end();
  }

  /** Ends the connection: what follows is not read. */
  private cut(controller: Dispatcher.DispatchController): void {
    this.end();
    controller.abort(new Error('The rest of the response is not read.'));
  }

  private end(): void {
    this.isOver = true;
    clearTimeout(this.reading);
    this.resolve({ status: this.status, headers: this.headers, excerpt: this.readExcerpt() });
  }

  private fail(reason: unknown): void {
    this.isOver = true;
    this.reject(reason);
  }

  /** NUL cannot be stored, and a cut character becomes a replacement character. */
  private readExcerpt(): string {
    if (this.bytes === 0) return '';
    const bytes = Buffer.concat(this.chunks).subarray(0, EXCERPT_BYTES);
    return bytes.toString('utf8').replaceAll('\0', '\uFFFD');
  }
}

/** Runs work whose errors need no stack trace: to write one takes time. */
function withoutTraces(work: () => void): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
