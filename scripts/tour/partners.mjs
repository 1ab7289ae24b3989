import { compileWarehouse } from './warehouse.mjs';

const AUTH = '/api/v1/iam/auth';
const LOADS = '/api/v1/warehouse/loads';
const READ = 'warehouse:load:read';
const RELEASE = 'warehouse:load:release';

/**
 * A shipper with a tree of depots, and a carrier whose dispatcher works at one of them.
 * @param tour see Tour
 */
export async function partners(tour) {
  const shipper = await found(tour, 'The shipper', { email: 'ada@shipper.example', firstName: 'Ada' });
  const carrier = await found(tour, 'The carrier', { email: 'grace@carrier.example', firstName: 'Grace' });
  const dispatcher = await join(tour, carrier, { email: 'alan@carrier.example', firstName: 'Alan' });
  const { hamburg, dock, munich } = await fillWarehouse(tour, shipper);
  const partnershipId = await offer(tour, shipper, carrier, hamburg);
  const token = await put(tour, carrier, dispatcher, shipper, partnershipId);
  await work(tour, { dispatcher, token, dock, munich, hamburg });
  await leave(tour, { shipper, carrier, token, partnershipId });
}

/** The service with the warehouse of examples/shipments. */
partners.program = compileWarehouse;

async function found(tour, title, person) {
  tour.step(`${title} registers and creates an organization`);
  const session = await register(tour, person);
  const { call } = tour;
  const tenant = await call(201, 'POST', '/api/v1/iam/tenants', { name: title }, session.accessToken);
  const { accessToken } = await select(tour, 200, tenant.id, session.accessToken);
  return { id: tenant.id, path: `/api/v1/iam/tenants/${tenant.id}`, token: accessToken, ...person };
}

async function register({ call, mailedToken }, { email, firstName }) {
  const password = 'quiet-harbour-42';
  await call(202, 'POST', `${AUTH}/register`, { email, password, firstName, company: firstName });
  await call(204, 'POST', `${AUTH}/verify-email`, { token: await mailedToken(email), password });
  return call(200, 'POST', `${AUTH}/login`, { email, password });
}

const select = ({ call }, expected, tenantId, token) =>
  call(expected, 'POST', `${AUTH}/select-tenant`, { tenantId }, token);

async function join(tour, { path, token }, person) {
  const { call, step, mailedToken } = tour;
  step('A dispatcher joins the carrier');
  await call(201, 'POST', `${path}/invitations`, { email: person.email, roles: ['member'] }, token);
  const invitation = await mailedToken(person.email);
  const { accessToken } = await register(tour, person);
  await call(200, 'POST', `${AUTH}/accept-invitation`, { token: invitation }, accessToken);
  const { id } = await call(200, 'GET', '/api/v1/iam/me', undefined, accessToken);
  return { id, token: accessToken };
}

async function fillWarehouse({ call, step }, { token, path }) {
  step('The shipper has a tree of depots, with loads at them');
  const site = async (name, parentId) =>
    (await call(201, 'POST', '/api/v1/warehouse/sites', { name, ...(parentId && { parentId }) }, token)).id;
  const load = async (at, contents) =>
    (await call(201, 'POST', `/api/v1/warehouse/sites/${at}/loads`, { contents }, token)).id;
  const hamburg = await site('Hamburg');
  const dock = await load(await site('Dock 7', hamburg), 'Spare parts');
  const munich = await load(await site('Munich'), 'Engines');
  const role = { key: 'dispatcher', name: 'Dispatcher', scopes: [READ, RELEASE] };
  await call(201, 'POST', `${path}/roles`, role, token);
  return { hamburg, dock, munich };
}

async function offer({ call, step }, shipper, carrier, hamburg) {
  step('The shipper offers the carrier the role at the depot in Hamburg; the carrier accepts');
  const on = [`gatehouse:///warehouse/sites/${hamburg}`];
  const body = { email: carrier.email, roles: ['dispatcher'], on, maxPeople: 2 };
  const { id } = await call(201, 'POST', `${shipper.path}/partnerships`, body, shipper.token);
  await call(200, 'GET', `${carrier.path}/partner-access`, undefined, carrier.token);
  await call(200, 'POST', `${carrier.path}/partner-access/${id}/accept`, undefined, carrier.token);
  return id;
}

async function put(tour, carrier, dispatcher, shipper, partnershipId) {
  const { call, step, says } = tour;
  step('The dispatcher is put on it, and selects the shipper');
  await select(tour, 403, shipper.id, dispatcher.token);
  const person = `${carrier.path}/partner-access/${partnershipId}/people/${dispatcher.id}`;
  await call(400, 'PUT', person, { roles: ['admin'] }, carrier.token);
  await call(200, 'PUT', person, { roles: ['dispatcher'] }, carrier.token);
  await call(200, 'GET', '/api/v1/iam/me/tenants', undefined, dispatcher.token);
  const { accessToken } = await select(tour, 200, shipper.id, dispatcher.token);
  const { tid, via } = JSON.parse(Buffer.from(accessToken.split('.')[1], 'base64url'));
  says('The token has tid of the shipper, and via', tid === shipper.id && via === partnershipId);
  return accessToken;
}

async function work({ call, step, says }, { dispatcher, token, dock, munich }) {
  step('The list, the search and the command know the loads of that depot only');
  const { items } = await call(200, 'GET', LOADS, undefined, token);
  says('The list has the load at the dock below Hamburg', items.map(({ id }) => id).join() === dock);
  const question = {
    subject: { type: 'user', id: dispatcher.id },
    action: { name: RELEASE },
    resource: { type: 'warehouse/loads' },
  };
  await call(200, 'POST', '/access/v1/search/resource', question, token);
  const ask = { scopes: [RELEASE], subject: `gatehouse:///warehouse/loads/${dock}`, explain: true };
  await call(200, 'POST', '/api/auth/can', ask, token);
  await call(204, 'POST', `${LOADS}/${dock}/release`, undefined, token);
  await call(403, 'POST', `${LOADS}/${munich}/release`, undefined, token);
}

async function leave({ call, step }, { shipper, carrier, token, partnershipId }) {
  step('The shipper sees who works there; the carrier leaves, and the token is refused');
  await call(200, 'GET', `${shipper.path}/partnerships/${partnershipId}`, undefined, shipper.token);
  await call(200, 'GET', `${shipper.path}/members`, undefined, shipper.token);
  await call(200, 'POST', `${carrier.path}/partner-access/${partnershipId}/leave`, undefined, carrier.token);
  await call(401, 'GET', LOADS, undefined, token);
  await call(200, 'GET', `${shipper.path}/audit-events?limit=4`, undefined, shipper.token);
}
