import { useMutation } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox, CheckboxGroup } from '../../../ui/checkboxes.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { Section } from '../../../ui/section.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { refreshReach, useApis, useReach } from '../apis/api-queries.ts';
import type { OrganizationApp } from './app-queries.ts';

interface Props {
  readonly tenantId: string;
  readonly app: OrganizationApp;
  readonly mayChange: boolean;
}

/** APIs of the organization that an app can use in the name of members. */
export function AppReach({ tenantId, app, mayChange }: Props) {
  const reach = useReach(tenantId, app.clientId);
  const [isOpen, setOpen] = useState(false);
  const reached = reach.data ?? [];
  return (
    <Section
      title={text('nav.apis')}
      lead={text('apps.reach.text')}
      action={
        mayChange && (
          <Button small onPress={() => setOpen(true)}>
            {text('apps.reach.change')}
          </Button>
        )
      }
    >
      {reached.length === 0 ? (
        <p className="soft">{text('apps.reach.none')}</p>
      ) : (
        <dl className="facts">
          {reached.map(({ apiId, name, scopes }) => (
            <Fragment key={apiId}>
              <dt>{name}</dt>
              <dd>{scopes.join(' · ')}</dd>
            </Fragment>
          ))}
        </dl>
      )}
      {isOpen && <ReachForm tenantId={tenantId} app={app} reached={reached} onClose={() => setOpen(false)} />}
    </Section>
  );
}

interface FormProps {
  readonly tenantId: string;
  readonly app: OrganizationApp;
  readonly reached: readonly { readonly apiId: string; readonly scopes: readonly string[] }[];
  readonly onClose: () => void;
}

function ReachForm({ tenantId, app: { clientId, name }, reached, onClose }: FormProps) {
  const apis = (useApis(tenantId).data ?? []).filter(({ scopes }) => scopes.length > 0);
  const say = useToast();
  const scopesOf = (id: string) => reached.find(({ apiId }) => apiId === id)?.scopes ?? [];
  const save = useMutation({
    mutationFn: async (values: FormData) => {
      for (const { id: apiId } of apis) {
        const scopes = values.getAll(apiId).map(String);
        if (scopes.toSorted().join(' ') === scopesOf(apiId).toSorted().join(' ')) continue;
        await gatehouse.put('/api/v1/iam/tenants/{id}/clients/{clientId}/apis/{apiId}', {
          params: { path: { id: tenantId, clientId, apiId } },
          body: { scopes },
        });
      }
    },
    onSuccess: () => {
      onClose();
      say(text('apps.changed', { name }));
    },
    // Also after an error: some may have changed.
    onSettled: () => refreshReach(tenantId, clientId),
  });
  return (
    <Dialog title={text('apps.reach.title', { name })} isOpen onClose={onClose}>
      <Form error={save.error} onSubmit={(values) => save.mutate(values)}>
        {apis.length === 0 && <p>{text('apps.reach.no-apis')}</p>}
        {apis.map((api) => (
          <CheckboxGroup key={api.id} label={api.name} name={api.id} defaultValue={[...scopesOf(api.id)]}>
            {api.scopes.map((scope) => (
              <Checkbox key={scope.name} value={scope.name}>
                {scope.title} <code className="small soft">{scope.name}</code>
              </Checkbox>
            ))}
          </CheckboxGroup>
        ))}
        <FormButtons submit={text('save')} isPending={save.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
