import { factorIn } from './proof.js';
import { ARCHIVED, type Deed, ifArchived, type Intent, reading, type ScopeFacts, tenantOf } from './facts.js';
import { freshKey, givableKeys, givableRoles, givableScopes } from './givable.js';
import { CONNECTION_SCOPES, CONNECTION_SENTENCES } from './connections.js';
import { MACHINE_SCOPES, MACHINE_SENTENCES } from './machines.js';
import { FRONTLINE_SCOPES } from './frontline.js';
import { REQUEST_SCOPES, REQUEST_SENTENCES } from './access-requests.js';
import { PARTNERSHIP_SCOPES, PARTNERSHIP_SENTENCES } from './partnerships.js';
import { DIRECTORY_SCOPES } from './directories.js';
import { WEBHOOK_SCOPES } from './webhooks.js';
import {
  assignmentsOf,
  holds,
  isOfTheApp,
  isOwner,
  newId,
  newRole,
  newSatellite,
  removeMember,
  type Policy,
  type Tenant,
  thingsWith,
} from './world.js';

const LAST_OWNER = 'The last owner can be neither removed nor demoted. Make another member an owner first.';
const OWNERS_ONLY = 'Only an owner can do this to an owner.';
const MEMBER_EXCEEDS =
  'The member holds permissions that you do not hold yourself. Ask a member who holds them.';
const BUILT_IN = 'A built-in role cannot be changed or deleted.';
export const OPERATOR_ABOVE =
  'This operator holds permissions that you do not hold yourself. Ask an operator who holds them.';
const CLOSED = {
  open: undefined,
  accepted: 'The invitation has been accepted already.',
  revoked: 'The invitation has been revoked already.',
  expired: 'The invitation has expired.',
};
const OTHERS = {
  archivedAlready: 'The organization is archived already.',
  notArchived: 'The organization is not archived.',
  transfersOwner: 'Only an owner can transfer the ownership.',
  deletionScheduled: 'The deletion of the organization is scheduled already.',
  deletionNotScheduled: 'No deletion of the organization is scheduled.',
  lastOwnerSuspended: 'The last owner cannot be suspended. Make another member an owner first.',
  suspendedAlready: 'The membership is suspended already.',
  notSuspended: 'The membership is not suspended.',
  ownRoles: 'You cannot change your own roles. Ask another owner or admin.',
  leftByKey: 'This is for people. A service account cannot do it.',
  lastOwner: 'The last owner cannot leave. Make another member an owner first.',
  inUse:
    'The role is in use. Take it from its members and service accounts, and revoke invitations to it first.',
  lacksRole: 'A role of the invitation has been deleted. Invite the address again with other roles.',
  invitationExceeds:
    'The invitation gives permissions that you do not hold yourself. Ask a member who holds them.',
  makesOwner: 'Only an owner can make an owner.',
  ended: 'The session has ended already.',
  lastWayIn: 'This is your only sign-in method. Set a password or link another identity first.',
  noSecondFactor: 'This person has no second factor.',
  operator: 'This person is an operator. Remove the operator first.',
  suspended: 'The account is suspended. Restore it first.',
  accountNotSuspended: 'The account is not suspended.',
  noPassword: 'This person has no password.',
  noErasure: 'No erasure of this person waits.',
  noReset: 'No reset of the second factors of this person waits.',
  resetPending: 'A reset of this person is waiting already. Wait for it, or have it cancelled.',
  disabled: 'The satellite is disabled already.',
  notDisabled: 'The satellite is not disabled.',
  supportNotAsked: 'The sign-in policy does not let support in on request.',
  supportNotIn: 'Support has no access to end.',
  exceeds: 'The role holds permissions that you do not hold yourself.',
};

/** Reasons for which a state forbids a command. */
export const SENTENCES: readonly string[] = [
  ARCHIVED,
  LAST_OWNER,
  OWNERS_ONLY,
  MEMBER_EXCEEDS,
  BUILT_IN,
  OPERATOR_ABOVE,
  ...Object.values(CLOSED).filter((sentence) => sentence !== undefined),
  ...Object.values(OTHERS),
  ...CONNECTION_SENTENCES,
  ...MACHINE_SENTENCES,
  ...PARTNERSHIP_SENTENCES,
  ...REQUEST_SENTENCES,
];

const rolesOf = (deed: Deed, key: string) =>
  [...(deed.caller.tenant?.roles.values() ?? [])].filter((role) => role.key === key);
