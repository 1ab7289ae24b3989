import { ProblemError } from '@gatehouse/client';
import { rich, text } from '../../messages/index.ts';
import { Skeleton } from '../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Page, Sheet } from '../../ui/page.tsx';
import { SignInFrame } from '../../ui/sign-in-frame.tsx';
import { Time } from '../../ui/time.tsx';
import { SetUpConnection } from './connection.tsx';
import { SetUpDirectory } from './directory.tsx';
import { SetUpDomains } from './domains.tsx';
import { useSetup, type Setup } from './setup-queries.ts';
import { inBackground } from '../../session/in-background.ts';

/** What the holder of a set-up link does for an organization, without an account. */
export function SetUpByLink() {
  const { data, error, refetch } = useSetup();
  if (data) return <Steps setup={data} />;
  if (error instanceof ProblemError && error.status === 401)
    return (
      <SignInFrame>
        <Sheet title={text('set-up.ended')}>
          <p>{text('set-up.ended.text')}</p>
        </Sheet>
      </SignInFrame>
    );
  return (
    <SignInFrame>
      <Sheet title={text('set-up')}>
        {error ? (
          <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />
        ) : (
          <Skeleton label={text('set-up')} />
        )}
      </Sheet>
    </SignInFrame>
  );
}

function Steps({ setup }: { readonly setup: Setup }) {
  const { organization, intents, connection, expiresAt, branding } = setup;
  const isFor = (intent: string) => intents.includes(intent);
  return (
    <SignInFrame look={branding} wide>
      <Page
        title={text('set-up.of', { organization: organization.name })}
        lead={rich('set-up.lead', { time: () => <Time key="time" value={expiresAt} exact /> })}
      >
        <Notice>
          <p>{text('set-up.secret')}</p>
        </Notice>
        {isFor('domain') && <SetUpDomains />}
        {(isFor('sso') || connection !== null) && (
          <SetUpConnection
            connection={connection}
            mayChange={isFor('sso')}
            mayChangeCertificates={isFor('certificate')}
          />
        )}
        {isFor('directory') && <SetUpDirectory />}
      </Page>
    </SignInFrame>
  );
}
