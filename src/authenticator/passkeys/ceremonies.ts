import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { isSameText, KeyDerivation } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import { CEREMONY_LIFETIME_SECONDS, SpentCeremonyRepository } from './spent-ceremony.repository.js';

const FLOW_ID_BYTES = 16;
const FORMAT = /^([\w-]{22})\.(\d{10})\.([\w-]{43})$/;

/**
 * What a ceremony is for. `binding` is whom or what it belongs to: an account and session, or the
 * challenge of a sign-in; empty for a sign-in by a discoverable passkey.
 */
export interface CeremonyUse {
  readonly purpose: 'sign-in' | 'second-factor' | 'step-up' | 'registration';
  readonly binding: string;
}

/** A ceremony that was begun here, for this use, and has not expired. */
export interface OpenCeremony {
  readonly flowId: Buffer;
  /** Challenge that the authenticator has signed, in base64url. */
  readonly challenge: string;
}

/**
 * Ceremonies of WebAuthn. To begin one writes nothing: its challenge is a MAC of a random flow id,
 * its use and its expiry. To finish one spends the flow id in the transaction of its effect.
 */
@Injectable()
export class Ceremonies {
  constructor(
    private readonly spent: SpentCeremonyRepository,
    @Inject(KeyDerivation) private readonly keys: KeyDerivation,
  ) {}

  /** @returns the ceremony, as the client sends it back, and the challenge to be signed */
  begin(use: CeremonyUse): { readonly ceremony: string; readonly challenge: string } {
    const [{ key }] = this.keys.subkeys('passkey-ceremony');
    const flow = randomBytes(FLOW_ID_BYTES).toString('base64url');
    const expiry = String(Math.floor(Date.now() / 1_000) + CEREMONY_LIFETIME_SECONDS);
    const tag = mac(key, 'ceremony', use, flow, expiry);
    return { ceremony: `${flow}.${expiry}.${tag}`, challenge: mac(key, 'challenge', use, flow, expiry) };
  }

  /**
   * Verifies a ceremony.
   * @throws {AppError} validation-error on `ceremony` if it is forged, expired, or for another use
   */
  open(ceremony: string, use: CeremonyUse): OpenCeremony {
    const [, flow = '', expiry = '', tag = ''] = FORMAT.exec(ceremony) ?? [];
    const found = this.keys
      .subkeys('passkey-ceremony')
      .find(({ key }) => isSameText(tag, mac(key, 'ceremony', use, flow, expiry)));
    if (!found || Number(expiry) * 1_000 <= Date.now()) throw invalidCeremony();
    return {
      flowId: Buffer.from(flow, 'base64url'),
      challenge: mac(found.key, 'challenge', use, flow, expiry),
    };
  }

  /**
   * Spends a ceremony in the open transaction: one of several concurrent ones.
   * @throws {AppError} validation-error on `ceremony` if it has been spent
   */
  async spend({ flowId }: OpenCeremony): Promise<void> {
    if (!(await this.spent.insert(flowId))) throw invalidCeremony();
  }
}

function mac(
  key: Buffer,
  what: 'ceremony' | 'challenge',
  { purpose, binding }: CeremonyUse,
  flow: string,
  expiry: string,
): string {
  return createHmac('sha256', key)
    .update(`v1|${what}|${purpose}|${flow}|${expiry}|${binding}`)
    .digest('base64url');
}

/** Returns the error for a ceremony that is unknown, expired or spent. */
export const invalidCeremony = (): AppError =>
  AppError.violation('ceremony', 'is unknown, expired or used. Ask for new options.');
