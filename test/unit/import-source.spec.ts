import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Conversion, ImportSource } from '../../portal/src/pages/operator/import-source.js';
import { convertSource, readSource, toFile } from '../../portal/src/pages/operator/import-source.js';
import { describeWith } from '../support/tools.js';

const FIREBASE = { signerKey: 'c2lnbmVy', saltSeparator: 'Bw==', rounds: '8', memory: '14' };
const NO_COLUMNS = {
  email: '',
  externalId: '',
  emailVerified: '',
  firstName: '',
  lastName: '',
  displayName: '',
  passwordHash: '',
};

const fileOf = (content: unknown, name = 'people'): File =>
  new File([typeof content === 'string' ? content : JSON.stringify(content)], name);
const sourceOf = (content: unknown): Promise<ImportSource> => readSource(fileOf(content));

/** Recognizes and converts a file, with the columns that are guessed. */
async function converted(content: unknown, allVerified = false, inviteTo = ''): Promise<Conversion> {
  const source = await sourceOf(content);
  if (source.format === 'ready') throw new Error('The file needs no conversion.');
  const mapping = source.format === 'table' ? source.mapping : NO_COLUMNS;
  return convertSource(source, { mapping, allVerified, firebase: FIREBASE, inviteTo });
}

const EXPORTS = {
  keycloak: {
    realm: 'lovelace',
    users: [
      {
        id: 'k1',
        email: 'ada@example.com',
        emailVerified: true,
        firstName: 'Ada',
        lastName: '',
        credentials: [
          { type: 'password', credentialData: '{"algorithm":"argon2"}', secretData: '{"value":"x"}' },
          {
            type: 'otp',
            credentialData:
              '{"subType":"totp","algorithm":"HmacSHA1","digits":6,"period":30,"secretEncoding":null}',
            secretData: '{"value":"Zp5kQ1vT"}',
          },
        ],
        federatedIdentities: [
          { identityProvider: 'google', userId: '1084' },
          { identityProvider: 'github', userId: '9' },
        ],
      },
      {
        id: 'k2',
        email: 'grace@example.com',
        emailVerified: true,
        credentials: [
          {
            type: 'otp',
            credentialData:
              '{"subType":"totp","algorithm":"HmacSHA1","digits":6,"period":30,"secretEncoding":"BASE32"}',
            secretData: '{"value":"GEZDGNBVGY3TQOJQ"}',
          },
        ],
      },
      {
        id: 'k3',
        email: 'alan@example.com',
        emailVerified: true,
        credentials: [
          {
            type: 'otp',
            credentialData: '{"subType":"hotp","algorithm":"HmacSHA1","digits":6,"period":30}',
            secretData: '{"value":"counter"}',
          },
        ],
      },
      { id: 'k4', username: 'service', credentials: [] },
      {
        id: 'k5',
        email: 'mary@example.com',
        emailVerified: true,
        credentials: [
          {
            type: 'otp',
            credentialData: '{"subType":"totp","algorithm":"HmacSHA1","digits":8,"period":30}',
            secretData: '{"value":"eight digits"}',
          },
        ],
      },
    ],
  },
  auth0: [
    { _id: { $oid: 'a1' }, email: 'ada@example.com', email_verified: true, passwordHash: '$2b$10$x' },
    {
      _id: { $oid: 'a2' },
      alt_id: 'other',
      identifiers: [{ type: 'email', value: 'grace@example.com', verified: true }],
      passwordHash: '$2b$10$y',
    },
    { _id: { $oid: 'a3' } },
  ],
  firebase: {
    users: [
      {
        localId: 'f1',
        email: 'ada@example.com',
        emailVerified: true,
        displayName: 'Ada Lovelace',
        passwordHash: 'a-b_c=',
        salt: 'd-e_f=',
        providerUserInfo: [{ providerId: 'google.com', rawId: '1084' }, { providerId: 'password' }],
      },
      { localId: 'f2', email: 'grace@example.com', emailVerified: true, displayName: '' },
      { localId: 'f3', phoneNumber: '+49' },
    ],
  },
  cognito: {
    Users: [
      {
        Username: 'c1',
        Attributes: [
          { Name: 'sub', Value: 'c1' },
          { Name: 'email', Value: 'ada@example.com' },
          { Name: 'email_verified', Value: 'true' },
          { Name: 'given_name', Value: 'Ada' },
        ],
      },
      { Username: 'c2', Attributes: [{ Name: 'sub', Value: 'c2' }] },
    ],
  },
};
const lines = (records: readonly object[]) => records.map((one) => JSON.stringify(one)).join('\n');

