import { Injectable } from '@nestjs/common';
import {
  createOneTimeToken,
  hashOneTimeToken,
  KeyDerivation,
  keyedHash,
  Sealer,
} from '../../../platform/crypto/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { siteOf } from '../../../platform/web/index.js';
import type { CallbackParameters, Kind } from '../../providers/provider.js';
import { FormPostRepository } from './form-post.repository.js';
import type { FlowState } from '../state/state-store.js';

/** The redirect to our own callback takes one or two seconds. */
const FORM_LIFETIME_SECONDS = 60;
/**
 * Maximum of one network (IPv6: one /48) per minute: a hundred sign-ins with SAML responses of
 * 20 KiB, or eight of the largest.
 */
const MAX_NETWORK_BYTES = 4 * 1_024 * 1_024;
const TOO_MANY = 'Too many sign-ins from your network are under way. Wait a minute, then start again.';

/**
 * Stores forms that providers have posted until the browser follows our redirect. A cross-site POST
 * carries no cookie, so it does not identify the browser; the redirect to our own callback does
 * (ADR 15). Forms contain personal data, so they are sealed.
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
   * Stores a form for a minute: one per flow and network. A second POST from the same network
   * replaces the first; a POST from another network replaces nothing.
   * @param network network of the client that sent the POST
   * @returns the key of the form
   * @throws {AppError} too-many-requests if the network has stored its share of forms
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

  /** Returns a form without removing it: the browser is not checked yet. */
  async find(kind: Kind, key: string): Promise<CallbackParameters | null> {
    const sealed = await this.kept.find(hashOneTimeToken(key));
    if (sealed === null) return null;
    const [keptFor, parameters] = JSON.parse(this.sealer.open(sealed)) as [Kind, CallbackParameters];
    return keptFor === kind ? parameters : null;
  }

  /** Empties the stored form. @returns true for the first caller only */
  take(key: string): Promise<boolean> {
    return this.kept.empty(hashOneTimeToken(key));
  }

  private nameOf(value: string): Buffer {
    return keyedHash(this.keys, 'external-form-network', value);
  }
}
