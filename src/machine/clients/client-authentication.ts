import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { JWK, JWTPayload } from 'jose';
import { MembershipDirectory } from '../../iam/index.js';
import { isUlid, type MachinePrincipal, type UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { KeyDerivation, isApiKeyOf } from '../../platform/crypto/index.js';
import { KeyUse } from '../keys/key-use.js';
import type { Credential } from '../keys/credential.repository.js';
import { MachineDirectory } from '../machine-directory.js';
import { ClientDirectory } from './client-directory.js';
import { algorithmsOf, ASSERTION_ALGORITHMS } from './client-key.js';
import { ClientKeys } from './client-keys.js';

/** Longest lifetime of an assertion, in seconds. */
const MAX_ASSERTION_SECONDS = 300;
const CLOCK_TOLERANCE_SECONDS = 5;
/** Characters. A longer assertion is refused before it is parsed. */
const MAX_ASSERTION_LENGTH = 8_192;
const MAX_JTI_LENGTH = 255;

/** Authenticates service accounts at the token endpoint. */
@Injectable()
export class ClientAuthentication {
  constructor(
    private readonly clients: ClientDirectory,
    private readonly machines: MachineDirectory,
    private readonly members: MembershipDirectory,
    private readonly keys: ClientKeys,
    private readonly derivation: KeyDerivation,
    private readonly use: KeyUse,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Verifies a client secret (RFC 6749 section 2.3.1).
   * @returns null if it is wrong, or the account is not active
   */
  async bySecret(clientId: string, plainSecret: string): Promise<MachinePrincipal | null> {
    const credentials = await this.findCredentials(clientId);
    // Compares with each of them, so that the time does not tell which one matched.
    const matching = credentials.filter(
      ({ secretHash }) =>
        secretHash !== null && isApiKeyOf(this.derivation, 'api-key', plainSecret, secretHash),
    );
    return matching[0] ? this.accept(matching[0]) : null;
  }

  /**
   * Verifies a signed assertion (RFC 7523 section 3): audience is the issuer of this service, at
   * most five minutes, and each `jti` once.
   * @returns null if it is refused
   */
  async byAssertion(assertion: string): Promise<MachinePrincipal | null> {
    if (assertion.length > MAX_ASSERTION_LENGTH) return null;
    const { decodeJwt, decodeProtectedHeader } = await import('jose');
    let clientId: unknown;
    let header: { alg?: string; kid?: string };
    try {
      clientId = decodeJwt(assertion).sub;
      header = decodeProtectedHeader(assertion);
    } catch {
      return null;
    }
    if (typeof clientId !== 'string' || !ASSERTION_ALGORITHMS.includes(String(header.alg))) return null;
    for (const credential of await this.findCredentials(clientId)) {
      const claims = await this.verify(assertion, credential, clientId, header);
      if (claims === null) continue;
      const hash = createHash('sha256')
        .update(JSON.stringify([clientId, claims.jti]))
        .digest();
      if (!(await this.clients.takeAssertion(hash))) return null;
      return this.accept(credential);
    }
    return null;
  }

  /** Returns whether the account and the credential of a token are still accepted. */
  async isLive({ clientId, credentialId }: MachinePrincipal): Promise<boolean> {
    return (await this.findCredentials(clientId)).some(({ id }) => id === credentialId);
  }

  /** @returns the claims; null if this credential has not signed it, or a claim is not accepted */
  private async verify(
    assertion: string,
    credential: Credential,
    clientId: string,
    header: { alg?: string; kid?: string },
  ): Promise<JWTPayload | null> {
    const { importJWK, jwtVerify } = await import('jose');
    for (const jwk of await this.findKeys(credential, header.kid)) {
      if (!algorithmsOf(jwk as Record<string, unknown>).includes(String(header.alg))) continue;
      try {
        const { payload } = await jwtVerify(assertion, await importJWK(jwk, header.alg), {
          algorithms: [String(header.alg)],
          issuer: clientId,
          subject: clientId,
          audience: this.settings.PUBLIC_URL,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          requiredClaims: ['exp', 'iat', 'jti'],
          maxTokenAge: MAX_ASSERTION_SECONDS,
        });
        return isAcceptable(payload) ? payload : null;
      } catch {
        // Another key may fit.
      }
    }
    return null;
  }

  private async findKeys({ publicKey, jwksUri }: Credential, kid: string | undefined): Promise<JWK[]> {
    if (publicKey !== null) return [publicKey as JWK];
    if (jwksUri === null) return [];
    const fits = (key: JWK) => kid === undefined || key.kid === undefined || key.kid === kid;
    try {
      const { keys } = await this.keys.find(jwksUri);
      const found = keys.filter(fits);
      return found.length > 0 ? found : (await this.keys.find(jwksUri, true)).keys.filter(fits);
    } catch {
      return [];
    }
  }

  private async findCredentials(clientId: string): Promise<readonly Credential[]> {
    if (!isUlid(clientId)) return [];
    const client = await this.clients.find(clientId);
    if (!client || !(await this.machines.findActive(clientId, client.tenantId))) return [];
    const state = await this.members.findState(client.tenantId, false);
    return state && !state.archived && !state.deletionStarted ? client.credentials : [];
  }

  private accept(credential: Credential): MachinePrincipal {
    const { id, tenantId, ownerId, scopes } = credential;
    this.use.note(credential);
    return {
      kind: 'machine',
      owner: 'service-account',
      userId: ownerId as UserId,
      clientId: ownerId,
      tenantId,
      credentialId: id,
      scopes: scopes && new Set(scopes),
    };
  }
}

/** Times and id of an assertion, beyond what the library checks. */
function isAcceptable({ iat, exp, jti, aud }: JWTPayload): boolean {
  if (typeof iat !== 'number' || typeof exp !== 'number') return false;
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI_LENGTH) return false;
  if (Array.isArray(aud) && aud.length !== 1) return false;
  return exp > iat && exp - iat <= MAX_ASSERTION_SECONDS;
}
