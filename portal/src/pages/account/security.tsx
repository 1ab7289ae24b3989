import { type ReactNode, useState } from 'react';
import { canUsePasskeys, type components } from '@gatehouse/client';
import { rich, text } from '../../messages/index.ts';
import { acting } from '../../session/acting.ts';
import { askToConfirm } from '../../session/confirmation.ts';
import { queryClient, useAuthenticators, useStepUpMethods } from '../../session/queries.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Key, Phone } from '../../ui/icons.tsx';
import { Empty, Skeleton } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { AddApp } from './add-app.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { RemoveAuthenticator, RenameAuthenticator, type Authenticator } from './change-authenticator.tsx';
import { OnlyThePersonChanges } from './only-the-person.tsx';
import { NewRecoveryCodes, RecoveryCodes } from './recovery-codes.tsx';
import { RemovePassword } from './remove-password.tsx';
import { TrustedDevices } from './trusted-devices.tsx';
import { inBackground } from '../../session/in-background.ts';

const KEY = ['authenticators'];

type Authenticators = components['schemas']['AuthenticatorListResponse'];
type Doing = { readonly what: 'rename' | 'remove'; readonly authenticator: Authenticator };

/**
 * Lists the user's second factors, adds, renames and removes them. An operator who acts as the
 * person only reads the list.
 */
export function Security() {
  const say = useToast();
  const own = useAuthenticators();
  const hasPassword = useStepUpMethods().data?.includes('password') === true;
  const [doing, setDoing] = useState<Doing | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const reload = () => queryClient.invalidateQueries({ queryKey: KEY });
  const added = (recoveryCodes: readonly string[] | null, message: string) => {
    say(message);
    setCodes(recoveryCodes);
    inBackground(reload());
  };
  const done = (message: string) => {
    setDoing(null);
    say(message);
    inBackground(reload());
  };
  return (
    <Page title={text('nav.security')} lead={text('security.lead')}>
      {own.error && <ErrorNotice error={own.error} onRetry={() => inBackground(own.refetch())} />}
      {own.isPending && <Skeleton label={text('security.factors')} />}
      {own.data?.items.length === 0 && (
        <Empty title={text('security.empty')} lead={text('security.empty.text')} />
      )}
      {own.data && own.data.items.length > 0 && (
        <ul className="list" aria-label={text('security.factors')}>
          {own.data.items.map((authenticator) => (
            <li key={authenticator.id}>
              <Item authenticator={authenticator} onDo={(what) => setDoing({ what, authenticator })}>
                {authenticator.countsOnlyIn !== null && <OnlyIn authenticator={authenticator} />}
              </Item>
            </li>
          ))}
        </ul>
      )}
      {acting !== null && <OnlyThePersonChanges />}
      {own.data && acting === null && (
        <>
          <div className="row">
            <AddApp onAdded={(recovery) => added(recovery, text('security.app.added'))} />
            {canUsePasskeys() && (
              <AddPasskey onAdded={(recovery) => added(recovery, text('security.passkey.added'))} />
            )}
          </div>
          {own.data.items.length > 0 && (
            <>
              <NewRecoveryCodes
                left={own.data.recoveryCodesLeft}
                onCreated={(created) => added(created, text('security.codes.renewed'))}
              />
              {hasPassword && canRemovePassword(own.data) && <RemovePassword />}
              <TrustedDevices count={own.data.trustedDevices} onRemoved={() => inBackground(reload())} />
            </>
          )}
        </>
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
      {doing?.what === 'rename' && (
        <RenameAuthenticator
          authenticator={doing.authenticator}
          onDone={() => done(text('security.renamed'))}
          onClose={() => setDoing(null)}
        />
      )}
      {doing?.what === 'remove' && (
        <RemoveAuthenticator
          authenticator={doing.authenticator}
          isLast={own.data?.items.length === 1}
          onDone={() => done(text('security.removed', { name: doing.authenticator.name }))}
          onClose={() => setDoing(null)}
        />
      )}
    </Page>
  );
}

/** Whether the user can still sign in after losing one passkey. */
function canRemovePassword({ items, recoveryCodesLeft }: Authenticators): boolean {
  const { length: passkeys } = items.filter(({ kind }) => kind === 'passkey');
  return passkeys >= 2 || (passkeys === 1 && recoveryCodesLeft > 0);
}

interface ItemProps {
  readonly authenticator: Authenticator;
  readonly onDo: (what: Doing['what']) => void;
  readonly children?: ReactNode;
}

function Item({ authenticator, onDo, children }: ItemProps) {
  const { kind, name, createdAt, lastUsedAt, backedUp } = authenticator;
  const isPasskey = kind === 'passkey';
  const kindName = text(isPasskey ? 'security.passkey' : 'security.app');
  const times = {
    added: () => <Time value={createdAt} />,
    used: () => lastUsedAt !== null && <Time value={lastUsedAt} />,
  };
  return (
    <div className="item">
      <span className="avatar" aria-hidden="true">
        {isPasskey ? <Key /> : <Phone />}
      </span>
      <div className="what">
        <div className="row">
          <strong>{name}</strong>
          {name !== kindName && <Badge>{kindName}</Badge>}
          {backedUp === true && <Badge>{text('security.synced')}</Badge>}
        </div>
        <span className="soft small">
          {rich(lastUsedAt === null ? 'security.facts.unused' : 'security.facts', times)}
        </span>
        {children}
      </div>
      {acting === null && (
        <div className="end wraps">
          <Button small aria-label={text('security.rename-of', { name })} onPress={() => onDo('rename')}>
            {text('security.rename')}
          </Button>
          <Button small aria-label={text('security.remove-of', { name })} onPress={() => onDo('remove')}>
            {text('security.remove')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Says where a factor counts only, and makes it count everywhere. */
function OnlyIn({ authenticator }: { readonly authenticator: Authenticator }) {
  const say = useToast();
  const { id, name, kind, countsOnlyIn } = authenticator;
  const organization = countsOnlyIn?.name ?? null;
  const confirm = async () => {
    const needed = { acr: 'aal2' as const, maxAge: null, methods: [kind], enrol: false, ownProof: false };
    if ((await askToConfirm(needed)) === null) return;
    await queryClient.invalidateQueries({ queryKey: KEY });
    const known = queryClient.getQueryData<Authenticators>(KEY)?.items;
    const isOwn = known?.find((one) => one.id === id)?.countsOnlyIn === null;
    say(text(isOwn ? 'security.only-in.lifted' : 'security.only-in.not-yet', { name }));
  };
  return (
    <>
      <span className="small">
        {organization === null
          ? text('security.only-in.deleted')
          : text('security.only-in', { organization })}
      </span>
      {acting === null && (
        <span>
          <Button small onPress={() => inBackground(confirm())}>
            {text('security.only-in.confirm')}
          </Button>
        </span>
      )}
    </>
  );
}
