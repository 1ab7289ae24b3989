import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ExternalKind } from '@gatehouse/client';
import { text } from '../messages/index.ts';
import { anonymous } from '../session/gatehouse.ts';
import { Button } from '../ui/button.tsx';
import type { OrganizationLook } from '../ui/look.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useExternalSignIn } from './external-kinds.tsx';

/** Connections to which this tab was led, so that a return from the provider shows the page. */
const LED = 'gatehouse.led';
const DOMAIN = /^[^@\s]+@([^@\s]+\.[^@\s]+)$/;

/** Question of which the service knows the ways to sign in. */
interface Question {
  readonly email?: string;
  readonly organization?: string;
}

/** Connection of an organization, and whether the organization takes nothing else. */
interface Offered {
  readonly id: string;
  readonly kind: ExternalKind;
  readonly name: string;
  readonly isRequired: boolean;
}

/** What the sign-in page shows of an organization. */
interface Options {
  readonly connection: Offered | null;
  /** Of an organization that was named, if it has its own look. */
  readonly look: OrganizationLook | undefined;
}

/**
 * Asks for the ways to sign in, once for each domain or organization. Without an answer, the page
 * is as it is for an address without a connection.
 */
export function useSignInOptions({ email = '', organization }: Question) {
  const domain = DOMAIN.exec(email)?.[1]?.toLowerCase();
  return useQuery({
    queryKey: ['sign-in-options', organization ?? domain],
    enabled: organization !== undefined || domain !== undefined,
    queryFn: async (): Promise<Options> => {
      const question = organization === undefined ? { email } : { organization };
      const { connection, required, branding } = await anonymous.findSignInOptions(question);
      return {
        connection: connection ? { ...connection, kind: connection.kind, isRequired: required } : null,
        look: branding,
      };
    },
    staleTime: Infinity,
    retry: false,
  });
}

interface Props {
  readonly next: string;
  readonly connection: Offered;
  /** Given to the provider as a hint. */
  readonly email?: string;
}

/**
 * Offers the sign-in by the connection of an organization. Leads there at once if the organization
 * takes nothing else; a second time in the tab, only at a press: an owner may need another way.
 */
export function ConnectionSignIn({ next, connection, email }: Props) {
  const { id, kind, name, isRequired } = connection;
  const start = useExternalSignIn(next);
  const { mutate } = start;
  useEffect(() => {
    if (!isRequired || sessionStorage.getItem(LED) === id) return;
    sessionStorage.setItem(LED, id);
    mutate({ ...targetOf(kind, id, email), isUnasked: email === undefined });
  }, [mutate, isRequired, kind, id, email]);
  return (
    <div className="stack tight">
      <p className="soft small">
        {text(isRequired ? 'sign-in.by-connection.required' : 'sign-in.by-connection')}
      </p>
      {start.error && <ErrorNotice error={start.error} />}
      <Button
        look="primary"
        wide
        isPending={start.isPending}
        onPress={() => mutate(targetOf(kind, id, email))}
      >
        {text('provider.continue', { provider: name })}
      </Button>
    </div>
  );
}

const targetOf = (kind: ExternalKind, connectionId: string, email: string | undefined) => ({
  kind,
  connectionId,
  ...(email !== undefined && { email }),
});
