import { finished } from 'node:stream';
import type { Request } from 'express';
import getRawBody from 'raw-body';

const NOTHING = Buffer.alloc(0);

/**
 * Reads the body of a request that has an own parser.
 * @returns no bytes for a request without a body
 * @throws as raw-body does, after the rest of the body was discarded
 */
export function readBody(request: Request, maxBytes: number): Promise<Buffer> {
  const { headers } = request;
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0'))
    return Promise.resolve(NOTHING);
  return new Promise((resolve, reject) => {
    receiveBody(request, maxBytes, (error, body) => (error ? reject(error) : resolve(body)));
  });
}

type Received = (error: Error | null, body: Buffer) => void;

/**
 * Receives the body of a request, which must have one. A small one has usually arrived with the
 * headers, before the request was authenticated: taking it saves the listeners and events of the
 * stream.
 * @param then called at once with a body that has arrived; with an error, after the rest of the
 *   body was discarded
 */
export function receiveBody(request: Request, maxBytes: number, then: Received): void {
  if (request.complete && request.readable && request.readableLength <= maxBytes)
    return then(null, readArrived(request));
  const { 'content-length': length } = request.headers;
  getRawBody(request, { limit: maxBytes, length }, (error, body) => {
    if (error) drained(request, () => then(error, NOTHING));
    else then(null, body);
  });
}

const pieceOf = (request: Request): Buffer | null => request.read() as Buffer | null;

/** Reads what has arrived, which may be several pieces: Node returns them one by one. */
function readArrived(request: Request): Buffer {
  const pieces: Buffer[] = [];
  for (let piece = pieceOf(request); piece; piece = pieceOf(request)) pieces.push(piece);
  const [first = NOTHING] = pieces;
  return pieces.length > 1 ? Buffer.concat(pieces) : first;
}

/**
 * Calls `then` after the rest of the body has been discarded: if the connection is closed while the
 * client still sends, the client may lose the response.
 */
function drained(request: Request, then: () => void): void {
  finished(request, then);
  request.resume();
}
