import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { rich, text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { TextArea } from '../../../ui/fields.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Time } from '../../../ui/time.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { pathOf, refreshConnections, type Certificate, type Connection } from './connection-queries.ts';

const ONE = '/api/v1/iam/tenants/{id}/connections/{connectionId}';
/** Time before the expiry from which a certificate is marked, as the first mail comes. */
export const SOON_MS = 30 * 86_400_000;
/** Digits of a fingerprint that tell certificates of a connection apart. */
const SHOWN_DIGITS = 16;

interface Props {
  readonly tenantId: string;
  readonly connection: Connection;
  readonly mayChange: boolean;
}

/** Certificates of a connection of the organization. */
export function Certificates({ tenantId, connection, mayChange }: Props) {
  const { id } = connection;
  const params = pathOf(tenantId, id);
  return (
    <CertificateList
      connection={connection}
      mayChange={mayChange}
      calls={{
        add: (certificate) => gatehouse.post(`${ONE}/certificates`, { params, body: { certificate } }),
        remove: (sha256) =>
          gatehouse.delete(`${ONE}/certificates/{sha256}`, {
            params: { path: { id: tenantId, connectionId: id, sha256 } },
          }),
        refresh: () => gatehouse.post(`${ONE}/refresh-metadata`, { params }),
        readAgain: () => refreshConnections(tenantId),
      }}
    />
  );
}

/** How a page changes certificates. */
interface Calls {
  readonly add: (pem: string) => Promise<{ readonly data: { readonly status: 'accepted' | 'waiting' } }>;
  readonly remove: (sha256: string) => Promise<unknown>;
  readonly refresh: () => Promise<unknown>;
  /** Reads the connection again. */
  readonly readAgain: () => Promise<void>;
}

interface ListProps {
  readonly connection: Pick<Connection, 'certificates' | 'settings'>;
  readonly mayChange: boolean;
  readonly calls: Calls;
}

/** Lists, adds and removes the certificates by which a SAML provider signs. */
export function CertificateList({ connection, mayChange, calls }: ListProps) {
  const { certificates = [], settings } = connection;
  const [isAdding, setAdding] = useState(false);
  const say = useToast();
  const refresh = useMutation({
    mutationFn: calls.refresh,
    onSuccess: async () => {
      await calls.readAgain();
      say(text('connections.certificate.refreshed'));
    },
  });
  return (
    <section className="stack" aria-labelledby="certificates">
      <div className="row">
        <h2 id="certificates">{text('connections.certificate.list')}</h2>
        {mayChange && (
          <Button small onPress={() => setAdding(true)}>
            {text('connections.certificate.new')}
          </Button>
        )}
        {mayChange && typeof settings.metadataUrl === 'string' && (
          <Button small isPending={refresh.isPending} onPress={() => refresh.mutate()}>
            {text('connections.certificate.refresh')}
          </Button>
        )}
      </div>
      <p className="soft small">
        {text(
          typeof settings.metadataUrl === 'string'
            ? 'connections.certificate.by-metadata'
            : 'connections.certificate.by-hand',
        )}
      </p>
      {refresh.error && <ErrorNotice error={refresh.error} onRetry={() => refresh.mutate()} />}
      <ul className="list" aria-label={text('connections.certificate.list')}>
        {certificates.map((certificate) => (
          <li key={certificate.sha256}>
            <Row calls={calls} certificate={certificate} mayRemove={mayChange && certificates.length > 1} />
          </li>
        ))}
      </ul>
      {isAdding && <NewCertificate calls={calls} onClose={() => setAdding(false)} />}
    </section>
  );
}

interface RowProps {
  readonly calls: Calls;
  readonly certificate: Certificate;
  readonly mayRemove: boolean;
}

function Row({ calls, certificate: { sha256, notAfter, lastUsedAt }, mayRemove }: RowProps) {
  const say = useToast();
  const [isRemoving, setRemoving] = useState(false);
  const shown = `${sha256.slice(0, SHOWN_DIGITS)}…`;
  const remove = useMutation({
    mutationFn: () => calls.remove(sha256),
    onSuccess: async () => {
      setRemoving(false);
      say(text('connections.certificate.removed'));
      await calls.readAgain();
    },
  });
  return (
    <div className="item plain">
      <span className="what">
        <span className="row">
          <code title={sha256}>{shown}</code>
          <Validity notAfter={notAfter} />
        </span>
        <span className="small">
          {rich('connections.certificate.valid-until', {
            time: () => <Time key="time" value={notAfter} exact />,
          })}
        </span>
        <span className="soft small">
          {lastUsedAt === null
            ? text('connections.certificate.never-used')
            : rich('connections.certificate.used-at', {
                time: () => <Time key="time" value={lastUsedAt} />,
              })}
        </span>
      </span>
      {mayRemove && (
        <span className="end">
          <Button
            small
            aria-label={text('connections.certificate.remove-of', { sha256: shown })}
            onPress={() => setRemoving(true)}
          >
            {text('connections.certificate.remove')}
          </Button>
        </span>
      )}
      <ConfirmDialog
        title={text('connections.certificate.remove.title')}
        confirm={text('connections.certificate.remove')}
        action={remove}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
      >
        <p>{text('connections.certificate.remove.text')}</p>
      </ConfirmDialog>
    </div>
  );
}

/** Says that a certificate has expired, or does within thirty days. */
export function Validity({ notAfter }: { readonly notAfter: string }) {
  const left = Date.parse(notAfter) - Date.now();
  if (left > SOON_MS) return null;
  return left > 0 ? (
    <Badge kind="care">{text('connections.certificate.expires-soon')}</Badge>
  ) : (
    <Badge kind="bad">{text('connections.certificate.expired')}</Badge>
  );
}

interface NewProps {
  readonly calls: Calls;
  readonly onClose: () => void;
}

function NewCertificate({ calls, onClose }: NewProps) {
  const say = useToast();
  const add = useMutation({
    mutationFn: calls.add,
    onSuccess: async ({ data }) => {
      await calls.readAgain();
      onClose();
      say(text(`connections.certificate.${data.status === 'waiting' ? 'waits' : 'added'}`));
    },
  });
  return (
    <Dialog title={text('connections.certificate.new')} isOpen onClose={onClose}>
      <Form error={add.error} onSubmit={(values) => add.mutate(String(values.get('certificate')).trim())}>
        <TextArea
          label={text('connections.certificate')}
          name="certificate"
          hint={text('connections.certificate.hint')}
          isRequired
          autoFocus
        />
        <FormButtons
          submit={text('connections.certificate.add')}
          isPending={add.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}
