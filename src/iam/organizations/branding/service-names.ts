import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { SERVICE } from '../../../platform/mail/index.js';
import { looksLike } from './look-alike.js';

/** Names of the service, which no organization may take. */
@Injectable()
export class ServiceNames {
  private readonly names: readonly string[];

  constructor(@Inject(SETTINGS) { MFA_ISSUER: issuer }: Settings) {
    this.names = [SERVICE, issuer];
  }

  /** Tells whether a name that an organization chose could be read as the service's. */
  resemble(text: string): boolean {
    return looksLike(text, this.names);
  }
}
