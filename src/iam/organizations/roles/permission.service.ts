import { Injectable } from '@nestjs/common';
import { AbilityRegistry, CallerScopes } from '../../../ability/index.js';
import { type Locale, textOf } from '../../../platform/messages/index.js';
import type { Principal } from '../../../kernel/index.js';

/** Scope that roles can hold, with its texts in one language. */
interface Permission {
  readonly scope: string;
  readonly title: string;
  readonly description: string | null;
  /** Heading under which to show it. */
  readonly group: string;
  /** Whether the caller holds it, and so can give it (API-12). */
  readonly givable: boolean;
}

/** Lists what roles can hold. */
@Injectable()
export class PermissionService {
  constructor(
    private readonly registry: AbilityRegistry,
    private readonly callers: CallerScopes,
  ) {}

  /** @returns the scopes of organizations, of all modules; those of one policy in a row */
  async list(caller: Principal, locale: Locale): Promise<Permission[]> {
    const holds = await this.callers.findCallerScopes(caller, false);
    return [...this.registry.all.values()]
      .filter(({ audience }) => audience === 'tenant')
      .map(({ scope, texts: { title, description, group } }) => ({
        scope,
        title: textOf(title, locale),
        description: description === null ? null : textOf(description, locale),
        group: textOf(group, locale),
        givable: holds?.(scope) === true,
      }));
  }
}