describe('A file for the import', () => {
  it('is sent as it is if it has a person a line', async () => {
    const person = { externalId: '1', email: 'ada@example.com', emailVerified: true };
    expect(await sourceOf(`\n${lines([person, person])}\nbroken`)).toEqual({
      format: 'ready',
      preview: [person, person],
    });
  });

  it.each([
    ['Keycloak', EXPORTS.keycloak, 'keycloak'],
    ['Auth0 as an array', EXPORTS.auth0, 'auth0'],
    ['Auth0 as lines', lines(EXPORTS.auth0), 'auth0'],
    ['Firebase', EXPORTS.firebase, 'firebase'],
    ['Cognito', EXPORTS.cognito, 'cognito'],
    ['a table', 'email;id\nada@example.com;1\n', 'table'],
    ['an array of flat records', [{ mail: 'ada@example.com', uid: 7 }], 'table'],
  ])('is recognized as %s', async (_, content, format) => {
    expect((await sourceOf(content)).format).toBe(format);
  });

  it.each([
    ['nothing', ''],
    ['prose', 'Dear Sir or Madam,\nplease import Ada.'],
    ['JSON without people', '{"version": 3}'],
    ['CSV with a quote that does not end', 'id,email\n1,"ada@example.com\n2,grace@example.com'],
  ])('is refused with %s', async (_, content) => {
    await expect(sourceOf(content)).rejects.toMatchObject({ why: 'unknown' });
  });

  it('is converted from CSV by its guessed columns, with the lines of the file', async () => {
    const csv =
      '\uFEFFE-Mail,ID,Vorname,Nachname,Verified\r\n' +
      'ada@example.com,1,"Ada ""Countess""","Love\nlace",yes\r\n' +
      '\r\n' +
      'grace@example.com,,Grace,,no\r\n' +
      ',4,Joan,,yes\r\n' +
      'alan@example.com,5,Alan,Turing,TRUE';
    const { people, unverified, withoutAddress } = await converted(csv);
    expect([...people]).toEqual([
      [
        2,
        {
          externalId: '1',
          email: 'ada@example.com',
          emailVerified: true,
          firstName: 'Ada "Countess"',
          lastName: 'Love\nlace',
        },
      ],
      [
        7,
        {
          externalId: '5',
          email: 'alan@example.com',
          emailVerified: true,
          firstName: 'Alan',
          lastName: 'Turing',
        },
      ],
    ]);
    expect([unverified, withoutAddress]).toEqual([['grace@example.com'], 1]);
    const sent = (await toFile('people.csv', people).text()).split('\n');
    expect(sent.map((line) => line !== '')).toEqual([false, true, false, false, false, false, true, false]);
  });

  it('is read with quoted headings, a byte order mark and spaces around cells', async () => {
    const { people } = await converted('\uFEFF"email", id \n ada@example.com , 1 \n', true);
    expect([...people.values()]).toMatchObject([{ email: 'ada@example.com', externalId: '1' }]);
  });

  // ag-grid/ag-grid#455, javiertelioz/angular2-csv#23, mechatroner/vscode_rainbow_csv#108
  it('is read by the delimiter that its first line names for spreadsheets', async () => {
    for (const first of ['sep=;', '\uFEFFSEP=;', '"sep=;"']) {
      const { people } = await converted(`${first}\r\nemail;id\r\nada@example.com;1\r\n`, true);
      expect([first, [...people]]).toMatchObject([
        first,
        [[3, { email: 'ada@example.com', externalId: '1' }]],
      ]);
    }
    const { people } = await converted('sep=,\nid,"email;mail","email"\n1,x,ada@example.com\n', true);
    expect([...people.values()]).toMatchObject([{ email: 'ada@example.com', externalId: '1' }]);
  });

  it('is read by the delimiter between its headings, and not in them', async () => {
    const csv = '"Name, first, last";email;id\nAda;ada@example.com;1\n';
    expect([...(await converted(csv, true)).people.values()]).toMatchObject([
      { email: 'ada@example.com', externalId: '1' },
    ]);
  });

  it('takes addresses of a table as verified only where the operator says so', async () => {
    const csv = 'email\tname\nada@example.com\tAda\n';
    expect((await converted(csv)).unverified).toEqual(['ada@example.com']);
    expect([...(await converted(csv, true)).people.values()]).toEqual([
      { externalId: 'ada@example.com', email: 'ada@example.com', emailVerified: true, displayName: 'Ada' },
    ]);
  });

  it('numbers the people of an array', async () => {
    expect([...(await converted(EXPORTS.keycloak)).people.keys()]).toEqual([1, 2, 3, 5]);
  });

  it('keeps people of Cognito whose address is not verified apart', async () => {
    const [person] = EXPORTS.cognito.Users;
    const Attributes = person?.Attributes.map((one) =>
      one.Name === 'email_verified' ? { ...one, Value: 'false' } : one,
    );
    const { people, unverified } = await converted({ Users: [{ ...person, Attributes }] });
    expect([people.size, unverified]).toEqual([0, ['ada@example.com']]);
  });

  it('invites people whose address is not verified, without their password', async () => {
    const [person] = EXPORTS.firebase.users;
    const users = [{ ...person, emailVerified: false }];
    const { people, unverified } = await converted({ users }, false, '01K3V9D7Q8Z4X5N6M7P8R9S0T3');
    expect(unverified).toEqual([]);
    expect([...people.values()]).toEqual([
      {
        externalId: expect.any(String) as unknown,
        email: 'ada@example.com',
        emailVerified: false,
        memberships: [{ tenantId: '01K3V9D7Q8Z4X5N6M7P8R9S0T3', roles: ['member'] }],
      },
    ]);
  });

  it('keeps people whose address is not verified apart', async () => {
    const [person] = EXPORTS.firebase.users;
    const { people, unverified } = await converted({ users: [{ ...person, emailVerified: false }] });
    expect([people.size, unverified]).toEqual([0, ['ada@example.com']]);
  });
});

