import { Controller, Get, Module } from '@nestjs/common';
import { SelectedTenant } from '../../../src/ability/index.js';
import {
  ApiOkResponse,
  ApiOperation,
  Bearer,
  Output,
  Problems,
  Tag,
} from '../../../src/platform/api/index.js';
import { TestTotp } from '../../support/factors.js';
import { Organization } from '../../support/organization.js';
import { TestApp } from '../../support/test-app.js';

class YardResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  tenantId: string;
}

@Tag('Yards', 'Yards of an organization.')
@Controller('api/v1/yards')
class YardsController {
  @Get('selected')
  @Bearer('app and satellites')
  @Problems('forbidden')
  @ApiOperation({ operationId: 'getSelectedYard', summary: 'Read the selected yard' })
  @ApiOkResponse({ type: YardResponse })
  selected(@SelectedTenant() tenantId: string): YardResponse {
    return { tenantId };
  }
}

@Module({ controllers: [YardsController] })
class YardsModule {}

describe('A route of another team that takes the selected tenant', () => {
  let app: TestApp;
  let organization: Organization;
  beforeAll(async () => {
    app = await TestApp.with(YardsModule);
    organization = await Organization.found(app);
  });
  afterAll(() => app.stop());

  it('asks for the sign-in that the tenant requires', async () => {
    const selected = (token: string) => app.get('/api/v1/yards/selected', token);
    const { person, token } = await organization.join('member');
    expect(await selected(token)).toMatchObject({ status: 200, body: { tenantId: organization.id } });
    expect(await selected(person.token)).toMatchObject({ status: 403, body: { code: 'tenant_required' } });
    const { person: owner } = organization.owner;
    await TestTotp.enrol(app, owner.token);
    const strong = await owner.select(organization.id);
    await organization.call('PUT', '/sign-in-policy', { secondFactor: 'required' }, strong);
    expect(await selected(token)).toMatchObject({
      status: 401,
      body: { type: '/errors/insufficient-user-authentication', enrol: true },
    });
    expect((await selected(strong)).status).toBe(200);
  });
});
