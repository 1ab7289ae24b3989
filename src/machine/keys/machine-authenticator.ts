import { Injectable } from '@nestjs/common';
import { MembershipDirectory } from '../../iam/index.js';
import type { MachinePrincipal } from '../../kernel/index.js';
import { isApiKeyOf, KeyDerivation, parseApiKey } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import { MachineDirectory } from '../machine-directory.js';
import { ClientAuthentication } from '../clients/client-authentication.js';
import { Federation } from '../trust/federation.js';
import { CredentialDirectory, type LiveKey } from './credential-directory.js';
import { KeyUse } from './key-use.js';

/** Characters of the public part of a key; other credentials have ids of 26. */
const LOOKUP_LENGTH = 10;
const KIND_OF_OWNER = { 'service-account': 'sa', person: 'me' } as const;

/** Authenticates programs by their keys. A key in use costs no statement. */
@Injectable()
export class MachineAuthenticator {
  constructor(
    private readonly credentials: CredentialDirectory,
    private readonly machines: MachineDirectory,
    private readonly members: MembershipDirectory,
    private readonly derivation: KeyDerivation,
    private readonly use: KeyUse,
    private readonly clients: ClientAuthentication,
    private readonly federation: Federation,
  ) {}

  /**
   * Verifies an API key, its owner and the network of the caller. A misspelled key is refused by
   * its checksum, without a statement.
   * @param ipAddress of the client, behind trusted proxies as they forward it
   * @throws {AppError} unauthenticated; the error of the database if it cannot be reached
   */
  async authenticate(plainKey: string, ipAddress: string): Promise<MachinePrincipal> {
    const parsed = parseApiKey(plainKey);
    if (!parsed) throw refused('misspelled');
    if (parsed.kind !== 'sa' && parsed.kind !== 'me') throw refused('not a key of a machine');
    const key = await this.credentials.find(parsed.id);
    if (!key || KIND_OF_OWNER[key.ownerKind] !== parsed.kind) throw refused('unknown or revoked');
    if (!isApiKeyOf(this.derivation, 'api-key', plainKey, key.secretHash)) throw refused('wrong secret');
    if (key.allowsAddress?.(ipAddress) === false) throw refused('foreign network');
    await this.requireKey(key);
    this.use.note(key);
    return toPrincipal(key);
  }

  /**
   * Requires that the credential by which a token was issued is still accepted.
   * @throws {AppError} unauthenticated
   */
  async requireLive(principal: MachinePrincipal): Promise<void> {
    const { credentialId } = principal;
    if (credentialId.length === LOOKUP_LENGTH)
      return this.requireKey(await this.credentials.find(credentialId));
    if (await this.clients.isLive(principal)) return;
    if (!(await this.federation.isAccepted(principal))) throw refused('credential ended');
  }

  /**
   * Verifies a key of a service account that is exchanged for a token.
   * @returns the account; its credential is the public part of the key
   */
  async authenticateForToken(plainKey: string, ipAddress: string): Promise<MachinePrincipal> {
    const principal = await this.authenticate(plainKey, ipAddress);
    if (principal.owner === 'person') throw refused('key of a person');
    return { ...principal, credentialId: parseApiKey(plainKey)?.id ?? '' };
  }

  private async requireKey(key: LiveKey | null): Promise<void> {
    if (!key || Date.now() >= key.expiresAt) throw refused('expired or revoked');
    await this.requireOwner(key);
  }

  /** Requires that the owner still acts in the organization, and that it is not archived. */
  private async requireOwner({ tenantId, ownerKind, ownerId }: LiveKey): Promise<void> {
    const [state, isActive] = await Promise.all([
      this.members.findState(tenantId, false),
      ownerKind === 'person'
        ? this.members.isMember(ownerId, tenantId)
        : this.machines.findActive(ownerId, tenantId),
    ]);
    if (!isActive) throw refused('owner disabled or no member');
    if (!state || state.archived || state.deletionStarted) throw refused('organization archived');
  }
}

function toPrincipal({ id, tenantId, ownerKind, ownerId, scopes }: LiveKey): MachinePrincipal {
  return {
    kind: 'machine',
    owner: ownerKind,
    userId: ownerId,
    clientId: ownerKind === 'person' ? id : ownerId,
    tenantId,
    credentialId: id,
    scopes,
  };
}

const refused = (cause: string): AppError =>
  new AppError('unauthenticated', {
    detail: 'The key is not valid, has ended, or is not accepted from this network.',
    cause,
  });
