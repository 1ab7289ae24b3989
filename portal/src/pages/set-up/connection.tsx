import { useState } from 'react';
import { text } from '../../messages/index.ts';
import { anonymous, withCookies } from '../../session/gatehouse.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/list.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CertificateList } from '../organization/single-sign-on/certificates.tsx';
import { SetUp } from '../organization/single-sign-on/set-up.tsx';
import { TestRun } from '../organization/single-sign-on/test-sign-in.tsx';
import { ChangeForm, CreateForm } from './connection-forms.tsx';
import { byLink, refreshSetup, type SetupConnection } from './setup-queries.ts';

const CONNECTION = '/api/v1/iam/setup/connection';

interface Props {
  readonly connection: SetupConnection | null;
  readonly mayChange: boolean;
  readonly mayChangeCertificates: boolean;
}

/** Creates, changes and tests the connection of the link. The organization activates it. */
export function SetUpConnection({ connection, mayChange, mayChangeCertificates }: Props) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <section className="stack" aria-labelledby="connection">
        <div className="row">
          <h2 id="connection">{connection?.name ?? text('set-up.connection')}</h2>
          {mayChange && (
            <Button small {...(!connection && { look: 'primary' })} onPress={() => setOpen(true)}>
              {text(connection ? 'connections.settings' : 'connections.new')}
            </Button>
          )}
        </div>
        {connection ? (
          <State connection={connection} />
        ) : (
          <Empty title={text('connections.empty')} lead={text('connections.empty.text')} />
        )}
      </section>
      {connection && mayChange && (
        <>
          <SetUp connection={connection} />
          <Test />
        </>
      )}
      {connection?.kind === 'saml' && mayChangeCertificates && <Certificates connection={connection} />}
      {isOpen &&
        (connection ? (
          <ChangeForm connection={connection} onClose={close} />
        ) : (
          <CreateForm onClose={close} />
        ))}
    </>
  );
}

const NOTICES = { draft: 'care', active: 'good', disabled: 'care' } as const;

function State({ connection: { status } }: { readonly connection: SetupConnection }) {
  return (
    <Notice kind={NOTICES[status]} title={text(`connections.status.${status}`)}>
      <p>{text(`set-up.status.${status}`)}</p>
    </Notice>
  );
}

function Test() {
  return (
    <TestRun
      title={text('connections.test')}
      start={async () => (await anonymous.post(`${CONNECTION}/tests`, { ...byLink(), ...withCookies })).data}
      read={async (testId) => {
        const options = { params: { path: { testId } }, ...byLink() };
        return (await anonymous.get(`${CONNECTION}/tests/{testId}`, options)).data;
      }}
      onFinished={refreshSetup}
      passedText={text('set-up.test.passed')}
    />
  );
}

function Certificates({ connection }: { readonly connection: SetupConnection }) {
  return (
    <CertificateList
      connection={connection}
      mayChange
      calls={{
        add: (certificate) =>
          anonymous.post(`${CONNECTION}/certificates`, { body: { certificate }, ...byLink() }),
        remove: (sha256) =>
          anonymous.delete(`${CONNECTION}/certificates/{sha256}`, {
            params: { path: { sha256 } },
            ...byLink(),
          }),
        refresh: () => anonymous.post(`${CONNECTION}/refresh-metadata`, byLink()),
        readAgain: refreshSetup,
      }}
    />
  );
}
