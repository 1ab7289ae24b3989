import { ulid } from 'ulid';
import { OperatorService } from '../../../src/iam/index.js';
import { Counts } from '../../../src/platform/counts/index.js';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { byTwoFactors } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { ScimDirectory } from '../../support/scim-directory.js';
import { PLATFORM_WEBHOOKS, Subscriber } from '../../support/subscriber.js';
import { type Answer, eventually, withApp } from '../../support/test-app.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

interface Series {
  readonly name: string;
  readonly value: string;
  readonly counts: readonly number[];
}

describe('Counts of', () => {
  let organization: Organization;
  const app = withApp({ PORTAL: 'off', WEBHOOK_TRUSTED_HOSTS: '127.0.0.1' });
  beforeEach(async () => void (organization = await Organization.found(app)));

  /** Returns sums by value. */
  const sums = (series: readonly Series[]): Record<string, number> =>
    Object.fromEntries(
      series.map(({ value, counts }) => [value, counts.reduce((sum, count) => sum + count, 0)]),
    );
  const flush = () => app.app.get(Counts, { strict: false }).flush();
  const read = async (
    path: string,
    { token }: { readonly token: string } = organization.owner,
  ): Promise<Answer> => {
    await flush();
    return app.get(path, token);
  };
  const overview = async (name: string) => {
    const { body } = await read(`${organization.path}/overview`);
    const { series } = body['hours'] as unknown as { series: Series[] };
    return sums(series.filter((one) => one.name === name));
  };

  it('attempts are by webhook and outcome, without tests, and of no other organization', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const subscriber = new Subscriber(app, organization, receiver, { types: ['iam.role.*'] });
      const { id } = await subscriber.subscribe();
      await subscriber.createRole();
      await subscriber.waitForDelivery(id, 'delivered');
      receiver.answerWith(500);
      await subscriber.createRole();
      await receiver.waitFor('iam.role.created', 2);
      await subscriber.call('POST', `/subscriptions/${id}/test`, { type: 'iam.role.created' });
      await receiver.waitFor('iam.role.created', 3);
      const activity = async (owner = organization.owner) => {
        const { body } = await read('/api/v1/webhooks/activity', owner);
        return body['items'] as unknown as { id: string; series: Series[] }[];
      };
      await eventually('both attempts are counted', async () => {
        const { delivered = 0, refused = 0 } = sums((await activity())[0]?.series ?? []);
        return delivered === 1 && refused >= 1;
      });
      const [only, ...others] = await activity();
      expect([only?.id, others]).toEqual([id, []]);
      expect(sums(only?.series ?? [])).not.toHaveProperty('unreachable');
      expect((await overview('delivery'))['delivered']).toBe(1);
      const stranger = await Organization.found(app);
      expect(await activity(stranger.owner)).toEqual([]);
    } finally {
      await receiver.stop();
    }
  });

  it('attempts of the platform are by webhook, and for operators only', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const operator = await Person.signUp(app);
      await app.app.get(OperatorService, { strict: false }).grant(operator.email, 'admin');
      const by = { token: byTwoFactors(app, operator.token), base: PLATFORM_WEBHOOKS };
      const subscriber = new Subscriber(app, organization, receiver, { types: ['iam.tenant.created'] });
      const { id } = await subscriber.subscribe({}, by);
      await Organization.found(app);
      await subscriber.waitForDelivery(id, 'delivered', by);
      await eventually('the attempt is counted', async () => {
        const { body } = await read(`${PLATFORM_WEBHOOKS}/activity`, by);
        const [only] = body['items'] as unknown as { id: string; series: Series[] }[];
        return only?.id === id && (sums(only.series)['delivered'] ?? 0) >= 1;
      });
      expect((await read(`${PLATFORM_WEBHOOKS}/activity`)).status).toBe(403);
      expect((await read('/api/v1/webhooks/activity')).body['items']).toEqual([]);
    } finally {
      await receiver.stop();
    }
  });

  it('sign-ins are by connection and reason, in its organization only', async () => {
    const lab = new SamlStandIn();
    const connection = await LabConnection.active(organization, samlSettings(lab));
    await connection.call('PATCH', '', { provisioning: { justInTime: true, defaultRoles: ['member'] } });
    const signIn = async (domain: string) => {
      const subject = ulid().toLowerCase();
      const words = { attributes: { email: `${subject}@${domain}` } };
      return (await connection.bring(lab.answer(await connection.start(), subject, { words }))).fragment;
    };
    expect(await signIn(connection.domain)).toHaveProperty('access_token');
    expect(await signIn('others.example')).toHaveProperty('error', 'domain_not_verified');
    const path = `${organization.path}/connections/${connection.id}/sign-ins`;
    const { body } = await read(path);
    expect(body).toMatchObject({ span: 'day' });
    expect(sums(body['series'] as unknown as Series[])).toEqual({ signed_in: 1, domain_not_verified: 1 });
    expect((await overview('sign-in'))['connection']).toBe(1);
    expect(await overview('sign-in-refused')).toEqual({ domain_not_verified: 1 });
    const stranger = await Organization.found(app);
    expect((await read(path, stranger.owner)).status).toBe(404);
    const unknown = `${organization.path}/connections/${ulid()}/sign-ins`;
    expect((await read(unknown)).status).toBe(404);
  });

  it('requests are by directory and outcome', async () => {
    const directory = await ScimDirectory.create(organization);
    expect((await directory.call('GET', '/Users')).status).toBe(200);
    expect((await directory.call('GET', `/Users/${ulid()}`)).status).toBe(404);
    expect(await overview('scim')).toEqual({ done: 1, refused: 1 });
  });
});
