import { Injectable } from '@nestjs/common';
import type { Response } from 'undici';
import { AppError } from '../../platform/errors/index.js';
import { CustomerHttp } from '../../platform/outbound/index.js';
import { RateLimits } from '../../platform/rate-limit/index.js';
import { networkOf } from '../../platform/web/index.js';
import { DOCUMENT_LIMIT } from '../client.declarations.js';
import type { Client } from '../registry/client.repository.js';
import { DocumentFault } from './client-document.js';

/** Bytes of a document (section 8.7 of the draft). */
const MAX_BYTES = 5_120;
const TIMEOUT_MS = 3_000;
/** Documents that are fetched at a time: more requests are asked to come back. */
const MAX_FETCHES = 16;
/** Seconds for which a document is used: by its Cache-Control, between this and a day. */
export const MIN_SECONDS = 60;
const MAX_SECONDS = 86_400;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/** A document, and the seconds for which it is used. */
interface FetchedDocument {
  readonly text: string;
  readonly seconds: number;
}

/** Fetches documents of clients: one of a client at a time, and a few of all. */
@Injectable()
export class DocumentFetcher {
  /** Loads in progress, by client id. */
  private readonly loads = new Map<string, Promise<Client>>();

  constructor(
    private readonly http: CustomerHttp,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Loads a client by its document, or waits for who loads it already.
   * @param load calls {@link fetch}
   * @param ipAddress of the caller, whose network may have a few fetched in a minute
   * @throws {AppError} too-many-requests of the network; unavailable while too many are fetched
   */
  async loadOnce(clientId: string, ipAddress: string, load: () => Promise<Client>): Promise<Client> {
    if (!this.loads.has(clientId)) await this.countLoad(ipAddress);
    const running = this.loads.get(clientId);
    if (running) return running;
    if (this.loads.size >= MAX_FETCHES) throw new AppError('unavailable', { retryAfterSeconds: 3 });
    const loaded = this.http.shared(load);
    this.loads.set(clientId, loaded);
    const forget = () => this.loads.delete(clientId);
    loaded.then(forget, forget);
    return loaded;
  }

  /** @throws {DocumentFault} */
  async fetch(clientId: string): Promise<FetchedDocument> {
    const fault = this.http.findFault(clientId);
    if (fault !== null) throw new DocumentFault(`client_id ${fault}`);
    return this.http
      .together(() => this.download(clientId), TIMEOUT_MS)
      .catch((error: unknown) => {
        // One text for each network error: it must not tell what is at other addresses.
        throw error instanceof DocumentFault ? error : new DocumentFault('the document cannot be read');
      });
  }

  /** Returns whether an address in a document can be fetched: it is not a private one. */
  isReachable(url: string): boolean {
    return this.http.findFault(url) === null;
  }

  /** @throws {AppError} too-many-requests */
  private async countLoad(ipAddress: string): Promise<void> {
    const { isBlocked, timeToBlockExpire } = await this.limits.take(DOCUMENT_LIMIT, networkOf(ipAddress));
    if (isBlocked) throw new AppError('too-many-requests', { retryAfterSeconds: timeToBlockExpire });
  }

  /** @throws {DocumentFault} */
  private async download(url: string): Promise<FetchedDocument> {
    const response = await this.http.fetch(url, { headers: { accept: 'application/json' } });
    try {
      if (response.status !== 200) throw new DocumentFault('the document must be answered with 200');
      if (!JSON_TYPE.test(response.headers.get('content-type') ?? ''))
        throw new DocumentFault('the document must be of the type application/json');
      return { text: await readText(response), seconds: secondsOf(response.headers.get('cache-control')) };
    } finally {
      if (!response.bodyUsed) await response.body?.cancel();
    }
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop ends the response.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new DocumentFault(`the document must have at most ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns for how long a document is used (RFC 9111 section 5.2.2): a day if it does not say. */
function secondsOf(cacheControl: string | null): number {
  if (cacheControl !== null && /\bno-(?:store|cache)\b/i.test(cacheControl)) return MIN_SECONDS;
  const [, maxAge] = /\bmax-age=(\d{1,10})\b/i.exec(cacheControl ?? '') ?? [];
  return Math.min(Math.max(Number(maxAge ?? MAX_SECONDS), MIN_SECONDS), MAX_SECONDS);
}
