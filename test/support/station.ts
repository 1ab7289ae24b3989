import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { ulid } from 'ulid';
import { type Settings, SETTINGS } from '../../src/platform/config/index.js';
import { byTwoFactors } from './factors.js';
import type { Organization } from './organization.js';
import type { Answer, TestApp } from './test-app.js';

const AUTH = '/api/v1/iam/auth';

interface Proof {
  readonly path: string;
  readonly method?: string;
  readonly nonce?: string;
  readonly jti?: string;
  readonly iat?: number;
  readonly refreshToken?: string;
  readonly kid?: string;
  readonly typ?: string;
  readonly key?: KeyObject;
  readonly header?: object;
  /** Claims in place of the usual ones. */
  readonly claims?: object;
}

/** A shared device: registers by its code, and signs a proof of each request. */
export class Station {
  private constructor(
    readonly service: Organization['service'],
    readonly id: string,
    private readonly key: KeyObject,
  ) {}

  /** Creates a station of an organization, and registers a device for it. */
  static async of(organization: Organization, fields: object = {}): Promise<Station> {
    const created = await organization.call('POST', '/stations', { name: `Gate ${ulid()}`, ...fields });
    if (created.status !== 201) throw new Error(`Creating a station answered ${created.status}.`);
    return Station.register(organization.service, String(created.body['registrationCode']));
  }

  static async register(service: Organization['service'], registrationCode: string): Promise<Station> {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = publicKey.export({ format: 'jwk' });
    const { status, body } = await service.post('stations/register', { registrationCode, jwk });
    if (status !== 201) throw new Error(`Registering answered ${status}.`);
    return new Station(service, String(body['stationId']), privateKey);
  }

  get signInPath(): string {
    return `${AUTH}/stations/${this.id}/sign-in`;
  }

  async nonce(): Promise<string> {
    return String((await this.service.post(`stations/${this.id}/nonce`)).body['nonce']);
  }

  /** Signs a proof, by default with a new nonce. */
  async prove(proof: Proof): Promise<string> {
    const { path, method = 'POST', refreshToken, kid = this.id, key = this.key } = proof;
    const { nonce = await this.nonce(), jti = ulid(), iat = Math.floor(Date.now() / 1_000) } = proof;
    const header = { typ: proof.typ ?? 'station-proof+jwt', alg: 'ES256', kid, ...proof.header };
    const ath = refreshToken && createHash('sha256').update(refreshToken).digest('base64url');
    const { PUBLIC_URL } = (this.service as TestApp).app.get<Settings>(SETTINGS, { strict: false });
    const htu = PUBLIC_URL + path;
    const payload = { htm: method, htu, iat, jti, nonce, ...(ath && { ath }), ...proof.claims };
    const parts = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
    const signature = sign('sha256', Buffer.from(parts.join('.')), { key, dsaEncoding: 'ieee-p1363' });
    return [...parts, signature.toString('base64url')].join('.');
  }

  async signIn(body: object, proof: Partial<Proof> = {}): Promise<Answer> {
    return this.present(body, await this.prove({ path: this.signInPath, ...proof }));
  }

  present(body: object, proof: string): Promise<Answer> {
    return this.service.call('POST', this.signInPath, body, { headers: { 'station-proof': proof } });
  }

  async refresh(refreshToken: string, proof: Partial<Proof> = {}): Promise<Answer> {
    const path = `${AUTH}/refresh`;
    const header = await this.prove({ path, refreshToken, ...proof });
    return this.service.call('POST', path, { refreshToken }, { headers: { 'station-proof': header } });
  }
}

/** A person without an address who has chosen a PIN. */
export interface TestWorker {
  readonly userId: string;
  readonly number: string;
  readonly pin: string;
}

/** Lets people sign in at the stations of an organization. */
export const openStations = async (
  organization: Organization,
  stations: 'workers' | 'members' = 'workers',
): Promise<void> => {
  const { status } = await organization.call('PUT', '/sign-in-policy', { stations });
  if (status !== 200) throw new Error(`Setting the policy answered ${status}.`);
};

/** Resets a PIN as the owner, who has signed in by two factors. */
export const resetPin = (organization: Organization, userId: string): Promise<Answer> =>
  organization.call(
    'POST',
    `/workers/${userId}/pin-reset`,
    undefined,
    byTwoFactors(organization.service as TestApp, organization.owner.token),
  );

/** Adds a worker, who chooses a PIN at a station. */
export async function hire(
  organization: Organization,
  station: Station,
  { number = ulid(), pin = '705318', roles = ['member'] } = {},
): Promise<TestWorker> {
  const added = await organization.call('POST', '/workers', { number, firstName: 'Grace', roles });
  if (added.status !== 201) throw new Error(`Adding a worker answered ${added.status}.`);
  const userId = String(added.body['userId']);
  const reset = await resetPin(organization, userId);
  if (reset.status !== 201) throw new Error(`The reset answered ${reset.status}.`);
  const temporary = String(reset.body['temporaryPin']);
  const { status } = await station.signIn({ number, pin: temporary, newPin: pin });
  if (status !== 200) throw new Error(`The first sign-in answered ${status}.`);
  return { userId, number, pin };
}