const otherMember = ({ world, caller, choice }: Deed): string | undefined => {
  const others = [...(caller.tenant?.members.keys() ?? [])].filter(
    (id) => id !== caller.user.id && !caller.tenant!.suspended.has(id) && !world.suspended.has(id),
  );
  return others[choice % others.length];
};

export const SCOPES: Readonly<Record<string, ScopeFacts>> = {
  ...DIRECTORY_SCOPES,
  ...FRONTLINE_SCOPES,
  ...PARTNERSHIP_SCOPES,
  ...REQUEST_SCOPES,
  ...WEBHOOK_SCOPES,
  ...CONNECTION_SCOPES,
  ...MACHINE_SCOPES,
  'iam:tenant:read': reading,
  'iam:member:read': reading,
  'iam:role:read': reading,
  'iam:invitation:read': reading,
  'iam:audit:read': reading,
  'iam:overview:read': reading,
  'iam:tenant:update': {
    whyNot: ifArchived,
    body: () => ({ name: 'Renamed' }),
    done: (deed) => void (tenantOf(deed).name = 'Renamed'),
  },
  'iam:tenant:set-audit-retention': {
    whyNot: ifArchived,
    body: ({ choice }) => ({ days: choice % 2 === 0 ? null : 730 }),
    done: () => undefined, // integration/audit-retention.spec.ts
  },
  'iam:tenant:archive': {
    whyNot: (intent) => tenantOf(intent).archived && OTHERS.archivedAlready,
    done: (deed) => void (tenantOf(deed).archived = true),
  },
  'iam:tenant:restore': {
    whyNot: (intent) => !tenantOf(intent).archived && OTHERS.notArchived,
    done: (deed) => {
      tenantOf(deed).archived = false;
      tenantOf(deed).deletionScheduled = false;
    },
  },
  'iam:tenant:read-deletion': reading,
  'iam:tenant:delete': {
    whyNot: (intent) =>
      tenantOf(intent).archived
        ? tenantOf(intent).deletionScheduled && OTHERS.deletionScheduled
        : OTHERS.notArchived,
    body: (deed) => ({ name: tenantOf(deed)?.name ?? 'Seeded' }),
    done: (deed) => void (tenantOf(deed).deletionScheduled = true),
  },
  'iam:tenant:cancel-deletion': {
    whyNot: (intent) => !tenantOf(intent).deletionScheduled && OTHERS.deletionNotScheduled,
    done: (deed) => void (tenantOf(deed).deletionScheduled = false),
  },
  'iam:tenant:transfer-ownership': {
    whyNot: (intent) =>
      ifArchived(intent) || (!isOwner(tenantOf(intent), intent.caller.user.id) && OTHERS.transfersOwner),
    body: (deed) => {
      const userId = otherMember(deed);
      // Without a member to transfer to, or with a satellite that cannot give the role: no command.
      const owner = rolesOf(deed, 'owner')[0];
      const gives = owner?.scopes.every((scope) => holds(deed.caller, scope)) === true;
      return userId !== undefined && gives ? { userId } : null;
    },
    done: (deed, { userId }: { userId: string }) => {
      const { members } = tenantOf(deed);
      const [owner, member] = ['owner', 'member'].map((key) => rolesOf(deed, key)[0]!.id);
      const kept = members.get(deed.caller.user.id)!.filter((id) => id !== owner);
      members.set(userId, [...new Set([...members.get(userId)!, owner!])]);
      members.set(deed.caller.user.id, kept.length > 0 ? kept : [member!]);
    },
  },
  'iam:tenant:leave': {
    whyNot: (intent) =>
      (intent.caller.key !== null && OTHERS.leftByKey) ||
      (isOnlyOwner(tenantOf(intent), intent.caller.user.id) && OTHERS.lastOwner),
    done: (deed) => removeMember(tenantOf(deed), deed.caller.user.id),
  },
  'iam:sign-in-policy:read': reading,
  'iam:sign-in-policy:update': {
    whyNot: ifArchived,
    // What the caller satisfies: the service refuses any other policy with 409.
    body: ({ caller, choice }) => ({
      secondFactor:
        (factorIn(caller)?.kind ?? 'device') !== 'device' && choice % 2 === 0 ? 'required' : 'optional',
      graceDays: choice % 3,
      trustedDevices: true,
      maxAuthAgeSeconds: null,
      sessionMaxHours: null,
    }),
    done: (deed, body: Omit<Policy, 'since'>) => {
      const { policy } = tenantOf(deed);
      const hadFactor = policy !== null && policy.secondFactor !== 'optional';
      const since = hadFactor ? policy.since : Date.now();
      tenantOf(deed).policy = { ...body, since: body.secondFactor === 'optional' ? null : since };
    },
  },
  // No organization of the world lets support in: e2e/operator/impersonation.spec.ts.
  'access:decision:read': reading,
  'access:thing:read': reading,
  'access:thing:update': {
    whyNot: ifArchived,
    others: ({ caller }) => ({
      module: 'freight',
      collection: 'orders',
      thingId: caller.tenant?.spareThing ?? newId(),
    }),
    body: ({ route, caller }) => {
      if (route.startsWith('DELETE')) return caller.tenant?.isRegistered ? undefined : null;
      const parents = [`gatehouse:///freight/depots/${newId()}`];
      if (route.startsWith('PUT')) return { parents };
      return { things: [{ thing: `gatehouse:///freight/orders/${newId()}`, parents }] };
    },
    done: (deed) => {
      if (deed.route.includes(':thingId')) tenantOf(deed).isRegistered = deed.route.startsWith('PUT');
    },
  },
  'iam:branding:read': reading,
  'iam:branding:update': {
    whyNot: ifArchived,
    body: () => ({ accentColor: '#7a1fa2' }),
    done: () => undefined,
  },
  'iam:support-access:read': reading,
  'iam:support-access:grant': {
    whyNot: (intent) => ifArchived(intent) || OTHERS.supportNotAsked,
    body: () => null,
    done: () => undefined,
  },
  'iam:support-access:end': { whyNot: () => OTHERS.supportNotIn, done: () => undefined },
  'iam:member:update': {
    whyNot: (intent) =>
      ifArchived(intent) ||
      ifLastOwner(intent) ||
      (intent.id === intent.caller.user.id && OTHERS.ownRoles) ||
      ifAboveCaller(intent),
    others: (intent) => ({ assignmentId: assignmentOf(intent)?.[0] ?? newId() }),
    body: (deed) => {
      if (!deed.route.includes('/assignments')) return givableKeys(deed);
      if (deed.route.startsWith('DELETE')) return mayEnd(deed) ? undefined : null;
      const role = givableOnThing(deed);
      return role ? { role: role.key, on: `gatehouse:///iam/roles/${role.id}` } : null;
    },
    done: (deed, _: object, { id }) => {
      const { assignments, members } = tenantOf(deed);
      if (!deed.route.includes('/assignments'))
        members.set(
          deed.id,
          givableRoles(deed).map((role) => role.id),
        );
      else if (deed.route.startsWith('DELETE')) assignments.delete(assignmentOf(deed)![0]);
      else {
        const role = givableOnThing(deed)!.id;
        assignments.set(id, { userId: deed.id, roleId: role, thing: `iam/roles/${role}`, ended: false });
      }
    },
  },
  'iam:member:remove': {
    whyNot: (intent) => ifArchived(intent) || ifLastOwner(intent) || ifAboveCaller(intent),
    done: (deed) => {
      removeMember(tenantOf(deed), deed.id);
      tenantOf(deed).suspended.delete(deed.id);
    },
  },
  'iam:member:suspend': {
    whyNot: (intent) =>
      ifArchived(intent) ||
      (tenantOf(intent).suspended.has(intent.id) && OTHERS.suspendedAlready) ||
      (isOnlyOwner(tenantOf(intent), intent.id) && OTHERS.lastOwnerSuspended) ||
      ifAboveCaller(intent),
    done: (deed) => void tenantOf(deed).suspended.add(deed.id),
  },
  'iam:member:restore': {
    whyNot: (intent) =>
      ifArchived(intent) ||
      (!tenantOf(intent).suspended.has(intent.id) && OTHERS.notSuspended) ||
      ifAboveCaller(intent),
    done: (deed) => void tenantOf(deed).suspended.delete(deed.id),
  },
  'iam:role:create': {
    whyNot: ifArchived,
    body: (deed) => ({ key: freshKey(), name: 'New', scopes: givableScopes(deed) }),
    done: (deed, { key, scopes }: { key: string; scopes: string[] }, { id }) =>
      void tenantOf(deed).roles.set(id, newRole(key, scopes, id)),
  },
  'iam:role:update': {
    whyNot: (intent) => ifArchived(intent) || ifBuiltIn(intent) || ifExceeding(intent),
    body: (deed) => ({ scopes: givableScopes(deed) }),
    done: (deed, { scopes }: { scopes: string[] }) =>
      void (tenantOf(deed).roles.get(deed.id)!.scopes = scopes),
  },
  'iam:role:delete': {
    whyNot: (intent) =>
      ifArchived(intent) || ifBuiltIn(intent) || ifExceeding(intent) || (isInUse(intent) && OTHERS.inUse),
    done: (deed) => void tenantOf(deed).roles.delete(deed.id),
  },
  'iam:invitation:create': {
    whyNot: ifArchived,
    body: (deed) => {
      const keys = givableKeys(deed);
      return keys && { email: `${freshKey()}@example.com`, ...keys };
    },
    done: (deed, _: object, { id }) => {
      const roleIds = givableRoles(deed).map((role) => role.id);
      tenantOf(deed).invitations.set(id, { id, state: 'open', roleIds });
    },
  },
  'iam:invitation:resend': {
    whyNot: (intent) => ifArchived(intent) || ifNotResendable(intent),
    done: (deed) => void (tenantOf(deed).invitations.get(deed.id)!.state = 'open'),
  },
  'iam:invitation:revoke': {
    whyNot: (intent) => ifArchived(intent) || CLOSED[tenantOf(intent).invitations.get(intent.id)!.state],
    done: (deed) => void (tenantOf(deed).invitations.get(deed.id)!.state = 'revoked'),
  },
  'iam:api:read': reading,
  'iam:api:create': {
    whyNot: () => undefined,
    body: () => ({ identifier: `https://${freshKey()}.example.com`, name: 'New' }),
    done: ({ world }, _body, { id }) => void world.apis.add(id),
  },
  'iam:api:update': { whyNot: () => undefined, body: () => ({ name: 'Renamed' }), done: () => undefined },
  'iam:api:delete': { whyNot: () => undefined, done: ({ world, id }) => void world.apis.delete(id) },
  'iam:satellite:read': reading,
  'iam:satellite:create': {
    whyNot: () => undefined,
    body: () => ({ clientId: freshKey(), name: 'New', redirectUris: ['https://new.example.com/'] }),
    done: ({ world }, { clientId }: { clientId: string }, { id }) =>
      void world.satellites.set(id, newSatellite(id, clientId)),
  },
  'iam:satellite:update': {
    whyNot: () => undefined,
    body: ({ choice, declared }) => ({
      name: 'Renamed',
      scopes:
        choice % 5 === 0
          ? ['*']
          : declared.filter((scope, n) => !isOfTheApp(scope) && ((choice >> (n % 30)) & 1) === 0),
    }),
    done: ({ world, id }, { scopes }: { scopes: string[] }) =>
      void (world.satellites.get(id)!.scopes = scopes),
  },
  'iam:satellite:rotate-secret': { whyNot: () => undefined, done: () => undefined },
  'iam:satellite:disable': {
    whyNot: ({ world, id }) => world.satellites.get(id)!.disabled && OTHERS.disabled,
    done: ({ world, id }) => void (world.satellites.get(id)!.disabled = true),
  },
  'iam:satellite:enable': {
    whyNot: ({ world, id }) => !world.satellites.get(id)!.disabled && OTHERS.notDisabled,
    done: ({ world, id }) => void (world.satellites.get(id)!.disabled = false),
  },
  'platform:operator:read': reading,
  'platform:operator:create': {
    whyNot: () => undefined,
    // The address of a user who is no operator; the service refuses an operator with 409.
    body: ({ world, choice }) => {
      const free = world.users.filter(({ id }) => !world.operators.has(id));
      const user = free[choice % Math.max(1, free.length)];
      return user ? { email: `${user.id.toLowerCase()}@example.com`, role: 'support' } : null;
    },
    done: ({ world }, _: object, { userId }) => void world.operators.set(userId!, 'support'),
  },
  'platform:operator:update': {
    whyNot: () => undefined, // as for `remove`
    body: ({ choice, declared }) => {
      if (choice % 4 === 0) return { role: choice % 8 === 0 ? 'support' : 'admin', scopes: null };
      const scopes = declared.filter(
        (scope, n) => OF_OPERATORS.test(scope) && ((choice >> (n % 30)) & 1) === 0,
      );
      return { role: 'admin', scopes: scopes.length > 0 ? scopes : null };
    },
    done: ({ world, id }, { role, scopes }: { role: 'support' | 'admin'; scopes: string[] | null }) => {
      world.operators.set(id, role);
      if (scopes) world.operatorScopes.set(id, scopes);
      else world.operatorScopes.delete(id);
    },
  },
  'platform:operator:remove': {
    whyNot: () => undefined, // the spec has an admin of its own, so that no other is the last one
    done: ({ world, id }) => {
      world.operators.delete(id);
      world.operatorScopes.delete(id);
    },
  },
  'platform:impersonation:start': { whyNot: () => undefined, body: () => null, done: () => undefined },
  'platform:impersonation:end': { whyNot: () => undefined, body: () => null, done: () => undefined },
  'platform:import:create': { whyNot: () => undefined, body: () => null, done: () => undefined }, // e2e/operator/operator-imports.spec.ts
  'platform:audit:read': reading,
  'platform:decision:read': reading,
  'platform:job:read': reading,
  'platform:overview:read': reading,
  'platform:job:retry': { whyNot: () => undefined, body: () => null, done: () => undefined }, // e2e/operator/console.spec.ts
  'platform:permission:read': reading,
  // e2e/operator/permission-modules.spec.ts
  'platform:permission:register': { whyNot: () => undefined, body: () => null, done: () => undefined },
  'platform:permission:remove': { whyNot: () => undefined, body: () => null, done: () => undefined },
  'platform:tenant:read': reading,
  'platform:tenant:export': reading,
  'platform:tenant:limit': { whyNot: () => undefined, body: () => ({}), done: () => undefined },
  'platform:tenant:archive': {
    whyNot: (intent) => organizationOf(intent).archived && OTHERS.archivedAlready,
    done: (deed) => void (organizationOf(deed).archived = true),
  },
  'platform:tenant:restore': {
    whyNot: (intent) => !organizationOf(intent).archived && OTHERS.notArchived,
    done: (deed) => {
      organizationOf(deed).archived = false;
      organizationOf(deed).deletionScheduled = false;
    },
  },
  'platform:person:read': reading,
  'platform:person:suspend': {
    whyNot: ({ world, id }) =>
      world.operators.has(id) ? OTHERS.operator : world.suspended.has(id) && OTHERS.suspended,
    done: ({ world, id }) => {
      world.suspended.add(id);
      world.endSessions(id);
    },
  },
  'platform:person:restore': {
    whyNot: ({ world, id }) => !world.suspended.has(id) && OTHERS.accountNotSuspended,
    done: ({ world, id }) => void world.suspended.delete(id),
  },
  'platform:person:end-sessions': {
    whyNot: () => undefined,
    done: ({ world, id }) => world.endSessions(id),
  },
  'platform:person:send-password-reset': {
    whyNot: ({ world, id }) => world.suspended.has(id) && OTHERS.suspended,
    done: () => undefined,
  },
  'platform:person:require-new-password': {
    whyNot: ({ world, id }) =>
      world.withPassword.has(id) ? world.suspended.has(id) && OTHERS.suspended : OTHERS.noPassword,
    done: ({ world, id }) => {
      world.withPassword.delete(id);
      world.endSessions(id);
    },
  },
  'platform:person:erase': {
    whyNot: ({ world, id }) => world.operators.has(id) && OTHERS.operator,
    body: () => null, // e2e/operator/people.spec.ts
    done: () => undefined,
  },
  'platform:person:export': {
    whyNot: ({ world, id }) => world.suspended.has(id) && OTHERS.suspended,
    body: () => null, // one a day: e2e/operator/people.spec.ts
    done: () => undefined,
  },
  // The worlds ask for no second operator, and send no mails: four-eyes.spec.ts, people.spec.ts.
  'platform:person:keep': { whyNot: () => OTHERS.noErasure, done: () => undefined },
  'platform:person:keep-authenticators': {
    whyNot: ({ world, id }) => !world.resets.has(id) && OTHERS.noReset,
    done: ({ world, id }) => world.resets.delete(id),
  },
  'platform:person:resend-mail': {
    whyNot: ({ world, id }) => world.suspended.has(id) && OTHERS.suspended,
    others: () => ({ mailId: newId() }),
    body: () => null,
    done: () => undefined,
  },
  'platform:person:reset-authenticators': {
    whyNot: ({ world, id }) =>
      world.users.some((person) => person.id === id && (person.isEnrolled || person.isEnrolledInFirst))
        ? world.resets.has(id) && OTHERS.resetPending
        : OTHERS.noSecondFactor,
    body: () => ({ reason: 'Lost phone' }),
    done: ({ world, id }) => void world.resets.add(id),
  },
  'iam:identity:unlink': {
    whyNot: ({ world, caller, id }) =>
      !world.withPassword.has(caller.user.id) &&
      ![...world.identities].some(
        ([other, { userId, opens }]) => other !== id && userId === caller.user.id && opens,
      ) &&
      OTHERS.lastWayIn,
    done: ({ world, id }) => void world.identities.delete(id),
  },
  'iam:session:end': {
    whyNot: ({ world, id }) => world.sessions.get(id)!.state !== 'alive' && OTHERS.ended,
    done: ({ world, id }) => void (world.sessions.get(id)!.state = 'ended'),
  },
};

