import { type Deed, ifArchived, type Intent, reading, type ScopeFacts, tenantOf } from './facts.js';
import { freshKey, givableRoles } from './givable.js';
import { hostOf, isOfferOfUse, type Role, type Tenant } from './world.js';

const NOT_OFFERED = 'The offer is no longer open.';
const NOT_ACTIVE = 'The partnership is not active.';
const OVER = 'The partnership is over. Offer a new one.';

/** Reasons for which the state of a partnership forbids a command. */
export const PARTNERSHIP_SENTENCES: readonly string[] = [NOT_OFFERED, NOT_ACTIVE, OVER];

/** The host of the partnership that a command of the partner names. */
const hostIn = ({ world, caller }: Intent): Tenant => hostOf(world, caller.tenant);

const ifNotActive = (intent: Intent) =>
  ifArchived(intent) || (hostIn(intent).partnership !== 'active' && NOT_ACTIVE);

/** Ids of the roles that the caller may offer. */
const rolesToOffer = (deed: Deed): string[] =>
  givableRoles(deed).flatMap(({ id, key }) => (key === 'owner' ? [] : [id]));

/** Whether a partnership of the host is over, or an offer that its maker could not make now. */
function isOver(intent: Intent): boolean {
  const tenant = tenantOf(intent);
  const offer = tenant.offers.get(intent.id);
  if (!offer && tenant.partnership !== 'offered') return tenant.partnership === 'over';
  return !isOfferOfUse(tenant, intent.declared, offer);
}

/** Chooses an offered role that the host still has; undefined where there is none. */
function offeredRole(deed: Deed): Role | undefined {
  const { offeredRoles, roles } = hostIn(deed);
  const left = offeredRoles.flatMap((id) => roles.get(id) ?? []).filter(({ key }) => key !== 'owner');
  return left[deed.choice % Math.max(1, left.length)];
}

export const PARTNERSHIP_SCOPES: Readonly<Record<string, ScopeFacts>> = {
  'iam:partnership:read': reading,
  'iam:partnership:create': {
    whyNot: ifArchived,
    body: (deed) => {
      const roles = givableRoles(deed).flatMap(({ key }) => (key === 'owner' ? [] : [key]));
      return roles.length === 0 ? null : { email: `${freshKey()}@example.com`, roles };
    },
    done: (deed, _: object, { id }) => {
      const { user, key } = deed.caller;
      const tenant = tenantOf(deed);
      // No question is asked about the offers of others.
      if (key?.owner === 'service-account' || !tenant.members.has(user.id)) return;
      tenant.partnerships.add(id);
      tenant.offers.set(id, { offeredBy: user.id, offeredRoles: rolesToOffer(deed) });
    },
  },
  'iam:partnership:update': {
    whyNot: (intent) => ifArchived(intent) || (isOver(intent) && OVER),
    body: (deed) => {
      const roles = givableRoles(deed).flatMap(({ key }) => (key === 'owner' ? [] : [key]));
      return roles.length === 0 ? null : { roles, maxPeople: 3 };
    },
    done: (deed) => {
      const tenant = tenantOf(deed);
      (tenant.offers.get(deed.id) ?? tenant).offeredRoles = rolesToOffer(deed);
    },
  },
  'iam:partnership:end': {
    whyNot: ifArchived,
    done: (deed) => {
      const tenant = tenantOf(deed);
      tenant.partnerships.delete(deed.id);
      if (deed.id === tenant.partnershipId) tenant.partners.clear();
    },
  },
  'iam:partner-access:read': reading,
  'iam:partner-access:accept': {
    whyNot: (intent) => {
      const host = hostIn(intent);
      const isOpen = host.partnership === 'offered' && isOfferOfUse(host, intent.declared);
      return ifArchived(intent) || (!isOpen && NOT_OFFERED);
    },
    done: (deed) => void (hostIn(deed).partnership = deed.route.endsWith('/accept') ? 'active' : 'over'),
  },
  'iam:partner-access:leave': {
    whyNot: ifNotActive,
    done: (deed) => {
      hostIn(deed).partnership = 'over';
      hostIn(deed).partners.clear();
    },
  },
  'iam:partner-access:assign': {
    whyNot: ifNotActive,
    // Members put themselves on it, who are none of the host.
    others: ({ caller }) => ({ userId: caller.user.id }),
    body: (deed) => {
      const { members, partners } = hostIn(deed);
      const { id } = deed.caller.user;
      if (deed.route.startsWith('DELETE')) return partners.has(id) ? undefined : null;
      const role = offeredRole(deed);
      const isPossible = deed.caller.tenant?.members.has(id) && !members.has(id) && role !== undefined;
      return isPossible ? { roles: [role.key] } : null;
    },
    done: (deed) => {
      const { partners, newPartners } = hostIn(deed);
      const { id } = deed.caller.user;
      if (deed.route.startsWith('DELETE')) return void partners.delete(id);
      if (!partners.has(id)) newPartners.add(id);
      partners.set(id, [offeredRole(deed)!.id]);
    },
  },
};
