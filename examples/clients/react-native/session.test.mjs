// Uses the storage that AsyncStorage ships for tests, without the globals that React Native lacks.
// client/test/examples.long.spec.ts starts the service.
import { createAsyncStorage } from '@react-native-async-storage/async-storage/jest';

await fetch('data:,'); // loads what fetch itself needs
for (const name of [
  'BroadcastChannel',
  'CustomEvent',
  'DOMException',
  'EventTarget',
  'navigator',
  'document',
])
  delete globalThis[name];
delete AbortSignal.timeout;
delete AbortSignal.prototype.throwIfAborted;

const { createGatehouse } = await import('./session.js');
const { GATEHOUSE_URL, EMAIL, PASSWORD, TENANT } = process.env;
const storage = createAsyncStorage('app');
const restart = () => createGatehouse(GATEHOUSE_URL, storage);

const first = await restart();
const before = await first.isSignedIn();
await first.login({ email: EMAIL, password: PASSWORD });
await first.selectTenant(TENANT);

const second = await restart();
const { data: me } = await second.get('/api/v1/iam/me');
const after = { isSignedIn: await second.isSignedIn(), tenantId: second.tenantId, email: me.email };
await storage.setItem('gatehouse.session', 'not a session');
const broken = await (await restart()).isSignedIn();
await storage.removeItem('gatehouse.session');
await second.login({ email: EMAIL, password: PASSWORD });
await second.logout();

const left = await storage.getAllKeys();
process.stdout.write(JSON.stringify({ before, after, broken, left }));
