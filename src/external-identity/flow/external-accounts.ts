import { Injectable } from '@nestjs/common';
import type { Locked, UserId } from '../../kernel/index.js';
import type { UpstreamSession } from '../../session/index.js';
import { LinkingService } from '../linking/linking.service.js';
import type { Kind, ProvenProfile } from '../providers/provider.js';
import { UpstreamSessions } from '../upstream/upstream-sessions.js';
import { FlowConnections } from './flow-connections.js';
import { ProvisioningService } from './provisioning.service.js';

/** What a provider has proven of a person. */
export interface ExternalProof {
  readonly kind: Kind;
  /** Connection of the sign-in; empty for the provider of the deployment. */
  readonly connectionId: string;
  /** What the provider of the connection calls the sign-in. */
  readonly upstream: UpstreamSession | null;
  /** Whether the connection proved two factors, and its organization trusts it for them. */
  readonly isTwoFactor: boolean;
}

/** What is proven, and by which connection; without one, by the provider of the deployment. */
interface ProvenSignIn {
  readonly kind: Kind;
  readonly connectionId?: string | undefined;
  readonly profile: ProvenProfile;
}

/** Finds the accounts of people whom a provider has proven. */
@Injectable()
export class ExternalAccounts {
  constructor(
    private readonly linking: LinkingService,
    private readonly connections: FlowConnections,
    private readonly provisioning: ProvisioningService,
    private readonly upstreams: UpstreamSessions,
  ) {}

  /**
   * Finds or creates the account of a person, and makes them a member of the connection's
   * organization. Joins the open transaction, and locks account, tenant and connection.
   * @param membership `sync` gives a member the roles of the rules, too; `require` leaves them
   * @throws {SignInError} if the sign-in is refused
   * @throws {AccountProofNeeded} if the person has to prove the account first
   * @throws {ConnectionChanged} if the connection has changed since it was read
   */
  async resolve(
    { kind, connectionId, profile }: ProvenSignIn,
    membership: 'sync' | 'require' = 'sync',
  ): Promise<{ readonly userId: Locked<UserId>; readonly proof: ExternalProof }> {
    if (connectionId === undefined) {
      const userId = await this.linking.resolve(kind, profile, null);
      return { userId, proof: { kind, connectionId: '', upstream: null, isTwoFactor: false } };
    }
    const connection = await this.connections.read(connectionId);
    const userId = await this.linking.resolve(kind, profile, connection);
    if (membership === 'sync') await this.provisioning.provision(connection, userId, profile);
    else await this.provisioning.admit(connection, userId, profile);
    await this.connections.confirm(connection);
    const isTwoFactor = connection.trustsSecondFactor && profile.isTwoFactor === true;
    return {
      userId,
      proof: { kind, connectionId, upstream: this.upstreams.create(connection, profile), isTwoFactor },
    };
  }
}
