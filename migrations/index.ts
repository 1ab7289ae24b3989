import type { MigrationClass } from '../src/platform/database/migrate.js';
import { CreateSchema1795999000000 } from './1795999000000-create-schema.js';
import { StopDirectoryTokens1796000000000 } from './1796000000000-stop-directory-tokens.js';
import { AgeOfAuthentications1796010000000 } from './1796010000000-age-of-authentications.js';
import { SamlBinding1796011000000 } from './1796011000000-saml-binding.js';
import { FollowNames1796012000000 } from './1796012000000-follow-names.js';
import { CreateOneTimeCodes1796030000000 } from './1796030000000-create-one-time-codes.js';

/** Every migration, oldest first. */
export const migrations: readonly MigrationClass[] = [
  CreateSchema1795999000000,
  StopDirectoryTokens1796000000000,
  AgeOfAuthentications1796010000000,
  SamlBinding1796011000000,
  FollowNames1796012000000,
  CreateOneTimeCodes1796030000000,
];
