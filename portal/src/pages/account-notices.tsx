import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { canUsePasskeys, signalAcceptedPasskeys } from '@gatehouse/client';
import { rich, text } from '../messages/index.ts';
import { passwordSignIn, useDismissal } from '../session/dismissals.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { queryClient, useAuthenticators, useMe } from '../session/queries.ts';
import { useSignIn } from '../session/sign-in-state.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { AddPasskey } from './account/add-passkey.tsx';
import { RecoveryCodes } from './account/recovery-codes.tsx';
import { inBackground } from '../session/in-background.ts';

/** Pages that ask for a second factor or a passkey: where users arrive, and look for it. */
const ASKING = new RegExp(
  `^(?:${PAGE_PATHS.organizations}|${PAGE_PATHS.profile}|${PAGE_PATHS.identities})/?$`,
);

/** Says above the page what the user has to know about the account, one thing at a time. */
export function AccountNotices() {
  const { data: own } = useAuthenticators();
  const { data: me } = useMe();
  const { sessionId } = useSignIn();
  const [path] = useLocation();
  useEffect(() => {
    if (!own || !me) return;
    const name = me.email ?? me.name ?? me.id;
    signalAcceptedPasskeys(own, { name, displayName: me.name ?? name }).catch(() => undefined);
  }, [own, me]); // the browser's own list is no concern of the page
  if (!own || !me) return null;
  if (own.reset) return <ResetPending effectiveAt={own.reset.effectiveAt} />;
  if (!ASKING.test(path)) return null;
  if (own.shouldEnrol) return <Enrol key={me.id} userId={me.id} />;
  const hasPasskey = own.items.some(({ kind }) => kind === 'passkey');
  if (hasPasskey || !canUsePasskeys() || !passwordSignIn.isNoted(sessionId)) return null;
  return <OfferPasskey key={me.id} userId={me.id} />;
}

/** Says that an operator will remove the second factors of the user, who can cancel it. */
function ResetPending({ effectiveAt }: { readonly effectiveAt: string }) {
  const cancel = useMutation({
    mutationFn: () => gatehouse.delete('/api/v1/iam/me/authenticator-reset'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['authenticators'] }),
  });
  return (
    <Notice kind="care" title={text('reset-pending.title')}>
      <p>{rich('reset-pending.text', { time: () => <Time value={effectiveAt} /> })}</p>
      {cancel.error && <ErrorNotice error={cancel.error} />}
      <p>
        <Button small isPending={cancel.isPending} onPress={() => cancel.mutate()}>
          {text('reset-pending.cancel')}
        </Button>
      </p>
    </Notice>
  );
}

interface Props {
  readonly userId: string;
}

/** Asks operators and owners to add a second factor. */
function Enrol({ userId }: Props) {
  const [isDismissed, dismiss] = useDismissal('enrol', userId);
  if (isDismissed) return null;
  return (
    <Notice kind="care" title={text('enrol.title')}>
      <p>{text('enrol.text')}</p>
      <div className="row">
        <Link href={PAGE_PATHS.security} className="button primary small">
          {text('enrol.add')}
        </Link>
        <Button small onPress={dismiss}>
          {text('not-now')}
        </Button>
      </div>
    </Notice>
  );
}

/** Offers a passkey to a user who has just entered a password. */
function OfferPasskey({ userId }: Props) {
  const [isDismissed, dismiss] = useDismissal('passkey', userId);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => {
    setCodes(null);
    inBackground(queryClient.invalidateQueries({ queryKey: ['authenticators'] }));
  };
  if (isDismissed) return null;
  if (codes) return <RecoveryCodes codes={codes} onClose={close} />;
  return (
    <Notice title={text('offer-passkey.title')}>
      <p>{text('offer-passkey.text')}</p>
      <div className="row">
        <AddPasskey onAdded={(recovery) => (recovery ? setCodes(recovery) : close())} />
        <Button small onPress={dismiss}>
          {text('not-now')}
        </Button>
      </div>
    </Notice>
  );
}
