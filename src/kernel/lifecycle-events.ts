import type { Locked } from './locks.js';
import type { SessionId, TenantId, UserId } from './principal.js';

/** An identity at an external provider, as another system exports it. */
interface ImportedIdentity {
  readonly kind: string;
  readonly issuer: string;
  readonly subject: string;
}

/** Maximum passkeys of one account, added or imported. */
export const MAX_PASSKEYS = 20;

/** A passkey, as another system exports it. Bytes are in base64url. */
interface ImportedPasskey {
  readonly rpId: string;
  readonly credentialId: string;
  readonly userHandle: string;
  readonly publicKey: string;
  readonly signCount: number;
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
  readonly transports?: readonly string[] | null | undefined;
  readonly name?: string | null | undefined;
}

/**
 * Lifecycle events of accounts, memberships and organizations, with the payload that a listener
 * receives.
 */
export interface LifecycleEvents {
  /** An account is about to be erased: tell others while its data are there. Remove none. */
  'account.erasing': { readonly userId: UserId };
  /** `emailKey`: canonical form of the address, to find rows stored under it; null without one. */
  'account.erased': {
    readonly userId: Locked<UserId>;
    readonly emailKey: string | null;
    /** Organizations of the person, before the erasure. */
    readonly tenantIds: readonly TenantId[];
  };
  /**
   * A person of another system got an account: add what is theirs. Throw a refusal, with a sentence
   * without personal data, to import nothing of the person.
   */
  'account.imported': {
    readonly userId: Locked<UserId>;
    readonly identities: readonly ImportedIdentity[];
    /** In base32; null without one. */
    readonly totpSecret: string | null;
    readonly passkeys: readonly ImportedPasskey[];
    readonly refusal: (sentence: string) => Error;
  };
  'account.password-reset': { readonly userId: Locked<UserId>; readonly emailKey: string };
  /** `sessionId`: the session that changed the password. It stays active. */
  'account.password-changed': { readonly userId: Locked<UserId>; readonly sessionId: SessionId };
  /** `formerEmailKey`: canonical form of the address before; null without one. */
  'account.email-changed': { readonly userId: Locked<UserId>; readonly formerEmailKey: string | null };
  /**
   * The owner has undone a change of address. What was added to the account since this time may be
   * a thief's, who would keep it by that: from the day before the change on, for a thief who began
   * with it.
   */
  'account.email-restored': { readonly userId: Locked<UserId>; readonly suspectSince: Date };
  'account.suspended': { readonly userId: Locked<UserId> };
  'operator.ceased': { readonly userId: UserId };
  /** An operator has another role, or other scopes. */
  'operator.changed': { readonly userId: UserId };
  /** The person entered a code of a new authenticator app in this session. */
  'account.totp-confirmed': { readonly userId: Locked<UserId>; readonly sessionId: SessionId };
  /** An operator's reset removes the second factors of the person. */
  'account.factors-reset': { readonly userId: Locked<UserId> };
  /** The user signed out on all devices, or on all but the caller's. */
  'account.signed-out': { readonly userId: Locked<UserId> };
  /** The provider of a connection, or its administrator, ended the person's sign-ins by it. */
  'account.signed-out-upstream': { readonly userId: Locked<UserId>; readonly connectionId: string };
  /** Sessions were ended, by whatever cause; their grants are in the database until the commit. */
  'session.ended': { readonly sessionIds: readonly SessionId[] };
  /** The person ends what a session made and what is left of it: remove it (`session_id`). */
  'session.traces-ended': { readonly userId: Locked<UserId>; readonly sessionId: SessionId };
  /** The person has proven a second factor, or a passkey, in a session of one factor. */
  'session.strengthened': { readonly userId: UserId; readonly sessionId: SessionId };
  /** One membership ended, or all of an erased account, in order of tenant id. */
  'memberships.ended': { readonly userId: UserId; readonly tenantIds: readonly TenantId[] };
  /** A membership was suspended: it stays, without access. */
  'memberships.suspended': { readonly userId: UserId; readonly tenantIds: readonly TenantId[] };
  /** A client or an API was registered or changed, whose tokens have these algorithms. */
  'client.registered': { readonly algs: readonly string[] };
  /** A key was found in public: end it if it is one of yours, and say whose it was. */
  'key.leaked': {
    readonly plainKey: string;
    /** @param key its organization; null for a key of the platform */
    readonly ended: (key: { readonly tenantId: TenantId | null; readonly name: string }) => Promise<void>;
  };
  /**
   * An owner enters an organization without its connection, which it requires. Emitted at each
   * entry of the session.
   */
  'tenant.entered-in-emergency': {
    readonly userId: UserId;
    readonly tenantId: TenantId;
    readonly sessionId: SessionId;
  };
  /** A role has got further permissions. Throw a violation of `scopes` to leave it as it was. */
  'role.extended': { readonly tenantId: TenantId; readonly roleId: string };
  /** A member has ended that support may act in the organization. */
  'tenant.support-ended': { readonly tenantId: TenantId; readonly actorId: UserId };
  /** A caller asks what a deletion of the organization removes: report each kind of row. */
  'tenant.deletion-previewed': {
    readonly tenantId: TenantId;
    /** @param kind lower case, with hyphens, in the plural: `shipments` */
    readonly report: (kind: string, count: number) => void;
  };
  /**
   * An organization without members is being deleted: remove at most `batch` of its rows. Emitted
   * again, in a further transaction, if a listener calls `repeat` because rows may be left.
   */
  'tenant.deleting': {
    readonly tenantId: TenantId;
    readonly batch: number;
    readonly repeat: () => void;
  };
  /** An organization has been deleted. Emitted once, in the transaction that removes its row. */
  'tenant.deleted': { readonly tenantId: TenantId };
}
