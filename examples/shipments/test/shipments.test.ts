import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { itemsOf, type Member, Organization, TestGatehouse } from 'gatehouse/testing';
import { options } from '../src/options.js';

const SHIPMENTS = '/api/v1/logistics/shipments';
const DISPATCH = 'logistics:shipment:dispatch';

describe('Shipments', () => {
  let gatehouse: TestGatehouse;
  let organization: Organization;
  let owner: Member;
  before(async () => {
    gatehouse = await TestGatehouse.start(options);
    organization = await Organization.found(gatehouse);
    owner = organization.owner;
  });
  after(() => gatehouse?.stop());

  async function plan(token = owner.token): Promise<string> {
    const body = { contents: 'Spare parts', speed: 'express', weight: 12.5 };
    const { status, body: created } = await gatehouse.call('POST', SHIPMENTS, body, { token });
    assert.equal(status, 201);
    return String(created['id']);
  }
  const dispatch = (id: string, token = owner.token) =>
    gatehouse.call('POST', `${SHIPMENTS}/${id}/dispatch`, undefined, { token });
  async function mayDispatch(id: string, token = owner.token): Promise<unknown> {
    const question = { subject: `gatehouse:///logistics/shipments/${id}`, scopes: [DISPATCH] };
    return (await gatehouse.call('POST', '/api/auth/can', question, { token })).body[DISPATCH];
  }

  it('are planned, listed and dispatched once', async () => {
    const id = await plan();
    assert.deepEqual(await mayDispatch(id), { allowed: true });
    assert.equal((await dispatch(id)).status, 204);
    const { status, body } = await dispatch(id);
    assert.deepEqual([status, body['detail']], [403, 'The shipment has been dispatched already.']);
    const listed = itemsOf<{ id: string; state: string }>(await gatehouse.get(SHIPMENTS, owner.token));
    assert.deepEqual(
      listed.map(({ id, state }) => ({ id, state })),
      [{ id, state: 'dispatched' }],
    );
  });

  it('are refused in the language of the caller', async () => {
    const id = await plan();
    await dispatch(id);
    const headers = { 'accept-language': 'de' };
    const { body } = await gatehouse.call('POST', `${SHIPMENTS}/${id}/dispatch`, undefined, {
      token: owner.token,
      headers,
    });
    assert.equal(body['detail'], 'Die Sendung ist bereits verschickt.');
  });

  it('are closed to anonymous requests, to members without the scope, and to other organizations', async () => {
    const id = await plan();
    assert.equal((await gatehouse.get(SHIPMENTS)).status, 401);
    const member = await organization.join('member');
    assert.equal((await dispatch(id, member.token)).body['code'], 'scope_not_held');
    const { owner: stranger } = await Organization.found(gatehouse);
    assert.equal((await dispatch(id, stranger.token)).status, 404);
  });

  it('can be dispatched by a role that has the scope', async () => {
    const id = await plan();
    const role = { key: 'dispatcher', name: 'Dispatcher', scopes: [DISPATCH] };
    assert.equal((await organization.call('POST', '/roles', role)).status, 201);
    const dispatcher = await organization.join('dispatcher');
    assert.equal((await dispatch(id, dispatcher.token)).status, 204);
  });
});
