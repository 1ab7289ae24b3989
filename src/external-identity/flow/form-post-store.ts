import { Injectable } from '@nestjs/common';
import {
  createOneTimeToken,
  hashOneTimeToken,
  KeyDerivation,
  keyedHash,
  Sealer,
} from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import { siteOf } from '../../platform/web/index.js';
import type { CallbackParameters, Kind } from '../providers/provider.js';
import { FormPostRepository } from './form-post.repository.js';
import type { FlowState } from './state.js';

/** A redirect takes a second or two. */
const FORM_LIFETIME_SECONDS = 60;
/**
 * Of one network, of IPv6 one /48, in a minute: a hundred sign-ins by SAML answers of 20 KiB, and
 * no more than eight of the largest.
 */
const MAX_NETWORK_BYTES = 4 * 1_024 * 1_024;
const TOO_MANY = 'Too many sign-ins from your network are under way. Wait a minute, then start again.';

/**
 * Forms that providers have posted, while the browser makes one more step. A post from another site
 * carries no cookie, so that nobody can tell whose browser it is; the step to our own address does
 * (ADR 15). They say who somebody is, so they are sealed.
 */
@Injectable()
export class FormPostStore {
  private readonly sealer: Sealer;

  constructor(
    private readonly kept: FormPostRepository,
    private readonly keys: KeyDerivation,
  ) {
    this.sealer = new Sealer(keys, 'external-form');
  }

  /**
   * Keeps a form for a minute: one per flow and network, so that neither a second post of the same
   * browser nor a post of a stranger takes the place of another network's.
   * @param network that the post comes from
   * @returns the key to it
   * @throws {AppError} too-many-requests where the forms of the network take up its share
   */
  async keep(
    { kind, flowId }: Pick<FlowState, 'kind' | 'flowId'>,
    network: string,
    parameters: CallbackParameters,
  ): Promise<string> {
    const { plainToken, tokenHash } = createOneTimeToken();
    const form = {
      keyHash: tokenHash,
      slot: this.nameOf(`${flowId}|${network}`),
      network: this.nameOf(siteOf(network)),
      sealed: this.sealer.seal(JSON.stringify([kind, parameters])),
    };
    if (!(await this.kept.insert(form, FORM_LIFETIME_SECONDS, MAX_NETWORK_BYTES)))
      throw new AppError('too-many-requests', {
        detail: TOO_MANY,
        retryAfterSeconds: FORM_LIFETIME_SECONDS,
      });
    return plainToken;
  }

  /** The form of this key, which stays: it is not known yet whose browser asks. */
  async find(kind: Kind, key: string): Promise<CallbackParameters | null> {
    const sealed = await this.kept.find(hashOneTimeToken(key));
    if (sealed === null) return null;
    const [keptFor, parameters] = JSON.parse(this.sealer.open(sealed)) as [Kind, CallbackParameters];
    return keptFor === kind ? parameters : null;
  }

  /** Empties it. @returns true for the first caller only */
  take(key: string): Promise<boolean> {
    return this.kept.empty(hashOneTimeToken(key));
  }

  private nameOf(value: string): Buffer {
    return keyedHash(this.keys, 'external-form-network', value);
  }
}
