import { readFileSync } from 'node:fs';
import type { Json } from '../support/openapi.js';

/**
 * Names whose properties may have no description: their meaning is plain, or is said by the schema
 * that they are in. It must not grow: describe a new property where its field is declared, with its
 * unit, when it is null, or the section of its standard.
 */
const PLAIN = new Set(
  `
  @context @id @type access_evaluation_endpoint access_evaluations_endpoint access_token acr action
  active alg allowed attemptList attributes auth_time authorization_schemes ceremony certificates
  challenge clientId clientSecret client_id code company configuration_endpoint confirmation_code
  consumers contents country crv decision delivery_methods_supported description device_code
  directoryName e email_verified evaluations events exp family_name fileName firstParty given_name
  groups iat id identifier identities iss issuer items jwksUri jwks_uri key keys kid kind kty locale
  loginHint logoUri mails memberships message method moreAvailable n name nameFormat nonce owners
  parts people permissions pin place policy_decision_point properties protected_resources reason
  redirectUri refreshToken request_uri results roles rules scope scopes search_resource_endpoint
  search_subject_endpoint series sessions source spec_version status status_endpoint steps sub task
  things title tokenEndpointAuthMethod token_type type until url use userAgent userName value values
  verdict verification_endpoint verification_uri verification_uri_complete violations x y
  `
    .trim()
    .split(/\s+/),
);

/** Returns the properties of a schema, and of the schemas within it. */
function propertiesOf(schema: Json): (readonly [name: string, property: Json])[] {
  const own = Object.entries<Json>(schema.properties ?? {});
  const parts: Json[] = ['allOf', 'oneOf', 'anyOf'].flatMap((key) => schema[key] ?? []);
  const inner = [...own.map(([, property]) => property), ...parts, ...(schema.items ? [schema.items] : [])];
  return [...own, ...inner.flatMap(propertiesOf)];
}

const isReference = (property: Json): boolean =>
  [property, ...(property.allOf ?? []), ...(property.anyOf ?? [])].some(({ $ref }) => $ref !== undefined);

it('Each property of the API document has a description, unless its meaning is plain from its name', () => {
  const { components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Json;
  const undescribed = Object.values<Json>(components.schemas)
    .flatMap(propertiesOf)
    .filter(([, property]) => property.description === undefined && !isReference(property))
    .map(([name]) => name);
  expect(undescribed.filter((name) => !PLAIN.has(name))).toEqual([]);
  expect([...PLAIN].filter((name) => !undescribed.includes(name))).toEqual([]);
});
