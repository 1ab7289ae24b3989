import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { Database, TenantDatabase, textArray } from '../../platform/database/index.js';
import type { ChainEnd } from '../chain/chain.repository.js';
import { AuditKeyEntity } from './audit-key.entity.js';

/** An anchor as it is stored. */
export interface StoredAnchor {
  readonly sequence: number;
  readonly jws: string;
  readonly createdAt: Date;
}

/** End of a chain, with the number of the entry that its newest anchor is of. */
interface AnchoredEnd extends ChainEnd {
  readonly anchored: number;
}

const COLUMNS = 'sequence::float8 AS sequence, jws, created_at AS "createdAt"';

/** Statements of anchors, and of the keys that have signed them. */
@Injectable()
export class AnchorRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** Returns ends of chains in order. @param after organization of the last one; null at first */
  listEnds(after: TenantId | null, limit: number): Promise<AnchoredEnd[]> {
    return this.database.rows<AnchoredEnd>(
      `SELECT tenant_id AS "tenantId", last::float8 AS last, encode(hash, 'hex') AS hash, anchored::float8 AS anchored
       FROM audit_chains WHERE $1::text IS NULL OR tenant_id > $1 ORDER BY tenant_id LIMIT $2`,
      [after, limit],
    );
  }

  /** Stores anchors, unless another replica has, or the chain is deleted. */
  async insert(
    anchors: readonly { readonly tenantId: TenantId; readonly sequence: number; readonly jws: string }[],
  ): Promise<void> {
    await this.database.rows(
      `WITH anchored AS (
         UPDATE audit_chains c SET anchored = a.sequence FROM unnest($1::text[], $2::bigint[], $3::text[]) AS a (tenant_id, sequence, jws)
         WHERE c.tenant_id = a.tenant_id AND c.anchored < a.sequence RETURNING a.tenant_id, a.sequence, a.jws)
       INSERT INTO audit_anchors (tenant_id, sequence, jws) SELECT tenant_id, sequence, jws FROM anchored`,
      [
        textArray(anchors.map(({ tenantId }) => tenantId)),
        anchors.map(({ sequence }) => sequence),
        textArray(anchors.map(({ jws }) => jws)),
      ],
    );
  }

  /** Returns the first anchors of the entries after one, up to another. */
  listBetween(tenantId: TenantId, after: number, to: number, limit: number): Promise<StoredAnchor[]> {
    return this.tenants.rows<StoredAnchor>(
      tenantId,
      `SELECT ${COLUMNS} FROM audit_anchors WHERE tenant_id = $1 AND sequence > $2 AND sequence <= $3 ORDER BY sequence LIMIT $4`,
      [after, to, limit],
    );
  }

  /** Returns the anchors of the entries after one, oldest first. */
  listAfter(tenantId: TenantId, after: number, limit: number): Promise<StoredAnchor[]> {
    return this.tenants.rows<StoredAnchor>(
      tenantId,
      `SELECT ${COLUMNS} FROM audit_anchors WHERE tenant_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`,
      [after, limit],
    );
  }

  listKeys(): Promise<Pick<AuditKeyEntity, 'kid' | 'sealedPublicJwk'>[]> {
    return this.database
      .repository(AuditKeyEntity)
      .find({ select: { kid: true, sealedPublicJwk: true }, order: { createdAt: 'ASC', kid: 'ASC' } });
  }

  /** Adds a key, or seals it again under the current root secret. */
  async saveKey(kid: string, sealedPublicJwk: string): Promise<void> {
    await this.database.rows(
      `INSERT INTO audit_keys (kid, sealed_public_jwk) VALUES ($1, $2)
       ON CONFLICT (kid) DO UPDATE SET sealed_public_jwk = excluded.sealed_public_jwk`,
      [kid, sealedPublicJwk],
    );
  }
}
