import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { inBackground } from '../../session/in-background.ts';
import { queryClient } from '../../session/queries.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { AppLogo } from '../../ui/app-logo.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox, CheckboxGroup } from '../../ui/checkboxes.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Empty, Skeleton, useWhole } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { linesOf } from '../../ui/lines-of.ts';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useWholeTable } from '../../ui/whole-table.ts';
import { ScopeList } from '../scope-list.tsx';
import { subjectOf } from './organization-queries.ts';

type Agent = components['schemas']['AgentResponse'];
type Policy = components['schemas']['AgentPolicyResponse'];
type Api = components['schemas']['ApiResponse'];

const CLIENTS = ['off', 'listed', 'any'] as const satisfies readonly Policy['clients'][];
const DAYS = [1, 7, 30, 90, 365];
/** Value of a choice for null. */
const SESSION = 'session';

const agentsKey = (tenantId: string) => ['organization', tenantId, 'agents'] as const;
const policyKey = (tenantId: string) => ['organization', tenantId, 'agent-policy'] as const;

/** Shows which agents act in the name of members, ends them, and sets which ones may. */
export function Agents({ tenantId }: { readonly tenantId: string }) {
  const agents = useWhole(
    agentsKey(tenantId),
    async (query) =>
      (
        await gatehouse.get('/api/v1/iam/tenants/{id}/agents', {
          params: { path: { id: tenantId }, query },
        })
      ).data,
  );
  const { table } = useWholeTable(agents, {
    by: {
      name: ({ name }) => name,
      host: ({ host }) => host,
      people: ({ people }) => String(people),
      used: ({ lastUsedAt }) => lastUsedAt,
    },
    first: 'name',
  });
  const [reading, setReading] = useState<Agent | null>(null);
  const [ending, setEnding] = useState<Agent | null>(null);
  return (
    <Page title={text('nav.agents')} lead={text('agents.lead')}>
      <Table
        {...table}
        label={text('nav.agents')}
        count={(count) => text('agents.count', { count })}
        keyOf={({ id }) => id}
        columns={columnsOf(tenantId, setReading, setEnding)}
        empty={<Empty title={text('agents.empty')} lead={text('agents.empty.text')} />}
      />
      <PolicySection tenantId={tenantId} />
      {reading && (
        <Dialog
          title={text('agents.scopes.title', { name: reading.name })}
          isOpen
          onClose={() => setReading(null)}
        >
          <ScopeList app={reading.name} scopes={[]} apis={reading.apis} />
          <div className="buttons">
            <Button onPress={() => setReading(null)}>{text('close')}</Button>
          </div>
        </Dialog>
      )}
      {ending && <End tenantId={tenantId} agent={ending} onClose={() => setEnding(null)} />}
    </Page>
  );
}

type OnAgent = (agent: Agent) => void;

const columnsOf = (tenantId: string, onRead: OnAgent, onEnd: OnAgent): Column<Agent>[] => [
  {
    key: 'name',
    label: text('name'),
    sort: 'name',
    cell: ({ name, host, logoUrl }) => (
      <>
        <AppLogo url={logoUrl} />
        <strong title={name}>{name}</strong>
        <span className="under">{text('agents.from', { host })}</span>
      </>
    ),
  },
  {
    key: 'host',
    label: text('agents.host'),
    sort: 'host',
    isWide: true,
    cell: ({ host }) => <span title={host}>{host}</span>,
  },
  {
    key: 'people',
    label: text('nav.members'),
    sort: 'people',
    isWide: true,
    cell: ({ people }) => people,
  },
  {
    key: 'scopes',
    label: text('permissions'),
    cell: (agent) => (
      <Button look="link" onPress={() => onRead(agent)}>
        {text('roles.permissions', { count: countOf(agent) })}
      </Button>
    ),
  },
  {
    key: 'used',
    label: text('service-accounts.last-used'),
    sort: 'used',
    isWide: true,
    cell: ({ lastUsedAt }) => <Time value={lastUsedAt} />,
  },
  {
    key: 'menu',
    label: text('table.actions'),
    isLabelHidden: true,
    cell: (agent) => (
      <span className="end-cell">
        <ActionMenu
          label={text('service-accounts.actions', { name: agent.name })}
          subject={subjectOf('client-registries', tenantId)}
          actions={[
            {
              label: text('agents.end'),
              scope: 'iam:client:delete',
              danger: true,
              run: () => onEnd(agent),
            },
          ]}
        />
      </span>
    ),
  },
];

/** Number of permissions; an API without scopes is one. */
const countOf = ({ apis }: Agent): number =>
  apis.reduce((count, { scopes }) => count + Math.max(scopes.length, 1), 0);

interface EndProps {
  readonly tenantId: string;
  readonly agent: Agent;
  readonly onClose: () => void;
}

