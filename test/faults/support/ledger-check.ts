import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet, FleetDatabase } from './fleet.js';
import { halfDone, unfinished } from './invariants.js';
import type { Mailbox } from './mailbox.js';
import type { Person, Session } from './person.js';
import { Wire } from './wire.js';

const AUTH = '/api/v1/iam/auth';
const ME = '/api/v1/iam/me';

/** Collects deviations from what was acknowledged. */
class Findings {
  readonly all: string[] = [];

  expect(right: boolean, what: string): void {
    if (!right) this.all.push(what);
  }
}

/**
 * Compares what was acknowledged to users with the service's answers and the database.
 * @returns a line for each operation that was lost, came back, or was done by half
 */
export async function discrepancies(
  people: readonly Person[],
  fleet: Fleet<FleetDatabase>,
  mailbox: Mailbox,
  patienceMs: number,
): Promise<string[]> {
  const sql = fleet.postgres.sql.bind(fleet.postgres);
  const left = () => unfinished(sql).catch((error: unknown) => [String(error)]);
  for (const limit = Date.now() + patienceMs; (await left()).length > 0 && Date.now() < limit;)
    await sleep(200);
  const findings = new Findings();
  const wire = new Wire({ targets: fleet.replicas.map(({ url }) => url), contract: false });
  await checkDatabase(people, fleet, findings);
  for (const person of people) await checkPerson(person, wire, findings, mailbox);
  return [...findings.all, ...wire.faults, ...(await left()), ...(await halfDone(sql))];
}

async function checkDatabase(
  people: readonly Person[],
  fleet: Fleet<FleetDatabase>,
  findings: Findings,
): Promise<void> {
  const grants = await fleet.postgres.sql<{
    sessionId: string;
    generation: number;
    tenantId: string | null;
    ended: boolean;
    satellite: number;
  }>(`SELECT s.id AS "sessionId", g.generation, g.tenant_id AS "tenantId", s.ended_at IS NOT NULL AS ended,
        (SELECT count(*)::int FROM grants o WHERE o.session_id = s.id AND o.id <> g.id) AS satellite
      FROM sessions s JOIN grants g ON g.session_id = s.id
      WHERE g.client_id NOT IN (SELECT client_id FROM satellites)`);
  const known = new Map(grants.map((grant) => [grant.sessionId, grant]));
  for (const person of people.filter(({ stage }) => stage === 'active')) {
    for (const session of person.sessions) {
      const grant = known.get(session.id);
      const name = `session ${session.id}`;
      if (!grant || grant.ended) {
        findings.all.push(`${name} was acknowledged and is gone`);
        continue;
      }
      const { refreshes, tenantId, satellite, unansweredSince } = session;
      // A client repeats a refresh with the same token until it is answered, which raises the
      // generation once.
      const ahead = grant.generation - 1 - refreshes;
      findings.expect(
        ahead === 0 || (ahead === 1 && unansweredSince !== null),
        `${name} is at generation ${grant.generation} after ${refreshes} refreshes`,
      );
      findings.expect(tenantId.allows(grant.tenantId), `${name} works in tenant ${grant.tenantId}`);
      findings.expect(
        grant.satellite >= satellite.certain && grant.satellite <= satellite.certain + satellite.maybe,
        `${name} has ${grant.satellite} grants of the satellite, ${satellite.certain} were acknowledged`,
      );
    }
    for (const { id } of person.ended)
      findings.expect(known.get(id)?.ended !== false, `session ${id} lives after its end was acknowledged`);
  }
}

async function checkPerson(person: Person, wire: Wire, findings: Findings, mailbox: Mailbox): Promise<void> {
  const { email, stage, password, sessions, firstName } = person;
  if (stage === 'pending')
    findings.expect(
      mailbox.of(email, 'verify-email').length > 0,
      `${email} never got the mail of its registration`,
    );
  if (stage === 'erased') await expectLogin(person, wire, 401);
  if (stage !== 'active') return;
  if (password.certain) await expectLogin(person, wire, 200);
  for (const session of sessions) {
    const { access: token, unansweredSince, refresh: refreshToken } = session;
    const me = await wire.ask({ method: 'GET', path: ME, token, expect: [200] });
    if (me.outcome === 'answered')
      findings.expect(
        firstName.allows(String(me.body['firstName'])),
        `${email} is called ${me.body['firstName']}`,
      );
    if (unansweredSince === null)
      await wire.ask({ method: 'POST', path: `${AUTH}/refresh`, body: { refreshToken }, expect: [200] });
  }
  for (const { access: token, refresh: refreshToken } of person.ended) {
    await wire.ask({ method: 'GET', path: ME, token, expect: [401] });
    await wire.ask({ method: 'POST', path: `${AUTH}/refresh`, body: { refreshToken }, expect: [401] });
  }
  const [session] = sessions;
  if (person.tenant && session) await checkTenant(person, session, wire, findings);
}

function expectLogin({ email, password }: Person, wire: Wire, status: number): Promise<unknown> {
  const body = { email, password: password.latest };
  return wire.ask({ method: 'POST', path: `${AUTH}/login`, body, expect: [status] });
}

async function checkTenant(person: Person, session: Session, wire: Wire, findings: Findings): Promise<void> {
  const { tenant } = person;
  if (!tenant) return;
  const selected = await wire.ask({
    method: 'POST',
    path: `${AUTH}/select-tenant`,
    body: { tenantId: tenant.id },
    token: session.access,
    expect: [200],
  });
  if (selected.outcome !== 'answered') return;
  const token = String(selected.body['accessToken']);
  const path = `/api/v1/iam/tenants/${tenant.id}`;
  const read = async (below: string) => {
    const reply = await wire.ask({ method: 'GET', path: `${path}${below}`, token, expect: [200] });
    return reply.outcome === 'answered' ? reply.body : {};
  };
  const { name } = await read('');
  findings.expect(tenant.name.allows(String(name)), `tenant ${tenant.id} is called ${String(name)}`);
  const roles = (await read('/roles?limit=100'))['items'] as { id: string; name: string }[];
  for (const [id, known] of tenant.roles) {
    const found = roles.find((role) => role.id === id)?.name ?? null;
    findings.expect(known.allows(found), `role ${id} of tenant ${tenant.id} is called ${found}`);
  }
  const members = (await read('/members?limit=100'))['items'] as { userId: string; roles: string[] }[];
  for (const [member, known] of tenant.members) {
    const found = members.find(({ userId }) => userId === member.userId)?.roles[0] ?? null;
    findings.expect(known.allows(found), `${member.userId} is ${found} in tenant ${tenant.id}`);
  }
}
