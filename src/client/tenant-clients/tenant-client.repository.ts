import { Injectable } from '@nestjs/common';
import { NamedInTrail, type NamedThing } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { columnsOf, prepared, TenantDatabase } from '../../platform/database/index.js';
import { ClientEntity } from '../registry/client.entity.js';
import { SATELLITE, type Client } from '../registry/client.repository.js';

const COLUMNS = columnsOf(ClientEntity, '', SATELLITE);

/** Clients of one organization, by client id. */
@Injectable()
export class TenantClientRepository {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Returns a page in order of id, and one row more if there is a next page. */
  list(tenantId: TenantId, { limit, after }: Page): Promise<Client[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${COLUMNS} FROM satellites WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
      [after ?? '', limit + 1],
    );
  }

  /** Returns the client ids of all clients. */
  listIds(tenantId: TenantId): Promise<string[]> {
    return this.tenants.values(tenantId, 'SELECT client_id FROM satellites WHERE tenant_id = $1');
  }

  find(tenantId: TenantId, clientId: string): Promise<Client | null> {
    return this.tenants.row(
      tenantId,
      prepared(`SELECT ${COLUMNS} FROM satellites WHERE tenant_id = $1 AND client_id = $2`),
      [clientId],
    );
  }

  count(tenantId: TenantId): Promise<number> {
    return this.tenants.of(ClientEntity).count(tenantId);
  }

  async delete(tenantId: TenantId, clientId: string): Promise<void> {
    await this.tenants.of(ClientEntity).delete(tenantId, { clientId });
  }

  /** Returns the names of those that exist. */
  @NamedInTrail({ collection: 'iam/clients', scope: 'iam:client:read' })
  findNamed(tenantIds: readonly TenantId[], ids: readonly string[]): Promise<NamedThing[]> {
    return this.tenants.listNames('satellites', tenantIds, ids);
  }
}
