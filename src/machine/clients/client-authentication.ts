import { Injectable } from '@nestjs/common';
import { isUlid, type MachinePrincipal, type UserId } from '../../kernel/index.js';
import { KeyDerivation, isApiKeyOf } from '../../platform/crypto/index.js';
import { KeyUse } from '../keys/key-use.js';
import type { Credential } from '../keys/credential.repository.js';
import { MachineDirectory } from '../machine-directory.js';
import { ClientAssertions } from './client-assertions.js';
import { ClientDirectory } from './client-directory.js';

/** Authenticates service accounts at the token endpoint. */
@Injectable()
export class ClientAuthentication {
  constructor(
    private readonly clients: ClientDirectory,
    private readonly machines: MachineDirectory,
    private readonly assertions: ClientAssertions,
    private readonly derivation: KeyDerivation,
    private readonly use: KeyUse,
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
   * Verifies a signed assertion, as {@link ClientAssertions} does.
   * @returns null if it is refused
   */
  async byAssertion(assertion: string): Promise<MachinePrincipal | null> {
    const read = await this.assertions.read(assertion);
    if (!read) return null;
    for (const credential of await this.findCredentials(read.clientId)) {
      const { publicKey, jwksUri } = credential;
      const keys = publicKey === null ? [] : [publicKey];
      if (await this.assertions.accept(read, { keys, jwksUri })) return this.accept(credential);
    }
    return null;
  }

  /** Returns whether the account and the credential of a token are still accepted. */
  async isLive({ clientId, credentialId }: MachinePrincipal): Promise<boolean> {
    return (await this.findCredentials(clientId)).some(({ id }) => id === credentialId);
  }

  /** Finds the credentials that have not expired, of an account that is active. */
  private async findCredentials(clientId: string): Promise<readonly Credential[]> {
    if (!isUlid(clientId)) return [];
    const client = await this.clients.find(clientId);
    if (!client || !(await this.machines.isUsable(clientId, client.tenantId))) return [];
    return client.credentials.filter(
      ({ expiresAt }) => expiresAt === null || expiresAt.getTime() > Date.now(),
    );
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
