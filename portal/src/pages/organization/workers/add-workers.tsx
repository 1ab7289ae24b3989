import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemError } from '@gatehouse/client';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { inBackground } from '../../../session/in-background.ts';
import { NAMED_DELIMITER } from '../../../ui/csv.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { explain } from '../../../ui/explain.ts';
import { TextArea } from '../../../ui/fields.tsx';
import { FileField } from '../../../ui/file-field.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useRoles } from '../organization-queries.ts';
import { RoleChoice } from '../role-choice.tsx';
import { ALL, readWorkersAgain } from './worker-queries.ts';

/** People who are added at once. */
const MAX = 500;

interface Person {
  readonly line: string;
  readonly number: string;
  readonly firstName: string;
  readonly lastName: string | null;
}

interface Batch {
  readonly people: readonly Person[];
  readonly roles: string[];
}

interface Failure {
  readonly line: string;
  readonly why: string;
}

/** Adds one worker or many: a line for each, typed, pasted from a table, or of a file. */
export function AddWorkers({ tenantId, onClose }: { readonly tenantId: string; onClose: () => void }) {
  const { data: roles } = useRoles(tenantId);
  const say = useToast();
  const [typed, setTyped] = useState('');
  const [done, setDone] = useState(0);
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const people = peopleIn(typed);
  const add = useMutation({
    mutationFn: async ({ people: all, roles: chosen }: Batch) => {
      setFailures([]);
      setDone(0);
      const failed: Failure[] = [];
      for (const [n, person] of all.entries()) {
        const failure = await addOne(tenantId, person, chosen);
        if (failure) failed.push(failure);
        setDone(n + 1);
        setTyped([...failed.map(({ line }) => line), ...all.slice(n + 1).map(({ line }) => line)].join('\n'));
      }
      return failed;
    },
    onSettled: () => readWorkersAgain(tenantId),
    onSuccess: (failed, { people: all }) => {
      const count = all.length - failed.length;
      if (count > 0) say(text('workers.added', { count }));
      if (failed.length === 0) return onClose();
      setFailures(failed);
    },
  });
  const count = add.variables?.people.length ?? 0;
  return (
    <Dialog title={text('workers.add')} isOpen onClose={onClose}>
      <Form
        error={add.error}
        onSubmit={(values) => add.mutate({ people, roles: values.getAll('roles').map(String) })}
      >
        {failures.length > 0 && (
          <Notice kind="bad" title={text('workers.failed', { count: failures.length })}>
            <ul className="bullets">
              {failures.map(({ line, why }) => (
                <li key={line}>
                  {line}: {why}
                </li>
              ))}
            </ul>
          </Notice>
        )}
        <TextArea
          label={text('workers.people')}
          name="people"
          hint={text('workers.people.hint', { max: MAX })}
          value={typed}
          onChange={setTyped}
          validate={problemOf}
          isRequired
          autoFocus
        />
        <FileField
          label={text('workers.file')}
          name="file"
          accept=".csv,.txt,text/csv,text/plain"
          hint={text('workers.file.hint')}
          isDisabled={add.isPending}
          onChange={(file) => file && inBackground(file.text().then(setTyped))}
        />
        {roles && <RoleChoice roles={roles.filter(({ key }) => key !== 'owner')} />}
        {add.isPending && count > 1 && <p role="status">{text('workers.adding', { done, count })}</p>}
        <FormButtons
          submit={text('workers.add.submit', { count: people.length })}
          isPending={add.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** @returns null if the person is added, else why not */
async function addOne(tenantId: string, person: Person, roles: string[]): Promise<Failure | null> {
  const { line, ...fields } = person;
  try {
    await gatehouse.post(ALL, { params: { path: { id: tenantId } }, body: { ...fields, roles } });
    return null;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    if (error.code === 'too-many-requests') {
      await pause(error.retryAfterSeconds ?? 1);
      return addOne(tenantId, person, roles);
    }
    const isOwn =
      error.code === 'conflict' || error.violations.some(({ propertyPath }) => propertyPath in fields);
    if (!isOwn) throw error; // nothing about this person: the rest would fail as well
    return { line, why: explain(error).text };
  }
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/** Reads lines of number, first and last name, between tabs, semicolons or commas. */
function peopleIn(typed: string): Person[] {
  const lines = typed.replace('\uFEFF', '').replace(NAMED_DELIMITER, '').split(/\r?\n/);
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const cells = line.split(/[\t;,]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
      const [number = '', firstName = '', lastName = ''] = cells;
      return { line, number, firstName, lastName: lastName === '' ? null : lastName };
    });
}

function problemOf(typed: string): string | null {
  const people = peopleIn(typed);
  if (people.length > MAX) return text('workers.people.many', { max: MAX });
  const wrong = people.find(({ number, firstName }) => number === '' || firstName === '');
  return wrong ? text('workers.people.wrong', { line: wrong.line }) : null;
}
