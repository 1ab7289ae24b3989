import { Controller, Get, Module } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, Deprecated, Public } from '../../../src/platform/api/index.js';
import { TestApp } from '../../support/test-app.js';

const LINK = 'https://docs.example.com/crates';

@Controller('api/v1/logistics/crates')
class CrateController {
  @Get('old')
  @Public('of a test')
  @Deprecated({ since: '2026-11-01', sunset: '2027-05-01', link: LINK })
  @ApiOperation({ operationId: 'listOldCrates', summary: 'List crates' })
  @ApiOkResponse()
  old(): void {}

  @Get('older')
  @Public('of a test')
  @Deprecated({ since: '2026-11-01', link: LINK })
  @ApiOperation({ operationId: 'listOlderCrates', summary: 'List crates' })
  @ApiOkResponse()
  older(): void {}

  @Get('new')
  @Public('of a test')
  @ApiOperation({ operationId: 'listCrates', summary: 'List crates' })
  @ApiOkResponse()
  new(): void {}
}

@Module({ controllers: [CrateController] })
class CratesModule {}

describe('A deprecated route', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.with(CratesModule);
  });
  afterAll(() => app.stop());

  const headersOf = async (name: string) => {
    const { headers } = await app.get(`/api/v1/logistics/crates/${name}`);
    return ['deprecation', 'sunset', 'link'].map((header) => headers.get(header));
  };

  it('says since when it is, when it goes, and where to read why', async () => {
    const link = `<${LINK}>; rel="deprecation"; type="text/html"`;
    expect(await headersOf('old')).toEqual(['@1793491200', 'Sat, 01 May 2027 00:00:00 GMT', link]);
    expect(await headersOf('older')).toEqual(['@1793491200', null, link]);
    expect(await headersOf('new')).toEqual([null, null, null]);
  });

  it('is marked in the API document', async () => {
    const { body } = await app.get('/api/docs/openapi.json');
    const paths = body['paths'] as unknown as Record<string, { get: { deprecated?: boolean } }>;
    const marked = ['old', 'older', 'new'].map(
      (name) => paths[`/api/v1/logistics/crates/${name}`]?.get.deprecated,
    );
    expect(marked).toEqual([true, true, undefined]);
  });

  it.each(['yesterday', '2026-13-01', '2026-11-01T00:00:00Z'])('does not begin on %s', (since) => {
    expect(() => Deprecated({ since, link: LINK })).toThrow(`@Deprecated: ${since} is not a day`);
  });
});
