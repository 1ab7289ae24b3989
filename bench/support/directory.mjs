import { batch } from './batch.mjs';
import { send } from './load.mjs';
import { idOf, tenantOf } from './people.mjs';

export const DOMAIN = 'directory.example';
export const GROUP_SIZE = 50;
/** Requests of an identity provider at a time. */
const AT_ONCE = 4;
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** A directory of the first organization, as its identity provider uses it. */
export class Directory {
  #service;
  #token;
  #path;
  #added = 0;

  /** @param organization number of the organization */
  static async create(service, tokens, organization = 0) {
    const directory = new Directory();
    const tenant = tenantOf(organization * 10);
    const owner = tokens.access(organization * 10, { inTenant: true });
    const path = `/api/v1/iam/tenants/${tenant}/directories`;
    const post = async (to, body) =>
      JSON.parse(await send(service, { method: 'POST', path: to, token: owner, body }));
    const { id } = await post(path, { name: 'Entra ID' });
    const { token } = await post(`${path}/${id}/tokens`, { name: 'Benchmark' });
    await service.query(
      `INSERT INTO tenant_domains (tenant_id, id, domain, token, status, verified_at) VALUES ($1, $2, $3, $2, 'verified', now())`,
      [tenant, idOf('D', organization), `o${organization}.${DOMAIN}`],
    );
    directory.#service = service;
    directory.#token = token;
    directory.#path = `/api/scim/v2/${id}`;
    directory.id = id;
    directory.tenant = tenant;
    directory.domain = `o${organization}.${DOMAIN}`;
    return directory;
  }

  /** A request that reads. */
  get(path) {
    return this.request('GET', path);
  }

  request(method, path, body) {
    return { method, path: this.#path + path, token: this.#token, body };
  }

  /** Creates people, and groups of fifty of them. Returns the seconds that it took. */
  async synchronize(people) {
    const began = performance.now();
    const ids = [];
    await batch(people, AT_ONCE, async (n) => (ids[n] = await this.add()));
    await batch(people / GROUP_SIZE, AT_ONCE, (n) =>
      this.#post('/Groups', {
        displayName: `Group ${began} ${n}`,
        members: ids.slice(n * GROUP_SIZE, (n + 1) * GROUP_SIZE).map((value) => ({ value })),
      }),
    );
    return (performance.now() - began) / 1_000;
  }

  /** Creates people until stopped. */
  synchronizing() {
    let goes = true;
    const over = batch(AT_ONCE, AT_ONCE, async () => {
      while (goes) await this.add();
    });
    return () => {
      goes = false;
      return over;
    };
  }

  /** Creates a person. Returns the id of the record. */
  async add() {
    const email = `p${(this.#added += 1)}@${this.domain}`;
    const { id } = await this.#post('/Users', {
      schemas: [USER],
      userName: email,
      externalId: `E${this.#added}`,
      active: true,
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: email, type: 'work', primary: true }],
    });
    return id;
  }

  /** Says that a person has left. */
  deactivate(id) {
    const body = { schemas: [PATCH], Operations: [{ op: 'replace', path: 'active', value: false }] };
    return send(this.#service, this.request('PATCH', `/Users/${id}`, body));
  }

  async #post(path, body) {
    return JSON.parse(await send(this.#service, this.request('POST', path, body)));
  }
}
