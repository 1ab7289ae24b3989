import type { Command } from '../command.js';
import { ACCOUNT_COMMANDS } from './accounts.js';
import { AGENT_COMMANDS } from './agents.js';
import { API_COMMANDS } from './apis.js';
import { AUDIT_COMMANDS } from './audit.js';
import { AUTHENTICATOR_COMMANDS } from './authenticators.js';
import { EVENT_COMMANDS } from './events.js';
import { OPERATOR_COMMANDS } from './operators.js';
import { ORGANIZATION_COMMANDS } from './organizations.js';
import { PERMISSION_COMMANDS } from './permissions.js';
import { PLATFORM_ACCOUNT_COMMANDS } from './platform-accounts.js';
import { PLATFORM_COMMANDS } from './platform.js';
import { SATELLITE_COMMANDS } from './satellites.js';
import { SERVICE_ACCOUNT_COMMANDS } from './service-accounts.js';

/** Every command that works on the database, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...PLATFORM_COMMANDS,
  ...OPERATOR_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...AUTHENTICATOR_COMMANDS,
  ...ORGANIZATION_COMMANDS,
  ...SATELLITE_COMMANDS,
  ...API_COMMANDS,
  ...PERMISSION_COMMANDS,
  ...AGENT_COMMANDS,
  ...SERVICE_ACCOUNT_COMMANDS,
  ...PLATFORM_ACCOUNT_COMMANDS,
  ...EVENT_COMMANDS,
  ...AUDIT_COMMANDS,
];
