import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import type { Kind, ProvenProfile } from '../providers/provider.js';

/** Completed flows and consumed proofs, each of which counts once. */
@RemovesExpired(
  { table: 'external_flows', key: 'id', when: 'expires_at < now()' },
  { table: 'external_proofs', key: 'proof_hash', when: 'expires_at < now()' },
)
@Injectable()
export class FlowRepository {
  constructor(private readonly database: Database) {}

  /** Records a flow as completed. @returns true for the first caller only */
  async complete(flowId: string, keepSeconds: number): Promise<boolean> {
    const rows = await this.database.rows(
      'INSERT INTO external_flows (id, expires_at) VALUES ($1, now() + make_interval(secs => $2)) ON CONFLICT DO NOTHING RETURNING 1',
      [flowId, keepSeconds],
    );
    return rows.length === 1;
  }

  /**
   * Records the proof of a profile as used, if it is for one use.
   * @returns false if it was used before
   */
  async consumeOnce(kind: Kind, { once }: Pick<ProvenProfile, 'once'>): Promise<boolean> {
    return !once || this.consumeProof(`${kind}|${once.key}`, once.until);
  }

  /**
   * Records the hash of a proof as used.
   * @param proof text that no other proof has
   * @returns true for the first caller only
   */
  async consumeProof(proof: string, until: Date): Promise<boolean> {
    const rows = await this.database.rows(
      'INSERT INTO external_proofs (proof_hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
      [hash('sha256', proof, 'buffer'), until],
    );
    return rows.length === 1;
  }
}
