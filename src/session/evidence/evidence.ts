import { Injectable } from '@nestjs/common';
import { ConnectionDirectory } from '../../connection/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import { type Acr, acrOf, selectedEvidence, type TenantId, type UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { UpstreamSession } from '../upstream/upstream-session.js';

/**
 * How a person proved who they are: a method of this service, or the kind of an external provider.
 */
export type ProvenBy = string;

/** Evidence of a session: who proved what, how, and through which connection. */
export interface Proof {
  readonly method: ProvenBy;
  /** Connection of an external sign-in. */
  readonly connectionId?: string;
  /** Whether the connection proved two factors, and its organization trusts it for them. */
  readonly isTwoFactor?: boolean;
  /**
   * Whether the person had it before the session, and no connection stands behind it: it counts
   * where a connection's word does not (ADR 49).
   */
  readonly isOwn?: boolean;
  /** What the provider of the connection calls the sign-in. */
  readonly upstream?: UpstreamSession | null;
}

/** A device that the person has trusted stands in for the second factor, but proves none. */
export const TRUSTED_DEVICE = 'trusted_device';

/** An identity assertion, by which a client acts for the person, who has not signed in here. */
export const ASSERTION = 'assertion';

/** Authentication methods by proof (RFC 8176); an external sign-in is named by its kind. */
const AMR: Readonly<Record<string, readonly string[]>> = {
  password: ['pwd'],
  totp: ['otp'],
  recovery_code: ['otp'],
  email_code: ['otp'],
  passkey: ['pop', 'user'],
  pin: ['pin', 'pop'],
  [TRUSTED_DEVICE]: [],
};

/**
 * Strengths of proofs that are more than one factor: a passkey by itself, as it verifies the user;
 * the other second factors next to the proof that the session began with.
 */
const STRONG: Readonly<Record<string, Acr>> = { totp: 'aal2', recovery_code: 'aal2', passkey: 'phr' };

/** Returns the strength that a session has by this proof. */
const strengthOf = ({ method }: Proof): Acr => STRONG[method] ?? 'aal1';

/** Returns the authentication methods of proofs, each once. */
const amrOf = (proofs: readonly Proof[]): string[] => [
  ...new Set(proofs.flatMap(({ method }) => AMR[method] ?? [method])),
];

/** Proofs as columns, for `unnest` in a statement, and what they make of the session. */
export function toColumns(proofs: readonly Proof[]) {
  const strengths = proofs.map(strengthOf);
  return {
    methods: proofs.map(({ method }) => method),
    connections: proofs.map(({ connectionId = '' }) => connectionId),
    strengths,
    amr: amrOf(proofs),
    isAal2: strengths.some((strength) => strength !== 'aal1'),
    isPhr: strengths.includes('phr'),
    isAssuredFactor: proofs.some(({ isTwoFactor }) => isTwoFactor),
    isOwn: proofs.some(({ isOwn }) => isOwn),
    isTrustedDevice: proofs.some(({ method }) => method === TRUSTED_DEVICE),
  };
}

/** Finds the organizations that vouch for people by their connections (ADR 49). */
@Injectable()
export class Assurers {
  constructor(
    private readonly connections: ConnectionDirectory,
    private readonly directory: MembershipDirectory,
  ) {}

  /**
   * Returns the organization by whose connection the person signs in; none for another way.
   * @throws {AppError} unauthenticated if the connection was deleted since
   */
  async find(proofs: readonly Proof[]): Promise<TenantId[]> {
    const id = proofs.find(({ connectionId }) => connectionId)?.connectionId;
    if (!id) return [];
    const connection = await this.connections.find(id);
    if (!connection) throw new AppError('unauthenticated');
    return [connection.tenantId];
  }

  /** Returns the organization that a session begins in: the one that vouches for its member. */
  async findTenant(userId: UserId, [tenantId]: readonly TenantId[]): Promise<TenantId | null> {
    return tenantId !== undefined && (await this.directory.isMemberUncached(userId, tenantId))
      ? tenantId
      : null;
  }
}

/** What the claims depend on. */
type Told = Parameters<typeof selectedEvidence>[0] & { readonly amr: readonly string[] };

/**
 * Returns the claims of how strong a sign-in is in its organization: a client would take a factor
 * that another organization has added for one of the person (ADR 49).
 */
export function strengthClaimsOf(grant: Told): { readonly acr: Acr; readonly amr: readonly string[] } {
  const counted = selectedEvidence(grant);
  return { acr: acrOf(counted), amr: counted.aal2Time === null ? grant.amr : [...grant.amr, 'mfa'] };
}
