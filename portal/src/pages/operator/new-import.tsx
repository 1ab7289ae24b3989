import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { rich, text } from '../../messages/index.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkboxes.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { FirebaseParameters } from './import-formats.ts';
import { ImportPreview } from './import-preview.tsx';
import { beginImport } from './import-runs.ts';
import {
  COLUMN_FIELDS,
  type Conversion,
  convertSource,
  type ImportSource,
  type Mapping,
  readSource,
  toFile,
  UnknownSource,
} from './import-source.ts';

interface Props {
  /** Why the operator may not import; null if they may. */
  readonly denial: string | null;
  readonly isRunning: boolean;
}

/** Recognizes a file, shows what it would import, and begins with a dry run. */
export function NewImport({ denial, isRunning }: Props) {
  const [resets, setResets] = useState(0);
  const read = useMutation({
    mutationFn: async (file: File) => ({ file, source: await readSource(file) }),
  });
  const isDisabled = denial !== null;
  const begin = (file: File, invites: boolean) => {
    beginImport(file, true, invites);
    read.reset();
    setResets(resets + 1); // the field forgets the file
  };
  return (
    <section className="sheet section" aria-labelledby="new-import">
      <h2 id="new-import">{text('operator.imports.new')}</h2>
      <p>{rich('operator.imports.about', { code: (inside) => <code>{inside}</code> })}</p>
      <p className="soft small">
        {rich('operator.imports.docs', {
          code: (inside) => <code>{inside}</code>,
          link: (inside) => <a href="/api/docs/operations/importPeople">{inside}</a>,
        })}
      </p>
      {denial !== null && (
        <Notice title={text('operator.imports.denied')}>
          <p>{denial}</p>
        </Notice>
      )}
      <FileField
        key={resets}
        label={text('operator.imports.file')}
        name="file"
        accept=".csv,.tsv,.ndjson,.jsonl,.json,.txt,text/csv,application/json,application/x-ndjson"
        hint={text('operator.imports.file.hint')}
        error={read.error && problemOf(read.error)}
        onChange={(file) => (file ? read.mutate(file) : read.reset())}
        isDisabled={isDisabled}
        isRequired
      />
      {read.data && (
        <Recognized
          key={`${read.data.file.name} ${read.submittedAt}`}
          {...read.data}
          isRunning={isRunning}
          onBegin={begin}
        />
      )}
    </section>
  );
}

const problemOf = (error: unknown): string =>
  error instanceof UnknownSource
    ? text(`operator.imports.${error.why}`)
    : text('operator.imports.unreadable.text');

interface RecognizedProps {
  readonly file: File;
  readonly source: ImportSource;
  readonly isRunning: boolean;
  readonly onBegin: (file: File, invites: boolean) => void;
}

function Recognized({ file, source, isRunning, onBegin }: RecognizedProps) {
  const [mapping, setMapping] = useState(source.format === 'table' ? source.mapping : NO_COLUMNS);
  const [allVerified, setAllVerified] = useState(false);
  const [firebase, setFirebase] = useState<FirebaseParameters>(USUAL_FIREBASE);
  const [invites, setInvites] = useState(false);
  const [inviteTo, setInviteTo] = useState('');
  const conversion = useMemo(
    () =>
      source.format === 'ready' ? null : convertSource(source, { mapping, allVerified, firebase, inviteTo }),
    [source, mapping, allVerified, firebase, inviteTo],
  );
  const isEmpty = conversion !== null && conversion.people.size === 0;
  const begin = () =>
    conversion === null
      ? onBegin(file, invites)
      : onBegin(toFile(file.name, conversion.people), inviteTo !== '');
  return (
    <Form error={null} onSubmit={begin}>
      <p role="status">
        {conversion === null
          ? text('operator.imports.ready')
          : text('operator.imports.recognized', {
              format: text(`operator.imports.format.${source.format as 'table'}`),
              count: conversion.people.size + conversion.unverified.length + conversion.withoutAddress,
            })}
      </p>
      {source.format === 'table' && (
        <Columns columns={source.columns} mapping={mapping} onChange={setMapping} />
      )}
      {source.format === 'table' && mapping.emailVerified === '' && (
        <Checkbox isSelected={allVerified} onChange={setAllVerified}>
          {text('operator.imports.all-verified')}
        </Checkbox>
      )}
      {source.format === 'firebase' && <Firebase value={firebase} onChange={setFirebase} />}
      <ImportPreview
        people={source.format === 'ready' ? source.preview : [...(conversion?.people.values() ?? [])]}
      />
      {conversion === null ? (
        <Checkbox isSelected={invites} onChange={setInvites}>
          {text('operator.imports.invite')}
        </Checkbox>
      ) : (
        <LeftOut {...conversion} inviteTo={inviteTo} onInvite={setInviteTo} />
      )}
      {isRunning && <p className="hint">{text('operator.imports.one')}</p>}
      <div>
        <Button type="submit" isDisabled={isRunning || isEmpty}>
          {text('operator.imports.begin-dry')}
        </Button>
      </div>
    </Form>
  );
}