/** The first role of a member on a thing that a command can name. */
const assignmentOf = ({ caller, id }: Pick<Intent, 'caller' | 'id'>) =>
  caller.tenant ? assignmentsOf(caller.tenant, id).find(([, { ended }]) => !ended) : undefined;

/** Chooses a role that the caller may give on a thing. */
const givableOnThing = (deed: Deed) => givableRoles(deed).find(({ key }) => key !== 'owner');

/** Returns whether the caller could give the role that the command ends. */
function mayEnd({ caller, id }: Deed): boolean {
  const found = assignmentOf({ caller, id });
  const scopes = found && caller.tenant?.roles.get(found[1].roleId)?.scopes;
  return scopes?.every((scope) => holds(caller, scope)) === true;
}

/** Scopes to which an operator can be restricted: all but those that change operators. */
const OF_OPERATORS =
  /^(?:platform:(?!operator:(?:create|update|remove)$)|iam:(?:satellite|api):|webhooks:operator-webhook:)/;

/** Organization that an operator names. */
const organizationOf = ({ world, id }: Intent): Tenant => world.tenants.find((tenant) => tenant.id === id)!;

function ifLastOwner(intent: Intent): string | false {
  return isOnlyOwner(tenantOf(intent), intent.id) && LAST_OWNER;
}

