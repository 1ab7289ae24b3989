import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import type { UserId } from '../../kernel/index.js';
import type { FactorScope } from '../factor.repository.js';
import { Ceremonies, type CeremonyUse, invalidCeremony, type OpenCeremony } from './ceremonies.js';
import { CEREMONY_LIFETIME_SECONDS } from './spent-ceremony.repository.js';
import type { AssertionCredential, RegistrationCredential } from './credential.js';
import { PasskeyRepository, type StoredCredential } from './passkey.repository.js';
import {
  ALGORITHMS,
  type Assertion,
  type NewCredential,
  type RelyingParty,
  verifyAssertion,
  verifyRegistration,
} from './webauthn.js';

const TIMEOUT_MS = CEREMONY_LIFETIME_SECONDS * 1_000;

/** Options of a ceremony, for `navigator.credentials` (WebAuthn Level 3, in JSON). */
export interface CeremonyOptions {
  readonly ceremony: string;
  readonly publicKey: Readonly<Record<string, unknown>>;
  readonly expiresInSeconds: number;
}

/** An answer to a ceremony, as the client sends it. */
export interface AssertionAnswer {
  readonly ceremony: string;
  readonly credential: AssertionCredential;
}

/** A verified use of a passkey, which {@link PasskeyService.use} notes. */
export interface VerifiedPasskey {
  readonly ceremony: OpenCeremony;
  readonly passkey: StoredCredential;
  readonly assertion: Assertion;
}

/** Registers passkeys and verifies their use. */
@Injectable()
export class PasskeyService {
  private readonly logger = new Logger('Passkeys');
  private readonly relyingParty: RelyingParty;

  constructor(
    private readonly passkeys: PasskeyRepository,
    private readonly ceremonies: Ceremonies,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.relyingParty = { rpId: settings.PASSKEY_RP_ID, origins: settings.PASSKEY_ORIGINS };
  }

  /**
   * Creates the options of an assertion.
   * @param userId whose passkeys are allowed; null for any discoverable one
   * @param scope passkeys that count
   */
  async createOptions(
    use: CeremonyUse,
    userId: UserId | null,
    scope: FactorScope = [],
  ): Promise<CeremonyOptions> {
    const { ceremony, challenge } = this.ceremonies.begin(use);
    const own = userId === null ? null : await this.passkeys.list(userId);
    const allowed = own?.filter(
      ({ assuredBy }) => assuredBy === null || scope === 'all' || scope.includes(assuredBy),
    );
    const publicKey = {
      challenge,
      rpId: this.relyingParty.rpId,
      timeout: TIMEOUT_MS,
      userVerification: 'required',
      ...(allowed && { allowCredentials: allowed.map(descriptorOf) }),
    };
    return { ceremony, publicKey, expiresInSeconds: CEREMONY_LIFETIME_SECONDS };
  }

  /** Creates the options of a registration. The account's own authenticators are excluded. */
  async createRegistrationOptions(
    use: CeremonyUse,
    userId: UserId,
    { name, displayName }: { readonly name: string; readonly displayName: string },
  ): Promise<CeremonyOptions> {
    const { ceremony, challenge } = this.ceremonies.begin(use);
    const handle = await this.passkeys.getHandle(userId);
    const publicKey = {
      challenge,
      rp: { id: this.relyingParty.rpId, name: this.settings.MFA_ISSUER },
      user: { id: handle.toString('base64url'), name, displayName },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      timeout: TIMEOUT_MS,
      attestation: 'none',
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      excludeCredentials: (await this.passkeys.list(userId)).map(descriptorOf),
      extensions: { credProps: true },
    };
    return { ceremony, publicKey, expiresInSeconds: CEREMONY_LIFETIME_SECONDS };
  }

  /**
   * Verifies a registration. The caller has to spend the ceremony.
   * @throws {AppError} validation-error on `ceremony`
   * @returns null if the credential is not valid
   */
  async verifyRegistration(
    ceremony: string,
    use: CeremonyUse,
    credential: RegistrationCredential,
  ): Promise<{ readonly ceremony: OpenCeremony; readonly created: NewCredential } | null> {
    const open = this.ceremonies.open(ceremony, use);
    const created = await verifyRegistration(this.relyingParty, credential, open.challenge);
    return created && { ceremony: open, created };
  }

  /**
   * Verifies the use of a passkey; {@link use} makes it count.
   * @param userId whose passkey it has to be; null for any, which then has to name its user
   * @throws {AppError} validation-error on `ceremony`
   * @returns null if the passkey is not known (`known: false`) or the assertion is not valid
   */
  async verify(
    { ceremony, credential }: AssertionAnswer,
    use: CeremonyUse,
    userId: UserId | null,
  ): Promise<{ readonly known: boolean; readonly verified: VerifiedPasskey | null }> {
    const open = this.ceremonies.open(ceremony, use);
    const passkey = await this.passkeys.findByCredential(Buffer.from(credential.id, 'base64url'));
    if (!passkey || (userId !== null && passkey.userId !== userId)) return { known: false, verified: null };
    const handle = credential.response.userHandle ?? '';
    const isOwner = handle === passkey.handle.toString('base64url') || (userId !== null && handle === '');
    const assertion = isOwner
      ? await verifyAssertion(this.relyingParty, credential, open.challenge, passkey.publicKey)
      : null;
    // Whether a passkey can be synced is decided when it is created (WebAuthn section 6.1.3).
    if (assertion?.backupEligible !== passkey.backupEligible) return { known: true, verified: null };
    return { known: true, verified: { ceremony: open, passkey, assertion } };
  }

  /**
   * Spends the ceremony and notes the use, in the open transaction. Codes of apps of the owner are
   * accepted again: a caller who guesses them has no passkey.
   * @returns false if the passkey has been removed, or the counter of one that cannot be synced has
   *   gone back: a copy of it may exist
   * @throws {AppError} validation-error on `ceremony` if it has been spent
   */
  async use({ ceremony, passkey, assertion }: VerifiedPasskey): Promise<boolean> {
    const { isSpent, isUsed } = await this.passkeys.use(ceremony, passkey, assertion);
    if (!isSpent) throw invalidCeremony();
    if (passkey.backupEligible && assertion.signCount < Number(passkey.signCount))
      this.logger.warn('The counter of a synced passkey has gone back.');
    return isUsed;
  }
}

const descriptorOf = ({ credentialId, transports }: { credentialId: Buffer; transports: string[] }) => ({
  type: 'public-key',
  id: credentialId.toString('base64url'),
  transports,
});
