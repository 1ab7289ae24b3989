import { useMutation } from '@tanstack/react-query';
import type { ExternalKind } from '@gatehouse/client';
import { gatehouse } from '../session/gatehouse.ts';
import { knowledge } from '../session/knowledge.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { Button } from '../ui/button.tsx';
import { Trouble } from '../ui/notice.tsx';

const KIND_NAMES: Readonly<Partial<Record<string, string>>> = {
  google_oauth: 'Google',
  facebook_oauth: 'Facebook',
  apple_oauth: 'Apple',
  oidc: 'single sign-on',
  saml: 'your company (SAML)',
};

/** How a kind is called on a button; one that a team has added, by its own word. */
export const nameOfKind = (kind: string): string => KIND_NAMES[kind] ?? kind.replaceAll(/[_-]/g, ' ');

/** The page that the browser comes back to. */
export const returnUri = (): string => `${location.origin}${PAGE_PATHS.signedIn}`;

const NEXT = 'gatehouse.next';

/** Where this tab goes on after a sign-in elsewhere. */
export function takeNext(): string | null {
  const next = sessionStorage.getItem(NEXT);
  sessionStorage.removeItem(NEXT);
  return next;
}

/** Sends the browser to a provider; it comes back to `next`. */
export const useExternalSignIn = (next: string) =>
  useMutation({
    mutationFn: async (kind: ExternalKind) => {
      const address = await gatehouse.startExternalSignIn(kind, { returnUri: returnUri() });
      sessionStorage.setItem(NEXT, next);
      location.assign(address);
      await leaving();
    },
  });

/** The external identity providers that this deployment has. */
export function ExternalKinds({ next }: { readonly next: string }) {
  const start = useExternalSignIn(next);
  if (knowledge.kinds.length === 0) return null;
  return (
    <>
      <div className="or">or</div>
      {start.error && <Trouble error={start.error} />}
      <div className="stack tight">
        {knowledge.kinds.map((kind) => (
          <Button
            key={kind}
            wide
            isPending={start.isPending && start.variables === kind}
            onPress={() => start.mutate(kind)}
          >
            Continue with {nameOfKind(kind)}
          </Button>
        ))}
      </div>
    </>
  );
}

/** The button stays busy while the browser leaves; if it does not, it can be pressed again. */
export const leaving = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5_000));