function isOnlyOwner(tenant: Tenant, userId: string): boolean {
  const others = [...tenant.members.keys()].filter((id) => id !== userId && !tenant.suspended.has(id));
  return isOwner(tenant, userId) && !others.some((id) => isOwner(tenant, id));
}

function ifAboveCaller(intent: Intent): string | false {
  const tenant = tenantOf(intent);
  if (isOwner(tenant, intent.id) && !isOwner(tenant, intent.caller.user.id)) return OWNERS_ONLY;
  const member = {
    ...intent.caller,
    user: { ...intent.caller.user, id: intent.id },
    client: null,
    key: null,
  };
  const hasAnywhere = (scope: string) => holds(member, scope) || thingsWith(member, scope).size > 0;
  const more = intent.declared.some((scope) => hasAnywhere(scope) && !holds(intent.caller, scope));
  return more && MEMBER_EXCEEDS;
}

function ifBuiltIn(intent: Intent): string | false {
  return tenantOf(intent).roles.get(intent.id)!.builtIn && BUILT_IN;
}

/** Ignores scopes that are no longer declared. */
function ifExceeding({ caller, id, declared }: Intent): string | false {
  const { scopes } = caller.tenant!.roles.get(id)!;
  return scopes.some((scope) => declared.includes(scope) && !holds(caller, scope)) && OTHERS.exceeds;
}

