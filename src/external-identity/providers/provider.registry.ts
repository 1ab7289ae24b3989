import { applyDecorators, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Request } from 'express';
import { MarkedClasses } from '../../platform/discovery/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { FormLimits } from '../../platform/web/index.js';
import { environmentConnection, type Kind, KINDS, type SignInStrategy } from './provider.js';
import { Reflector } from '@nestjs/core';

/** Kind and display name of a provider. */
interface ProviderNames {
  readonly kind: Kind;
  /** Display name: "you can sign in with …". */
  readonly name: string;
}

/** Metadata of {@link ExternalProvider}. */
const ExternalProviderMark = Reflector.createDecorator<ProviderNames>();

/**
 * Registers a {@link SignInStrategy}: it is found at start, and adds its kind.
 * @param kind lower-case letters, digits and underscores
 * @param name display name, for pages and mails: "you can sign in with …"
 */
export function ExternalProvider(kind: Kind, name: string): ClassDecorator {
  return applyDecorators(Injectable(), ExternalProviderMark({ kind, name }));
}

/** Spelling of a kind in paths and in the API document. */
const KIND = /^[a-z][a-z0-9_]{1,39}$/;

/** A configured kind and the issuer that it accepts; null if its issuer cannot change. */
export interface AcceptedIssuer {
  readonly kind: Kind;
  readonly issuer: string | null;
}

/** Room for a code, an ID token and a name. */
const DEFAULT_MAX_FORM_BYTES = 64 * 1_024;

const NOT_AVAILABLE = {
  title: 'identity.page.not-available.title',
  lead: 'identity.page.not-available.lead',
} as const;

interface NamedStrategy {
  readonly name: string;
  readonly strategy: SignInStrategy;
}

/** Finds the strategies of all modules by their decorator at start. */
@Injectable()
export class ProviderRegistry implements OnApplicationBootstrap, FormLimits {
  private found: ReadonlyMap<Kind, NamedStrategy> | undefined;

  constructor(private readonly marked: MarkedClasses) {}

  /** @throws if a kind is misspelled, or two providers have the same kind */
  onApplicationBootstrap(): void {
    this.found = this.discover();
  }

  /** All kinds, configured or not; those of the API specification first. */
  get kinds(): readonly Kind[] {
    return [...new Set([...KINDS, ...this.all.keys()])];
  }

  /** Configured kinds, in the same order. */
  get configured(): readonly Kind[] {
    return this.kinds.filter((kind) => this.all.get(kind)?.strategy.configured === true);
  }

  /** Kinds and issuers whose identities can sign in today. */
  get acceptedIssuers(): readonly AcceptedIssuer[] {
    return this.configured.map((kind) => ({ kind, issuer: this.get(kind).issuer ?? null }));
  }

  /**
   * Returns the connections `env:<kind>` that are an authority for the addresses of a domain, as
   * far as the settings say.
   */
  authoritiesFor(domain: string): string[] {
    const isAuthority = ({ domains }: SignInStrategy) => domains?.includes(domain) ?? true;
    return this.configured.filter((kind) => isAuthority(this.get(kind))).map(environmentConnection);
  }

  /**
   * @throws {AppError} validation-error for an unknown kind, not-found for one that is not
   * configured
   */
  get(kind: Kind): SignInStrategy {
    const strategy = this.getSupported(kind);
    if (!strategy.configured)
      throw new AppError('not-found', {
        detail: 'This identity provider is not configured.',
        page: NOT_AVAILABLE,
      });
    return strategy;
  }

  /**
   * Returns the strategy of a kind, for connections: the environment need not configure it.
   * @throws {AppError} validation-error for an unknown kind
   */
  getSupported(kind: Kind): SignInStrategy {
    const registered = this.all.get(kind);
    if (!registered)
      throw new AppError('validation-error', {
        violations: [{ propertyPath: 'kind', message: `must be one of ${this.kinds.join(', ')}` }],
        page: NOT_AVAILABLE,
      });
    return registered.strategy;
  }

  /** Maximum size of a form that is posted to the callback of a kind. */
  maxFormBytesOf({ kind }: Request['params']): number {
    return this.all.get(String(kind))?.strategy.maxFormBytes ?? DEFAULT_MAX_FORM_BYTES;
  }

  /** Returns the display name of a kind. */
  nameOf(kind: Kind): string {
    return this.ownNameOf(kind) ?? this.all.get(kind)?.name ?? kind;
  }

  /** Returns the name that a provider has of its own; null if its decorator has a general term. */
  ownNameOf(kind: Kind): string | null {
    const registered = this.all.get(kind);
    if (!registered) return null;
    const { displayName = registered.name } = registered.strategy;
    return displayName;
  }

  /** Searches again at each call until all modules are initialized. */
  private get all(): ReadonlyMap<Kind, NamedStrategy> {
    return this.found ?? this.discover();
  }

  private discover(): ReadonlyMap<Kind, NamedStrategy> {
    const found = new Map<Kind, NamedStrategy>();
    for (const { mark, provider: strategy } of this.marked.find<ProviderNames, SignInStrategy>(
      ExternalProviderMark,
    )) {
      const { kind, name } = mark;
      if (!KIND.test(kind))
        throw new Error(`The kind ${kind} must consist of lower-case letters, digits and underscores.`);
      if (found.has(kind)) throw new Error(`The kind ${kind} has two providers.`);
      found.set(kind, { name, strategy });
    }
    return found;
  }
}
