import { Injectable } from '@nestjs/common';
import { createClientSecret } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AgentPolicyRepository } from '../agents/agent-policy.repository.js';
import { ClientLogos } from '../logos/client-logos.js';
import type { Client } from '../registry/client.repository.js';
import { LiveClients } from '../registry/live-clients.js';
import { DocumentFault, readDocument, requireClientUrl } from './client-document.js';
import { ClientDocumentRepository } from './client-document.repository.js';
import { DocumentFetcher, MIN_SECONDS } from './document-fetcher.js';

/**
 * Clients that publish what they are at the address that is their client id
 * (draft-ietf-oauth-client-id-metadata-document-03, ADR 69). A document is fetched only for a
 * client that an organization or the operators allow.
 */
@Injectable()
export class ClientDocuments {
  constructor(
    private readonly database: Database,
    private readonly documents: ClientDocumentRepository,
    private readonly policies: AgentPolicyRepository,
    private readonly live: LiveClients,
    private readonly logos: ClientLogos,
    private readonly fetcher: DocumentFetcher,
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

  private fetch(clientId: string, ipAddress: string): Promise<Client> {
    // The answer of a stranger may take three seconds, for which no connection is held.
    if (this.database.inTransaction) throw new Error('A document must not be fetched in a transaction.');
    return this.fetcher.loadOnce(clientId, ipAddress, () => this.load(clientId));
  }

  private async load(clientId: string): Promise<Client> {
    const allowed = await this.policies.findAllowing(clientId);
    if (allowed === null) throw new DocumentFault('no organization allows this client');
    const { text, seconds } = await this.fetcher.fetch(clientId);
    const traits = readDocument(clientId, text, (url) => this.fetcher.isReachable(url));
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
}
