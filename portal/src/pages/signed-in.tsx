import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { gatehouse } from '../session/gatehouse.ts';
import { PAGE_PATHS, safeNext } from '../session/paths.ts';
import { useSignIn } from '../session/sign-in-state.ts';
import { Threshold } from '../ui/frames.tsx';
import { Trouble } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { useToast } from '../ui/toast.tsx';
import { nameOfKind, takeNext } from './external-kinds.tsx';

/** What the fragment of this address holds is good once, whatever becomes of the page that has read it. */
const outcome: { promise?: ReturnType<typeof gatehouse.completeExternalSignIn> } = {};

/** Where the browser comes back to from a sign-in elsewhere. */
export function SignedIn() {
  const [, navigate] = useLocation();
  const say = useToast();
  const { sessionId } = useSignIn();
  const { data, error } = useQuery({
    queryKey: ['external-sign-in'],
    queryFn: () => (outcome.promise ??= gatehouse.completeExternalSignIn()),
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  useEffect(() => {
    if (!data) return;
    const next = takeNext();
    if ('linked' in data) {
      say(`From now on you can sign in with ${nameOfKind(data.linked.kind)} as well.`);
      navigate(PAGE_PATHS.identities, { replace: true });
    } else navigate(safeNext(next), { replace: true });
  }, [data, navigate, say]);
  const [back, label] =
    sessionId === null
      ? [PAGE_PATHS.signIn, 'Back to the sign-in page']
      : [PAGE_PATHS.identities, 'Back to my identities'];
  return (
    <Threshold>
      <Sheet title={error ? 'Not this time' : 'One moment'}>
        {error ? <Trouble error={error} /> : <p role="status">We are completing your sign-in.</p>}
        {error && (
          <Link href={back} className="button primary">
            {label}
          </Link>
        )}
      </Sheet>
    </Threshold>
  );
}