const NO_COLUMNS = Object.fromEntries(COLUMN_FIELDS.map((field) => [field, ''])) as Record<
  keyof Mapping,
  string
>;

interface ColumnsProps {
  readonly columns: readonly string[];
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}

/** Selects which column is which field. */
function Columns({ columns, mapping, onChange }: ColumnsProps) {
  const options = [
    ['', text('operator.imports.no-column')] as const,
    ...columns.map((column) => [column, column] as const),
  ];
  return (
    <div role="group" aria-label={text('operator.imports.columns')} className="columns wide">
      {COLUMN_FIELDS.map((field) => (
        <SelectField
          key={field}
          label={text(`operator.imports.field.${field}`)}
          options={options}
          value={mapping[field]}
          onChange={(column) => onChange({ ...mapping, [field]: column })}
        />
      ))}
    </div>
  );
}

/** Rounds and memory of most projects. */
const USUAL_FIREBASE = { signerKey: '', saltSeparator: '', rounds: '8', memory: '14' };
const FIREBASE_FIELDS = ['signerKey', 'saltSeparator', 'rounds', 'memory'] as const;

interface FirebaseProps {
  readonly value: FirebaseParameters;
  readonly onChange: (value: FirebaseParameters) => void;
}

/** Parameters of the hashes, as the console of Firebase shows them. */
const Firebase = ({ value, onChange }: FirebaseProps) => (
  <div role="group" aria-label={text('operator.imports.firebase')} className="columns wide">
    {FIREBASE_FIELDS.map((field) => (
      <TextField
        key={field}
        label={text(`operator.imports.firebase.${field}`)}
        value={value[field]}
        onChange={(typed) => onChange({ ...value, [field]: typed.trim() })}
        maxLength={200}
        isRequired
        verbatim
      />
    ))}
  </div>
);

type LeftOutProps = Conversion & {
  readonly inviteTo: string;
  readonly onInvite: (tenantId: string) => void;
};

/** People who are not imported, and how unverified ones come in. */
function LeftOut({ unverified, withoutAddress, inviteTo, onInvite }: LeftOutProps) {
  if (unverified.length + withoutAddress === 0 && inviteTo === '') return null;
  return (
    <>
      {(unverified.length > 0 || inviteTo !== '') && (
        <TextField
          label={text('operator.imports.invite-to')}
          hint={text('operator.imports.invite-to.hint')}
          value={inviteTo}
          onChange={(typed) => onInvite(typed.trim())}
          maxLength={26}
          verbatim
        />
      )}
      {unverified.length + withoutAddress > 0 && (
        <Notice kind="care" title={text('operator.imports.left-out')}>
          {withoutAddress > 0 && <p>{text('operator.imports.without-address', { count: withoutAddress })}</p>}
          {unverified.length > 0 && (
            <>
              <p>{text('operator.imports.unverified', { count: unverified.length })}</p>
              <details className="small">
                <summary>{text('operator.imports.unverified.show')}</summary>
                <Copyable
                  label={text('operator.imports.unverified.addresses')}
                  value={unverified.join('\n')}
                  isCode
                />
              </details>
            </>
          )}
        </Notice>
      )}
    </>
  );
}
