import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { newId } from '../../kernel/index.js';
import { requestIdOf } from './request-id.js';
import { AppError, type ErrorCode, problemOf, toAppError } from '../errors/index.js';

/** A client that takes longer to say what it wants holds a socket for nothing. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 25_000;
/** Longer than load balancers keep a connection for the next request (60 s is usual): else we close it just as they use it again. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** How often the others are looked at. */
const CHECK_MS = 2_000;

const CODE_OF: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

/** What happens before there is a request to route: slow senders, unreadable requests, odd targets and expectations. */
export function settleProtocol(server: Server): void {
  Object.assign(server, {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_MS, // read when the server begins to listen
  });
  server.prependListener('request', (request: IncomingMessage) => {
    request.url = targetOf(request.url ?? '/');
  });
  // RFC 9110 section 10.1.1 allows to ignore an expectation; the library would answer 417 past limits, headers and log.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket));
}

/** Express leaves what it cannot parse to its own page, past every middleware; `http://host/path` (RFC 9112 section 3.2.2) is a path to us. */
function targetOf(target: string): string {
  if (target.startsWith('/')) return target;
  if (!URL.canParse(target)) return '/';
  const { pathname, search } = new URL(target);
  return pathname.startsWith('/') ? pathname + search : '/';
}

/** Answers by hand: the parser gave up, so that nobody reads what is to come of a request, if there is one at all. */
function refuse(cause: NodeJS.ErrnoException, socket: Socket): void {
  const { _httpMessage: underWay } = socket as Socket & { _httpMessage?: ServerResponse };
  if (underWay?.req.complete === true) return endAfter(underWay, socket);
  if (!socket.writable || underWay?.headersSent === true) return void socket.destroy();
  const code = CODE_OF[cause.code ?? ''];
  const id = underWay ? requestIdOf(underWay.req) : newId();
  const problem = problemOf(code ? new AppError(code) : toAppError({ status: 400 }), id);
  if (underWay) underWay.statusCode = problem.status; // for the log
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `X-Request-Id: ${id}`,
    ...Object.entries(underWay?.getHeaders() ?? {}).flatMap(([name, value]) =>
      name.startsWith('x-ratelimit-') ? [`${name}: ${value}`] : [],
    ),
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/** What cannot be read came after a whole request, which is under way and has effects: its client is to hear of them. */
function endAfter(response: ServerResponse, socket: Socket): void {
  response.shouldKeepAlive = false; // says so, unless its headers have gone
  response.once('finish', () => socket.destroySoon());
}
