import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../messages/index.ts';
import { anonymous } from '../../session/gatehouse.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { Kind } from '../organization/single-sign-on/connection-queries.ts';
import { DomainChoice } from '../organization/single-sign-on/domain-choice.tsx';
import { DraftFields, draftIn } from '../organization/single-sign-on/draft-fields.tsx';
import { ProviderFields, settingsOf, type Source } from '../organization/single-sign-on/provider-fields.tsx';
import { byLink, refreshSetup, type SetupConnection, useSetupDomains } from './setup-queries.ts';

const CONNECTION = '/api/v1/iam/setup/connection';

interface CreateProps {
  readonly onClose: () => void;
}

/** Creates the connection by what the provider shows. */
export function CreateForm({ onClose }: CreateProps) {
  const [kind, setKind] = useState<Kind>('oidc');
  const [source, setSource] = useState<Source>('url');
  const domains = useSetupDomains().data ?? [];
  const say = useToast();
  const create = useMutation({
    mutationFn: async (values: FormData) => {
      const body = draftIn(values, { kind, source });
      return (await anonymous.post(CONNECTION, { body, ...byLink() })).data;
    },
    onSuccess: async ({ name }) => {
      await refreshSetup();
      onClose();
      say(text('connections.created', { name }));
    },
  });
  return (
    <Dialog title={text('connections.new')} isOpen onClose={onClose}>
      <Form error={create.error} onSubmit={(values) => create.mutate(values)}>
        <DraftFields kind={kind} source={source} onKind={setKind} onSource={setSource} />
        <DomainChoice domains={domains} chosen={domains.map(({ id }) => id)} />
        <FormButtons submit={text('connections.create')} isPending={create.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

interface ChangeProps {
  readonly connection: SetupConnection;
  readonly onClose: () => void;
}

/** Changes the settings, and of a connection that is not active the domains. */
export function ChangeForm({ connection, onClose }: ChangeProps) {
  const { kind, status, domainIds, settings: current } = connection;
  const [source, setSource] = useState<Source>(typeof current.metadataUrl === 'string' ? 'url' : 'hand');
  const domains = useSetupDomains().data;
  const say = useToast();
  const save = useMutation({
    mutationFn: async (values: FormData) => {
      const body = {
        settings: settingsOf(values, { kind, source, current }),
        ...(domains && status !== 'active' && { domainIds: values.getAll('domainIds').map(String) }),
      };
      return (await anonymous.patch(CONNECTION, { body, ...byLink() })).data;
    },
    onSuccess: async ({ name }) => {
      await refreshSetup();
      onClose();
      say(text('connections.changed', { name }));
    },
  });
  return (
    <Dialog title={text('connections.settings')} isOpen onClose={onClose}>
      <Form error={save.error} onSubmit={(values) => save.mutate(values)}>
        <Notice kind="care">
          <p>{text('connections.settings.text')}</p>
        </Notice>
        <ProviderFields kind={kind} source={source} onSource={setSource} current={current} />
        {domains && status !== 'active' && <DomainChoice domains={domains} chosen={domainIds} />}
        <FormButtons submit={text('save')} isPending={save.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
