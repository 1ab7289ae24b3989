import { Injectable } from '@nestjs/common';
import { newId } from '../../../kernel/index.js';
import { Database } from '../../../platform/database/index.js';
import type { KeyKind } from './connection-key.entity.js';
import type { SealedConnectionKey } from './connection-key.repository.js';

/**
 * The one key of each kind that the previous release knows. It makes the first key where there is
 * none, and reads it once after its start. So both releases agree on the first key, and a process
 * of the previous release that starts after a rollover signs by the key that signs here.
 */
@Injectable()
export class PreviousKeyRepository {
  constructor(private readonly database: Database) {}

  /** Stores the first key, unless there is one. @returns the one that is stored */
  async insertFirst(key: SealedConnectionKey): Promise<SealedConnectionKey> {
    const { kid, kind, certificate, sealedPrivateKey } = key;
    if (kind === 'saml')
      await this.database.rows(
        'INSERT INTO saml_keys (certificate, sealed_private_key) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        [certificate, sealedPrivateKey],
      );
    else
      await this.database.rows(
        'INSERT INTO oidc_client_keys (kid, sealed_private_key) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        [kid, sealedPrivateKey],
      );
    return (await this.find(kind)) ?? key;
  }

  find(kind: KeyKind): Promise<SealedConnectionKey | null> {
    return kind === 'saml'
      ? this.database.row(
          `SELECT $1 AS kid, 'saml' AS kind, certificate, sealed_private_key AS "sealedPrivateKey" FROM saml_keys`,
          [newId()],
        )
      : this.database.row(
          `SELECT kid, 'oidc' AS kind, NULL AS certificate, sealed_private_key AS "sealedPrivateKey" FROM oidc_client_keys`,
        );
  }

  /** Replaces the keys by those that sign, sealed as they are. */
  async update(): Promise<void> {
    const signing = (kind: KeyKind) =>
      `(SELECT kid, certificate, sealed_private_key AS sealed FROM connection_keys
        WHERE kind = '${kind}' AND signs_from <= now() ORDER BY signs_from DESC LIMIT 1) k`;
    await this.database.rows(
      `UPDATE saml_keys SET certificate = k.certificate, sealed_private_key = k.sealed FROM ${signing('saml')}
       WHERE sealed_private_key <> k.sealed`,
    );
    await this.database.rows(
      `UPDATE oidc_client_keys SET kid = k.kid, sealed_private_key = k.sealed FROM ${signing('oidc')}
       WHERE sealed_private_key <> k.sealed`,
    );
  }
}
