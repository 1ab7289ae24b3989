import { SamlStandIn } from '../../test/lab/saml-stand-in.ts';
import { send } from '../support/load.mjs';
import { idOf, populate, sqlId, tenantOf } from '../support/people.mjs';

const KIND = '/api/iam/auth/external/saml';
/** People of one connection, whose sign-ins are measured. */
const SAMPLE = 50;
const CODE_CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/**
 * Measures the start and the callback of a sign-in by the connection of an organization (SAML),
 * with many connections in the database and with one.
 */
export default async function connections(bench) {
  const count = Number(process.env.BENCH_CONNECTIONS ?? bench.of({ full: 10_000, quick: 2_000, smoke: 100 }));
  const [many, one] = [await Side.open(bench, count), await Side.open(bench, 1)];
  const rows = [];
  for (const step of ['start', 'callback']) {
    await bench.warm(() => many.measure(step));
    await bench.warm(() => one.measure(step));
    const { p50 } = await bench.paired(
      () => many.measure(step),
      () => one.measure(step),
    );
    rows.push({
      name: `${step} with ${count.toLocaleString('en')} connections`,
      against: 'with one',
      unit: 'ms',
      goal: { atMost: 1.15 },
      ...p50,
    });
  }
  return rows;
}

/** A service with connections, and people who sign in by them. */
class Side {
  #service;
  #provider = new SamlStandIn();
  #people = [];
  #seconds;
  #next = 0;

  static async open(bench, count) {
    const side = new Side();
    side.#seconds = bench.seconds;
    side.#service = await bench.service();
    await populate(side.#service.query, { people: 10 });
    await side.#connect(await bench.tokensOf(side.#service), count);
    const connection = Math.floor(count / 2);
    side.#people = Array.from({ length: SAMPLE }, (_, n) => ({
      connection,
      email: `p${n}@${domainOf(connection)}`,
    }));
    // The first sign-in makes the account; the measured ones find it.
    for (const person of side.#people) await side.#signIn(person);
    return side;
  }

  /** Signs people in, one after the other. Returns the median time of a step. */
  async measure(step) {
    const times = [];
    const end = performance.now() + this.#seconds * 1_000;
    do {
      const took = await this.#signIn(this.#people[(this.#next += 1) % SAMPLE]);
      times.push(took[step]);
    } while (performance.now() < end);
    const p50 = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
    return { p50, cpu: 1 };
  }

  async #signIn({ connection, email }) {
    const connectionId = connectionOf(connection);
    const began = performance.now();
    const answer = await send(this.#service, {
      method: 'POST',
      path: `${KIND}/start`,
      body: { codeChallenge: CODE_CHALLENGE, connectionId },
    });
    const start = performance.now() - began;
    const { authorizationUrl } = JSON.parse(answer);
    const form = this.#provider.answer(authorizationUrl, email, { words: { attributes: { email } } });
    const returned = performance.now();
    const response = await fetch(`${this.#service.base}${KIND}/callback/${connectionId}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(form),
    });
    await response.arrayBuffer();
    const callback = performance.now() - returned;
    const location = response.headers.get('location') ?? '';
    if (!/[#&]code=/.test(location)) throw new Error(`The callback answered ${response.status} ${location}.`);
    return { start, callback };
  }

  /** Makes one connection through the API, and copies it to as many organizations. */
  async #connect(tokens, count) {
    const { query } = this.#service;
    const tenant = tenantOf(0);
    await query(
      `INSERT INTO tenants (id, name) SELECT ${sqlId('T', 'n')}, 'Organization ' || n FROM generate_series(1, $1::int - 1) n`,
      [count],
    );
    await query(
      `INSERT INTO roles (tenant_id, id, key, name, scopes, built_in)
       SELECT ${sqlId('T', 'n')}, ${sqlId('R', 'n')}, 'member', 'member', '{}', true FROM generate_series(0, $1::int - 1) n`,
      [count],
    );
    const { issuer, entryPoint, key } = this.#provider;
    const { id } = JSON.parse(
      await send(this.#service, {
        method: 'POST',
        path: `/api/v1/iam/tenants/${tenant}/connections`,
        token: tokens.access(0, { inTenant: true }),
        body: {
          kind: 'saml',
          name: 'Provider',
          domainIds: [],
          provisioning: { justInTime: true },
          settings: { entityId: issuer, ssoUrl: entryPoint, certificates: [key.certificate] },
        },
      }),
    );
    for (const [table, key] of [
      ['connections', 'id'],
      ['saml_connections', 'connection_id'],
      ['connection_certificates', 'connection_id'],
    ])
      await query(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object('tenant_id', ${sqlId('T', 'n')}, '${key}', ${sqlId('C', 'n')}))).*
         FROM ${table} t, generate_series(0, $2::int - 1) n WHERE t.${key} = $1`,
        [id, count],
      );
    await query('DELETE FROM connections WHERE id = $1', [id]);
    await query("UPDATE connections SET status = 'active'");
    await query(
      `INSERT INTO tenant_domains (tenant_id, id, domain, token, status, verified_at)
       SELECT ${sqlId('T', 'n')}, ${sqlId('D', 'n')}, 'o' || n || '.${DOMAIN}', n::text, 'verified', now() FROM generate_series(0, $1::int - 1) n`,
      [count],
    );
    await query(
      `INSERT INTO connection_domains (tenant_id, connection_id, domain_id)
       SELECT ${sqlId('T', 'n')}, ${sqlId('C', 'n')}, ${sqlId('D', 'n')} FROM generate_series(0, $1::int - 1) n`,
      [count],
    );
    await query('VACUUM ANALYZE');
  }
}

const DOMAIN = 'sso.example';
const domainOf = (n) => `o${n}.${DOMAIN}`;
const connectionOf = (n) => idOf('C', n);
