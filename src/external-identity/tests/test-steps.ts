import type { Connection, ConnectionKind, Provisioned, TestStep } from '../../connection/index.js';
import type { Message } from '../../platform/messages/index.js';
import { SignInError, type ProvenProfile } from '../providers/provider.js';
import { type SamlCheck, SamlRefusal } from '../providers/saml/checks/saml-refusal.js';
import './test.messages.js';

/** Checks of a test, in the order in which they are made. */
const STEPS = {
  oidc: ['provider', 'code', 'times', 'issuer', 'audience', 'nonce', 'signature', 'subject'],
  saml: ['response', 'issuer', 'recipient', 'request', 'times', 'audience', 'signature', 'subject'],
} as const;
type StepName = (typeof STEPS)[ConnectionKind][number] | 'domain' | 'attributes' | 'roles';

/** A failed check, and what to do about it. */
interface Fault {
  readonly step: StepName;
  readonly detail: Message;
  /** Last check that has passed, of a fault that is found before the checks that precede it. */
  readonly after?: StepName;
}

const PASSED: Message = { id: 'connection-test.passed' };
const SKIPPED: Message = { id: 'connection-test.skipped' };

/** Steps of a proven profile. The test has passed unless one has failed. */
export function stepsOfProfile(
  { kind, domains }: Connection,
  profile: ProvenProfile,
  { outcome, roles }: { readonly outcome: Provisioned['outcome']; readonly roles: readonly string[] },
): readonly TestStep[] {
  const { email, emailProof, attributes = {} } = profile;
  const isOwn = emailProof === 'authority';
  const named = domains.join(', ');
  const domain: Message = isOwn
    ? PASSED
    : named === ''
      ? { id: 'connection-test.domain.none' }
      : {
          id: email === null ? 'connection-test.domain.missing' : 'connection-test.domain.failed',
          values: { domains: named },
        };
  const count = Object.keys(attributes).length;
  return [
    ...STEPS[kind].map((name) => stepOf(name, 'passed', PASSED)),
    stepOf('domain', isOwn ? 'passed' : 'failed', domain),
    stepOf('attributes', 'passed', { id: 'connection-test.attributes.passed', values: { count } }),
    roles.length === 0
      ? stepOf('roles', 'skipped', {
          id: outcome === 'undecided' ? 'connection-test.roles.incomplete' : 'connection-test.roles.none',
        })
      : stepOf('roles', 'passed', {
          id: 'connection-test.roles.passed',
          values: { roles: roles.join(', ') },
        }),
  ];
}

/** Steps of a refused response: those before the failed one have passed, if they were checked. */
export function stepsOfError(kind: ConnectionKind, error: unknown): readonly TestStep[] {
  const { step, detail, after } = kind === 'saml' ? faultOfSaml(error) : faultOfOidc(error);
  const names: readonly StepName[] = STEPS[kind];
  const passed = after === undefined ? names.indexOf(step) : names.indexOf(after) + 1;
  const steps = names.map((name, n) => {
    if (name === step) return stepOf(name, 'failed', detail);
    return n < passed ? stepOf(name, 'passed', PASSED) : stepOf(name, 'skipped', SKIPPED);
  });
  const rest = (['domain', 'attributes', 'roles'] as const).map((name) => stepOf(name, 'skipped', SKIPPED));
  return [...steps, ...rest];
}

const stepOf = (name: StepName, verdict: TestStep['verdict'], detail: Message): TestStep => ({
  name,
  verdict,
  detail,
});

const BY_CHECK: Readonly<Record<SamlCheck, Fault>> = {
  'SAML-1': { step: 'signature', detail: { id: 'connection-test.signature.failed' } },
  'SAML-2': { step: 'signature', detail: { id: 'connection-test.signature.missing' }, after: 'response' },
  'SAML-3': { step: 'response', detail: { id: 'connection-test.response.failed' } },
  'SAML-4': { step: 'signature', detail: { id: 'connection-test.signature.algorithm' }, after: 'response' },
  'SAML-6': { step: 'issuer', detail: { id: 'connection-test.issuer.failed' } },
  'SAML-7': { step: 'recipient', detail: { id: 'connection-test.recipient.failed' } },
  'SAML-8': { step: 'times', detail: { id: 'connection-test.times.confirmation' } },
  'SAML-9': { step: 'times', detail: { id: 'connection-test.times.failed' } },
  'SAML-10': { step: 'request', detail: { id: 'connection-test.request.failed' } },
  'SAML-12': { step: 'response', detail: { id: 'connection-test.response.encrypted' } },
  'SAML-13': { step: 'subject', detail: { id: 'connection-test.subject.failed' } },
  'SAML-17': { step: 'response', detail: { id: 'connection-test.response.failed' } },
  'SAML-18': { step: 'response', detail: { id: 'connection-test.response.failed' } },
};

