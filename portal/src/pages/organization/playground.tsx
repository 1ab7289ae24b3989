import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Scope, Verdict } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Check, Cross } from '../../ui/icons.tsx';
import { Page } from '../../ui/page.tsx';
import { nameOfRole } from '../../ui/role-name.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { nameOf } from './member-name.ts';
import {
  subjectOf,
  useInvitations,
  useMembers,
  usePermissions,
  useRoles,
  type Permission,
} from './organization-queries.ts';
import { ScopeChoice } from './scope-choice.tsx';

interface Question {
  readonly subject: string | null;
  readonly scopes: readonly Scope[];
}

/** Lets users try the permission check. */
export function Playground({ tenantId }: { readonly tenantId: string }) {
  const permissions = usePermissions(tenantId);
  const [subject, setSubject] = useState('');
  const probe = useMutation({
    mutationFn: ({ subject: about, scopes }: Question) => gatehouse.can(about, scopes),
  });
  const results = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (probe.data) results.current?.scrollIntoView({ block: 'nearest' }); // the button is above them
  }, [probe.data]);
  const ask = (values: FormData) => {
    const further = textOf(values, 'further')?.split(/[\s,]+/) ?? [];
    const scopes = [...values.getAll('scopes').map(String), ...further].filter(Boolean) as Scope[];
    probe.mutate({ subject: subject === '' ? null : subject, scopes });
  };
  return (
    <Page title={text('nav.tester')} lead={text('tester.lead')}>
      <div className="side-by-side">
        <section className="sheet section" aria-label={text('tester.question')}>
          <Form error={probe.error} onSubmit={ask}>
            <SubjectChoice tenantId={tenantId} chosen={subject} onChoose={setSubject} />
            {permissions && (
              <ScopeChoice permissions={permissions} chosen={['iam:member:update', 'iam:member:remove']} />
            )}
            <TextField
              label={text('tester.further')}
              name="further"
              verbatim
              hint={text('tester.further.hint')}
            />
            <div className="in-view">
              <Button type="submit" look="primary" isPending={probe.isPending}>
                {text('tester.check')}
              </Button>
            </div>
          </Form>
        </section>
        <div aria-live="polite" ref={results}>
          {probe.data && (
            <Verdicts question={probe.variables} verdicts={probe.data} permissions={permissions ?? []} />
          )}
        </div>
      </div>
    </Page>
  );
}

interface ChoiceProps {
  readonly tenantId: string;
  readonly chosen: string;
  readonly onChoose: (subject: string) => void;
}

function SubjectChoice({ tenantId, chosen, onChoose }: ChoiceProps) {
  const { data: members = [] } = useMembers(tenantId);
  const { data: invitations = [] } = useInvitations(tenantId);
  const { data: roles = [] } = useRoles(tenantId);
  const things: [string, string][] = [
    ['', text('tester.none')],
    [subjectOf('tenants', tenantId), text('tester.this-organization')],
    ...members.map((member): [string, string] => [
      subjectOf('members', member.userId),
      text('tester.member', { name: nameOf(member) }),
    ]),
    ...invitations.map(({ id, email }): [string, string] => [
      subjectOf('invitations', id),
      text('tester.invitation', { email }),
    ]),
    ...roles.map((role): [string, string] => [
      subjectOf('roles', role.id),
      text('tester.role', { name: nameOfRole(role) }),
    ]),
  ];
  return <SelectField label={text('tester.resource')} options={things} value={chosen} onChange={onChoose} />;
}

function Verdicts({
  question,
  verdicts,
  permissions,
}: {
  question: Question;
  permissions: readonly Permission[];
  verdicts: Readonly<Record<Scope, Verdict>>;
}) {
  const rows = Object.entries(verdicts);
  if (rows.length === 0) return <p className="soft">{text('tester.choose')}</p>;
  const body = { ...(question.subject !== null && { subject: question.subject }), scopes: question.scopes };
  return (
    <section className="sheet section" aria-labelledby="verdicts">
      <h2 id="verdicts">{text('tester.results')}</h2>
      <ul className="list">
        {rows.map(([scope, verdict]) => (
          <li key={scope} className="item plain">
            <div className="what">
              <p>
                {permissions.find((permission) => permission.scope === scope)?.title}{' '}
                <code className="soft">{scope}</code>
              </p>
              {!verdict.allowed && (
                <p className="small">
                  {verdict.reason} <code className="soft">{verdict.code}</code>
                </p>
              )}
            </div>
            {verdict.allowed ? <Yes /> : <No />}
          </li>
        ))}
      </ul>
      <details>
        <summary>{text('tester.request')}</summary>
        <pre className="code" tabIndex={0}>
          {`POST /api/auth/can\n${JSON.stringify(body, null, 2)}\n\n200\n${JSON.stringify(verdicts, null, 2)}`}
        </pre>
      </details>
    </section>
  );
}

const Yes = () => (
  <Badge kind="good">
    <Check size={14} /> {text('tester.yes')}
  </Badge>
);
const No = () => (
  <Badge kind="bad">
    <Cross size={14} /> {text('tester.no')}
  </Badge>
);
