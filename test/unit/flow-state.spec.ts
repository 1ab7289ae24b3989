/** @service separate */
import { createHmac } from 'node:crypto';
import {
  FLOW_LIFETIME_SECONDS,
  type FlowState,
  StateCodec,
} from '../../src/external-identity/flow/state/state-store.js';
import { Secret } from '../../src/platform/config/secret.js';
import { KeyDerivation } from '../../src/platform/crypto/index.js';

const OLD = new Secret(Buffer.alloc(32, 1));
const NEW = new Secret(Buffer.alloc(32, 2));
const keys = new KeyDerivation(OLD);
const codec = new StateCodec(keys);
const now = Math.floor(Date.now() / 1000);
const state: FlowState = {
  kind: 'google',
  flowId: 'flow',
  keyId: 'key',
  returnUri: 'https://portal.example/return',
  expiresAt: now + FLOW_LIFETIME_SECONDS,
};
const token = codec.encode(state);
const [payload = '', tag = ''] = token.split('.');
/** Signs as the service does. */
const sign = (form: string, signed: string): string => {
  const [{ key }] = keys.subkeys('external-state');
  return createHmac('sha256', key).update(`${form}|${signed}`).digest('base64url');
};

describe('A state', () => {
  it('says what the flow is, to this service alone', () => {
    expect(codec.decode(token)).toEqual(state);
    expect(Buffer.from(payload, 'base64url').toString('latin1')).not.toContain('portal.example');
    expect(token).toMatch(/^[\w-]+\.[\w-]{43}$/);
  });

  it('is unusable once it has expired', () => {
    expect(codec.decode(codec.encode({ ...state, expiresAt: now - 1 }))).toBeNull();
    expect(codec.decode(codec.encode({ ...state, expiresAt: now + 60 }))).not.toBeNull();
    jest.useFakeTimers({ now: now * 1_000 });
    expect(codec.decode(codec.encode({ ...state, expiresAt: now }))).toBeNull();
    expect(codec.decode(codec.encode({ ...state, expiresAt: now + 1 }))).not.toBeNull();
    jest.useRealTimers();
  });

  it.each([
    ['nothing', ''],
    ['no tag', payload],
    ['an empty tag', `${payload}.`],
    ['no payload', `.${tag}`],
    ['a third part', `${token}.${tag}`],
    ['an empty third part', `${token}.`],
    ['another payload', `${payload.slice(0, -4)}AAAA.${tag}`],
    ['another tag', `${payload}.${tag.startsWith('A') ? 'B' : 'A'}${tag.slice(1)}`],
    ['the tag of its other form', `${payload}.${sign('v1', payload).slice(0, 42)}`],
    ['the tag of no form', `${payload}.${sign('v3', payload)}`],
  ])('is unusable with %s', (_what, changed) => {
    expect(codec.decode(changed)).toBeNull();
  });

  it('is read under the previous root secret, and not under a foreign one', () => {
    expect(new StateCodec(new KeyDerivation(NEW, OLD)).decode(token)).toEqual(state);
    expect(new StateCodec(new KeyDerivation(NEW)).decode(token)).toBeNull();
  });
});
