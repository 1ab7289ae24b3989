import { Injectable } from '@nestjs/common';
import { Database, type Selected } from '../../../platform/database/index.js';
import { OidcKeyEntity } from './oidc-key.entity.js';

const KEY = { kid: true, sealedPrivateKey: true } as const;

/** The stored key, sealed. */
type StoredOidcKey = Selected<OidcKeyEntity, typeof KEY>;

/** The key by which this service authenticates at providers. */
@Injectable()
export class OidcKeyRepository {
  constructor(private readonly database: Database) {}

  async find(): Promise<StoredOidcKey | null> {
    const [key] = await this.database.repository(OidcKeyEntity).find({ select: KEY });
    return key ?? null;
  }

  /** Stores a key unless there is one: of concurrent replicas, the first one's is kept. */
  async insert({ kid, sealedPrivateKey }: StoredOidcKey): Promise<void> {
    const insert = this.database.repository(OidcKeyEntity).createQueryBuilder().insert();
    await insert.values({ kid, sealedPrivateKey }).orIgnore().execute();
  }

  /** Replaces the sealed form of the key. */
  async reseal(sealedPrivateKey: string): Promise<void> {
    await this.database.repository(OidcKeyEntity).update({ single: true }, { sealedPrivateKey });
  }
}
