import access from './access.mjs';
import apiKeys from './api-keys.mjs';
import audit from './audit.mjs';
import assertions from './assertions.mjs';
import bearer from './bearer.mjs';
import betterAuth from './better-auth.mjs';
import bystander from './bystander.mjs';
import cleanUp from './clean-up.mjs';
import coldStart from './cold-start.mjs';
import connections from './connections.mjs';
import directories from './directories.mjs';
import growth from './growth.mjs';
import importPeople from './import.mjs';
import login from './login.mjs';
import logout from './logout.mjs';
import memory from './memory.mjs';
import openid from './openid.mjs';
import operatorSearch from './operator-search.mjs';
import passkeys from './passkeys.mjs';
import portal from './portal.mjs';
import probe50 from './probe-50.mjs';
import refresh from './refresh.mjs';
import registration from './registration.mjs';
import replicas from './replicas.mjs';
import satellite from './satellite.mjs';
import selectTenant from './select-tenant.mjs';
import signInPolicy from './sign-in-policy.mjs';
import stations from './stations.mjs';
import storm from './storm.mjs';
import webhooks from './webhooks.mjs';
import workers from './workers.mjs';

/** Cases by name, in the order of the table. A case takes a {@link Bench} and returns rows. */
export const CASES = {
  bearer,
  'api-keys': apiKeys,
  'better-auth': betterAuth,
  'probe-50': probe50,
  access,
  refresh,
  login,
  passkeys,
  stations,
  storm,
  satellite,
  openid,
  assertions,
  logout,
  'select-tenant': selectTenant,
  'sign-in-policy': signInPolicy,
  registration,
  growth,
  import: importPeople,
  'operator-search': operatorSearch,
  'clean-up': cleanUp,
  'cold-start': coldStart,
  memory,
  portal,
  replicas,
  workers,
  audit,
  webhooks,
  directories,
  connections,
  bystander,
};
