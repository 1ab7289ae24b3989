import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { ChangeFeed, LiveCache } from '../../platform/live/index.js';
import type { Connection, OidcConnection, Rule } from './connection.js';
import { ConnectionSettingsRepository } from './connection-settings.repository.js';

const CHANNEL = 'gatehouse_connection_changed';
const ISSUER_CHANNEL = 'gatehouse_connection_issuer_changed';

/** Finds connections, from a cache within the bounds of the {@link LiveCache}. */
@Injectable()
export class ConnectionDirectory {
  private readonly connections: LiveCache<Connection>;
  /** Ids of the connections that are trusted for identity assertions, by issuer. */
  private readonly trusted: LiveCache<readonly string[]>;

  constructor(
    private readonly rows: ConnectionSettingsRepository,
    feed: ChangeFeed,
  ) {
    this.connections = new LiveCache(feed, CHANNEL, (ids) => this.rows.load(ids));
    this.trusted = new LiveCache(feed, ISSUER_CHANNEL, (issuers) => this.rows.listTrustedIds(issuers));
  }

  /** Returns a connection in any state; null for an unknown one. */
  find(id: string): Promise<Connection | null> {
    return this.connections.get(id);
  }

  /** Reads a connection from the database. */
  async findUncached(id: string): Promise<Connection | null> {
    return (await this.rows.load([id])).get(id) ?? null;
  }

  /** Reads a connection from the database, and locks it against changes and deletion. */
  findForShare(tenantId: TenantId, id: string): Promise<Connection | null> {
    return this.rows.findForShare(tenantId, id);
  }

  /** Finds the active connection for addresses of a domain. */
  async findByDomain(domain: string): Promise<Connection | null> {
    const id = await this.rows.findIdByDomain(domain);
    return id === null ? null : this.find(id);
  }

  /**
   * Finds the connections of an issuer whose identity assertions are trusted, in order of id:
   * organizations may share an issuer.
   */
  async listTrusted(issuer: string): Promise<OidcConnection[]> {
    const ids = (await this.trusted.get(issuer)) ?? [];
    const found = await Promise.all(ids.map((id) => this.find(id)));
    return found.filter(isTrusted).filter(({ settings }) => settings.issuer === issuer);
  }

  /** Returns whether identity assertions of a connection are trusted now. */
  async isTrusted(id: string): Promise<boolean> {
    return isTrusted(await this.find(id));
  }

  /** Finds the active connection of an organization; the oldest, if there are several. */
  async findOfTenant(tenantId: TenantId): Promise<Connection | null> {
    const id = await this.rows.findIdOfTenant(tenantId);
    return id === null ? null : this.find(id);
  }

  /** Returns the domains for whose addresses the connection is an authority. */
  async verifiedDomains(id: string): Promise<readonly string[]> {
    return (await this.find(id))?.domains ?? [];
  }

  /** Returns the rules of a connection, in order. */
  async rulesOf(id: string): Promise<readonly Rule[]> {
    return (await this.find(id))?.rules ?? [];
  }

  /** Invalidates connections on every replica when the open transaction commits. */
  async announce(...ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.connections.announce(...ids);
    const issuers = await this.rows.listIssuers(ids);
    if (issuers.length > 0) await this.trusted.announce(...issuers);
  }
}

const isTrusted = (connection: Connection | null): connection is OidcConnection =>
  connection?.kind === 'oidc' && connection.status === 'active' && connection.identityAssertions;
