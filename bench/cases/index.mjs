import bearer from './bearer.mjs';
import login from './login.mjs';
import probe50 from './probe-50.mjs';
import refresh from './refresh.mjs';
import registration from './registration.mjs';
import satellite from './satellite.mjs';
import selectTenant from './select-tenant.mjs';
import storm from './storm.mjs';

/** Every case by its name, in the order of the table. A case takes a {@link Bench} and answers rows. */
export const CASES = {
  bearer,
  'probe-50': probe50,
  refresh,
  login,
  storm,
  satellite,
  'select-tenant': selectTenant,
  registration,
};
