import { Http } from '../http.js';
import type { Cancellable } from '../gatehouse-options.js';
import type { Tokens } from '../refresh.js';
import { createDeviceKey, publicJwkOf, signProof } from './device-key.js';
import { StationSession } from './station-session.js';
import { indexedDbStore, type RegisteredStation, type StationStore } from './station-store.js';

const REFRESH = '/api/v1/iam/auth/refresh';
const SIGN_IN = '/api/v1/iam/auth/stations/{stationId}/sign-in';

export interface StationOptions {
  /** Address of the service: its `PUBLIC_URL`. */
  readonly url: string;
  /** Where the device keeps its station; by default in IndexedDB. */
  readonly store?: StationStore;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** What a person enters: the number or the text of the badge, and the PIN. */
export type StationCredentials = ({ readonly number: string } | { readonly badge: string }) & {
  readonly pin: string;
  /** Replaces the PIN; required with a temporary one. */
  readonly newPin?: string;
};

/**
 * A shared device of an organization, at which people sign in one after the other by number or
 * badge and PIN. The device proves its key, which cannot leave it. Methods throw as the methods of
 * `Gatehouse`.
 */
export class Station {
  readonly #url: string;
  readonly #http: Http;
  readonly #send: typeof fetch;
  readonly #store: StationStore;
  readonly #registered: RegisteredStation;

  private constructor(options: StationOptions, registered: RegisteredStation) {
    this.#url = options.url;
    this.#send = sendOf(options);
    this.#http = new Http(this.#url, this.#send);
    this.#store = storeOf(options);
    this.#registered = registered;
  }

  /** Returns the station that this device is; null before it has registered. */
  static async find(options: StationOptions): Promise<Station | null> {
    const registered = await storeOf(options).read();
    return registered && new Station(options, registered);
  }

  /**
   * Registers this device as a station. It then is no other one.
   * @param registrationCode that the organization's administrator got, within ten minutes
   * @throws {ProblemError} validation-error on `registrationCode` for one that is wrong, used or
   *   expired
   */
  static async register(options: StationOptions, registrationCode: string): Promise<Station> {
    const keys = await createDeviceKey();
    const http = new Http(options.url, sendOf(options));
    const body = { registrationCode, jwk: await publicJwkOf(keys) };
    const { data } = await http.call('post', '/api/v1/iam/auth/stations/register', [{ body }]);
    const registered = { ...data, keys };
    await storeOf(options).write(registered);
    return new Station(options, registered);
  }

  get id(): string {
    return this.#registered.stationId;
  }

  get name(): string {
    return this.#registered.name;
  }

  get tenant(): { readonly id: string; readonly name: string } {
    return this.#registered.tenant;
  }

  /** Look of the organization; null for the usual one. */
  get branding(): RegisteredStation['branding'] {
    return this.#registered.branding;
  }

  /**
   * Signs a person in. The session of the person before ends.
   * @throws {ProblemError} invalid-credentials if number, badge or PIN is wrong or locked, or the
   *   person is suspended; validation-error on `newPin` if the PIN is temporary, or the new one is
   *   easy to guess; unauthenticated if the station is disabled or deleted; forbidden outside its
   *   networks
   */
  async signIn(body: StationCredentials, { signal }: Cancellable = {}): Promise<StationSession> {
    const path = { stationId: this.id };
    const headers = await this.#prove(SIGN_IN.replace('{stationId}', this.id), { signal });
    const { data } = await this.#http.call('post', SIGN_IN, [{ params: { path }, body, headers, signal }]);
    return new StationSession({ url: this.#url, fetch: this.#send }, data, (token) => this.#refresh(token));
  }

  /** Removes the station from this device. The service keeps it until it is deleted there. */
  async forget(): Promise<void> {
    await this.#store.write(null);
  }

  async #refresh(refreshToken: string): Promise<Tokens> {
    const headers = await this.#prove(REFRESH, { refreshToken });
    return (await this.#http.call('post', REFRESH, [{ body: { refreshToken }, headers }])).data;
  }

  /** Returns the header that proves the key of this station for one request. */
  async #prove(
    path: string,
    { refreshToken, signal }: { readonly refreshToken?: string } & Cancellable,
  ): Promise<{ 'Station-Proof': string }> {
    const params = { path: { stationId: this.id } };
    const { data } = await this.#http.call('post', '/api/v1/iam/auth/stations/{stationId}/nonce', [
      { params, signal },
    ]);
    const request = {
      url: this.#url + path,
      nonce: data.nonce,
      ...(refreshToken !== undefined && { refreshToken }),
    };
    return { 'Station-Proof': await signProof(this.#registered.keys.privateKey, this.id, request) };
  }
}

const sendOf = (options: StationOptions): typeof fetch =>
  options.fetch ?? ((input, init) => fetch(input, init));

const storeOf = (options: StationOptions): StationStore => options.store ?? indexedDbStore();
