import type { LifecycleEvents } from '../../kernel/index.js';
import { Cleanup } from '../../platform/cleanup/index.js';
import { type Database, prepared } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';

/**
 * One-time codes by which a client joins a session, by their hash: what those of satellites and of
 * OpenID Connect have in common. Each kind has a table, as their columns differ.
 */
export abstract class OneTimeCodes {
  constructor(
    protected readonly database: Database,
    private readonly table: 'oidc_codes' | 'satellite_codes',
  ) {}

  /**
   * Consumes a code that was found alive: one atomic statement. If it has expired since, that is no
   * reuse.
   * @returns true for the first caller only
   */
  async consume(codeHash: Buffer): Promise<boolean> {
    const consumed = await this.database.rows(
      prepared(
        `UPDATE ${this.table} SET consumed_at = now() WHERE code_hash = $1 AND consumed_at IS NULL RETURNING 1`,
      ),
      [codeHash],
    );
    return consumed.length === 1;
  }

  /** Removes the codes of a deleted tenant. */
  @OnLifecycle('tenant.deleting')
  async deleteOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    const deleted = await this.database.rows(
      `DELETE FROM ${this.table} WHERE code_hash IN (
         SELECT code_hash FROM ${this.table} WHERE tenant_id = $1 LIMIT $2) RETURNING 1`,
      [tenantId, batch],
    );
    if (deleted.length === batch) repeat();
  }

  /** Removes expired codes: their reuse ends nothing. */
  @Cleanup()
  cleanUp(): Promise<boolean> {
    return this.database.removeInBatches({
      table: this.table,
      key: 'code_hash',
      when: 'expires_at < now()',
    });
  }
}
