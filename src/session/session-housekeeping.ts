import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/index.js';
import { JobHandler } from '../platform/jobs/index.js';
import { SigningKeyService } from './signing-key.service.js';

const BATCH = 1_000;

/** What may go, found by index; the key by which it goes. Ended sessions stay a day for reuse detection, invitations a month for the list. */
const EXPIRED: readonly { readonly table: string; readonly key: string; readonly when: string }[] = [
  { table: 'pending_registrations', key: 'token_hash', when: 'expires_at < now()' },
  { table: 'password_resets', key: 'token_hash', when: 'expires_at < now()' },
  { table: 'satellite_codes', key: 'code_hash', when: "expires_at < now() - interval '1 day'" },
  { table: 'external_flows', key: 'id', when: 'expires_at < now()' },
  { table: 'external_states', key: 'key_hash', when: 'expires_at < now()' },
  { table: 'external_forms', key: 'key_hash', when: 'expires_at < now()' },
  { table: 'external_proofs', key: 'proof_hash', when: 'expires_at < now()' },
  { table: 'external_codes', key: 'code_hash', when: "expires_at < now() - interval '1 day'" },
  { table: 'login_throttles', key: '(account_key, network_key)', when: 'expires_at < now()' },
  { table: 'outgoing_mails', key: 'id', when: 'expires_at < now()' },
  { table: 'invitations', key: '(tenant_id, id)', when: "expires_at < now() - interval '30 days'" },
  { table: 'sessions', key: 'id', when: 'expires_at < now()' },
  { table: 'sessions', key: 'id', when: "ended_at < now() - interval '1 day'" },
];

/** Removes expired rows in small batches; a row that somebody holds is left for the next round. */
@Injectable()
export class Housekeeping {
  constructor(
    private readonly database: Database,
    private readonly keys: SigningKeyService,
  ) {}

  @JobHandler({ task: 'housekeeping', schedule: '*/10 * * * *' })
  async run(): Promise<void> {
    for (const { table, key, when } of EXPIRED) {
      const columns = key.replace(/[()]/g, '');
      let removed: number;
      do {
        const rows = await this.database.rows(
          `DELETE FROM ${table} WHERE ${key} IN (SELECT ${columns} FROM ${table} WHERE ${when} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
        );
        removed = rows.length;
      } while (removed === BATCH);
    }
    await this.keys.retire();
  }
}
