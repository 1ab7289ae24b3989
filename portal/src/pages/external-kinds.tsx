import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ExternalKind } from '@gatehouse/client';
import { text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { configuration } from '../session/configuration.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import { ProviderButton } from '../ui/provider-button.tsx';

/** General terms for kinds whose provider has no own name. */
const TERMS: Readonly<Partial<Record<string, () => string>>> = {
  oidc: () => text('provider.oidc'),
  saml: () => text('provider.saml'),
};

/** Name of a provider on buttons; a kind that is no longer configured is shown as it is. */
export const nameOfKind = (kind: string): string =>
  configuration.providers.find((provider) => provider.kind === kind)?.name ??
  TERMS[kind]?.() ??
  kind.replaceAll(/[_-]/g, ' ');

/** The return page. */
export const returnUri = (): string => `${location.origin}${PAGE_PATHS.signedIn}`;

const NEXT = 'gatehouse.next';
const KIND = 'gatehouse.external-kind';
const UNASKED = 'gatehouse.unasked';

/** Returns the page to which this tab goes after an external sign-in, and forgets it. */
export const takeNext = (): string | null => take(NEXT);

/** Returns the kind of the external sign-in that this tab has started, and forgets it. */
export const takeKind = (): string | null => take(KIND);

/** Returns whether this tab has started the external sign-in without a press, and forgets it. */
export const takeUnasked = (): boolean => take(UNASKED) !== null;

function take(key: string): string | null {
  const kept = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return kept;
}

/** Provider of the deployment, or connection of an organization. */
interface Provider {
  readonly kind: ExternalKind;
  readonly connectionId?: string;
  /** Given to the provider as a hint. */
  readonly email?: string;
  /** Whether the page starts it by itself, as a link of another site may have named it. */
  readonly isUnasked?: boolean;
}

/** Sends the browser to a provider, and afterwards to `next`. */
export const useExternalSignIn = (next: string) =>
  useMutation({
    mutationFn: async ({ kind, connectionId, email, isUnasked = false }: Provider) => {
      const address = await gatehouse.startExternalSignIn(kind, {
        returnUri: returnUri(),
        ...(connectionId !== undefined && { connectionId }),
        ...(email !== undefined && { email }),
      });
      sessionStorage.setItem(NEXT, next);
      sessionStorage.setItem(KIND, kind);
      if (isUnasked) sessionStorage.setItem(UNASKED, '1');
      else sessionStorage.removeItem(UNASKED);
      location.assign(address);
      await leaving();
    },
  });

/**
 * Starts the sign-in of a connection that the address names, as the bookmark of an organization
 * does, once.
 */
export function ConnectionStart({ next, kind, connectionId }: ConnectionLink & { readonly next: string }) {
  const start = useExternalSignIn(next);
  const { mutate } = start;
  useEffect(
    () => mutate({ kind: kind as ExternalKind, connectionId, isUnasked: true }),
    [mutate, kind, connectionId],
  );
  return start.error ? <ErrorNotice error={start.error} /> : null;
}

/** Connection that an address of the sign-in page names. */
export interface ConnectionLink {
  readonly kind: string;
  readonly connectionId: string;
}

/** Buttons for the external identity providers of this deployment. */
export function ExternalKinds({ next }: { readonly next: string }) {
  const start = useExternalSignIn(next);
  if (configuration.providers.length === 0) return null;
  return (
    <>
      <div className="or">{text('sign-in.or')}</div>
      {start.error && <ErrorNotice error={start.error} />}
      <div className="stack tight">
        {configuration.providers.map(({ kind }) => (
          <ProviderButton
            key={kind}
            kind={kind}
            wide
            isPending={start.isPending && start.variables.kind === kind}
            onPress={() => start.mutate({ kind })}
          >
            {text('provider.continue', { provider: nameOfKind(kind) })}
          </ProviderButton>
        ))}
      </div>
    </>
  );
}

/**
 * The button remains pending while the browser leaves the page; if it does not leave, it can be
 * pressed again.
 */
export const leaving = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5_000));
