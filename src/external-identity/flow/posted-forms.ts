import { Injectable } from '@nestjs/common';
import { createOneTimeToken, hashOneTimeToken, KeyDerivation, Sealer } from '../../platform/crypto/index.js';
import type { CallbackParameters, Kind } from '../providers/provider.js';
import { PostedFormRepository } from './posted-form.repository.js';

/** A redirect takes a second or two. */
const FORM_LIFETIME_SECONDS = 60;

/**
 * Forms that providers have posted, while the browser makes one more step. A post from another site carries no cookie, so that nobody can tell
 * whose browser it is; the step to our own address does (security bar EXT-9). They say who somebody is, so they are sealed.
 */
@Injectable()
export class PostedForms {
  private readonly sealer: Sealer;

  constructor(
    private readonly kept: PostedFormRepository,
    keys: KeyDerivation,
  ) {
    this.sealer = new Sealer(keys, 'external-form');
  }

  /** Keeps a form for a minute. Answers the key to it. */
  async keep(kind: Kind, parameters: CallbackParameters): Promise<string> {
    const { plainToken, tokenHash } = createOneTimeToken();
    const sealed = this.sealer.seal(JSON.stringify([kind, parameters]));
    await this.kept.insert(tokenHash, sealed, FORM_LIFETIME_SECONDS);
    return plainToken;
  }

  /** The form of this key, which stays: it is not known yet whose browser asks. */
  async find(kind: Kind, key: string): Promise<CallbackParameters | null> {
    const sealed = await this.kept.find(hashOneTimeToken(key));
    if (sealed === null) return null;
    const [keptFor, parameters] = JSON.parse(this.sealer.open(sealed)) as [Kind, CallbackParameters];
    return keptFor === kind ? parameters : null;
  }

  /** Removes it. Answers true once. */
  take(key: string): Promise<boolean> {
    return this.kept.delete(hashOneTimeToken(key));
  }
}
