import { Injectable } from '@nestjs/common';
import { newId, type TenantId } from '../../kernel/index.js';
import { KeyDerivation, Sealer } from '../../platform/crypto/index.js';
import { columnsOf, TenantDatabase } from '../../platform/database/index.js';
import type { CheckedCertificate } from '../certificates/certificate-check.js';
import type { GivenSettings } from '../connections/connection-check.js';
import { ChangeEntity } from './change.entity.js';

/** Days for which a change waits. */
const WAITING_DAYS = 30;

/** What changes once an owner confirms it. */
export type Change =
  | { readonly kind: 'certificate'; readonly certificate: CheckedCertificate }
  | { readonly kind: 'settings'; readonly given: GivenSettings };

/** Who requests a change, and of which settings. */
type Request = Pick<ChangeEntity, 'requestedBy' | 'bySetupLink' | 'settingsVersion' | 'sha256'>;

/** A change that waits for an owner. */
export interface WaitingChange extends Omit<ChangeEntity, 'sealedChange'> {
  /** Unseals it. */
  readonly reveal: () => Change;
}

const COLUMNS = columnsOf(ChangeEntity);

/** Changes of connections that wait for an owner. */
@Injectable()
export class ChangeRepository {
  private readonly sealer: Sealer;

  constructor(
    private readonly tenants: TenantDatabase,
    keys: KeyDerivation,
  ) {
    this.sealer = new Sealer(keys, 'connection-change');
  }

  async insert(tenantId: TenantId, connectionId: string, change: Change, request: Request): Promise<string> {
    const id = newId();
    await this.tenants.of(ChangeEntity).insert(tenantId, {
      ...request,
      id,
      connectionId,
      kind: change.kind,
      sealedChange: this.sealer.seal(JSON.stringify(change)),
      expiresAt: () => `now() + make_interval(days => ${WAITING_DAYS})`,
    });
    return id;
  }

  /** Lists what waits at connections, the oldest first. */
  async listOf(tenantId: TenantId, connectionIds: readonly string[]): Promise<WaitingChange[]> {
    const rows = await this.tenants.rows<ChangeEntity>(
      tenantId,
      `SELECT ${COLUMNS} FROM connection_changes
       WHERE tenant_id = $1 AND connection_id = ANY($2) AND expires_at > now() ORDER BY id`,
      [connectionIds],
    );
    return rows.map((row) => this.toWaiting(row));
  }

  /** Removes a change that waits. @returns null if there is none, or it has expired */
  async take(tenantId: TenantId, connectionId: string, id: string): Promise<WaitingChange | null> {
    const row = await this.tenants.row<ChangeEntity>(
      tenantId,
      `DELETE FROM connection_changes WHERE tenant_id = $1 AND connection_id = $2 AND id = $3 AND expires_at > now()
       RETURNING ${COLUMNS}`,
      [connectionId, id],
    );
    return row && this.toWaiting(row);
  }

  private toWaiting({ sealedChange, ...row }: ChangeEntity): WaitingChange {
    return { ...row, reveal: () => JSON.parse(this.sealer.open(sealedChange), reviveTimes) as Change };
  }
}

const reviveTimes = (key: string, value: unknown): unknown =>
  ['notAfter', 'validUntil'].includes(key) && typeof value === 'string' ? new Date(value) : value;
