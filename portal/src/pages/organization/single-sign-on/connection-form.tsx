import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@gatehouse/client';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Checkbox, CheckboxGroup } from '../../../ui/checkboxes.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { nameOfRole } from '../../../ui/role-name.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useRoles } from '../organization-queries.ts';
import { pathOf, refreshConnections, useDomains, type Connection } from './connection-queries.ts';
import { DomainChoice } from './domain-choice.tsx';
import { ProviderFields, settingsOf, type Source } from './provider-fields.tsx';

const ONE = '/api/v1/iam/tenants/{id}/connections/{connectionId}';
const NO_MATCH = ['default', 'refuse'] as const;
const SYNC = ['first-sign-in', 'every-sign-in'] as const;
type NoMatch = Connection['provisioning']['onNoMatch'];
type Sync = Connection['provisioning']['syncRoles'];

interface Props {
  readonly tenantId: string;
  readonly connection: Connection;
  readonly onClose: () => void;
}

/** Changes what needs no new test: name, domains, and who is added with which roles. */
export function ConnectionForm({
  tenantId,
  connection,
  mayReadDomains,
  onClose,
}: Props & { readonly mayReadDomains: boolean }) {
  const { kind, name, domainIds, provisioning } = connection;
  const [justInTime, setJustInTime] = useState(provisioning.justInTime);
  const [onNoMatch, setNoMatch] = useState<NoMatch>(provisioning.onNoMatch);
  const [syncRoles, setSync] = useState<Sync>(provisioning.syncRoles);
  const [idpInitiated, setIdpInitiated] = useState(connection.idpInitiated ?? false);
  const [identityAssertions, setAssertions] = useState(connection.identityAssertions ?? false);
  const [trustsSecondFactor, setTrust] = useState(connection.trustsSecondFactor);
  const domains = useDomains(tenantId, mayReadDomains).data;
  const roles = useRoles(tenantId).data;
  const save = useChange(tenantId, connection, onClose);
  return (
    <Dialog title={text('connections.change')} isOpen onClose={onClose}>
      <Form
        error={save.error}
        onSubmit={(values) =>
          save.mutate({
            name: String(values.get('name')).trim(),
            ...(domains && { domainIds: values.getAll('domainIds').map(String) }),
            provisioning: {
              justInTime,
              onNoMatch,
              syncRoles,
              ...(roles && { defaultRoles: values.getAll('provisioning.defaultRoles').map(String) }),
            },
            trustsSecondFactor,
            ...(kind === 'saml' ? { idpInitiated } : { identityAssertions }),
          })
        }
      >
        <TextField
          label={text('name')}
          name="name"
          maxLength={100}
          defaultValue={name}
          isRequired
          autoFocus
        />
        {domains && <DomainChoice domains={domains} chosen={domainIds} />}
        <Checkbox isSelected={justInTime} onChange={setJustInTime}>
          {text('connections.just-in-time')}
          <span className="small soft line">{text('connections.just-in-time.hint')}</span>
        </Checkbox>
        {roles && (
          <CheckboxGroup
            label={text('connections.default-roles')}
            hint={text('connections.default-roles.hint')}
            name="provisioning.defaultRoles"
            defaultValue={[...provisioning.defaultRoles]}
          >
            {roles.map((role) => (
              <Checkbox key={role.key} value={role.key}>
                {nameOfRole(role)}
              </Checkbox>
            ))}
          </CheckboxGroup>
        )}
        <SelectField
          label={text('connections.no-match')}
          options={NO_MATCH.map((one) => [one, text(`connections.no-match.${one}`)])}
          value={onNoMatch}
          onChange={(one) => setNoMatch(one as NoMatch)}
        />
        <SelectField
          label={text('connections.sync')}
          options={SYNC.map((one) => [one, text(`connections.sync.${one}`)])}
          value={syncRoles}
          onChange={(one) => setSync(one as Sync)}
        />
        <Checkbox isSelected={trustsSecondFactor} onChange={setTrust}>
          {text('connections.trusts-factor')}
          <span className="small soft line">{text('connections.trusts-factor.hint')}</span>
        </Checkbox>
        {kind === 'oidc' && (
          <Checkbox isSelected={identityAssertions} onChange={setAssertions}>
            {text('connections.assertions')}
            <span className="small soft line">{text('connections.assertions.hint')}</span>
          </Checkbox>
        )}
        {kind === 'saml' && (
          <Checkbox isSelected={idpInitiated} onChange={setIdpInitiated}>
            {text('connections.idp-initiated')}
            <span className="small soft line">{text('connections.idp-initiated.hint')}</span>
          </Checkbox>
        )}
        <FormButtons submit={text('save')} isPending={save.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Changes the provider's own settings, after which the connection has to be tested again. */
export function SettingsForm({ tenantId, connection, onClose }: Props) {
  const { kind, settings: current } = connection;
  const [source, setSource] = useState<Source>(typeof current.metadataUrl === 'string' ? 'url' : 'hand');
  const save = useChange(tenantId, connection, onClose);
  return (
    <Dialog title={text('connections.settings')} isOpen onClose={onClose}>
      <Form
        error={save.error}
        onSubmit={(values) => save.mutate({ settings: settingsOf(values, { kind, source, current }) })}
      >
        <Notice kind="care">
          <p>{text('connections.settings.text')}</p>
        </Notice>
        <ProviderFields kind={kind} source={source} onSource={setSource} current={current} />
        <FormButtons submit={text('save')} isPending={save.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

type Changes = components['schemas']['UpdateConnectionDto'];

function useChange(tenantId: string, { id }: Connection, onDone: () => void) {
  const say = useToast();
  return useMutation({
    mutationFn: async (body: Changes) =>
      (await gatehouse.patch(ONE, { params: pathOf(tenantId, id), body })).data,
    onSuccess: async ({ name }) => {
      await refreshConnections(tenantId);
      onDone();
      say(text('connections.changed', { name }));
    },
  });
}
