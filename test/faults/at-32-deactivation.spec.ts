import { setTimeout as sleep } from 'node:timers/promises';
import { ulid } from 'ulid';
import { Organization, Person } from '../support/organization.js';
import { ScimDirectory, verifyDomain } from '../support/scim-directory.js';
import { acceptance, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';

const ROUNDS = inForm(4, 30);
const SESSIONS = 3;
const REQUESTS_PER_SECOND = 50;
const BEFORE_MS = 300;
const AFTER_MS = 1_500;
const REFRESHES = 10;
/** Bound of the contract for other replicas. */
const ELSEWHERE_MS = 1_000;

interface Sample {
  readonly replica: number;
  readonly sentAt: number;
  readonly status: number;
}

acceptance('at-32', 'a directory deactivates a person under load', [], (figures) => {
  let fleet: Fleet;
  let acme: Organization;
  let directory: ScimDirectory;
  let domain: string;
  beforeAll(async () => {
    fleet = await Fleet.start({ replicas: 2, balanced: false });
    const service = fleet.client();
    const account = await fleet.register();
    acme = await Organization.found(service, await Person.again({ service, ...account }));
    directory = await ScimDirectory.create(acme);
    domain = `${ulid().toLowerCase()}.example`;
    await verifyDomain(acme, domain);
  }, 180_000);
  afterAll(() => fleet.stop());

  const read = async (replica: number, token: string): Promise<number> => {
    const answer = await fleet
      .client(replica)
      .call('GET', `${acme.path}/members`, undefined, { token })
      .catch(() => null);
    return answer?.status ?? 0;
  };

  /** Sends requests of the person to both replicas in turn until `ends` is reached. */
  async function load(tokens: readonly string[], ends: () => boolean): Promise<Sample[]> {
    const sent: Promise<Sample>[] = [];
    for (let n = 0; !ends(); n += 1) {
      const [replica, sentAt] = [n % 2, performance.now()];
      const token = tokens[n % tokens.length] ?? '';
      sent.push(read(replica, token).then((status) => ({ replica, sentAt, status })));
      await sleep(1_000 / REQUESTS_PER_SECOND);
    }
    return Promise.all(sent);
  }

  it(
    'and nothing of that person works after the answer, though the process is killed',
    async () => {
      const [here, there, worked]: [number[], number[], number[]] = [[], [], []];
      let [refreshed, lost] = [0, 0];
      for (let round = 0; round < ROUNDS; round += 1) {
        const account = await fleet.register(`${ulid().toLowerCase()}@${domain}`);
        const id = await directory.create(account.email);
        const sessions = await Promise.all(
          Array.from({ length: SESSIONS }, (_, n) => fleet.client(n % 2).login(account)),
        );
        const selected = await Promise.all(
          sessions.map(({ accessToken }, n) =>
            fleet.client(n % 2).post('select-tenant', { tenantId: acme.id }, { token: accessToken }),
          ),
        );
        const tokens = selected.map(({ body }) => String(body['accessToken']));

        let [answeredAt, ended] = [Number.POSITIVE_INFINITY, false];
        const loading = load(tokens, () => ended);
        await sleep(BEFORE_MS);
        const refreshes = Array.from({ length: REFRESHES }, (_, n) =>
          fleet
            .client(n % 2)
            .post('refresh', { refreshToken: sessions[n % SESSIONS]?.refreshToken, tenantId: acme.id })
            .catch(() => null),
        );
        const { status } = await directory.patch(`/Users/${id}`, {
          op: 'Replace',
          path: 'active',
          value: 'False',
        });
        answeredAt = performance.now();
        const isKilled = round % 2 === 1;
        if (isKilled) await fleet.replica(0).kill();
        await sleep(AFTER_MS);
        ended = true;
        const samples = await loading;
        if (isKilled) await fleet.replica(0).restart();

        const accepted = samples.filter((sample) => sample.status === 200);
        worked.push(accepted.filter(({ sentAt }) => sentAt < answeredAt).length);
        const after = accepted.filter(({ sentAt }) => sentAt > answeredAt);
        here.push(...after.filter(({ replica }) => replica === 0).map(({ sentAt }) => sentAt - answeredAt));
        there.push(...after.filter(({ replica }) => replica === 1).map(({ sentAt }) => sentAt - answeredAt));
        for (const answer of await Promise.all(refreshes)) {
          const token = answer?.status === 200 ? String(answer.body['accessToken']) : null;
          if (token !== null && (await read(1, token)) === 200) refreshed += 1;
        }
        const [member] = await fleet.postgres.sql<{ status: string }>(
          `SELECT m.status FROM members m JOIN accounts a ON a.id = m.user_id WHERE m.tenant_id = $1 AND a.email_key = $2`,
          [acme.id, account.email],
        );
        if (status !== 200 || member?.status !== 'suspended') lost += 1;
        if ((round + 1) % 5 === 0) say(`${round + 1} rounds`);
      }
      figures.note('rounds', ROUNDS);
      figures.note('fewest accepted requests of a round before the answer', Math.min(...worked), '', {
        atLeast: 1,
      });
      figures.note('accepted after the answer at the replica that gave it', here.length, '', { exactly: 0 });
      figures.note('latest accepted at the other', Math.max(0, ...there), 'ms', { atMost: ELSEWHERE_MS });
      figures.note('refreshes in flight whose token still works', refreshed, '', { exactly: 0 });
      figures.note('answered deactivations that were lost', lost, '', { exactly: 0 });
      figures.none('complaints in the logs', fleet.complaints);
    },
    inForm(180_000, 900_000),
  );
});
