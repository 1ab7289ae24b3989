import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { newId } from '../../kernel/index.js';
import { requestIdOf } from './request/request-id.js';
import { AppError, type ErrorCode, problemOf, toAppError } from '../errors/index.js';

/** Maximum time for the headers of a request: a slow client must not hold a socket. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 25_000;
/**
 * Longer than the idle timeout of load balancers (usually 60 s): otherwise the server closes a
 * connection just as the load balancer reuses it.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Interval at which Node enforces the timeouts above. */
const TIMEOUT_CHECK_INTERVAL_MS = 2_000;

const CODE_OF: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

/** Configures the HTTP server: timeouts, unreadable requests, request targets and expectations. */
export function settleProtocol(server: Server): void {
  Object.assign(server, {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS, // read when the server begins to listen
  });
  server.prependListener('request', (request: IncomingMessage) => {
    request.url = targetOf(request.url ?? '/');
  });
  // RFC 9110 section 10.1.1 allows ignoring an expectation; Node's own 417 would bypass rate
  // limits,
  // headers and the log.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket));
}

/**
 * Normalizes a request target to a path. Express answers a target that it cannot parse with its
 * own page, before any middleware. The absolute form `http://host/path` (RFC 9112 section 3.2.2)
 * becomes a path.
 */
function targetOf(target: string): string {
  if (target.startsWith('/')) return target;
  if (!URL.canParse(target)) return '/';
  const { pathname, search } = new URL(target);
  return pathname.startsWith('/') ? pathname + search : '/';
}

/**
 * Writes a problem to the socket: the parser has failed, so that Node has no response to write to.
 */
function refuse(cause: NodeJS.ErrnoException, socket: Socket): void {
  const { _httpMessage: pending } = socket as Socket & { _httpMessage?: ServerResponse };
  if (pending?.req.complete === true) return endAfter(pending, socket);
  if (!socket.writable || pending?.headersSent === true) {
    socket.destroy();
    return;
  }
  const code = CODE_OF[cause.code ?? ''];
  const id = pending ? requestIdOf(pending.req) : newId();
  const problem = problemOf(code ? new AppError(code) : toAppError({ status: 400 }), id);
  if (pending) pending.statusCode = problem.status; // for the log
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `X-Request-Id: ${id}`,
    ...Object.entries(pending?.getHeaders() ?? {}).flatMap(([name, value]) =>
      name.startsWith('x-ratelimit-') ? [`${name}: ${value}`] : [],
    ),
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/**
 * Closes the socket after the response: the unreadable bytes follow a complete request that has
 * effects, so that its client must receive the response.
 */
function endAfter(response: ServerResponse, socket: Socket): void {
  response.shouldKeepAlive = false; // sends "Connection: close", unless the headers are sent already
  response.once('finish', () => socket.destroySoon());
}
