import { Injectable } from '@nestjs/common';
import type { UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { CertificateService, type AddedCertificate } from '../certificates/certificate.service.js';
import { ConnectionService, type ShownConnection } from '../connections/connection.service.js';
import type { ConnectionChanger } from '../changes/connection-changes.js';
import { isInUse } from '../connections/connection.js';
import type { DomainCheck } from '../domains/domain-lookup.js';
import type { Domain } from '../domains/domain.repository.js';
import { DomainService, MAX_DOMAINS } from '../domains/domain.service.js';
import type { FetchedMetadata } from '../metadata/metadata.interceptor.js';
import { MetadataUpdate } from '../metadata/metadata-update.js';
import type { CreateSetupConnectionDto, UpdateSetupConnectionDto } from './setup.dto.js';
import { type SetupLink, SetupLinkRepository } from './setup-link.repository.js';
import { SetupLinks, type UsedSetupLink } from './setup-links.js';

/**
 * What the holder of a set-up link can do to a connection and to domains. The audit trail names the
 * link as the actor. The guard has checked the intents of the link.
 */
@Injectable()
export class SetupService {
  constructor(
    private readonly links: SetupLinks,
    private readonly repository: SetupLinkRepository,
    private readonly domains: DomainService,
    private readonly connections: ConnectionService,
    private readonly certificates: CertificateService,
    private readonly metadata: MetadataUpdate,
  ) {}

  /** Finds the connection of a link; null for a link that is for something else. */
  async findConnection({ tenantId, intents, connectionId }: SetupLink): Promise<ShownConnection | null> {
    const shows = intents.includes('sso') || intents.includes('certificate');
    return shows && connectionId !== null ? this.connections.get(tenantId, connectionId) : null;
  }

  listDomains({ tenantId }: SetupLink): Promise<Domain[]> {
    return this.domains.list(tenantId, { limit: MAX_DOMAINS, after: null });
  }

  addDomain(used: UsedSetupLink, name: string): Promise<Domain> {
    return this.links.run(used, (link) => this.domains.add(link.tenantId, actorOf(link), name));
  }

  verifyDomain(used: UsedSetupLink, id: string, result: DomainCheck): Promise<Domain> {
    return this.links.run(used, (link) => this.domains.verify(link.tenantId, actorOf(link), id, result));
  }

  /**
   * Creates the connection of a link, as a draft.
   * @throws {AppError} conflict if the link has one; as {@link ConnectionService.create}
   */
  createConnection(
    used: UsedSetupLink,
    input: CreateSetupConnectionDto,
    fetched: FetchedMetadata | null,
  ): Promise<ShownConnection> {
    return this.links.run(used, async (link) => {
      if (link.connectionId !== null)
        throw new AppError('conflict', { reason: { id: 'setup-link.one-connection' } });
      const connection = await this.connections.create(link.tenantId, changerOf(link), input, fetched);
      await this.repository.bind(link.tenantId, link.id, { connectionId: connection.id });
      return connection;
    });
  }

  /**
   * Changes the connection of a link. Other settings of a connection in use wait for an owner.
   * @param check called with the connection as it is, in the transaction of the change
   * @throws {AppError} not-found without one; conflict for domains of an active connection: they
   *   would apply without a member's consent
   */
  updateConnection(
    used: UsedSetupLink,
    input: UpdateSetupConnectionDto,
    fetched: FetchedMetadata | null,
    check: (current: ShownConnection) => Promise<unknown>,
  ): Promise<ShownConnection> {
    return this.links.runOnConnection(used, async (link, { id }) => {
      const current = await this.connections.get(link.tenantId, id);
      await check(current);
      if (input.domainIds && isInUse(current))
        throw new AppError('conflict', { reason: { id: 'setup-link.active-domains' } });
      return this.connections.update(link.tenantId, changerOf(link), id, input, fetched);
    });
  }

  addCertificate(used: UsedSetupLink, pem: string): Promise<AddedCertificate> {
    return this.links.runOnConnection(used, (link, { id }) =>
      this.certificates.add(link.tenantId, changerOf(link), id, pem),
    );
  }

  deleteCertificate(used: UsedSetupLink, sha256: string): Promise<void> {
    return this.links.runOnConnection(used, (link, { id }) =>
      this.certificates.delete(link.tenantId, changerOf(link), id, sha256),
    );
  }

  refreshMetadata(used: UsedSetupLink, fetched: FetchedMetadata | null): Promise<ShownConnection> {
    return this.links.runOnConnection(used, async (link, { id }) => {
      await this.metadata.apply(link.tenantId, id, fetched, changerOf(link));
      return this.connections.get(link.tenantId, id);
    });
  }
}

/** The audit trail holds surrogate ids: that of the link stands for its holder. */
const actorOf = ({ id }: SetupLink): UserId => id as UserId;

const changerOf = (link: SetupLink): ConnectionChanger => ({ kind: 'setup-link', userId: actorOf(link) });