function ifNotResendable(intent: Intent): string | false | undefined {
  const { caller, id, declared } = intent;
  const { invitations, roles } = tenantOf(intent);
  const { state, roleIds } = invitations.get(id)!;
  if (state === 'accepted' || state === 'revoked') return CLOSED[state];
  const given = roleIds.map((roleId) => roles.get(roleId));
  if (given.includes(undefined)) return OTHERS.lacksRole;
  const makesOwner = given.some((role) => role!.key === 'owner');
  if (makesOwner && !isOwner(tenantOf(intent), caller.user.id)) return OTHERS.makesOwner;
  const exceeds = given.some((role) =>
    role!.scopes.some((scope) => declared.includes(scope) && !holds(caller, scope)),
  );
  return exceeds && OTHERS.invitationExceeds;
}

function isInUse(intent: Intent): boolean {
  const { members, invitations, serviceAccounts, assignments } = tenantOf(intent);
  if ([...assignments.values()].some(({ roleId }) => roleId === intent.id)) return true;
  const held = [...serviceAccounts.values()].map(({ roleIds }) => roleIds);
  const promised = [...invitations.values()].filter(({ state }) => state === 'open');
  return [...members.values(), ...held, ...promised.map(({ roleIds }) => roleIds)].some((ids) =>
    ids.includes(intent.id),
  );
}
