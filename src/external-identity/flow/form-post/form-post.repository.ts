import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { RemovesExpired } from '../../../platform/cleanup/index.js';

/** A form to store, sealed. Slot and network are keyed hashes. */
interface FormPost {
  readonly keyHash: Buffer;
  /** Identifies one flow and one network. */
  readonly slot: Buffer;
  readonly network: Buffer;
  readonly sealed: string;
}

/**
 * Sealed forms that wait for their browser. The row of a form that was read stays, empty, until it
 * expires: it counts towards the share of its network, because PostgreSQL does not free the space
 * at once.
 */
@RemovesExpired({ table: 'external_forms', key: 'key_hash', when: 'expires_at < now()' })
@Injectable()
export class FormPostRepository {
  constructor(private readonly database: Database) {}

  /**
   * Stores a form, in place of an earlier one in its slot.
   * @returns false if the network has stored its share within the lifetime; then nothing is stored
   */
  async insert(form: FormPost, lifetimeSeconds: number, maxNetworkBytes: number): Promise<boolean> {
    const { keyHash, slot, network, sealed } = form;
    // First without the lock, so that requests over the share do not wait for each other.
    if (!(await this.hasRoom(form, maxNetworkBytes))) return false;
    await this.deleteExpired();
    return this.database.transaction(async () => {
      // So that concurrent POSTs count each other's bytes.
      await this.database.lockNameForUpdate(network.toString('hex'));
      if (!(await this.hasRoom(form, maxNetworkBytes))) return false;
      await this.database.rows(
        `INSERT INTO external_forms AS kept (key_hash, slot, network, sealed, bytes, expires_at)
         VALUES ($1, $2, $3, $4, length($4), now() + make_interval(secs => $5))
         ON CONFLICT (slot) DO UPDATE SET key_hash = excluded.key_hash, sealed = excluded.sealed, expires_at = excluded.expires_at,
           bytes = excluded.bytes + CASE WHEN kept.expires_at > now() THEN kept.bytes ELSE 0 END`,
        [keyHash, slot, network, sealed, lifetimeSeconds],
      );
      return true;
    });
  }

  async find(keyHash: Buffer): Promise<string | null> {
    const row = await this.database.row<{ sealed: string }>(
      "SELECT sealed FROM external_forms WHERE key_hash = $1 AND sealed <> '' AND expires_at > now()",
      [keyHash],
    );
    return row?.sealed ?? null;
  }

  /** @returns true for the first caller only */
  async empty(keyHash: Buffer): Promise<boolean> {
    const sql = "UPDATE external_forms SET sealed = '' WHERE key_hash = $1 AND sealed <> '' RETURNING 1";
    return (await this.database.rows(sql, [keyHash])).length === 1;
  }

  /**
   * Removes expired rows, because anyone may post a form, and forms are large. Runs in a
   * transaction of its own: rows locked here while a transaction waits for the lock of its network
   * would deadlock with a POST of that network to the same slot.
   */
  private async deleteExpired(): Promise<void> {
    await this.database.rows(
      `DELETE FROM external_forms WHERE key_hash IN
         (SELECT key_hash FROM external_forms WHERE expires_at < now() LIMIT 100 FOR UPDATE SKIP LOCKED)`,
    );
  }

  private async hasRoom({ network, sealed }: FormPost, maxNetworkBytes: number): Promise<boolean> {
    const { bytes } = await this.database.getRow<{ bytes: number }>(
      'SELECT coalesce(sum(bytes), 0)::int AS bytes FROM external_forms WHERE network = $1 AND expires_at > now()',
      [network],
    );
    return bytes + sealed.length <= maxNetworkBytes;
  }
}
