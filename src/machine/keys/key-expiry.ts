import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { JobHandler } from '../../platform/jobs/index.js';
import { CredentialRepository } from './credential.repository.js';
import { KeyIssuer } from './key-issuer.js';

/** Keys of one transaction. */
const BATCH = 100;

/** Announces keys that end within a week, so that their holders replace them. */
@Injectable()
export class KeyExpiry {
  constructor(
    private readonly database: Database,
    private readonly credentials: CredentialRepository,
    private readonly issuer: KeyIssuer,
  ) {}

  @JobHandler({ task: 'announce_expiring_keys', schedule: '23 * * * *' })
  async announce(): Promise<void> {
    while ((await this.database.transaction(() => this.announceBatch())) === BATCH);
  }

  private async announceBatch(): Promise<number> {
    const keys = await this.credentials.takeExpiring(BATCH);
    for (const key of keys) await this.issuer.record('expiring', key.createdBy, key);
    return keys.length;
  }
}
