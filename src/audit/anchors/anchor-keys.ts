import { createPublicKey, type KeyObject, type webcrypto } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyDerivation, Sealer, UnknownSeal } from '../../platform/crypto/index.js';
import { type SigningKey, SigningKeyService } from '../../session/index.js';
import { AnchorRepository } from './anchor.repository.js';

/** Public half of a key that has signed anchors. */
export interface AnchorKey {
  readonly kid: string;
  readonly publicJwk: webcrypto.JsonWebKey;
}

/**
 * The signing keys, as anchors need them: the public half is kept after the key itself is deleted,
 * so that a rotation leaves old anchors verifiable.
 */
@Injectable()
export class AnchorKeys {
  private readonly sealer: Sealer;

  constructor(
    private readonly repository: AnchorRepository,
    private readonly keys: SigningKeyService,
    derivation: KeyDerivation,
  ) {
    this.sealer = new Sealer(derivation, 'audit-key');
  }

  /** Returns the key that signs now, and keeps its public half. Seals the earlier ones again. */
  async prepare(): Promise<SigningKey> {
    const { current } = this.keys;
    const earlier = (await this.list()).filter(({ kid }) => kid !== current.kid);
    for (const { kid, publicJwk } of [...earlier, current])
      await this.repository.saveKey(kid, this.sealer.seal(JSON.stringify({ kid, publicJwk })));
    return current;
  }

  /** Lists the keys that this service has sealed, oldest first. */
  async list(): Promise<AnchorKey[]> {
    const stored = await this.repository.listKeys();
    return stored.flatMap(({ kid, sealedPublicJwk }) => {
      const key = this.open(sealedPublicJwk);
      return key?.kid === kid ? [key] : [];
    });
  }

  /** Returns the keys by id, as a verification needs them. */
  async load(): Promise<ReadonlyMap<string, KeyObject>> {
    const keys = await this.list();
    return new Map(
      keys.map(({ kid, publicJwk }) => [kid, createPublicKey({ key: publicJwk, format: 'jwk' })]),
    );
  }

  private open(sealed: string): AnchorKey | null {
    try {
      return JSON.parse(this.sealer.open(sealed)) as AnchorKey;
    } catch (error) {
      if (error instanceof UnknownSeal) return null;
      throw error;
    }
  }
}
