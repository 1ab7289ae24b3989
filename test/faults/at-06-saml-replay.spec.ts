import { SamlStandIn } from '../lab/saml-stand-in.js';
import { ExternalVisitor, type Landing } from '../support/external.js';
import { acceptance } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';

const ROUNDS = inForm(3, 20);
const PARALLEL = 50;

acceptance('at-06', 'SAML responses at two replicas', [], (figures) => {
  const lab = new SamlStandIn();
  let fleet: Fleet;
  let visitors: readonly ExternalVisitor[];
  beforeAll(async () => {
    fleet = await Fleet.start({ replicas: 2, balanced: false, settings: lab.settings });
    visitors = [0, 1].map((n) => new ExternalVisitor(fleet.client(n), 'saml'));
  }, 120_000);
  afterAll(() => fleet.stop());

  const visitor = (n: number): ExternalVisitor => visitors[n % 2] as ExternalVisitor;
  const begin = async (n: number) => String((await visitor(n).start()).body['authorizationUrl']);
  const signedIn = (landings: readonly Landing[]) =>
    landings.filter(({ fragment }) => 'access_token' in fragment).length;
  const sessions = async () =>
    (await fleet.postgres.sql<{ count: number }>('SELECT count(*)::int AS count FROM sessions'))[0]?.count ??
    0;

  it('accepts a response once of fifty concurrent posts', async () => {
    const counts: number[] = [];
    const statuses: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const form = lab.answer(await begin(round), `visitor-${round}`);
      const landings = await Promise.all(Array.from({ length: PARALLEL }, (_, n) => visitor(n).post(form)));
      counts.push(signedIn(landings));
      statuses.push(...landings.map(({ status }) => status));
    }
    figures.note('rounds of fifty at once', ROUNDS);
    figures.note('rounds with exactly one session', counts.filter((count) => count === 1).length, '', {
      exactly: ROUNDS,
    });
    figures.note('sessions in the database', await sessions(), '', { exactly: ROUNDS });
    const answers = (of: number) => statuses.filter((status) => status === of).length;
    figures.note('answers of 500', answers(500), '', { exactly: 0 });
    figures.note('answers of 503', answers(503));
  }, 300_000);

  it('accepts a response at the other replica, and refuses its replay at the first', async () => {
    const before = await sessions();
    const form = lab.answer(await begin(0), 'traveller');
    const landings = [await visitor(1).post(form), await visitor(0).post(form), await visitor(1).post(form)];
    figures.note('sign-ins of one response at both replicas', signedIn(landings), '', { exactly: 1 });
    figures.note('the first of them', signedIn(landings.slice(0, 1)), '', { exactly: 1 });
    figures.note('sessions of it', (await sessions()) - before, '', { exactly: 1 });
  });

  it('refuses a response that names no request at both replicas', async () => {
    const before = await sessions();
    const unasked = lab.answer(await begin(0), 'stranger', {
      words: { inResponseTo: null, confirmationInResponseTo: null },
    });
    const landings = [await visitor(0).post(unasked), await visitor(1).post(unasked)];
    figures.note('sign-ins by a response to nothing', signedIn(landings), '', { exactly: 0 });
    figures.note('sessions of it', (await sessions()) - before, '', { exactly: 0 });
    figures.none('complaints in the logs', fleet.complaints);
  });
});
