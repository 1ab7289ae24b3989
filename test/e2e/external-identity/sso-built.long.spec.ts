import { OidcStandIn } from '../../lab/oidc-stand-in.js';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { BuiltService } from '../../support/built-service.js';
import { ExternalVisitor } from '../../support/external.js';

/**
 * Other tests run the sources as CommonJS, which loads libraries differently from the built ESM.
 */
describe('The built service', () => {
  const saml = new SamlStandIn();
  let oidc: OidcStandIn;
  let service: BuiltService;
  beforeAll(async () => {
    oidc = await OidcStandIn.start();
    service = await BuiltService.start({ ...oidc.settings, ...saml.settings });
  });
  afterAll(async () => {
    await service.stop();
    await oidc.close();
  });

  const begin = async (visitor: ExternalVisitor) => String((await visitor.start()).body['authorizationUrl']);

  it('signs in by OpenID Connect', async () => {
    const visitor = new ExternalVisitor(service, 'oidc');
    const { fragment } = await visitor.open(oidc.visit(await begin(visitor)));
    expect(fragment).toHaveProperty('access_token');
  });

  it('signs in by SAML', async () => {
    const visitor = new ExternalVisitor(service, 'saml');
    const { fragment } = await visitor.post(saml.answer(await begin(visitor), 'ada'));
    expect(fragment).toHaveProperty('access_token');
  });
});