function End({ tenantId, agent: { id: agentId, name }, onClose }: EndProps) {
  const say = useToast();
  const end = useMutation({
    mutationFn: () =>
      gatehouse.delete('/api/v1/iam/tenants/{id}/agents/{agentId}', {
        params: { path: { id: tenantId, agentId } },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: agentsKey(tenantId) });
      onClose();
      say(text('agents.ended', { name }));
    },
  });
  return (
    <ConfirmDialog
      title={text('agents.end.title', { name })}
      confirm={text('agents.end')}
      action={end}
      isOpen
      onClose={onClose}
    >
      <p>{text('agents.end.text')}</p>
    </ConfirmDialog>
  );
}

function PolicySection({ tenantId }: { readonly tenantId: string }) {
  const policy = useQuery({
    queryKey: policyKey(tenantId),
    queryFn: async () => {
      const params = { path: { id: tenantId } };
      const [current, apis] = await Promise.all([
        gatehouse.get('/api/v1/iam/tenants/{id}/agent-policy', { params }),
        gatehouse.get('/api/v1/iam/tenants/{id}/apis', { params: { ...params, query: { limit: 100 } } }),
      ]);
      return { current: current.data, apis: apis.data.items };
    },
  });
  const { data } = policy;
  return (
    <Section title={text('agents.policy')} lead={text('agents.policy.lead')}>
      {policy.error && <ErrorNotice error={policy.error} onRetry={() => inBackground(policy.refetch())} />}
      {data && <PolicyForm key={JSON.stringify(data.current)} tenantId={tenantId} {...data} />}
      {policy.isPending && <Skeleton label={text('sign-in-policy.loading')} />}
    </Section>
  );
}

interface FormProps {
  readonly tenantId: string;
  readonly current: Policy;
  readonly apis: readonly Api[];
}

function PolicyForm({ tenantId, current, apis }: FormProps) {
  const say = useToast();
  const [clients, setClients] = useState(current.clients);
  const [maxDays, setMaxDays] = useState(current.maxDays);
  const own = apis.flatMap((api) => scopesOf(api).map(({ value }) => value));
  const [chosen, setChosen] = useState(current.scopes.filter((scope) => own.includes(scope)));
  const set = useMutation({
    mutationFn: (values: FormData) =>
      gatehouse.put('/api/v1/iam/tenants/{id}/agent-policy', {
        params: { path: { id: tenantId } },
        body: {
          clients,
          // Kept while the policy is off: a field that is not shown has no value.
          listed: values.has('listed') ? linesOf(values, 'listed') : current.listed,
          scopes: values.has('scopes') ? [...chosen, ...linesOf(values, 'scopes')] : current.scopes,
          maxDays,
        },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: policyKey(tenantId) });
      await queryClient.invalidateQueries({ queryKey: agentsKey(tenantId) });
      say(text('agents.policy.saved'));
    },
  });
  return (
    <Form error={set.error} onSubmit={(values) => set.mutate(values)}>
      <SelectField
        label={text('agents.clients')}
        hint={text(`agents.clients.${clients}.hint`)}
        options={CLIENTS.map((one) => [one, text(`agents.clients.${one}`)])}
        value={clients}
        onChange={(one) => setClients(one as Policy['clients'])}
      />
      {clients === 'listed' && (
        <TextArea
          label={text('agents.listed')}
          name="listed"
          hint={text('agents.listed.hint')}
          defaultValue={current.listed.join('\n')}
        />
      )}
      {clients !== 'off' && (
        <>
          {apis.map((api) => (
            <CheckboxGroup
              key={api.id}
              label={text('agents.scopes-of', { api: api.name })}
              value={chosen}
              onChange={setChosen}
            >
              {scopesOf(api).map(({ value, title }) => (
                <Checkbox key={value} value={value}>
                  {title}
                </Checkbox>
              ))}
            </CheckboxGroup>
          ))}
          <TextArea
            label={text('agents.other-scopes')}
            name="scopes"
            hint={text('agents.other-scopes.hint')}
            defaultValue={current.scopes.filter((scope) => !own.includes(scope)).join('\n')}
          />
          <SelectField
            label={text('agents.max-days')}
            options={[
              [SESSION, text('agents.max-days.session')],
              ...[...new Set([...DAYS, ...(current.maxDays === null ? [] : [current.maxDays])])].map(
                (days) => [String(days), text('sign-in-policy.days', { days })] as const,
              ),
            ]}
            value={maxDays === null ? SESSION : String(maxDays)}
            onChange={(days) => setMaxDays(days === SESSION ? null : Number(days))}
          />
        </>
      )}
      <Button type="submit" isPending={set.isPending}>
        {text('save')}
      </Button>
    </Form>
  );
}

/** Returns the scopes of an API as a policy names them; the API itself if it has none. */
function scopesOf({ id, name, scopes }: Api): { readonly value: string; readonly title: string }[] {
  if (scopes.length === 0) return [{ value: `${id}/`, title: name }];
  return scopes.map((scope) => ({ value: `${id}/${scope.name}`, title: scope.title }));
}
