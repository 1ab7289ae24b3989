import { ulid } from 'ulid';
import { pick, type Person, type Session, type Step, type Tenant, type World } from './person.js';
import { Possible } from './possible.js';
import { settled } from './steps-of-people.js';

const IAM = '/api/v1/iam';
/** Fewer than the service mails to one address in an hour. */
const MOST_INVITATIONS = 6;

async function found(person: Person, { wire }: World): Promise<void> {
  const { access: token } = pick(person.sessions);
  const name = `Logistics ${ulid()}`;
  const reply = await wire.ask({
    method: 'POST',
    path: `${IAM}/tenants`,
    body: { name },
    token,
    expect: [201],
  });
  if (reply.outcome !== 'answered') return; // if it exists nevertheless, it has to be complete
  const id = String(reply.body['id']);
  person.tenant = { id, name: new Possible(name), roles: new Map(), members: new Map(), invited: new Set() };
}

async function select(person: Person, { wire }: World): Promise<void> {
  const session = pick(person.sessions);
  const tenantId = tenantOf(person).id;
  const reply = await wire.ask({
    method: 'POST',
    path: `${IAM}/auth/select-tenant`,
    body: { tenantId },
    token: session.access,
    expect: [200],
  });
  if (reply.outcome === 'answered') {
    session.tenantId.settle(tenantId);
    session.tenantToken = String(reply.body['accessToken']);
  } else session.tenantId.maybe(tenantId);
}

async function renameTenant(person: Person, { wire }: World): Promise<void> {
  const { id, name } = tenantOf(person);
  const next = `Logistics ${ulid()}`;
  const path = `${IAM}/tenants/${id}`;
  const reply = await wire.ask({
    method: 'PATCH',
    path,
    body: { name: next },
    token: tokenOf(person),
    expect: [200],
  });
  if (reply.outcome === 'answered') name.settle(next);
  else name.maybe(next);
}

async function changeRole(person: Person, { wire }: World): Promise<void> {
  const { id, roles } = tenantOf(person);
  const path = `${IAM}/tenants/${id}/roles`;
  const token = tokenOf(person);
  const name = `Dispatcher ${ulid()}`;
  const existing = [...roles].filter(([, known]) => known.certain && known.latest !== null);
  if (existing.length < 3) {
    const body = { key: `role-${ulid().toLowerCase()}`, name, scopes: ['iam:member:read'] };
    const reply = await wire.ask({ method: 'POST', path, body, token, expect: [201] });
    if (reply.outcome === 'answered') roles.set(String(reply.body['id']), new Possible<string | null>(name));
    return;
  }
  const [roleId, known] = pick(existing);
  const removes = Math.random() < 0.4;
  const reply = removes
    ? await wire.ask({ method: 'DELETE', path: `${path}/${roleId}`, token, expect: [204] })
    : await wire.ask({ method: 'PATCH', path: `${path}/${roleId}`, body: { name }, token, expect: [200] });
  const next = removes ? null : name;
  if (reply.outcome === 'answered') known.settle(next);
  else known.maybe(next);
}

async function invite(person: Person, { wire, people }: World): Promise<void> {
  const { id, members, invited } = tenantOf(person);
  const invitations = (guest: Person) => people.filter(({ tenant }) => tenant?.invited.has(guest)).length;
  const guests = people.filter(
    (other) =>
      other.stage === 'active' &&
      !other.busy &&
      !members.has(other) &&
      !invited.has(other) &&
      invitations(other) < MOST_INVITATIONS,
  );
  if (guests.length === 0) return;
  const guest = pick(guests);
  const body = { email: guest.email, roles: ['member'] };
  invited.add(guest); // before the answer, so that the guest is not erased while it is pending
  const path = `${IAM}/tenants/${id}/invitations`;
  await wire.ask({ method: 'POST', path, body, token: tokenOf(person), expect: [201] });
}

const invitationsOf = (person: Person, { mailbox }: Pick<World, 'mailbox'>): string[] =>
  mailbox.of(person.email, 'accept-invitation').filter((token) => !person.usedTokens.has(token));

/** The answer names the organization of the invitation. */
async function accept(person: Person, world: World): Promise<void> {
  const [token = ''] = invitationsOf(person, world);
  const again = person.unansweredToken === token;
  const reply = await world.wire.ask({
    method: 'POST',
    path: `${IAM}/auth/accept-invitation`,
    body: { token },
    token: pick(person.sessions).access,
    expect: again ? [200, 400] : [200],
  });
  person.unansweredToken = reply.outcome === 'answered' ? '' : token;
  if (reply.outcome !== 'answered') return;
  person.usedTokens.add(token);
  const tenant = world.people
    .map((owner) => owner.tenant)
    .find((known) => known?.id === reply.body['tenantId']);
  tenant?.members.set(person, new Possible<string | null>('member'));
}

async function changeMember(person: Person, { wire }: World): Promise<void> {
  const { id, members } = tenantOf(person);
  const [member, role] = pick([...members].filter(([, known]) => known.certain && known.latest !== null));
  const path = `${IAM}/tenants/${id}/members/${member.userId}`;
  const token = tokenOf(person);
  const removes = Math.random() < 0.2;
  const next = removes ? null : role.latest === 'member' ? 'admin' : 'member';
  const reply = removes
    ? await wire.ask({ method: 'DELETE', path, token, expect: [204] })
    : await wire.ask({ method: 'PATCH', path, body: { roles: [next] }, token, expect: [200] });
  if (reply.outcome === 'answered') role.settle(next);
  else role.maybe(next);
}

async function probe(person: Person, { wire }: World): Promise<void> {
  const body = { scopes: ['iam:invitation:create', 'iam:tenant:archive', 'iam:tenant:restore'] };
  const path = '/api/auth/can';
  await wire.ask({ method: 'POST', path, body, token: tokenOf(person), expect: [200] });
}

const withTenant = (person: Person): boolean => settled(person) && person.tenant !== null;
const inTenant = (person: Person): boolean => withTenant(person) && selected(person) !== undefined;
const hasMembers = (person: Person): boolean =>
  inTenant(person) &&
  [...tenantOf(person).members.values()].some((role) => role.certain && role.latest !== null);

/** Steps of users in organizations. */
export const stepsOfTenants: readonly Step[] = [
  { weight: 3, can: (person) => settled(person) && person.tenant === null, run: found },
  { weight: 10, can: withTenant, run: select },
  { weight: 3, can: inTenant, run: renameTenant },
  { weight: 10, can: inTenant, run: changeRole },
  { weight: 12, can: inTenant, run: probe },
  { weight: 3, can: inTenant, run: invite },
  {
    weight: 30,
    can: (person, world) => settled(person) && invitationsOf(person, world).length > 0,
    run: accept,
  },
  { weight: 5, can: hasMembers, run: changeMember },
];

function tenantOf({ tenant }: Person): Tenant {
  if (!tenant) throw new Error('There is no tenant.');
  return tenant;
}

const selected = ({ sessions }: Person): Session | undefined =>
  sessions.find(({ tenantToken }) => tenantToken !== null);

function tokenOf(person: Person): string {
  return selected(person)?.tenantToken ?? '';
}