/** Commands of the documentation, which convert as the page does. */
describeWith(['/usr/bin/jq'], 'A converted file', () => {
  const page = readFileSync('docs/moving-in.md', 'utf8');
  const commandAfter = (heading: string, at = 0): string =>
    [...page.slice(page.indexOf(`\n## ${heading}\n`)).matchAll(/\njq -c [^']*'([^']+)'/g)][at]?.[1] ?? '';
  const FIREBASE_ARGUMENTS = Object.entries({
    signer: FIREBASE.signerKey,
    separator: FIREBASE.saltSeparator,
    rounds: FIREBASE.rounds,
    memory: FIREBASE.memory,
  }).flatMap(([name, value]) => ['--arg', name, value]);

  const users = [
    {
      user_id: 'google-oauth2|1084',
      email: 'ada@example.com',
      email_verified: true,
      identities: [{ provider: 'google-oauth2', user_id: '1084' }],
    },
  ];

  it.each([
    ['Keycloak', EXPORTS.keycloak, commandAfter('Keycloak')],
    ['Auth0', lines(EXPORTS.auth0), commandAfter('Auth0')],
    ['Auth0, by Google', lines(users), commandAfter('Auth0', 1)],
    ['Firebase', EXPORTS.firebase, commandAfter('Firebase')],
    ['Cognito', EXPORTS.cognito, commandAfter('Cognito')],
  ])('has what the command of the documentation writes for %s', async (_, content, command) => {
    const input = typeof content === 'string' ? content : JSON.stringify(content);
    const output = execFileSync('/usr/bin/jq', ['-c', ...FIREBASE_ARGUMENTS, command], {
      input,
      encoding: 'utf8',
    });
    const expected = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const { people } = await converted(content);
    expect([...people.values()].map(stated)).toEqual(expected.map(stated));
    expect(expected.length).toBeGreaterThan(0);
  });
});

/** Leaves out what says nothing. */
const stated = (person: object): object =>
  Object.fromEntries(
    Object.entries(person).filter(
      ([, value]) => value != null && !(Array.isArray(value) && value.length === 0),
    ),
  );
