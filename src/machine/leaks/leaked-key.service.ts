import { Injectable } from '@nestjs/common';
import type { UserId } from '../../kernel/index.js';
import { isApiKeyOf, KeyDerivation, parseApiKey } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import { CredentialRepository } from '../keys/credential.repository.js';
import { KeyIssuer } from '../keys/key-issuer.js';
import { LeakedKeyMails } from './leaked-key-mails.js';

/** Ends keys that were found where they must not be, for any reporter. */
@Injectable()
export class LeakedKeyService {
  constructor(
    private readonly database: Database,
    private readonly credentials: CredentialRepository,
    private readonly derivation: KeyDerivation,
    private readonly issuer: KeyIssuer,
    private readonly mails: LeakedKeyMails,
    private readonly lifecycle: Lifecycle,
  ) {}

  /**
   * Ends a key and queues mails to its owners. Does nothing for an unknown key, and does not tell
   * so.
   */
  async report(plainKey: string): Promise<void> {
    const parsed = parseApiKey(plainKey);
    if (!parsed) return;
    await this.database.transaction(async () => {
      await this.endMachineKey(plainKey, parsed.id);
      await this.lifecycle.emit('key.leaked', {
        plainKey,
        ended: (key) => this.mails.queue({ ...key, userId: null }),
      });
    });
  }

  private async endMachineKey(plainKey: string, lookup: string): Promise<void> {
    const [key] = await this.credentials.findByLookup([lookup]);
    if (!key?.secretHash || !isApiKeyOf(this.derivation, 'api-key', plainKey, key.secretHash)) return;
    const end = { by: null, reason: 'leaked' } as const;
    const ended = await this.credentials.end(key, key.id, ['key', 'secret'], end);
    if (!ended) return;
    const { tenantId, ownerId, ownerKind, name } = key;
    await this.issuer.recordLeaked(ownerId as UserId, ended);
    await this.mails.queue({
      tenantId,
      userId: ownerKind === 'person' ? (ownerId as UserId) : null,
      name,
    });
  }
}
