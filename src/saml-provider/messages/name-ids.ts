import { Injectable } from '@nestjs/common';
import type { Client } from '../../client/index.js';
import { ProfileService } from '../../iam/index.js';
import type { SessionId, UserId } from '../../kernel/index.js';
import { Subjects } from '../../openid/index.js';
import type { SamlClient } from '../clients/saml-client.js';
import type { NameIdFormat } from '../clients/saml-values.js';
import { transientNameOf } from './client-names.js';
import { FORMAT_NAMES } from './saml-names.js';
import { element, type Xml } from './xml-builder.js';

/** Whose name is asked for. */
interface Named {
  readonly userId: UserId;
  readonly sessionId: SessionId;
}

/** Names people to apps (SAML Core 8.3). */
@Injectable()
export class NameIds {
  constructor(
    private readonly subjects: Subjects,
    private readonly profiles: ProfileService,
  ) {}

  /**
   * Returns the name of a person for a client.
   * @param allowCreate whether they may get an identifier now
   * @returns null if they have none: no identifier yet, or no address
   */
  async find(
    client: Client,
    { userId, sessionId }: Named,
    format: NameIdFormat,
    allowCreate: boolean,
  ): Promise<string | null> {
    if (format === 'transient') return transientNameOf(client, sessionId);
    if (format === 'email') return (await this.profiles.getProfile(userId)).email;
    return allowCreate ? this.subjects.find(client, userId) : this.subjects.findKnown(client, userId);
  }
}

/** Creates the element of a name; a persistent one says between which two it holds. */
export function nameIdOf(
  { settings }: SamlClient,
  issuer: string,
  { format, value }: { readonly format: NameIdFormat; readonly value: string },
): Xml {
  const qualifiers =
    format === 'persistent' ? { NameQualifier: issuer, SPNameQualifier: settings.entityId } : {};
  return element('saml:NameID', { Format: FORMAT_NAMES[format], ...qualifiers }, value);
}
