import { Injectable } from '@nestjs/common';
import { createClientSecret } from '../../platform/crypto/index.js';
import type { Response } from 'undici';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { CustomerHttp } from '../../platform/outbound/index.js';
import { RateLimits } from '../../platform/rate-limit/index.js';
import { networkOf } from '../../platform/web/index.js';
import { AgentPolicyRepository } from '../agents/agent-policy.repository.js';
import { ClientLogos } from '../logos/client-logos.js';
import type { Client } from '../registry/client.repository.js';
import { LiveClients } from '../registry/live-clients.js';
import { DOCUMENT_LIMIT } from '../client.limits.js';
import { DocumentFault, readDocument, requireClientUrl } from './client-document.js';
import { ClientDocumentRepository } from './client-document.repository.js';

/** Bytes of a document (section 8.7 of the draft). */
const MAX_BYTES = 5_120;
const TIMEOUT_MS = 3_000;
/** Documents that are fetched at a time: more requests are asked to come back. */
const MAX_FETCHES = 16;
/** Seconds for which a document is used: by its Cache-Control, between these. */
const [MIN_SECONDS, MAX_SECONDS] = [60, 86_400];
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/**
 * Clients that publish what they are at the address that is their client id
 * (draft-ietf-oauth-client-id-metadata-document-03, ADR 69). A document is fetched only for a
 * client that an organization or the operators allow.
 */
@Injectable()
export class ClientDocuments {
  /** Fetches in progress, by client id. */
  private readonly fetches = new Map<string, Promise<Client>>();

  constructor(
    private readonly database: Database,
    private readonly documents: ClientDocumentRepository,
    private readonly policies: AgentPolicyRepository,
    private readonly live: LiveClients,
    private readonly logos: ClientLogos,
    private readonly http: CustomerHttp,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Returns a client by the document at its client id, which is fetched if it is not known or too
   * old.
   * @param ipAddress of the caller, whose network may have a few fetched in a minute
   * @throws {DocumentFault} if no policy allows the client, or the document is not used
   * @throws {AppError} too-many-requests of the network; unavailable while too many are fetched
   */
  async require(clientId: string, ipAddress: string): Promise<Client> {
    requireClientUrl(clientId);
    const client = (await this.live.find(clientId))?.client;
    const isFresh = (client?.documentExpiresAt?.getTime() ?? 0) > Date.now();
    return client && isFresh ? client : this.fetch(clientId, ipAddress);
  }

  /**
   * Fetches a document again that has no redirect URI of a request, unless that was done in the
   * last minute.
   * @throws as {@link require}
   */
  async renew(client: Client, ipAddress: string): Promise<Client> {
    const age = Date.now() - (client.documentFetchedAt?.getTime() ?? 0);
    return age < MIN_SECONDS * 1_000 ? client : this.fetch(client.clientId, ipAddress);
  }

  private async fetch(clientId: string, ipAddress: string): Promise<Client> {
    // The answer of a stranger may take three seconds, for which no connection is held.
    if (this.database.inTransaction) throw new Error('A document must not be fetched in a transaction.');
    if (!this.fetches.has(clientId)) await this.countFetch(ipAddress);
    const running = this.fetches.get(clientId);
    if (running) return running;
    if (this.fetches.size >= MAX_FETCHES) throw new AppError('unavailable', { retryAfterSeconds: 3 });
    const fetched = this.http.shared(() => this.load(clientId));
    this.fetches.set(clientId, fetched);
    const forget = () => this.fetches.delete(clientId);
    fetched.then(forget, forget);
    return fetched;
  }

  /** @throws {AppError} too-many-requests */
  private async countFetch(ipAddress: string): Promise<void> {
    const { isBlocked, timeToBlockExpire } = await this.limits.take(DOCUMENT_LIMIT, networkOf(ipAddress));
    if (isBlocked) throw new AppError('too-many-requests', { retryAfterSeconds: timeToBlockExpire });
  }

  private async load(clientId: string): Promise<Client> {
    const allowed = await this.policies.findAllowing(clientId);
    if (allowed === null) throw new DocumentFault('no organization allows this client');
    const fault = this.http.findFault(clientId);
    if (fault !== null) throw new DocumentFault(`client_id ${fault}`);
    const { text, seconds } = await this.http
      .together(() => this.download(clientId), TIMEOUT_MS)
      .catch((error: unknown) => {
        // One text for each network error: it must not tell what is at other addresses.
        throw error instanceof DocumentFault ? error : new DocumentFault('the document cannot be read');
      });
    const traits = readDocument(clientId, text, (url) => this.http.findFault(url) === null);
    const { secretHash } = createClientSecret();
    return this.database.transaction(async () => {
      await this.documents.lockCount();
      const isKnown = (await this.live.find(clientId)) !== null;
      if (!isKnown && allowed === 'any' && (await this.documents.isFull()))
        throw new DocumentFault('too many new clients; try again in an hour');
      const client = await this.documents.keep(clientId, traits, secretHash, seconds);
      if (client.logoHash === null) await this.logos.queue(client);
      await this.live.announce(clientId);
      return client;
    });
  }

  /** @throws {DocumentFault} */
  private async download(url: string): Promise<{ readonly text: string; readonly seconds: number }> {
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
