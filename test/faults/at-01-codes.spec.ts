import { pkce, TestSatellite } from '../support/satellite.js';
import { acceptance, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';

const ROUNDS = inForm(20, 200);
const PARALLEL = 50;

acceptance('at-01', 'satellite codes at two replicas', [], (figures) => {
  let fleet: Fleet;
  let satellites: readonly TestSatellite[];
  beforeAll(async () => {
    fleet = await Fleet.start({ replicas: 2, balanced: false });
    const { clientId, clientSecret, redirectUri } = await fleet.registerSatellite();
    satellites = [0, 1].map((n) => new TestSatellite(fleet.client(n), clientId, clientSecret, redirectUri));
  }, 120_000);
  afterAll(() => fleet.stop());

  const satellite = (n: number): TestSatellite => satellites[n % 2] as TestSatellite;

  it(
    'redeems a code once of fifty concurrent requests',
    async () => {
      const account = await fleet.register();
      const [successes, faults]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        const { accessToken } = await fleet.client(round % 2).login(account);
        const { codeVerifier, codeChallenge } = pkce();
        const { body } = await satellite(round).issue(accessToken, codeChallenge);
        const answers = await Promise.all(
          Array.from({ length: PARALLEL }, (_, n) => satellite(n).exchange(body['code'], codeVerifier)),
        );
        successes.push(answers.filter(({ status }) => status === 200).length);
        faults.push(answers.filter(({ status }) => status >= 500).length);
        if ((round + 1) % 50 === 0) say(`${round + 1} rounds`);
      }
      const [grants] = await fleet.postgres.sql<{ count: number }>(
        "SELECT count(*)::int AS count FROM grants WHERE client_id = 'help-centre'",
      );
      figures.note('rounds', ROUNDS);
      figures.note('rounds with exactly one success', successes.filter((count) => count === 1).length, '', {
        exactly: ROUNDS,
      });
      figures.note('grants of the satellite', grants?.count ?? 0, '', { exactly: ROUNDS });
      figures.note(
        'answers of 500 and more',
        faults.reduce((a, b) => a + b),
        '',
        { exactly: 0 },
      );
      figures.none('complaints in the logs', fleet.complaints);
    },
    inForm(120_000, 900_000),
  );
});
