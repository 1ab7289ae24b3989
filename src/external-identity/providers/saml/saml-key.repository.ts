import { Injectable } from '@nestjs/common';
import { Database, type Selected } from '../../../platform/database/index.js';
import { SamlKeyEntity } from './saml-key.entity.js';

const KEY_PAIR = { certificate: true, sealedPrivateKey: true } as const;

/** The stored key pair, with the private key sealed. */
export type StoredSamlKey = Selected<SamlKeyEntity, typeof KEY_PAIR>;

/** The key pair that signs SAML requests. */
@Injectable()
export class SamlKeyRepository {
  constructor(private readonly database: Database) {}

  async find(): Promise<StoredSamlKey | null> {
    const [key] = await this.database.repository(SamlKeyEntity).find({ select: KEY_PAIR });
    return key ?? null;
  }

  /** Stores a key unless there is one: of replicas that start together, the first one's is kept. */
  async insert({ certificate, sealedPrivateKey }: StoredSamlKey): Promise<void> {
    const insert = this.database.repository(SamlKeyEntity).createQueryBuilder().insert();
    await insert.values({ certificate, sealedPrivateKey }).orIgnore().execute();
  }

  /** Replaces the sealed form of the key, after a change of ROOT_SECRET. */
  async reseal(sealedPrivateKey: string): Promise<void> {
    await this.database.repository(SamlKeyEntity).updateAll({ sealedPrivateKey });
  }
}
