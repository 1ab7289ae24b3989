import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import {
  verifyWebhook,
  type WebhookKeys,
  type WebhookRequest,
  WebhookVerificationError,
} from '../src/webhooks/index.js';

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const EVENT = { id: ID, type: 'iam.member.joined', sequence: 7, tenantId: ID, data: { name: 'Zoë' } };
const BODY = JSON.stringify(EVENT);
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

describe('A webhook', () => {
  const secret = newSecret();
  /** Signed by the library of Standard Webhooks. */
  const signed = ({ at = Date.now(), by = [secret], body = BODY } = {}): WebhookRequest => {
    const seconds = Math.floor(at / 1_000);
    const signatures = by.map((each) => new Webhook(each).sign(ID, new Date(seconds * 1_000), body));
    return {
      headers: {
        'webhook-id': ID,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signatures.join(' '),
      },
      body,
    };
  };
  const withHeader = (name: string, value: string | undefined): WebhookRequest => {
    const { headers, body } = signed();
    return { headers: { ...(headers as Record<string, string>), [name]: value }, body };
  };
  const refused = (request: WebhookRequest, keys: WebhookKeys = { secret }) =>
    expect(verifyWebhook(request, keys)).rejects.toThrow(WebhookVerificationError);

  it('returns its event', async () => {
    expect(await verifyWebhook(signed(), { secret })).toEqual(EVENT);
  });

  it('is verified from a Request and from bytes', async () => {
    const { headers } = signed();
    const request = new Request('http://receiver.test', { headers: headers as Record<string, string> });
    const body = new TextEncoder().encode(BODY);
    expect(await verifyWebhook({ headers: request.headers, body }, { secret })).toEqual(EVENT);
  });

  it('is verified by any of several secrets and signatures, as during a rotation', async () => {
    const [old, other] = [newSecret(), newSecret()];
    expect(await verifyWebhook(signed({ by: [old, secret] }), { secret })).toEqual(EVENT);
    expect(await verifyWebhook(signed({ by: [old] }), { secret: [secret, old] })).toEqual(EVENT);
    await refused(signed({ by: [old] }), { secret: [secret, other] });
    await refused(signed(), { publicKeys: [] });
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('is refused without %s', async (name) => {
    await refused(withHeader(name, undefined));
  });

  it.each<[string, WebhookRequest]>([
    ['another id', withHeader('webhook-id', '01ARZ3NDEKTSV4RRFFQ69G5FAW')],
    ['another timestamp', withHeader('webhook-timestamp', String(Math.floor(Date.now() / 1_000) - 1))],
    ['another body', { ...signed(), body: BODY.replace('joined', 'loined') }],
    ['a timestamp that is no number', withHeader('webhook-timestamp', 'now')],
    ['a signature that is no base64', withHeader('webhook-signature', 'v1,*')],
    ['an empty signature', withHeader('webhook-signature', 'v1,')],
    ['an unknown version', withHeader('webhook-signature', 'v2,AAAA')],
  ])('is refused with %s', async (_, request) => {
    await refused(request);
  });

  it('is accepted for five minutes, and from a clock that is five minutes ahead', async () => {
    const minutes = (count: number) => Date.now() + count * 60_000;
    expect(await verifyWebhook(signed({ at: minutes(-4.9) }), { secret })).toEqual(EVENT);
    expect(await verifyWebhook(signed({ at: minutes(4.9) }), { secret })).toEqual(EVENT);
    await refused(signed({ at: minutes(-5.1) }));
    await refused(signed({ at: minutes(5.1) }));
  });

  it('is refused if its body is no JSON, though signed', async () => {
    await refused(signed({ body: 'no JSON' }));
  });

  it('is verified by the public key of Ed25519, and by no secret then', async () => {
    const pair = generateKeyPairSync('ed25519');
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = sign(null, Buffer.from(`${ID}.${timestamp}.${BODY}`), pair.privateKey).toString(
      'base64',
    );
    const request = {
      headers: {
        'webhook-id': ID,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1a,${signature}`,
      },
      body: BODY,
    };
    const jwkOf = ({ publicKey }: typeof pair) => publicKey.export({ format: 'jwk' });
    const other = generateKeyPairSync('ed25519');
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
    expect(await verifyWebhook(request, { publicKeys: [curve, jwkOf(other), jwkOf(pair)] })).toEqual(EVENT);
    await refused(request, { publicKeys: [jwkOf(other)] });
    await refused(request);
  });

  it.each(['', 'whsec_', 'whsec_*'])('says that a secret %p is none', async (none) => {
    await expect(verifyWebhook(signed(), { secret: none })).rejects.toThrow(TypeError);
  });
});
