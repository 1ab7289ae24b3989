import type { INestApplication } from '@nestjs/common';
import { AuditTrail, recordedActions } from '../../src/iam/index.js';
import { ACTIONS_WITHOUT_EVENT } from './route-events.js';

/**
 * Lets the audit trail of an application refuse actions that are no events and of which
 * ACTIONS_WITHOUT_EVENT does not say why: also those that are composed at run time.
 * Those that begin with `test.` are the tests' own.
 */
export function requireKnownActions(app: INestApplication): void {
  const trail = app.get(AuditTrail, { strict: false });
  const record = trail.record.bind(trail);
  const known = new Set([...recordedActions(), ...Object.keys(ACTIONS_WITHOUT_EVENT)]);
  trail.record = (...events) => {
    const unknown = events.find(({ action }) => !known.has(action) && !action.startsWith('test.'));
    if (unknown) throw new Error(`Neither an event nor listed as none: ${unknown.action}.`);
    return record(...events);
  };
}