function faultOfSaml(error: unknown): Fault {
  const cause = error instanceof SignInError ? error.cause : error;
  if (!(cause instanceof SamlRefusal))
    return { step: 'response', detail: { id: 'connection-test.response.status' } };
  if (cause.topic === 'audience')
    return { step: 'audience', detail: { id: 'connection-test.audience.failed' } };
  if (cause.topic === 'authentication-age')
    return { step: 'times', detail: { id: 'connection-test.times.authentication' } };
  if (cause.topic === 'decryption' || cause.topic === 'not-encrypted')
    return { step: 'response', detail: { id: `connection-test.response.${cause.topic}` } };
  return BY_CHECK[cause.topic === 'unsigned' ? 'SAML-2' : cause.check];
}

/** Faults by the claim that does not fit. */
const BY_CLAIM: Readonly<Record<string, Fault>> = {
  iss: { step: 'issuer', detail: { id: 'connection-test.issuer.failed' } },
  aud: { step: 'audience', detail: { id: 'connection-test.audience.failed' } },
  'other-aud': { step: 'audience', detail: { id: 'connection-test.audience.others' } },
  azp: { step: 'audience', detail: { id: 'connection-test.audience.failed' } },
  nonce: { step: 'nonce', detail: { id: 'connection-test.nonce.failed' } },
  exp: { step: 'times', detail: { id: 'connection-test.times.failed' } },
  iat: { step: 'times', detail: { id: 'connection-test.times.failed' } },
  nbf: { step: 'times', detail: { id: 'connection-test.times.failed' } },
};

/** Claims that an ID token must have, with the step that names their absence. */
const REQUIRED = {
  aud: 'audience',
  exp: 'times',
  iat: 'times',
  iss: 'issuer',
  sub: 'subject',
  nonce: 'nonce',
} as const;

const WRONG_ISSUER: Fault = {
  step: 'issuer',
  detail: { id: 'connection-test.issuer.failed' },
  after: 'provider',
};

/** Codes of the libraries that say more than the reason of the error. */
const BY_CODE: readonly (readonly [code: RegExp, fault: Fault])[] = [
  [/TIMESTAMP|EXPIRED/, { step: 'times', detail: { id: 'connection-test.times.failed' } }],
  [
    /NO_MATCHING_KEY|SIGNATURE_VERIFICATION/,
    { step: 'signature', detail: { id: 'connection-test.signature.failed' } },
  ],
  [/ALG_NOT_ALLOWED/, { step: 'signature', detail: { id: 'connection-test.signature.algorithm' } }],
  [
    /RESPONSE_BODY_ERROR|AUTHENTICATE_CHALLENGE/,
    { step: 'code', detail: { id: 'connection-test.code.failed' } },
  ],
];

function faultOfOidc(error: unknown): Fault {
  for (const cause of causesOf(error)) {
    const { claim, code } = cause;
    const byClaim = typeof claim === 'string' ? BY_CLAIM[claim] : undefined;
    const byCode = typeof code === 'string' ? BY_CODE.find(([which]) => which.test(code))?.[1] : undefined;
    const fault = byClaim ?? faultOfDetails(cause) ?? byCode;
    if (fault) return fault;
  }
  if (error instanceof SignInError && error.reason === 'provider_unavailable')
    return { step: 'provider', detail: { id: 'connection-test.provider.failed' } };
  if (error instanceof SignInError && error.reason === 'access_denied')
    return { step: 'code', detail: { id: 'connection-test.code.denied' } };
  return { step: 'code', detail: { id: 'connection-test.code.invalid' } };
}

/**
 * Returns the fault that the details of an error of the library tell (oauth4webapi): a header, the
 * parameters of the callback, an attribute of a document, or claims of which one is missing.
 */
function faultOfDetails({ header, parameters, attribute, claims }: Cause): Fault | undefined {
  if (header !== undefined)
    return { step: 'signature', detail: { id: 'connection-test.signature.algorithm' }, after: 'code' };
  if (attribute === 'issuer') return { ...WRONG_ISSUER, after: undefined };
  if (parameters !== undefined) return WRONG_ISSUER;
  if (attribute === 'sub') return { step: 'subject', detail: { id: 'connection-test.subject.other' } };
  if (typeof claims !== 'object' || claims === null) return undefined;
  const [missing] = Object.entries(REQUIRED).find(([name]) => !Object.hasOwn(claims, name)) ?? [];
  return missing === undefined
    ? undefined
    : {
        step: REQUIRED[missing as keyof typeof REQUIRED],
        detail: { id: 'connection-test.claim.missing', values: { claim: missing } },
        after: 'times',
      };
}

type Cause = Readonly<Record<'claim' | 'code' | 'header' | 'parameters' | 'attribute' | 'claims', unknown>>;

/** Returns an error and its causes that are objects, from the inside out; ten at most. */
function causesOf(error: unknown): Cause[] {
  const causes: Cause[] = [];
  let at = error;
  while (typeof at === 'object' && at !== null && causes.length < 10) {
    causes.push(at as Cause);
    at = (at as Error).cause;
  }
  return causes.toReversed();
}
